"""Compiles what the tests need of every game: `python -m tests.warm`.

That is what `botyard warm --drills` compiles, the sixth game as well, and the senses by themselves, as the reference of
`tests/sim` calls them. A process that has compiled a drill has most of those ready.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import tests.conftest  # noqa: F401 - it installs the sixth game
from botyard.cli.warm import compiled_by_processes, compiled_groups, size_of_sources
from botyard.games import GAMES, load
from botyard.kernel.rulebook import Rulebook
from tests.sim.plain_drill import PlainPlace, Terms


def compile_game(book: Rulebook) -> Iterator[str]:
    yield from compiled_groups(book, drills=True)
    PlainPlace(Terms(game=book.facts.name), seed=0).step([0])
    yield "reference"


if __name__ == "__main__":
    largest_first = sorted(GAMES, key=lambda name: size_of_sources(load(name)), reverse=True)
    for _ in compiled_by_processes(largest_first, compile_game, len(os.sched_getaffinity(0))):
        pass
