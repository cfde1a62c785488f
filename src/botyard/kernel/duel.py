"""Rules that games between two seats share: who is ahead, and which places that makes."""

from __future__ import annotations

from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NOBODY = -1


@rule
def leader(scores: Record) -> int:
    """Returns the seat that has more points, or NOBODY."""
    if scores[0] > scores[1]:
        return 0
    return 1 if scores[1] > scores[0] else NOBODY


@rule
def place_winner(winner: int, out: Record) -> None:
    """Gives each seat its place, 0 the best; a draw is the same place twice."""
    out[0] = 1 if winner == 1 else 0
    out[1] = 1 if winner == 0 else 0
