"""This module makes films of replays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from botyard.games.game import Game
from botyard.games.picture import Camera, Picture, camera_of, words_of
from botyard.kernel.outcome import Outcome
from botyard.kernel.scene import Words
from botyard.match.replay import Missed, Replay
from botyard.render.film import Film, FilmStock
from botyard.render.footage import Shot
from botyard.render.frames import Frame
from botyard.render.head import film_head
from botyard.render.marks import MOST, Mark, marks_between

LOST = "turn"  # the kind of marks for lost turns


def film_of(replay: Replay, seat: int | None = None) -> Film:
    """Returns the film of a game, or of what one seat saw of it."""
    return Filming(replay.new_game(), replay.names, seat).whole(replay)


class Filming:
    """Films one game, tick by tick."""

    def __init__(self, game: Game, names: tuple[str, ...], seat: int | None = None) -> None:
        self.camera, self._seat = camera_of(game), seat
        self._onlooker = Onlooker(self.camera, seat)
        self._words: Words | None = None
        head = film_head(self.camera, game.settings, names)
        self.stock = FilmStock({**head, "seat": seat}, list(words_of(game).numbers))
        self.marks: list[Mark] = []

    def add(self, game: Game) -> None:
        """Films a position."""
        picture = self._onlooker.look(game)
        if self._seat is not None:
            self.stock.add(picture, None)
            return
        words = words_of(game)
        if self._words is not None:
            self.marks.extend(marks_between(self.stock.ticks, self._words, words))
            self.marks.extend(events_of(self.stock.ticks, game))
        self._words = words
        self.stock.add(picture, words)

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
            self.marks.extend(lost_turns(replay.missed))
        return self.end(replay.outcome)


def lost_turns(missed: Sequence[Missed]) -> Iterator[Mark]:
    for miss in missed:
        yield Mark(max(miss.tick, 0), miss.seat, LOST, f"{miss.verdict}: {miss.reason}")


class Onlooker:
    """Sees a game tick by tick: all of it, or what one seat is told."""

    def __init__(self, camera: Camera, seat: int | None) -> None:
        self._camera, self._seat = camera, seat
        self._seen: Picture | None = None

    def look(self, game: Game) -> Picture:
        if self._seat is None:
            return self._camera.take(game)
        # A seat that is not asked knows what it knew before.
        if self._seat in game.asked or self._seen is None:
            self._seen = self._camera.take_view(game, game.view(self._seat))
        return self._seen


class Shots:
    """Some ticks of a replay, as footage: they are played anew whenever somebody goes through them, and not kept."""

    def __init__(self, replay: Replay, ticks: Sequence[int], seat: int | None = None) -> None:
        game = replay.new_game()
        self._replay, self._ticks, self._seat, self._camera = replay, ticks, seat, camera_of(game)
        self.head = {**film_head(self._camera, game.settings, replay.names), "seat": seat, "last": len(replay.ticks)}

    def __len__(self) -> int:
        return len(self._ticks)

    def __iter__(self) -> Iterator[Shot]:
        onlooker, wanted, last = Onlooker(self._camera, self._seat), set(self._ticks), max(self._ticks)
        for tick, (game, _) in enumerate(self._replay.play()):
            if tick > last:
                return
            if tick in wanted or self._seat is not None:
                picture = onlooker.look(game)
                if tick in wanted:
                    yield Shot(tick, Frame(picture, words_of(game) if self._seat is None else None))


def events_of(tick: int, game: Game) -> Iterator[Mark]:
    """Yields what a game itself has to tell of its last tick."""
    told = getattr(game.book.scene, "events", None)
    if told is not None:
        for seat, phrase in told(game.arena, game.state):
            yield Mark(tick, seat, "event", phrase)
