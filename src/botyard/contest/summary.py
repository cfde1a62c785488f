"""What a store says about a contest: everything a report shows, as plain values.

`standings` holds nothing that depends on time; the timing of bots has a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from botyard.contest.plan import Plan
from botyard.contest.runner import replay_course
from botyard.contest.schema import GameRow
from botyard.contest.store import Store
from botyard.match.blame import commonest
from botyard.rank.ratings import Ratings
from botyard.rank.results import Result
from botyard.rank.standings import Standings
from botyard.rank.strengths import Duels, fit

WON, DRAWN, LOST = range(3)  # of the row's bot against the column's
NOTABLE = 3  # best and worst games that are named for each bot


@dataclass(slots=True)
class BotPage:
    """One bot's page."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    whole_ms: float = 0.0
    longest_ms: float = 0.0
    margins: list[tuple[float, int]] = field(default_factory=list)  # of the most notable games, with their numbers

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
        """Keeps the games with the widest margins either way; of equals the earlier ones."""
        rivals = [result.score(rival) for rival in result.bots if rival != bot]
        margin = result.score(bot) - (max(rivals) if rivals else 0)
        place = (len(result.bots) - result.place(bot)) / max(1, len(result.bots) - 1)
        self.margins.append((place * 1e9 + margin, number))
        if len(self.margins) > 64:
            self.margins = [*self.best(), *self.worst()]

    def best(self) -> list[tuple[float, int]]:
        return sorted(self.margins, key=lambda pair: (-pair[0], pair[1]))[:NOTABLE]

    def worst(self) -> list[tuple[float, int]]:
        shown = {number for _, number in self.best()}
        return [pair for pair in sorted(self.margins) if pair[1] not in shown][:NOTABLE]

    def values(self) -> dict[str, Any]:
        timing: dict[str, Any] = {"questions": self.questions, "mean_ms": None, "longest_ms": None}
        if self.questions:
            timing["mean_ms"] = round(self.whole_ms / self.questions, 3)
            timing["longest_ms"] = round(self.longest_ms, 3)
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "forfeits": self.forfeits,
            "verdicts": self.verdicts,
            "timing": timing,
            "best_games": [number for _, number in self.best()],
            "worst_games": [number for _, number in self.worst()],
        }


class SummaryBuilder:
    """Takes the games of a contest in their order, one at a time: memory does not grow with their number."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._bots = list(bots)
        self._ratings, self._duels = Ratings(bots), Duels.among(bots)
        self._cross = np.zeros((len(bots), len(bots), 3), int)
        self._pages = {bot: BotPage() for bot in bots}

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
            self._pages[bot].add(bot, row, result)

    def values(self) -> dict[str, Any]:
        strengths = fit(self._duels)
        ratings = {bot: self._ratings[bot] for bot in self._bots}
        return {
            "ratings": {
                bot: {"mu": rating.mu, "sigma": rating.sigma, "sure": rating.sure, "games": rating.games}
                for bot, rating in ratings.items()
            },
            "strengths": {
                bot: {"elo": round(own.elo, 1), "low": round(own.low, 1), "high": round(own.high, 1)}
                for bot, own in strengths.items()
            },
            "cross": {
                one: {
                    other: dict(zip(("wins", "draws", "losses"), map(int, self._cross[i, j]), strict=True))
                    for j, other in enumerate(self._bots)
                    if i != j and self._cross[i, j].any()
                }
                for i, one in enumerate(self._bots)
            },
            "bots": {bot: page.values() for bot, page in self._pages.items()},
        }


def standings_values(standings: Standings) -> dict[str, Any]:
    rows = [{"place": row.place, "bot": row.bot, **row.columns} for row in standings.rows]
    return {"criteria": list(standings.criteria), "verdict": standings.verdict, "rows": rows}


def summarize(plan: Plan, store: Store) -> dict[str, Any]:
    """All that a report shows."""
    taken = SummaryBuilder(plan.names)
    course, finished = replay_course(plan, store, taken.add)
    counts, facts = store.counts(), plan.book.facts
    reason = commonest(told for _, _, told in store.faults())
    kind = plan.format
    return {
        "title": plan.title,
        "game": {"name": facts.name, "title": facts.title, "rules_version": facts.rules_version},
        "format": {"kind": kind.NAME, "summary": kind.SUMMARY, **options_of(plan)},
        "seed": str(plan.seed),
        "specifications": plan.bots,
        "finished": finished,
        "games": {
            "asked": counts.all,
            "recorded": counts.recorded,
            "void": counts.void,
            "house_faults": counts.faults,
            "fault_reason": reason,  # the commonest; nothing if there was no fault
        },
        "standings": standings_values(course.standings()),
        **taken.values(),
    }


def options_of(plan: Plan) -> dict[str, Any]:
    return {
        key.removeprefix("format."): value
        for key, value in plan.identity.items()
        if key.startswith("format.") and key != "format.kind"
    }
