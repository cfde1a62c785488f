"""A chronicle is what is written down of a room field while it is played: its replay, and who sat where and when.

A field has no beginning and no end that its players share, so its replay has people joining and leaving in it, with the
points that they bring. It has no outcome: points are counted by the room. It is full after so many entries; a field
that goes on for longer begins anew between two rounds, or is written down no further where there are no rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from botyard.games.game import Game
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.settings import Settings
from botyard.match.replay import BROUGHT, Replay, final_hash

LONGEST = 10_000  # entries; a match of three rounds has fewer than a thousand

WallTime = Callable[[], int]
"""Gives the time in milliseconds since 1970."""


def wall_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Stint:
    """Somebody's time on a seat: from one entry of the replay to another."""

    user: str
    name: str
    seat: int
    begin: int
    end: int | None = None  # None: it lasts


class Chronicle:
    """What happens on one field."""

    def __init__(self, game: Game, clock: WallTime = wall_ms) -> None:
        self.settings = game.settings
        self.replay = Replay.begin(game, ("",) * game.seats)
        self.stints: list[Stint] = []
        self.beats = 0  # ticks in which orders were carried out
        self._clock = clock
        self.begun_ms = self.ended_ms = clock()
        self.over = False

    @property
    def full(self) -> bool:
        """Whether a field should begin anew when it can."""
        return not self.over and len(self.replay.ticks) >= LONGEST

    @property
    def overfull(self) -> bool:
        return not self.over and len(self.replay.ticks) >= 2 * LONGEST

    def join(self, user: str, name: str, seat: int, points: int) -> None:
        if not self.over:
            self.replay.ticks.append([{"join": seat, BROUGHT: points} if points else {"join": seat}])
            self.stints.append(Stint(user, name, seat, len(self.replay.ticks)))

    def refuse(self, seat: int) -> None:
        """The rules gave a newcomer no place after all; that they were asked may have left its mark."""
        if not self.over:
            self.replay.add_change("join", seat)

    def leave(self, seat: int) -> None:
        """Somebody goes by themselves, which the rules are told."""
        if not self.over:
            self.replay.add_change("leave", seat)
            self.rise(seat)

    def rise(self, seat: int) -> None:
        """Somebody's time on a seat is over, which the rules know."""
        for stint in self.stints:
            if stint.seat == seat and stint.end is None:
                stint.end = len(self.replay.ticks)

    def add_orders(self, orders: Mapping[int, int]) -> None:
        if not self.over:
            self.replay.add_orders(orders)
            self.beats += 1

    def end(self, game: Game) -> bool:
        """Nothing more is written down. Each seat is called after who sat there longest. Returns whether this was the
        end of something that can be shown."""
        if self.over:
            return False
        self.over, self.ended_ms = True, self._clock()
        for stint in self.stints:
            self.rise(stint.seat)
        self.replay.names = tuple(self._name(seat) for seat in range(game.seats))
        self.replay.final = final_hash(game)
        return self.beats > 0

    def _name(self, seat: int) -> str:
        stints = [stint for stint in self.stints if stint.seat == seat]
        return max(stints, key=lambda stint: lasted(stint, len(self.replay.ticks))).name if stints else ""

    def copy(self) -> Chronicle:
        """Returns the chronicle as it is now, for a reader in another thread."""
        twin = object.__new__(Chronicle)
        twin.settings = self.settings
        twin.replay = replace(self.replay, ticks=list(self.replay.ticks))
        twin.stints = [replace(stint) for stint in self.stints]
        twin.beats, twin.begun_ms, twin.over, twin._clock = self.beats, self.begun_ms, self.over, self._clock
        twin.ended_ms = self.ended_ms if self.over else self._clock()
        return twin


def lasted(stint: Stint, until: int) -> int:
    return (until if stint.end is None else stint.end) - stint.begin


# Boards out of a chronicle


@dataclass(frozen=True, slots=True)
class LoggedBoard:
    """A board as a player was sent it, and what the player did in the tick that led to it."""

    at_ms: int
    score: int
    board: str
    command: str


@dataclass(frozen=True, slots=True)
class Timetable:
    """When the ticks of a chronicle were: evenly from its beginning to its end, as near as nobody minds."""

    begun_ms: int
    ended_ms: int
    beats: int

    def at_ms(self, beat: int) -> int:
        return self.begun_ms + (self.ended_ms - self.begun_ms) * beat // max(self.beats, 1)

    def beat_at(self, at_ms: int) -> int:
        """Returns the last tick at or before a time."""
        length = max(self.ended_ms - self.begun_ms, 1)
        return min(max((at_ms - self.begun_ms) * self.beats // length, 0), self.beats)


def boards_of(
    replay: Replay, stint: Stint, times: Timetable, more: Mapping[str, Any], until_ms: int, most: int
) -> list[LoggedBoard]:
    """Returns the last boards that somebody saw on a seat up to a time, the oldest first.

    The game is played again for them; `more` are the settings that are none of its rules.
    """
    last, end = times.beat_at(until_ms), len(replay.ticks) if stint.end is None else stint.end
    found: list[LoggedBoard] = []
    session, beat, order = None, 0, NO_ORDER
    for at, (game, orders) in enumerate(replay.play(more)):
        if at > 0 and isinstance(replay.ticks[at - 1][0], list):
            beat += 1
            if last - most < beat <= last and stint.begin < at <= end and stint.seat in game.asked:
                session = session or game.book.wire.open_session(game.settings, stint.seat)
                board = session.ask(game.view(stint.seat)).decode()
                found.append(LoggedBoard(times.at_ms(beat), game.scores[stint.seat], board, named(game, order)))
        if beat >= last or at >= end:
            break
        order = orders.get(stint.seat, NO_ORDER)
    return found


def named(game: Game, order: int) -> str:
    orders = game.book.facts.orders
    return orders[order] if 0 <= order < len(orders) else ""


def settings_beside(settings: Settings) -> dict[str, Any]:
    """Returns the settings that a replay does not keep, because they are none of the rules."""
    rules = settings.of_group("rules")
    return {row.name: getattr(settings, row.name) for row in fields(settings) if row.name not in rules}


def boards_in(chronicle: Chronicle, user: str, until_ms: int, most: int) -> list[LoggedBoard]:
    """Returns the last boards of a player out of a chronicle that nobody else changes meanwhile."""
    times = Timetable(chronicle.begun_ms, chronicle.ended_ms, chronicle.beats)
    beside = settings_beside(chronicle.settings)
    stints = [stint for stint in chronicle.stints if stint.user == user]
    return [board for stint in stints for board in boards_of(chronicle.replay, stint, times, beside, until_ms, most)][
        -most:
    ]
