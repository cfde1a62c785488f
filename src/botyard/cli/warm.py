"""`botyard warm` compiles games ahead of time, each in its own process, as many at a time as there are cores.

A game is compiled by one process, because most of its loops share what they call. If the command is interrupted, its
processes end with it; what they have finished is kept.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import errors
from botyard.cli.options import Games, Quiet, chosen_games
from botyard.kernel.errors import OurFault, YardError

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook


Drills = Annotated[bool, typer.Option("--drills", help="Also compile what learners play in, see docs/research.md.")]


def warm(games: Games = None, drills: Drills = False, quiet: Quiet = False) -> None:
    """Compile the rules of games ahead of time, so that the first game starts at once."""
    from rich.progress import Progress

    from botyard.kernel.rulebook import LOOP_GROUPS

    books = chosen_games(list(dict.fromkeys(games or [])))
    with Progress(console=errors, disable=quiet) as progress:
        task = progress.add_task("compiling", total=len(books) * (len(LOOP_GROUPS) + drills))
        for game, group in compiled(sorted(books, key=size_of_sources, reverse=True), drills):
            progress.update(task, advance=1, description=f"compiled {game} ({group})")
        progress.update(task, description=f"ready: {', '.join(book.facts.name for book in books)}")


def size_of_sources(book: Rulebook) -> int:
    """Returns the size of a game's sources. Large games take long to compile and go first, so that all end together."""
    folders = getattr(find_spec(book.package), "submodule_search_locations", None) or []
    return sum(source.stat().st_size for folder in folders for source in Path(folder).rglob("*.py"))


def compiled(books: list[Rulebook], drills: bool) -> Iterator[tuple[str, str]]:
    """Compiles games and yields the name of a game and of its group of loops whenever one is done."""
    at_once = min(len(books), len(os.sched_getaffinity(0)))
    if at_once > 1:
        yield from compiled_by_processes([book.facts.name for book in books], drills, at_once)
        return
    for book in books:
        for group in compiled_groups(book, drills):
            yield book.facts.name, group


def compiled_groups(book: Rulebook, drills: bool) -> Iterator[str]:
    from botyard.kernel import cache
    from botyard.kernel.rulebook import LOOP_GROUPS

    cache.announce = lambda text: None
    for group in LOOP_GROUPS:
        book.prepare(book.settings(), group)
        yield group
    if drills:
        book.prepare_drill(book.settings(), book.senses)
        yield "drills"


def compiled_by_processes(names: list[str], drills: bool, at_once: int) -> Iterator[tuple[str, str]]:
    waiting, running = list(names), dict[Connection, tuple[str, BaseProcess]]()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                name = waiting.pop(0)
                news, process = start_compiling(name, drills)
                running[news] = name, process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                name, process = running[ready]
                try:
                    told: str | YardError = ready.recv()
                except EOFError:
                    del running[ready]
                    check_ended_well(name, process)
                    continue
                if isinstance(told, YardError):
                    raise told
                yield name, told
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()


def start_compiling(name: str, drills: bool) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    news, to_parent = context.Pipe(duplex=False)
    process = context.Process(target=compile_and_tell, args=(name, drills, to_parent), daemon=True)
    process.start()
    to_parent.close()  # so that the pipe ends when the process does
    return news, process


def compile_and_tell(name: str, drills: bool, to_parent: Connection) -> None:
    """Compiles a game in its process, and sends each group that is done, or the error that prevents it."""
    from botyard.games import load

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    try:
        for group in compiled_groups(load(name), drills):
            to_parent.send(group)
    except YardError as error:
        to_parent.send(YardError(str(error)))  # subclasses take other arguments and cannot be unpickled


def check_ended_well(name: str, process: BaseProcess) -> None:
    process.join()
    if process.exitcode:
        remedy = f"run `botyard warm {name}`, which compiles only this game, needs less memory and shows more"
        raise OurFault(f"compiling {name} failed (exit status {process.exitcode}): {remedy}")
