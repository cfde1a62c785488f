"""The live page of `botyard contest run --web`, and of contests that are over."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import note

if TYPE_CHECKING:
    from botyard.contest.live.snapshot import LiveContest
    from botyard.contest.plan import Plan

NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the page's address; open no browser.")]


@contextlib.contextmanager
def live_page(plans: Sequence[Plan], wanted: bool, browser: bool) -> Iterator[Sequence[LiveContest | None]]:
    """While inside, a page shows these contests if it is wanted; gives the contests for the runs to tell their news."""
    if not wanted:
        yield [None] * len(plans)
        return
    from botyard.contest.live.app import shown
    from botyard.contest.live.snapshot import LivePage

    page = LivePage(plans)
    for contest in page.contests:
        contest.prepare()
    with shown(page) as address:
        note("watch: {address}", address=address)
        if browser:
            webbrowser.open(address)
        yield page.contests


def wait_for_ctrl_c() -> None:
    """Lets a page stay until somebody has seen enough."""
    note("the page stays open; Ctrl-C ends it")
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()
