"""Games of others: packages that offer a game through the entry point group `botyard.games`.

    [project.entry-points."botyard.games"]
    tictactoe = "botyard_tictactoe"

An entry point names a game and the package that holds its parts. Nothing is imported here, so that a package which
is broken takes no other game down; what is wrong with an offer itself is kept beside the games, for whoever lists them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from botyard.kernel.errors import YardError

GROUP = "botyard.games"
GAME_NAME = re.compile(r"(?=.{1,31}$)[a-z][a-z0-9]*(_[a-z0-9]+)*")

NAME_WORDS = "up to 31 lower-case letters and digits, the first a letter, in words joined by underscores"


@dataclass(frozen=True, slots=True)
class OfferedGames:
    """The packages by the name of their game, and by name what is wrong with the offers that cannot be taken."""

    packages: dict[str, str] = field(default_factory=dict)
    refused: dict[str, YardError] = field(default_factory=dict)


@cache
def offered_games(taken: Collection[str]) -> OfferedGames:
    """The games that installed packages offer, in the order of their names. The names of our own are `taken`.

    Every installed package is looked at, so this is asked once, and only when a game is meant that is not our own.
    """
    offers: defaultdict[str, dict[str, EntryPoint]] = defaultdict(dict)
    for point in entry_points(group=GROUP):
        offers[point.name][point.value] = point  # a package that is found twice still is one
    found = OfferedGames()
    for name, points in sorted(offers.items()):
        refusal = refused(name, list(points.values()), taken)
        if refusal is None:
            [found.packages[name]] = points
        else:
            found.refused[name] = refusal
    return found


def refused(name: str, points: list[EntryPoint], taken: Collection[str]) -> YardError | None:
    """Why an offer cannot be taken, if it cannot."""
    whose = " and ".join(f"{point.value} (installed by {distribution_of(point)})" for point in points)
    if name in taken:
        return YardError(
            f"the game {name!r} of {whose} is left out", hint="a game of Botyard has this name; choose another one"
        )
    if len(points) > 1:
        return YardError(f"two games have the name {name!r}: {whose}", hint="uninstall one of them")
    if not GAME_NAME.fullmatch(name):
        return YardError(f"the game {name!r} of {whose} is left out", hint=f"a name is {NAME_WORDS}")
    if not all(word.isidentifier() for word in points[0].value.split(".")):
        hint = f'the entry point must name a package, as in {name} = "botyard_{name}"'
        return YardError(f"the game {name!r} of {whose} is left out", hint=hint)
    return None


def distribution_of(point: EntryPoint) -> str:
    """What is uninstalled by this name."""
    return point.dist.name if point.dist else "an unknown package"
