"""`botyard view` shows replays, recordings, original logs and contests in the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import errors
from botyard.cli.contest.live import CONTESTS, show_contests
from botyard.cli.web import NoBrowser, open_browser, stopped, tell_address, tell_end
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.links.viewing.screening import Screening

SUFFIX = ".replay"


def view(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPLAY...",
            help="Replays, folders of them, recordings or logs of original programs that `botyard conform` knows, "
            "or contest files.",
        ),
    ],
    no_browser: NoBrowser = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the server; 0: one that is free.")] = 0,
) -> None:
    """Show games in the browser: play, step, scrub, jump to lost turns, look through a seat's eyes.

    A small server on this machine answers nobody else: its address holds a secret. Ctrl-C ends it.

    Of contests it shows the standings, and the games that their reports hold.
    """
    if any(path.suffix in CONTESTS for path in files):
        show_contests(files, not no_browser, port)
        return
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
    """Serves until it is stopped."""
    from botyard.links.viewing.app import Door
    from botyard.links.viewing.forks import Forks
    from botyard.links.viewing.server import viewing
    from botyard.links.viewing.shelf import Shelf

    shelf = Shelf()
    for path in files:
        for title, screening in screenings(path):
            shelf.add(screening, title)
    forks = Forks(shelf)
    with stopped() as end:
        async with viewing(port) as guard, forks:
            door = Door(shelf, forks.audiences, None, forks.people, forks)
            address = guard.address(guard.open_door(door.app()))
            tell_address("watch" if len(shelf) == 1 else f"choose from {len(shelf)} games", address)
            if not no_browser:
                open_browser(address)
            tell_end("nobody but this machine can open it")
            await shelf.prepare()  # a file that cannot be shown is an error of this command, too
            await end.wait()


def screenings(path: Path) -> Iterator[tuple[str, Screening]]:
    """Yields what a file holds, with its title. Replays are read when they are asked for, which loads rules."""
    from botyard.links.viewing.screening import ReplayScreening

    if path.suffix == SUFFIX:
        yield path.name, ReplayScreening.of_file(path)
        return
    from botyard.links.viewing.recordings import screenings_of

    with errors.status(f"reading {path.name}"):
        found = screenings_of(path)
    for at, recorded in enumerate(found):
        yield path.name if len(found) == 1 else f"{path.name}, game {at + 1}", recorded
