"""The turn report: the figures of one game's turns, or of several games among the same bots.

Of several games only the lost turns are kept, and the slowest: a series of a thousand games must fit into memory, and
nobody reads a million turns. What bots sent is handed on as it came; escaping it is the business of whoever shows it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from botyard.games import GAMES, load
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.verdict import Verdict
from botyard.match.jitter import Lateness
from botyard.match.replay import Replay
from botyard.match.stretches import ListedTurn, listed_turns
from botyard.match.turns import START_TICK, NoTurns, SeatRecord, Turn, TurnLog, read_turns, sidecar_path

SLOWEST = 5
MOST_LOST = 1000  # lost turns of a series that are kept with their texts; the others are counted

# Verdicts of a bot that was waited for; the others tell nothing about how fast it is.
TIMED = (Verdict.OK, Verdict.INVALID, Verdict.GARBLED, Verdict.LATE, Verdict.SILENT)


@dataclass(frozen=True, slots=True)
class TurnFilter:
    """Which turns somebody wants to see."""

    seat: int | None = None
    only_faults: bool = False
    first_tick: int | None = None
    last_tick: int | None = None

    def takes(self, turn: Turn) -> bool:
        if self.seat not in (None, turn.seat) or (self.only_faults and turn.verdict is Verdict.OK):
            return False
        after = self.first_tick is None or turn.tick >= self.first_tick
        return after and (self.last_tick is None or turn.tick <= self.last_tick)


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """One game of a report."""

    label: str  # its replay, or how else it is known
    replay: Replay
    seats: tuple[SeatRecord, ...]
    jitter: Lateness | None
    missing: str = ""  # what the report cannot tell, and how to get it
    timed: bool = True  # False: nothing but the verdicts of its turns is known

    def order_name(self, turn: Turn) -> str:
        """What was ordered in a turn; nothing if nothing was, or if it was not recorded."""
        orders = load(self.replay.game).facts.orders if self.replay.game in GAMES else ()
        if turn.order is None:
            return ""
        return orders[turn.order] if 0 <= turn.order < len(orders) else str(turn.order)

    @property
    def trouble(self) -> str:
        """Why a game has no outcome: our own fault, or what bots did after which the original has none."""
        if self.replay.outcome is not None:
            return ""
        house = [miss.reason for miss in self.replay.missed if miss.verdict is Verdict.HOUSE]
        if house or not self.replay.missed:
            return (house or ["it was broken off"])[0]
        if len({miss.seat for miss in self.replay.missed if miss.tick == START_TICK}) == len(self.replay.names):
            return "no bot joined the game"
        return self.replay.ending or "it was broken off"


@dataclass(slots=True)
class BotFigures:
    """One bot over all games of a report."""

    name: str
    entrant: int  # which of the bots, in the order they came
    seats: set[int] = field(default_factory=set)
    levels: set[str] = field(default_factory=set)
    peak_mb: float | None = None
    turns: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    times: array[float] = field(default_factory=lambda: array("d"))
    limits: set[int] = field(default_factory=set)

    def add_seat(self, at: int, seat: SeatRecord) -> None:
        self.seats.add(at)
        if seat.level is not None:
            self.levels.add(seat.level or "none")
        if seat.peak_mb is not None:
            self.peak_mb = max(seat.peak_mb, self.peak_mb or 0)

    def add(self, turn: Turn, timed: bool) -> None:
        self.turns += 1
        self.verdicts[turn.verdict] += 1
        if timed and turn.tick >= 0 and turn.verdict in TIMED:
            self.times.append(turn.ms)
            self.limits.add(turn.limit_ms)

    def quantile(self, share: float) -> float | None:
        """The time that so large a share of the answers did not exceed."""
        if not self.times:
            return None
        return sorted(self.times)[max(math.ceil(share * len(self.times)), 1) - 1]


class TurnReport:
    """Collects games; holds what is to be shown of them."""

    def __init__(self, choice: TurnFilter | None = None, *, series: bool = False) -> None:
        self.choice, self.series = choice or TurnFilter(), series
        self.games: list[ReportedGame] = []
        self.bots: dict[tuple[int, str], BotFigures] = {}
        self.listed: list[ListedTurn] = []
        self.slowest: list[ListedTurn] = []
        self.lost = 0
        self.unlisted = 0  # lost turns that are only counted

    @property
    def jitter(self) -> Lateness | None:
        return Lateness.worst([game.jitter for game in self.games if game.jitter])

    def add(self, label: str, replay: Replay, log: TurnLog) -> None:
        """A game with its turns."""
        self._add(ReportedGame(label, replay, log.seats, log.jitter), log.turns)

    def add_without_turns(self, label: str, replay: Replay, missing: str) -> None:
        """A game of which only the replay is there: it knows the turns that were lost, and why."""
        turns = [Turn.missed(miss) for miss in replay.missed if miss.verdict is not Verdict.HOUSE]
        seats = tuple(SeatRecord(name) for name in replay.names)
        self._add(ReportedGame(label, replay, seats, None, missing, timed=False), turns)

    def add_file(self, path: Path) -> None:
        """A replay and what lies beside it."""
        replay = Replay.read(path)
        try:
            log = log_of(path, replay)
        except NoTurns:
            missing = (
                f"there is no {sidecar_path(path).name} beside it, so times, texts and stderr are missing and only "
                "lost turns are known; `botyard play` writes both files: keep them together, or play again"
            )
            self.add_without_turns(str(path), replay, missing)
            return
        self.add(str(path), replay, log)

    def _add(self, game: ReportedGame, turns: Sequence[Turn]) -> None:
        self._check_seat(game)
        at = len(self.games)
        self.games.append(game)
        figures = [self._figures(game, seat) for seat in range(len(game.seats))]
        wanted = [turn for turn in turns if self.choice.seat in (None, turn.seat)]
        for turn in wanted:
            figures[turn.seat].add(turn, game.timed)
        for listed in listed_turns(wanted, at, words_matter=True):
            self._list(listed)
        if game.timed:
            answered = [ListedTurn(turn, at) for turn in wanted if turn.tick >= 0 and turn.verdict in TIMED]
            self.slowest = sorted([*self.slowest, *answered], key=lambda listed: -listed.turn.ms)[:SLOWEST]

    def _check_seat(self, game: ReportedGame) -> None:
        wanted = self.choice.seat
        if wanted is not None and not 0 <= wanted < len(game.seats):
            raise YardError(f"{game.label} has no seat {wanted}", hint=f"seats go from 0 to {len(game.seats) - 1}")

    def _figures(self, game: ReportedGame, seat: int) -> BotFigures:
        entrant, name = game.replay.entrants[seat], game.seats[seat].name
        figures = self.bots.setdefault((entrant, name), BotFigures(name, entrant))
        figures.add_seat(seat, game.seats[seat])
        return figures

    def _list(self, listed: ListedTurn) -> None:
        lost = listed.turn.verdict is not Verdict.OK
        self.lost += lost
        if not self.choice.takes(listed.turn) or (self.series and not lost):
            return
        if self.series and len(self.listed) >= MOST_LOST:
            self.unlisted += 1
            return
        self.listed.append(listed)

    def shown_bots(self) -> Iterator[BotFigures]:
        """The bots in the order they came; where one seat was chosen, only those that sat there."""
        for key in sorted(self.bots):
            if self.choice.seat is None or self.choice.seat in self.bots[key].seats:
                yield self.bots[key]


def log_of(path: Path, replay: Replay) -> TurnLog:
    """The turns beside a replay, if they are those of its game."""
    log = read_turns(path)
    if not belongs(log, replay):
        hint = "keep each replay with its own .turns file, or play again"
        raise BadRecord(f"{sidecar_path(path)} belongs to another game", hint=hint)
    return log


def belongs(log: TurnLog, replay: Replay) -> bool:
    """Whether these are the turns of that game."""
    seats = len(replay.names)
    same = (log.game, log.seed, len(log.seats)) == (replay.game, replay.seed, seats)
    return same and all(0 <= turn.seat < seats for turn in log.turns)
