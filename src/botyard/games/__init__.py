"""The games: a table of our own, and the games of others that are installed; all imported when first used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from botyard.kernel.contract import PARTS
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.rulebook import Rulebook

if TYPE_CHECKING:
    from botyard.games.others import OfferedGames

OWN_GAMES = {
    "hive": "botyard.games.hive",
    "hackman": "botyard.games.hackman",
    "battlebots": "botyard.games.battlebots",
    "snakepit": "botyard.games.snakepit",
    "snakebattle": "botyard.games.snakebattle",
}


class Registry(Mapping[str, str]):
    """The package of each game by its name: our own first, then those of others.

    What is installed is looked through when a name is not our own, or when all names are wanted: that takes 20 ms.
    """

    @property
    def others(self) -> OfferedGames:
        from botyard.games.others import offered_games

        return offered_games(frozenset(OWN_GAMES))

    def __getitem__(self, name: str) -> str:
        return OWN_GAMES[name] if name in OWN_GAMES else self.others.packages[name]

    def __iter__(self) -> Iterator[str]:
        yield from OWN_GAMES
        yield from self.others.packages

    def __len__(self) -> int:
        return len(OWN_GAMES) + len(self.others.packages)


GAMES = Registry()


@cache
def load(name: str) -> Rulebook:
    """The rule book of a game; unknown names get a suggestion."""
    if name not in GAMES:
        raise GAMES.others.refused.get(name) or UnknownName("game", name, GAMES)
    book = Rulebook(GAMES[name])
    if name not in OWN_GAMES and book.facts.name != name:
        hint = f"its facts must say name={name!r}, or its entry point {book.facts.name}"
        raise YardError(f"the game {name!r} of {book.package} calls itself {book.facts.name!r}", hint=hint)
    return book


def load_all() -> tuple[list[Rulebook], list[YardError]]:
    """Every game that can be used, and what is wrong with those of others that cannot."""
    books, troubles = [load(name) for name in OWN_GAMES], list(GAMES.others.refused.values())
    for name in GAMES.others.packages:
        try:
            book = load(name)
            for part in PARTS:
                book.part(part)
            books.append(book)
        except YardError as error:
            troubles.append(error)
    return books, troubles
