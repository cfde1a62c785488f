"""`botyard warm` compiles games ahead of time, by as many processes as there are cores.

A game is compiled by one process, because most of its loops share what they call. A process takes game after game,
because it needs a second to load the compiler. If the command is interrupted, its processes end with it; what they have
finished is kept.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from botyard.cli.console import errors
from botyard.cli.options import Games, Quiet, chosen_games
from botyard.kernel.errors import OurFault, YardError

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook

Compile: TypeAlias = "Callable[[Rulebook], Iterator[str]]"
"""Compiles a game, and yields the name of each group of loops that is done."""

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
        compile_game = partial(compiled_groups, drills=drills)
        yield from compiled_by_processes([book.facts.name for book in books], compile_game, at_once)
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


@dataclass
class Compiler:
    """A process that compiles games, and the game that it is at."""

    pipe: Connection
    process: BaseProcess
    game: str

    @classmethod
    def start(cls, compile_game: Compile, game: str) -> Compiler:
        context = multiprocessing.get_context("spawn")
        pipe, to_parent = context.Pipe()
        process = context.Process(target=compile_and_tell, args=(compile_game, to_parent), daemon=True)
        process.start()
        to_parent.close()  # so that the pipe ends when the process does
        compiler = cls(pipe, process, game)
        compiler.take(game)
        return compiler

    def take(self, game: str) -> None:
        self.game = game
        with contextlib.suppress(OSError):  # it has died, which is noticed when it should tell something
            self.pipe.send(game)

    def told(self) -> str | None:
        """Returns the group of loops that it has compiled, None after the last one of a game."""
        try:
            told: str | YardError | None = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            remedy = f"run `botyard warm {self.game}`, which compiles only this game, needs less memory and shows more"
            status = self.process.exitcode
            raise OurFault(f"compiling {self.game} failed (exit status {status}): {remedy}") from None
        if isinstance(told, YardError):
            raise told
        return told

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


def compiled_by_processes(games: list[str], compile_game: Compile, at_once: int) -> Iterator[tuple[str, str]]:
    waiting, running = games[at_once:], dict[object, Compiler]()
    try:
        for game in games[:at_once]:
            compiler = Compiler.start(compile_game, game)
            running[compiler.pipe] = compiler
        while running:
            for ready in wait([compiler.pipe for compiler in running.values()]):
                compiler = running[ready]
                group = compiler.told()
                if group is not None:
                    yield compiler.game, group
                elif waiting:
                    compiler.take(waiting.pop(0))
                else:
                    running.pop(ready).end()
    finally:
        for compiler in running.values():
            compiler.end()


def compile_and_tell(compile_game: Compile, parent: Connection) -> None:
    """Compiles the games that the parent names, and sends each group that is done, or the error that prevents it."""
    from botyard.games import load

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    try:
        while True:
            for group in compile_game(load(parent.recv())):
                parent.send(group)
            parent.send(None)
    except YardError as error:
        parent.send(YardError(str(error)))  # subclasses take other arguments and cannot be unpickled
