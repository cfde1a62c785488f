"""This module chooses whom a host meets: mostly rivals of about its rating whom it has met least.

A guest is never of the host's owner, nor of another guest's. A tenth is drawn from all ranks, so that layers do not
close; now and then a neighbour in rating is due that the host has not met lately; all others are drawn with the weight
exp(-distance / half beta) · ½ to the meetings of these versions beyond the host's fewest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from botyard.rank.ladder.field import Floats, LadderField, Mask, Rows, Whole
from botyard.rank.ladder.policy import AGAIN, ANYWHERE, DUE, MINUTE_MS, REACH
from botyard.rank.ladder.records import Encounter, LadderEntry
from botyard.rank.ladder.stream import draw_below, draw_fraction
from botyard.rank.ladder.words import times

NEVER = -(1 << 62)  # a time before all others


@dataclass(frozen=True, slots=True)
class Rivals:
    """All entries by row, as one host sees them."""

    host: LadderEntry
    apart: Floats  # points of rating between the two
    met: Whole  # pairs of these versions
    last_ms: Whole  # when the last of them was asked
    settled: Mask


def rivals_of(field: LadderField, host: LadderEntry, encounters: Mapping[str, Encounter]) -> Rivals:
    """Returns what a host knows of the others; `encounters` are those of its version, by the other version."""
    size = len(field.entries)
    met, last_ms = np.zeros(size, np.int64), np.full(size, NEVER, np.int64)
    settled = np.zeros(size, np.bool_)
    rows: list[int] = []
    pairs: list[int] = []
    lasts: list[int] = []
    for version, encounter in encounters.items():
        row = field.of_version.get(version)
        if row is not None:
            rows.append(row)
            pairs.append(encounter.pairs)
            lasts.append(encounter.last_ms)
            settled[row] = encounter.settled
    met[rows], last_ms[rows] = pairs, lasts
    return Rivals(host, field.mu - host.mu, met, last_ms, settled)


def choose_guests(
    field: LadderField, host: LadderEntry, encounters: Mapping[str, Encounter], now_ms: int, stream: int
) -> tuple[list[LadderEntry], list[str], int]:
    """Returns the guests of a table, why each was chosen, and the next state of the stream."""
    rivals = rivals_of(field, host, encounters)
    others = field.plays & (field.owner != field.owner[field.rows[host.bot]])
    guests: list[LadderEntry] = []
    reasons: list[str] = []
    while len(guests) < field.policy.seats - 1:
        row, why, stream = choose_guest(field, rivals, others, now_ms, stream)
        guests.append(field.entries[row])
        reasons.append(why)
        others &= field.owner != field.owner[row]
    return guests, reasons, stream


def choose_guest(field: LadderField, rivals: Rivals, others: Mask, now_ms: int, stream: int) -> tuple[int, str, int]:
    """Returns the row of one guest out of these others, why, and the next state of the stream."""
    unsettled = others & ~rivals.settled
    rows = np.flatnonzero(unsettled if unsettled.any() else others)
    kind, stream = draw_fraction(stream)
    if kind < ANYWHERE:
        row, stream = drawn(rows, weights(field, rivals, rows, near=False), stream)
        return row, "drawn from all ranks", stream
    if kind < ANYWHERE + DUE:
        due = neighbours_due(field, rivals, rows, now_ms)
        if due:
            at, stream = draw_below(stream, len(due))
            return due[at], "neighbour in rating, not met lately", stream
    row, stream = drawn(rows, weights(field, rivals, rows, near=True), stream)
    return row, f"close in rating: {abs(rivals.apart[row]):.1f} apart, met {times(int(rivals.met[row]))}", stream


def weights(field: LadderField, rivals: Rivals, rows: Rows, *, near: bool) -> Floats:
    """Returns how likely each of these rows is to be chosen, compared with the others."""
    factors = field.moderation()[rows]
    if near:
        # The largest becomes 1, so that a host far from everybody still has a guest. Meetings then count beyond the
        # fewest by themselves.
        logs = np.abs(rivals.apart[rows]) * (-1 / REACH) + rivals.met[rows] * math.log(AGAIN)
        factors *= np.exp(logs - logs.max())
    return factors


def drawn(rows: Rows, factors: Floats, stream: int) -> tuple[int, int]:
    """Draws one of the rows, each as likely as its factor says."""
    fraction, stream = draw_fraction(stream)
    sums = np.cumsum(factors)
    at = int(np.searchsorted(sums, fraction * sums[-1], side="right"))
    return int(rows[min(at, rows.size - 1)]), stream


def neighbours_due(field: LadderField, rivals: Rivals, rows: Rows, now_ms: int) -> list[int]:
    """Returns the next entry above and below the host in rating, as far as they have not met it lately.

    Those with as many pairs in flight as a host may have are not due: an entry in a gap is the neighbour of many.
    """
    apart = rivals.apart[rows]
    sides = [rows[apart >= 0], rows[apart < 0]]
    next_to = [nearest(field, rivals, side) for side in sides if side.size]
    lately = now_ms - MINUTE_MS * field.policy.lately_min
    free = field.in_flight < field.policy.in_flight
    return [row for row in next_to if free[row] and rivals.last_ms[row] < lately]


def nearest(field: LadderField, rivals: Rivals, rows: Rows) -> int:
    """Returns the row that is nearest to the host in rating; of several the one that has waited longest."""
    apart = np.abs(rivals.apart[rows])
    equal = rows[apart == apart.min()]
    return int(equal[np.argmin(field.asked_ms[equal])])
