"""`botyard view` shows replays, recordings and original logs in the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.web import NoBrowser, open_browser, stopped, tell_address
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.links.viewing.screening import Screening

SUFFIX = ".replay"
GZIP = b"\x1f\x8b"


def view(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPLAY...",
            help="Replays, folders of them, and recordings or logs of original programs that `botyard conform` knows.",
        ),
    ],
    no_browser: NoBrowser = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the server; 0: one that is free.")] = 0,
) -> None:
    """Show games in the browser: play, step, scrub, jump to lost turns, look through a seat's eyes.

    A small server on this machine answers nobody else: its address holds a secret. Ctrl-C ends it.
    """
    asyncio.run(show(list(named_files(files)), no_browser, port))


def named_files(files: list[Path]) -> Iterator[Path]:
    """Yields the files that are named, and all replays of the folders that are."""
    for path in files:
        if path.is_dir():
            found = sorted(path.glob(f"*{SUFFIX}"))
            if not found:
                raise YardError(f"there is no replay in {path}", hint=f"replays end in {SUFFIX}")
            yield from found
        elif path.exists():
            yield path
        else:
            raise YardError(f"there is no file {path}", hint="name a replay, a recording, or a folder of replays")


async def show(files: list[Path], no_browser: bool, port: int) -> None:
    """Serves until it is stopped. The browser is opened first, so that it starts while the rules are loaded."""
    from botyard.links.viewing.app import Door
    from botyard.links.viewing.server import viewing
    from botyard.links.viewing.shelf import Shelf

    shelf = Shelf()
    for path in files:
        fill(shelf, path)
    with stopped() as end:
        async with viewing(port) as guard:
            address = guard.address(guard.open_door(Door(shelf).app()))
            tell_address("watch" if len(shelf) == 1 else "choose from", address)
            if not no_browser:
                open_browser(address)
            await shelf.warm()
            await end.wait()


def fill(shelf: Shelf, path: Path) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Puts what a file holds on the shelf."""
