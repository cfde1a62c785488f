"""Results say how games among named bots ended; this module also reads and writes them in a one-line notation.

    A>B          A beat B
    A=B          a draw; where a match is played to a number of wins, a wash
    A>B=C>D      more than two: groups, best first
    A:1200>B:50  with the points they made
    A>B!         B forfeited: it did not come, left, or ended the game without a result
    A!=B!        both did, in one tick
    A?B          void: our own fault, counts for nobody
    A:300        a game of one

Several results stand on one line, with blanks between them. `parse(str(result)) == result` for every result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, TypeAlias

from botyard.kernel.errors import BadRecord
from botyard.kernel.outcome import Outcome

PLAYER = re.compile(r"(?P<name>[\w.+-]+)(?P<forfeit>!?)(?::(?P<score>-?[0-9]{1,19}))?")
NAME = re.compile(r"[\w.+-]+")

Duel: TypeAlias = tuple[str, str, Literal[0, 1]]
"""A pair of bots within a game: (better, other, 1), or (one, other, 0) if they tied."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended: groups of bots, best first; a tie is a group. Each group is kept in alphabetical order."""

    groups: tuple[tuple[str, ...], ...]
    scores: tuple[tuple[str, int], ...] = ()  # by bot, in alphabetical order; empty if none were kept
    forfeits: frozenset[str] = field(default=frozenset())
    void: bool = False
    bots: tuple[str, ...] = field(init=False, repr=False, compare=False)  # all of them, best first

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(bot for group in self.groups for bot in group))

    @classmethod
    def of(
        cls, groups: Iterable[Iterable[str]], scores: dict[str, int] | None = None, forfeits: Iterable[str] = ()
    ) -> Result:
        ordered = tuple(tuple(sorted(group)) for group in groups)
        return cls(ordered, tuple(sorted((scores or {}).items())), frozenset(forfeits))

    @classmethod
    def of_outcome(cls, outcome: Outcome, bots: Sequence[str], forfeits: Iterable[str] = ()) -> Result:
        """Returns the result of an outcome, whose seats these bots had."""
        groups = [[bots[seat] for seat in group] for group in outcome.groups]
        return cls.of(groups, dict(zip(bots, outcome.scores, strict=True)), forfeits)

    @classmethod
    def nothing(cls, bots: Iterable[str]) -> Result:
        """Returns the result of a void game, which counts for nobody."""
        return cls((tuple(sorted(bots)),), void=True)

    @property
    def winner(self) -> str | None:
        """The one bot that is ahead of all others, if there is one; a bot that plays alone beats nobody."""
        lone = not self.void and len(self.groups) > 1 and len(self.groups[0]) == 1
        return self.groups[0][0] if lone else None

    @property
    def drawn(self) -> bool:
        """Whether all of several bots share one place."""
        return not self.void and len(self.groups) == 1 and len(self.groups[0]) > 1

    def score(self, bot: str) -> int:
        return next((points for name, points in self.scores if name == bot), 0)

    def place(self, bot: str) -> int:
        """Returns the place of a bot, 1 for the best; bots that tie share the better place."""
        ahead = 0
        for group in self.groups:
            if bot in group:
                return ahead + 1
            ahead += len(group)
        raise KeyError(bot)

    def duels(self) -> list[Duel]:
        """Returns the duel of each pair of bots; none of a void game."""
        if self.void:
            return []
        pairs: list[Duel] = []
        for at, group in enumerate(self.groups):
            pairs += [(one, other, 0) for one, other in combinations(group, 2)]
            pairs += [(bot, loser, 1) for bot in group for lower in self.groups[at + 1 :] for loser in lower]
        return pairs

    def __str__(self) -> str:
        if self.void and len(self.bots) == 1:
            return f"{self.bots[0]}?"
        between = "?" if self.void else "="
        return ">".join(between.join(self._player(bot) for bot in group) for group in self.groups)

    def _player(self, bot: str) -> str:
        points = dict(self.scores).get(bot)
        return bot + ("!" if bot in self.forfeits else "") + ("" if points is None else f":{points}")


def parse(text: str) -> Result:
    """Returns the result that a text in the notation stands for."""
    void = "?" in text
    if void and (">" in text or "=" in text):
        raise BadRecord(f"the result {text!r}", hint="a void game has no places; write A?B")
    groups: list[list[str]] = []
    scores: dict[str, int] = {}
    forfeits: set[str] = set()
    for place in [text.removesuffix("?")] if void else text.split(">"):
        group: list[str] = []
        for word in place.split("?" if void else "="):
            found = PLAYER.fullmatch(word)
            if found is None:
                raise BadRecord(f"the result {text!r}", hint=f"{word!r} is not a bot; write results like A:12>B!=C")
            name = found["name"]
            group.append(name)
            if found["score"] is not None:
                scores[name] = int(found["score"])
            if found["forfeit"]:
                forfeits.add(name)
        groups.append(group)
    named = [name for group in groups for name in group]
    if len(set(named)) < len(named):
        raise BadRecord(f"the result {text!r}", hint="a bot is named twice")
    result = Result.of(groups, scores, forfeits)
    return Result(result.groups, result.scores, result.forfeits, void=True) if void else result


def parse_all(line: str) -> list[Result]:
    """Returns all results of a line, which are separated by blanks."""
    return [parse(word) for word in line.split()]


def points_of(result: Result) -> dict[str, float]:
    """Returns the points of each bot: 1 for a win, ½ for a draw; among many, the share of the rivals it beat."""
    rivals = max(1, len(result.bots) - 1)
    points = dict.fromkeys(result.bots, 0.0)
    for one, other, decided in result.duels():
        points[one] += (1.0 if decided else 0.5) / rivals
        points[other] += 0.0 if decided else 0.5 / rivals
    return points
