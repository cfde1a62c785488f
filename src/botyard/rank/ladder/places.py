"""This module orders a ladder as people see it: by mu, with its margin, and with a rank once enough pairs are played.

The order is not mu - 3 sigma, which every upload would lower. Bots that do not play have no rank, and house bots leave
the table when enough players' bots are there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from botyard.rank.ladder.policy import LadderPolicy
from botyard.rank.ladder.records import EntryState, LadderEntry
from botyard.rank.strengths import SURE_95


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A line of the ladder's table."""

    entry: LadderEntry
    rank: int | None
    margin: float  # mu lies within this of the true strength, in 95 of 100 cases
    why: str  # why it has no rank; empty if it has one


def places(entries: Iterable[LadderEntry], policy: LadderPolicy) -> list[LadderPlace]:
    """Returns the table of a ladder, best first. Retired entries are not in it."""
    present = [entry for entry in entries if entry.state is not EntryState.RETIRED]
    if house_left(present, policy):
        present = [entry for entry in present if not entry.house]
    table: list[LadderPlace] = []
    playing = 0
    for entry in sorted(present, key=lambda entry: (-entry.mu, entry.bot)):
        why = unranked(entry, policy)
        playing += entry.plays  # newcomers count, or else the weakest of all would be first as the only one with a rank
        table.append(LadderPlace(entry, None if why else playing, SURE_95 * entry.sigma, why))
    return table


def house_left(entries: Iterable[LadderEntry], policy: LadderPolicy) -> bool:
    """Whether house bots have left the table, because enough players' bots play."""
    return sum(entry.plays and not entry.house for entry in entries) >= policy.house_until


def unranked(entry: LadderEntry, policy: LadderPolicy) -> str:
    """Returns why an entry has no rank, or nothing if it has one."""
    if not entry.plays:
        return f"{entry.state}: it is not asked to play"
    if entry.pairs < policy.ranked_after:
        return f"{entry.pairs} of {policy.ranked_after} pairs played"
    return ""
