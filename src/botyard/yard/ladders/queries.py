"""What one caller may see of a match now: results, seeds, replays and turns of a pair appear when its games are over."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.ladders.match_lists import ShownMatch, match_at


@dataclass(frozen=True, slots=True)
class MatchSeen:
    """A match as one caller may see it; what is not for them, or not yet, is empty."""

    match: ShownMatch
    result: str
    seed: str
    replay: str | None  # the digest of its blob
    turns: str | None  # likewise; of it only the turns of `places` may be shown
    places: list[int]  # whose turns this caller may see


def match_for(connection: sa.Connection, match: int, caller: Caller) -> MatchSeen:
    """Returns what a caller may see of a match."""
    shown = match_at(connection, match)
    released = shown.listed.released
    places = [seat.place for seat in shown.listed.seats if released and seat.open_to(caller)]
    return MatchSeen(
        match=shown,
        result=shown.listed.result,
        seed=shown.seed,
        replay=shown.replay if released else None,
        turns=shown.turns if places else None,
        places=places,
    )
