"""What commands that open a browser share: the address they print, the browser, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Annotated

import typer

from botyard.cli.console import note, out, say

NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")]


def tell_address(what: str, address: str) -> None:
    """Prints an address, at once: whoever reads it from a pipe waits for it."""
    say("{what}: {address}", what=what, address=address)
    out.file.flush()


def open_browser(address: str) -> None:
    """Opens a page in the background; a machine without a browser has the address on its screen."""
    import webbrowser

    def work() -> None:
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(address)

    threading.Thread(target=work, daemon=True).start()


def tell_end(what: str) -> None:
    note("{what}; Ctrl-C ends", what=what)


@contextlib.contextmanager
def stopped() -> Iterator[asyncio.Event]:
    """Yields an event that Ctrl-C, or a wish to end, sets: the command then ends in peace."""
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end.set)
    try:
        yield end
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
