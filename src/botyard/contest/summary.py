"""This module computes the summary of a contest from its store, one game at a time (`contest/summary_records.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from botyard.contest.lost_turns import LostTurns
from botyard.contest.notable_games import NotableGame, NotableGames
from botyard.contest.pair_games import PairTable, cross_of
from botyard.contest.plan import Plan
from botyard.contest.roots import root_hash, root_text
from botyard.contest.rows import GameRow
from botyard.contest.runner import replay_course
from botyard.contest.store import PlayedGames
from botyard.contest.summary_records import (
    BotSummary,
    ContestSummary,
    FormatSummary,
    GameCounts,
    GameSummary,
    LostExample,
    TimingSummary,
)
from botyard.match.blame import commonest
from botyard.rank.ratings import Rating, Ratings
from botyard.rank.results import Result
from botyard.rank.standings import concluded
from botyard.rank.strengths import Duels, Strength, fit


@dataclass(slots=True)
class BotTally:
    """The sums from which one bot's summary is made."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, LostExample] = field(default_factory=dict)  # by verdict
    questions: int = 0
    whole_ms: float = 0.0
    longest_ms: float = 0.0

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
        for verdict, turns in (row.lost or {}).get(bot, {}).items():
            self._add_lost(row, verdict, turns)

    def _add_lost(self, row: GameRow, verdict: str, turns: LostTurns) -> None:
        """Counts lost turns; the first game in which there are any gives the example."""
        known = self.lost.get(verdict)
        if known is None:
            self.lost[verdict] = LostExample(turns.count, row.number, turns.tick, turns.reason, turns.remedy)
        else:
            self.lost[verdict] = replace(known, count=known.count + turns.count)

    def summary(self, notable: tuple[NotableGame, ...]) -> BotSummary:
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
            self.lost,
            timing,
            notable,
        )


class SummaryBuilder:
    """Sums up the games of a contest one at a time, in their order; of most it keeps no more than a number."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._names = list(bots)
        self._ratings, self._duels = Ratings(bots), Duels.among(bots)
        self._tallies = {bot: BotTally() for bot in bots}
        self.pairs, self.notable = PairTable(bots), NotableGames(bots)

    def add(self, row: GameRow) -> None:
        result = row.result
        if result is None or result.void:
            return
        self._ratings.add(result)
        self._duels.add(result)
        duels = result.duels()
        self.pairs.add(row, result, duels)
        self.notable.add(row.number, result, duels, row.ticks)
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

    def bots(self, strengths: Mapping[str, Strength]) -> dict[str, BotSummary]:
        return {bot: tally.summary(self.notable.of_bot(bot, strengths)) for bot, tally in self._tallies.items()}


def summarize(plan: Plan, store: PlayedGames) -> ContestSummary:
    """All that a report shows."""
    builder = SummaryBuilder(plan.keys)
    course, finished = replay_course(plan, store, builder.add)
    counts, facts, root = store.counts(), plan.book.facts, store.root
    reason = commonest(fault.reason for fault in store.faults())
    strengths, pairs = builder.strengths(), builder.pairs.pairs
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
        standings=concluded(course.standings(), finished and not plan.watched, plan.guests, plan.names),
        ratings=builder.ratings(),
        strengths=strengths,
        cross=cross_of(plan.keys, pairs),
        bots=builder.bots(strengths),
        file=plan.path.name,
        pairs=pairs,
        listed=builder.pairs.listed,
        notable=builder.notable.of_contest(strengths),
    )


def options_of(plan: Plan) -> dict[str, Any]:
    return {
        key.removeprefix("format."): value
        for key, value in plan.identity.rules.items()
        if key.startswith("format.") and key != "format.kind"
    }
