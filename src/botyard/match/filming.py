"""This module makes films of replays."""

from __future__ import annotations

from collections.abc import Iterator

from botyard.games.game import Game
from botyard.games.picture import Picture, camera_of, words_of
from botyard.kernel.outcome import Outcome
from botyard.kernel.scene import Words
from botyard.match.replay import Replay
from botyard.render.film import Film, FilmStock
from botyard.render.head import film_head
from botyard.render.marks import MOST, Mark, marks_between


def film_of(replay: Replay, seat: int | None = None) -> Film:
    """Returns the film of a game, or of what one seat saw of it."""
    return Filming(replay.new_game(), replay.names, seat).whole(replay)


class Filming:
    """Films one game, tick by tick."""

    def __init__(self, game: Game, names: tuple[str, ...], seat: int | None = None) -> None:
        self.camera, self._seat = camera_of(game), seat
        self._words: Words | None = None
        head = film_head(self.camera, game.settings, names)
        self.stock = FilmStock({**head, "seat": seat}, list(words_of(game).numbers))
        self.marks: list[Mark] = []
        self._seen: Picture | None = None  # what the seat saw last

    def add(self, game: Game) -> None:
        """Films a position."""
        if self._seat is not None:
            self.stock.add(self._seat_picture(game, self._seat), None)
            return
        words = words_of(game)
        if self._words is not None:
            self.marks.extend(marks_between(self.stock.ticks, self._words, words))
            self.marks.extend(events_of(self.stock.ticks, game))
        self._words = words
        self.stock.add(self.camera.take(game), words)

    def _seat_picture(self, game: Game, seat: int) -> Picture:
        """A seat that is not asked knows what it knew before."""
        if seat in game.asked or self._seen is None:
            self._seen = self.camera.take_view(game, game.view(seat))
        return self._seen

    def end(self, outcome: Outcome | None) -> Film:
        head = self.stock.film.head
        head["last"] = self.stock.ticks - 1
        head["outcome"] = outcome and {"groups": outcome.groups, "scores": outcome.scores}
        head["marks"] = [list(mark) for mark in sorted(self.marks)[:MOST]]
        return self.stock.film

    def whole(self, replay: Replay) -> Film:
        for game, _ in replay.play():
            self.add(game)
        if self._seat is None:
            self.marks.extend(
                Mark(max(miss.tick, 0), miss.seat, "turn", f"{miss.verdict}: {miss.reason}") for miss in replay.missed
            )
        return self.end(replay.outcome)


def events_of(tick: int, game: Game) -> Iterator[Mark]:
    """Yields what a game itself has to tell of its last tick."""
    told = getattr(game.book.scene, "events", None)
    if told is not None:
        for seat, phrase in told(game.arena, game.state):
            yield Mark(tick, seat, "event", phrase)
