"""The desk at which a film is watched in a terminal: where it stands, what keys do, and what is on the screen.

It reads no keys and writes nothing by itself, so that a test can press keys and look. The film may still be growing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from botyard.cli.playback import Playback
from botyard.kernel.scene import NOBODY
from botyard.render.film import Film
from botyard.render.fitted import BoardPainter
from botyard.render.frames import FilmReader, Frame

TEN = 10
LONGEST_NUMBER = 7  # digits of a tick

KEYS = (
    ("space k", "play, pause"),
    ("left right", "one tick back, on"),
    ("shift+left right, or , .", "ten ticks back, on"),
    ("up down", "faster, slower"),
    ("home end", "first, last tick"),
    ("n p", "next, previous mark"),
    ("f", "next lost turn"),
    ("0-9", "whose view; again: everybody's"),
    ("g", "go to a tick: its number, enter"),
    ("z", "the whole board, however small, or a part of it"),
    ("?", "this list"),
    ("q esc", "leave"),
)


class FilmDesk:
    """One film, and whoever watches it."""

    def __init__(
        self, film: Film, playback: Playback, seat_film: Callable[[int], Film] | None = None, live: bool = False
    ) -> None:
        self.playback, self.live = playback, live
        self.seat_film = seat_film  # makes the film of what a seat saw, if views differ
        self.reader = FilmReader(film)
        self._seat_readers: dict[int, FilmReader] = {}
        self.painter = BoardPainter(film.palette)
        self.tick = 0
        self.seat: int | None = None  # whose view, or who is followed
        self.whole = False  # whether a board that does not fit is made smaller
        self.helping = self.left = False
        self.typed: str | None = None  # the number of a tick that is being typed
        self.message = self.told = ""  # an answer to a key; what is said of films without words
        self.zoom_hint = "; z: all"
        self._wanted = 0  # further ticks of a live game that were asked for one by one

    @property
    def head(self) -> dict[str, Any]:
        return self.reader.film.head

    @property
    def last(self) -> int:
        return self.reader.last

    @property
    def at_end(self) -> bool:
        return self.tick >= self.last

    @property
    def frame(self) -> Frame:
        """What everybody may see and know at this tick."""
        return self.reader.frame(self.tick)

    @property
    def board(self) -> Any:
        """The cells to be drawn: everybody's, or those of a seat's view."""
        reader = self._seat_readers.get(NOBODY if self.seat is None else self.seat, self.reader)
        return reader.frame(min(self.tick, reader.last)).picture.stamped()

    # Time

    def advance(self, now: float) -> bool:
        """Moves on by the ticks that are due; returns whether anything did."""
        due = self.playback.take_due(now, self.last - self.tick)
        self.tick += due
        if self.at_end and self.playback.playing and not self.live:
            self.playback.play(False, now)
            return True
        return due > 0

    @property
    def wants_more(self) -> bool:
        """Whether the watcher of a live game has seen all of it and wants the next tick."""
        return self.live and (self._wanted > 0 or (self.at_end and self.playback.playing))

    def grow(self) -> None:
        """A live game is a tick further."""
        if self._wanted > 0:
            self._wanted, self.tick = self._wanted - 1, self.last

    def end(self, seat_film: Callable[[int], Film] | None) -> None:
        """A live game is over, and can be looked at as a replay."""
        self.live, self.seat_film, self._wanted = False, seat_film, 0
        self.message = "the game is over: q leaves, and all other keys go through it"

    def seek(self, tick: int, now: float) -> None:
        """Goes to a tick and stays there. In a live game the last one may be yet to come."""
        self._wanted = max(0, tick - self.last) if self.live else 0
        self.tick = max(0, min(tick, self.last))
        self.playback.play(False, now)

    # Keys

    def press(self, key: str, now: float) -> None:
        self.message = ""
        if self.typed is not None:
            self._type(key, now)
        elif self.helping:
            self.helping = False
        elif key in STEPS:
            self.step(STEPS[key], now)
        elif key in "0123456789" and len(key) == 1:
            self.show(int(key))
        elif key in PRESSES:
            PRESSES[key](self, now)

    def step(self, ticks: int, now: float) -> None:
        self.seek(self.tick + ticks, now)

    def toggle(self, now: float) -> None:
        if not self.playback.playing and self.at_end and not self.live:
            self.tick = 0
        self.playback.play(not self.playback.playing, now)

    def show(self, seat: int) -> None:
        """Shows what a seat saw; where views hide nothing, follows it."""
        if seat >= len(self.head["names"]):
            self.message = f"there is no seat {seat}"
            return
        self.seat = None if self.seat == seat else seat
        if self.seat is not None and self.seat_film is not None and seat not in self._seat_readers:
            self._seat_readers[seat] = FilmReader(self.seat_film(seat))

    @property
    def sees_view(self) -> bool:
        """Whether the board is that of one seat."""
        return self.seat is not None and self.seat in self._seat_readers

    def go_to_mark(self, forward: bool, now: float, kind: str | None = None) -> None:
        ticks = [mark[0] for mark in self.head["marks"] if kind in (None, mark[2])]
        found = [tick for tick in ticks if (tick > self.tick if forward else tick < self.tick)]
        if found:
            self.seek(min(found) if forward else max(found), now)
        else:
            thing = "mark" if kind is None else "lost turn"
            self.message = f"no {thing} {'after' if forward else 'before'} this tick"

    def _type(self, key: str, now: float) -> None:
        typed = self.typed or ""
        if key == "Enter":
            self.typed = None
            if typed:
                self.seek(min(int(typed), self.last), now)
        elif key in ("Escape", "q", "g"):
            self.typed = None
        elif key == "Backspace":
            self.typed = typed[:-1]
        elif key in "0123456789" and len(key) == 1:
            self.typed = (typed + key)[:LONGEST_NUMBER]

    # What is said

    @property
    def marks_here(self) -> list[Sequence[Any]]:
        """What happened at this tick. Of a live game also the turns that were lost on the way to it."""
        lost = self.tick - 1 if self.live else self.tick
        return [mark for mark in self.head["marks"] if mark[0] == self.tick or (mark[0] == lost and mark[2] == "turn")]


def leave(desk: FilmDesk, _: float) -> None:
    desk.left = True


def list_keys(desk: FilmDesk, _: float) -> None:
    desk.helping = True


def zoom(desk: FilmDesk, _: float) -> None:
    desk.whole = not desk.whole


def begin_number(desk: FilmDesk, now: float) -> None:
    desk.typed = ""
    desk.playback.play(False, now)


STEPS = {
    "ArrowLeft": -1, "ArrowRight": 1, "Shift+ArrowLeft": -TEN, "Shift+ArrowRight": TEN, ",": -TEN, ".": TEN,
    "PageUp": -TEN, "PageDown": TEN,
}  # fmt: skip
PRESSES: dict[str, Callable[[FilmDesk, float], None]] = {
    " ": FilmDesk.toggle,
    "k": FilmDesk.toggle,
    "ArrowUp": lambda desk, now: desk.playback.change_speed(1, now),
    "ArrowDown": lambda desk, now: desk.playback.change_speed(-1, now),
    "Home": lambda desk, now: desk.seek(0, now),
    "End": lambda desk, now: desk.seek(desk.last, now),
    "n": lambda desk, now: desk.go_to_mark(True, now),
    "p": lambda desk, now: desk.go_to_mark(False, now),
    "f": lambda desk, now: desk.go_to_mark(True, now, "turn"),
    "g": begin_number,
    "z": zoom,
    "?": list_keys,
    "q": leave,
    "Escape": leave,
}
