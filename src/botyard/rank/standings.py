"""Standings list bots from best to last; their places follow from named criteria."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from botyard.rank.results import Result, points_of

Number: TypeAlias = int | float
RankMethod = Literal["competition", "dense"]

SAME = 1e-9  # points are sums of floats: numbers that differ by less are equal


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One bot's line of the standings. `columns` holds the figures that the format shows, by name."""

    place: int
    bot: str
    columns: Mapping[str, Number | str]


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a contest. Bots that are equal in every criterion share a place, in the order of registration."""

    rows: tuple[StandingsRow, ...]
    criteria: tuple[str, ...]  # what decides, in order
    verdict: str = ""  # the conclusion in a sentence: what a comparison found; empty: who is first says it

    @property
    def heads(self) -> tuple[str, ...]:
        return tuple(self.rows[0].columns) if self.rows else ()

    def place(self, bot: str) -> int:
        return next(row.place for row in self.rows if row.bot == bot)

    @property
    def leaders(self) -> tuple[str, ...]:
        return tuple(row.bot for row in self.rows if row.place == 1)

    def __str__(self) -> str:
        """Returns all places on one line: `1 A  2 B C  4 D`."""
        places: dict[int, list[str]] = {}
        for row in self.rows:
            places.setdefault(row.place, []).append(row.bot)
        return "  ".join(f"{place} {' '.join(bots)}" for place, bots in places.items())


NO_PLACE = 0  # of a guest, who plays out of competition


def concluded(
    standings: Standings, over: bool, guests: Collection[str] = (), names: Mapping[str, str] | None = None
) -> Standings:
    """Returns standings as people see them: guests have no place, and a sentence says who leads or is champion."""
    places = [row.place for row in standings.rows if row.bot not in guests]
    rows = tuple(
        replace(row, place=NO_PLACE if row.bot in guests else 1 + sum(place < row.place for place in places))
        for row in standings.rows
    )
    told = replace(standings, rows=rows)
    called = [(names or {}).get(bot, bot) for bot in told.leaders]
    return replace(told, verdict=standings.verdict or first_place(called, over))


def first_place(leaders: Sequence[str], over: bool) -> str:
    if not leaders:
        return "nobody took part"
    if over:
        return f"champion: {leaders[0]}" if len(leaders) == 1 else f"shared by {listed(leaders)}"
    return f"{listed(leaders)} {'leads' if len(leaders) == 1 else 'lead'}"


def listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def rank(scores: Sequence[Sequence[Number]], method: RankMethod = "competition") -> list[int]:
    """Returns the place of each key, the greatest first. Places after a tie are 1 2 2 4, or 1 2 2 3 with `dense`."""
    ahead = [[other for other in scores if greater(other, own)] for own in scores]
    if method == "competition":
        return [len(better) + 1 for better in ahead]
    return [count_distinct(better) + 1 for better in ahead]


def greater(one: Sequence[Number], other: Sequence[Number]) -> bool:
    for left, right in zip(one, other, strict=True):
        if abs(left - right) > SAME:
            return left > right
    return False


def count_distinct(keys: Iterable[Sequence[Number]]) -> int:
    return len({tuple(round(value, 6) for value in key) for key in keys})


def table(
    bots: Sequence[str],
    keys: Mapping[str, Sequence[Number]],
    columns: Mapping[str, Mapping[str, Number | str]],
    criteria: Sequence[str],
    verdict: str = "",
    method: RankMethod = "competition",
) -> Standings:
    """Returns the standings of these bots, ordered by their keys; a greater key is better."""
    places = dict(zip(bots, rank([keys[bot] for bot in bots], method), strict=True))
    ordered = sorted(bots, key=lambda bot: places[bot])  # a stable sort: equals stay in the order of registration
    rows = tuple(StandingsRow(places[bot], bot, columns[bot]) for bot in ordered)
    return Standings(rows, tuple(criteria), verdict)


# The sums of results that formats rank by


@dataclass(slots=True)
class Tally:
    """The sums of one bot over all its games."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    score: int = 0
    best: int | None = None  # the highest score of one game
    forfeits: int = 0


@dataclass(slots=True)
class ResultSums:
    """The sums over all results of a contest so far, except void games."""

    bots: tuple[str, ...]
    tallies: dict[str, Tally] = field(init=False)
    taken: dict[tuple[str, str], float] = field(init=False)  # points that the first bot won against the second
    met: dict[tuple[str, str], int] = field(init=False)  # how often two bots met
    worth: dict[str, float] = field(init=False)  # points by bot, if the format counts more than games

    def __post_init__(self) -> None:
        self.tallies = {bot: Tally() for bot in self.bots}
        self.taken, self.met, self.worth = {}, {}, {}

    def add(self, result: Result) -> None:
        if result.void:
            return
        points, winner, ahead = points_of(result), result.winner, result.groups[0]
        for bot in result.bots:
            tally, score = self.tallies[bot], result.score(bot)
            tally.games += 1
            tally.points += points[bot]
            tally.score += score
            tally.best = score if tally.best is None else max(tally.best, score)
            tally.forfeits += bot in result.forfeits
            tally.wins += winner == bot
            tally.draws += winner is None and len(result.bots) > 1 and bot in ahead
            tally.losses += bot not in ahead
        for one, other, decided in result.duels():
            self.met[one, other] = self.met[other, one] = self.met.get((one, other), 0) + 1
            self.taken[one, other] = self.taken.get((one, other), 0.0) + (1.0 if decided else 0.5)
            self.taken[other, one] = self.taken.get((other, one), 0.0) + (0.0 if decided else 0.5)

    def points(self, bot: str) -> float:
        """Returns the points of a bot, by its games or as the format counts them."""
        return self.worth.get(bot, self.tallies[bot].points)

    def from_each(self, bot: str, rivals: Iterable[str]) -> float:
        """Returns the points that a bot won against these rivals."""
        return sum(self.taken.get((bot, rival), 0.0) for rival in rivals)


# Tie-breaks by name. Each is a number for a bot, from all sums and the bots it is tied with; greater is better.

TieBreak: TypeAlias = Callable[[ResultSums, str, Sequence[str]], Number]


def head_to_head(played: ResultSums, bot: str, tied: Sequence[str]) -> Number:
    return played.from_each(bot, tied)


def sonneborn_berger(played: ResultSums, bot: str, tied: Sequence[str]) -> Number:
    """Sums the points of each rival times the points won against it, so that wins over strong rivals weigh more."""
    return sum(played.taken.get((bot, rival), 0.0) * played.points(rival) for rival in played.bots)


def buchholz(played: ResultSums, bot: str, tied: Sequence[str]) -> Number:
    """Sums the points of all rivals that the bot met."""
    return sum(played.met.get((bot, rival), 0) * played.points(rival) for rival in played.bots)


TIE_BREAKS: dict[str, tuple[str, TieBreak]] = {
    "head_to_head": ("points from the games among the tied bots", head_to_head),
    "sonneborn_berger": ("points of each rival, times the points taken from it", sonneborn_berger),
    "buchholz": ("points of all rivals met", buchholz),
    "wins": ("games won", lambda played, bot, tied: played.tallies[bot].wins),
    "score": ("points made inside the games", lambda played, bot, tied: played.tallies[bot].score),
    "best": ("the best single game", lambda played, bot, tied: played.tallies[bot].best or 0),
    "forfeits": ("fewer forfeits", lambda played, bot, tied: -played.tallies[bot].forfeits),
}


def broken_ties(
    played: ResultSums, first: Mapping[str, Sequence[Number]], breaks: Sequence[str]
) -> dict[str, list[Number]]:
    """Returns the keys with a number for each tie-break appended; each considers the bots that are still equal."""
    keys = {bot: list(first[bot]) for bot in played.bots}
    for name in breaks:
        figure = TIE_BREAKS[name][1]
        tied = {bot: [other for other in played.bots if equal(keys[bot], keys[other])] for bot in played.bots}
        added = {bot: figure(played, bot, tied[bot]) for bot in played.bots}
        for bot in played.bots:
            keys[bot].append(added[bot])
    return keys


def equal(one: Sequence[Number], other: Sequence[Number]) -> bool:
    return not greater(one, other) and not greater(other, one)
