"""The registry of games: our own, and those that installed packages offer. A game is imported when it is first used."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator, Mapping
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
    """Maps the name of each game to its package: our own games first, then those of other packages.

    The installed packages are searched only when a name is not our own or when all names are wanted, because that takes
    20 ms.
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
def book_in(package: str) -> Rulebook:
    """Returns the one rule book that this process has for the game in a package."""
    return Rulebook(package)


def found_again(book: Rulebook) -> tuple[Callable[[str], Rulebook], tuple[str]]:
    return book_in, (book.package,)


copyreg.pickle(Rulebook, found_again)  # to another process a rule book travels as the name of its package


@cache
def load(name: str) -> Rulebook:
    """Loads the rule book of a game; the error for an unknown name suggests a similar one."""
    if name not in GAMES:
        raise GAMES.others.refused.get(name) or UnknownName("game", name, GAMES)
    book = book_in(GAMES[name])
    if name not in OWN_GAMES and book.facts.name != name:
        hint = f"either its facts must say name={name!r}, or its entry point must be called {book.facts.name}"
        raise YardError(f"the game {name!r} of {book.package} calls itself {book.facts.name!r}", hint=hint)
    return book


def load_all() -> tuple[list[Rulebook], list[YardError]]:
    """Loads every game that can be used; returns also what is wrong with the games of other packages that cannot."""
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
