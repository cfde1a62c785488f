"""Recordings and logs of the original programs, as films.

A game's `files.check` plays a recording by our rules, in games that it asks for. The games it is given here film
themselves: every position in which orders are about to be given, and the last. So whatever can be compared can be seen,
and no game needs code for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from botyard.games import load_all
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.links.viewing.packed import PackedFilm
from botyard.links.viewing.screening import ListEntry, NothingToShow, Screening, checked_seat
from botyard.match.filming import Filming

MOST_GAMES = 200  # of one recording that are offered


class Enough(Exception):
    """The game that was wanted has been played."""


class Projection:
    """Counts the games of a recording, and films one of them if it is wanted."""

    def __init__(self, names: tuple[str, ...], wanted: int | None = None, seat: int | None = None) -> None:
        self._names, self._wanted, self._seat = names, wanted, seat
        self.games: list[int] = []  # steps of every game that has any
        self.filming: Filming | None = None
        self._last: Game | None = None

    def before_step(self, game: Game, is_first: bool) -> None:
        if is_first:
            self.finish()
            self.games.append(0)
            self._last = game
        if game is not self._last:
            return  # another game that is played beside it, for comparison
        self.games[-1] += 1
        if len(self.games) - 1 == self._wanted:
            if self.filming is None:
                named = self._names if len(self._names) == game.seats else seat_names(game.seats)
                self.filming = Filming(game, named, checked_seat(self._seat, game.seats))
            self.filming.add(game)

    def finish(self) -> None:
        """The last position of a game, once it is known to be the last."""
        if self._wanted is not None and len(self.games) - 1 == self._wanted:
            assert self.filming is not None
            assert self._last is not None
            self.filming.add(self._last)
            raise Enough
        if len(self.games) >= MOST_GAMES:
            raise Enough


def seat_names(seats: int) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(seats))


class ProjectedGame(Game):
    """A game that tells its projection of every step."""

    __slots__ = ("_projection", "_stepped")

    def __init__(self, projection: Projection, book: Rulebook, settings: Settings, seed: int) -> None:
        super().__init__(book, settings, seed)
        self._projection: Projection | None = projection
        self._stepped = False

    def step_orders(self, orders: Mapping[int, int]) -> None:
        projection: Projection | None = getattr(self, "_projection", None)  # a copy has none
        if projection is not None:
            projection.before_step(self, not self._stepped)
            self._stepped = True
        super().step_orders(orders)


class Recording:
    """A file of an original program, as text, with the rules that can play it."""

    def __init__(self, path: Path, text: str, book: Rulebook) -> None:
        self._path, self._text, self._book = path, text, book
        told = getattr(book.files, "names_in", None)
        self.names: tuple[str, ...] = tuple(told(text)) if told else ()
        self.title = book.facts.title

    @classmethod
    def read(cls, path: Path) -> Recording:
        return cls.of_text(path, read_text(path))

    @classmethod
    def of_text(cls, path: Path, text: str) -> Recording:
        """What a file of this name holds."""
        books, _ = load_all()
        for book in books:
            if book.files.recognise(text):
                return cls(path, text, book)
        raise YardError(
            f"{path} is no replay, and not a recording of any known game",
            hint="view shows what `botyard play` writes, and what `botyard conform` can play again",
        )

    def count(self) -> list[int]:
        """How many steps each of its games has."""
        return self._project(Projection(self.names)).games

    def film(self, game: int, seat: int | None) -> PackedFilm:
        projection = self._project(Projection(self.names, game, seat))
        if projection.filming is None:
            raise NothingToShow(f"there is no game {game} in {self._path}")
        return PackedFilm(projection.filming.end(None))

    def _project(self, projection: Projection) -> Projection:
        result = Conformance(self._book.facts.name, str(self._path), None)
        try:
            self._book.files.check(self._text, result, None, partial(ProjectedGame, projection, self._book))
            projection.finish()
        except Enough:
            pass
        return projection


class RecordingScreening(Screening):
    """One game of a recording."""

    def __init__(self, recording: Recording, game: int, steps: int) -> None:
        self._recording, self._game, self._steps = recording, game, steps

    def label(self) -> ListEntry:
        return ListEntry(self._recording.title, self._recording.names, f"recorded, {self._steps} steps")

    def film(self, seat: int | None) -> PackedFilm:
        return self._recording.film(self._game, seat)


def screenings_of(path: Path) -> list[Screening]:
    """All games of a recording that have a position to show."""
    recording = Recording.read(path)
    counted: list[Any] = recording.count()
    if not counted:
        raise YardError(f"{path} holds no game that could be shown", hint="its games have no steps")
    return [RecordingScreening(recording, at, steps) for at, steps in enumerate(counted)]
