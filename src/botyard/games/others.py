"""Games of others: packages that offer a game through the entry point group `botyard.games`.

    [project.entry-points."botyard.games"]
    tictactoe = "botyard_tictactoe"

An entry point names a game and the package that holds its parts. This module imports none of them, so that a broken
package does not affect other games. Errors in the offers are kept beside the games, for commands that list games.
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

NAME_WORDS = "at most 31 lower-case letters and digits, starting with a letter, with single underscores between words"


@dataclass(frozen=True, slots=True)
class OfferedGames:
    """Maps the names of games to the packages that offer them, and the names of bad offers to their errors."""

    packages: dict[str, str] = field(default_factory=dict)
    refused: dict[str, YardError] = field(default_factory=dict)


@cache
def offered_games(taken: Collection[str]) -> OfferedGames:
    """Finds the games that installed packages offer, in the order of their names; `taken` are our own names.

    This looks at every installed package, so it is called once, and only if a game is wanted that is not our own.
    """
    offers: defaultdict[str, dict[str, EntryPoint]] = defaultdict(dict)
    for point in entry_points(group=GROUP):
        offers[point.name][point.value] = point  # a package may be found twice; it still counts as one
    found = OfferedGames()
    for name, points in sorted(offers.items()):
        refusal = refused(name, list(points.values()), taken)
        if refusal is None:
            [found.packages[name]] = points
        else:
            found.refused[name] = refusal
    return found


def refused(name: str, points: list[EntryPoint], taken: Collection[str]) -> YardError | None:
    """Returns the error of an offer that cannot be accepted, or None."""
    whose = " and ".join(f"{point.value} (installed by {distribution_of(point)})" for point in points)
    if name in taken:
        return YardError(
            f"the game {name!r} of {whose} is left out", hint="one of Botyard's own games has this name; choose another"
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
    """Names what a user would uninstall to get rid of this entry point."""
    return point.dist.name if point.dist else "an unknown package"
