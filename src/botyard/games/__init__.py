"""The games: a table of names, imported when first used."""

from __future__ import annotations

from functools import cache

from botyard.kernel.errors import UnknownName
from botyard.kernel.rulebook import Rulebook

GAMES = {
    "hive": "botyard.games.hive",
    "hackman": "botyard.games.hackman",
    "battlebots": "botyard.games.battlebots",
    "snakepit": "botyard.games.snakepit",
    "snakebattle": "botyard.games.snakebattle",
}


@cache
def load(name: str) -> Rulebook:
    """The rule book of a game; unknown names get a suggestion."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return Rulebook(GAMES[name])
