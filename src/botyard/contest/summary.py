"""A summary holds everything that a report shows of a contest; it is computed from the store.

The standings do not depend on time; the timing of bots is kept apart from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from botyard.contest.plan import Plan
from botyard.contest.roots import root_hash, root_text
from botyard.contest.rows import GameRow
from botyard.contest.runner import replay_course
from botyard.contest.store import Store
from botyard.match.blame import commonest
from botyard.rank.ratings import Rating, Ratings
from botyard.rank.results import Result
from botyard.rank.standings import Standings, concluded
from botyard.rank.strengths import Duels, Strength, fit

WON, DRAWN, LOST = range(3)  # the results that the cross table counts, for the row's bot against the column's
NOTABLE = 3  # how many best and worst games are named for each bot


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The game that is played, as the report shows it."""

    name: str
    title: str
    rules_version: int


@dataclass(frozen=True, slots=True)
class FormatSummary:
    """The format of the contest, as the report shows it."""

    kind: str
    summary: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games there are, how many are void, and how many faults of ours there were."""

    asked: int
    recorded: int
    void: int
    house_faults: int
    fault_reason: str  # the most frequent one; empty if there was no fault


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often one bot won, drew and lost against another."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


@dataclass(frozen=True, slots=True)
class TimingSummary:
    """How long a bot took to answer; there is none for bots that were not timed."""

    questions: int
    mean_ms: float | None
    longest_ms: float | None


@dataclass(frozen=True, slots=True)
class BotSummary:
    """One bot's part of a report."""

    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    verdicts: Mapping[str, int]
    timing: TimingSummary
    best_games: tuple[int, ...]  # their numbers
    worst_games: tuple[int, ...]

    @property
    def record(self) -> str:
        forfeits = f", {self.forfeits} forfeited" if self.forfeits else ""
        return f"{self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost{forfeits}."

    @property
    def notable_games(self) -> dict[str, tuple[int, ...]]:
        """The games that the report names, by the word it has for them."""
        named = {"Best": self.best_games, "Worst": self.worst_games}
        return {word: numbers for word, numbers in named.items() if numbers}


@dataclass(frozen=True, slots=True)
class ContestSummary:
    """All that a report shows."""

    title: str
    game: GameSummary
    format: FormatSummary
    root: str  # as a contest file may name it; empty while it is secret
    root_hash: str
    specifications: Mapping[str, str]  # by bot, like the fields that follow
    names: Mapping[str, str]
    guests: frozenset[str]
    finished: bool
    games: GameCounts
    standings: Standings
    ratings: Mapping[str, Rating]
    strengths: Mapping[str, Strength]
    cross: Mapping[str, Mapping[str, Meetings]]
    bots: Mapping[str, BotSummary]

    @property
    def origin(self) -> str:
        """What the seeds of all games follow from, as far as it may be told yet."""
        return f"seed {self.root}" if self.root else f"seed secret until the end (its hash is {self.root_hash})"

    @property
    def ranked(self) -> list[str]:
        """The names of the bots, best first."""
        return [row.bot for row in self.standings.rows]

    @property
    def by_strength(self) -> list[str]:
        return sorted(self.strengths, key=lambda bot: -self.strengths[bot].elo)


@dataclass(slots=True)
class BotTally:
    """The sums from which one bot's summary is made."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    whole_ms: float = 0.0
    longest_ms: float = 0.0
    margins: list[tuple[float, int]] = field(default_factory=list)  # of the notable games, each with its number

    def add(self, bot: str, row: GameRow, result: Result) -> None:
        winner, ahead = result.winner, bot in result.groups[0]
        self.games += 1
        self.wins += winner == bot
        self.draws += winner is None and ahead and len(result.bots) > 1
        self.losses += not ahead
        self.forfeits += bot in result.forfeits
        for verdict, count in (row.verdicts or {}).get(bot, {}).items():
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + count
        if row.timing and bot in row.timing:
            questions, whole, longest = row.timing[bot]
            self.questions += int(questions)
            self.whole_ms += whole
            self.longest_ms = max(self.longest_ms, longest)
        self._note(bot, row.number, result)

    def _note(self, bot: str, number: int, result: Result) -> None:
        """Keeps the games with the widest margins, won and lost; of equal ones the earlier."""
        rivals = [result.score(rival) for rival in result.bots if rival != bot]
        margin = result.score(bot) - (max(rivals) if rivals else 0)
        place = (len(result.bots) - result.place(bot)) / max(1, len(result.bots) - 1)
        self.margins.append((place * 1e9 + margin, number))
        if len(self.margins) > 64:
            self.margins = [*self._best(), *self._worst()]

    def _best(self) -> list[tuple[float, int]]:
        return sorted(self.margins, key=lambda pair: (-pair[0], pair[1]))[:NOTABLE]

    def _worst(self) -> list[tuple[float, int]]:
        shown = {number for _, number in self._best()}
        return [pair for pair in sorted(self.margins) if pair[1] not in shown][:NOTABLE]

    def summary(self) -> BotSummary:
        timing = TimingSummary(self.questions, None, None)
        if self.questions:
            mean_ms = round(self.whole_ms / self.questions, 3)
            timing = TimingSummary(self.questions, mean_ms, round(self.longest_ms, 3))
        return BotSummary(
            self.games,
            self.wins,
            self.draws,
            self.losses,
            self.forfeits,
            self.verdicts,
            timing,
            tuple(number for _, number in self._best()),
            tuple(number for _, number in self._worst()),
        )


class SummaryBuilder:
    """Sums up the games of a contest one at a time, in their order, so that memory does not grow with their number."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._names = list(bots)
        self._ratings, self._duels = Ratings(bots), Duels.among(bots)
        self._cross = np.zeros((len(bots), len(bots), 3), int)
        self._tallies = {bot: BotTally() for bot in bots}

    def add(self, row: GameRow) -> None:
        result = row.result
        if result is None or result.void:
            return
        self._ratings.add(result)
        self._duels.add(result)
        for one, other, decided in result.duels():
            i, j = self._duels.at[one], self._duels.at[other]
            self._cross[i, j, WON if decided else DRAWN] += 1
            self._cross[j, i, LOST if decided else DRAWN] += 1
        for bot in result.bots:
            self._tallies[bot].add(bot, row, result)

    def ratings(self) -> dict[str, Rating]:
        return {bot: self._ratings[bot] for bot in self._names}

    def strengths(self) -> dict[str, Strength]:
        """Returns the strengths, rounded to tenths, which is finer than they are known."""
        return {
            bot: Strength(round(own.elo, 1), round(own.low, 1), round(own.high, 1))
            for bot, own in fit(self._duels).items()
        }

    def cross(self) -> dict[str, dict[str, Meetings]]:
        return {
            one: {
                other: Meetings(*map(int, self._cross[i, j]))
                for j, other in enumerate(self._names)
                if i != j and self._cross[i, j].any()
            }
            for i, one in enumerate(self._names)
        }

    def bots(self) -> dict[str, BotSummary]:
        return {bot: tally.summary() for bot, tally in self._tallies.items()}


def summarize(plan: Plan, store: Store) -> ContestSummary:
    """All that a report shows."""
    builder = SummaryBuilder(plan.keys)
    course, finished = replay_course(plan, store, builder.add)
    counts, facts, root = store.counts(), plan.book.facts, store.root
    reason = commonest(fault.reason for fault in store.faults())
    return ContestSummary(
        title=plan.title,
        game=GameSummary(facts.name, facts.title, facts.rules_version),
        format=FormatSummary(plan.format.NAME, plan.format.SUMMARY, options_of(plan)),
        root=root_text(root) if plan.root is not None or (finished and not plan.watched) else "",
        root_hash=root_hash(root),
        specifications=plan.specs,
        names=plan.names,
        guests=plan.guests,
        finished=finished,
        games=GameCounts(counts.all, counts.recorded, counts.void, counts.faults, reason),
        standings=concluded(course.standings(), finished, plan.guests, plan.names),
        ratings=builder.ratings(),
        strengths=builder.strengths(),
        cross=builder.cross(),
        bots=builder.bots(),
    )


def options_of(plan: Plan) -> dict[str, Any]:
    return {
        key.removeprefix("format."): value
        for key, value in plan.identity.rules.items()
        if key.startswith("format.") and key != "format.kind"
    }
