"""An outcome says how a game ended: in groups of seats, best first, where a tie is a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """Groups of seats from best to last, and the points each seat made."""

    groups: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]

    @classmethod
    def from_places(cls, places: Sequence[int], scores: Sequence[int]) -> Outcome:
        """Makes an outcome from a place per seat. Equal places are a tie; gaps between places mean nothing."""
        ranked = sorted(set(places))
        groups = tuple(tuple(seat for seat, at in enumerate(places) if at == rank) for rank in ranked)
        return cls(groups, tuple(int(points) for points in scores))

    @property
    def winner(self) -> int | None:
        """The one seat that is ahead of all others, if there is one."""
        return self.groups[0][0] if len(self.groups) > 1 and len(self.groups[0]) == 1 else None

    @property
    def draw(self) -> bool:
        """Whether all seats share one place."""
        return len(self.groups) == 1

    def place_of(self, seat: int) -> int:
        """Returns the place of a seat, 1 for the best; seats that tie share the better place."""
        ahead = 0
        for group in self.groups:
            if seat in group:
                return ahead + 1
            ahead += len(group)
        raise ValueError(f"seat {seat} is not in {self.groups}")
