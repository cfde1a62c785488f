"""This module says when an entry is benched: it does not answer any more, and that is not a worker's fault.

Three games in a row in which every own turn was lost are needed. They must have been played on two workers, or against
two rivals who did answer: a worker with a full disk silences both sides of every game, and benches nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from botyard.kernel.words import counted
from botyard.rank.ladder.policy import DAY_MS, LadderPolicy

IN_A_ROW: Final = 3
WITNESSES: Final = 2  # workers, or rivals who answered


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSeen:
    """A game of an entry as the bench rule sees it. Void games are no games here."""

    game: str
    worker: str
    turns: int  # the entry was asked so often
    lost: int  # of them, those whose order was lost: late, unreadable, not sent
    answered: frozenset[str] = frozenset()  # the rivals of whom at least one turn was not lost

    @property
    def all_lost(self) -> bool:
        return self.lost >= self.turns


@dataclass(frozen=True, slots=True)
class Benched:
    """Why an entry is benched, and the game with its first lost turn."""

    why: str
    first_game: str


def benched(games: Sequence[GameSeen]) -> Benched | None:
    """Returns whether an entry with these games is to be benched.

    They are its last ones in the order in which they were recorded, since its version was activated or it was revived.
    A game that was over before the entry was asked says nothing.
    """
    streak: list[GameSeen] = []
    for game in reversed([game for game in games if game.turns]):
        if not game.all_lost:
            break
        streak.insert(0, game)
    workers = {game.worker for game in streak}
    rivals = {rival for game in streak for rival in game.answered}
    if len(streak) < IN_A_ROW or (len(workers) < WITNESSES and len(rivals) < WITNESSES):
        return None
    turns = counted(sum(game.turns for game in streak), "turn")
    seen = f"on {len(workers)} workers" if len(workers) >= WITNESSES else f"against {len(rivals)} rivals who answered"
    return Benched(f"all {turns} of its last {len(streak)} games were lost, {seen}", streak[0].game)


def tries_left(tried_ms: Iterable[int], now_ms: int, policy: LadderPolicy) -> int:
    """Returns how often a benched entry may try again now, after it did at these times."""
    today = sum(now_ms - DAY_MS < when <= now_ms for when in tried_ms)
    return max(0, policy.tries_a_day - today)
