"""A field holds the entries of a ladder as columns of numbers, so that one choice among a thousand takes microseconds.

It is an index over the records and nothing more: a field that was kept up to date with `put` chooses as one that is
made anew from the same entries, whatever their order.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from botyard.rank.ladder.policy import COSTLY, LadderPolicy
from botyard.rank.ladder.records import EntryState, LadderEntry

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class LadderField:
    """The entries of one ladder by row, in the order of their bots' keys."""

    def __init__(self, entries: Iterable[LadderEntry], policy: LadderPolicy) -> None:
        self.policy = policy
        self.entries = sorted(entries, key=lambda entry: entry.bot)
        self.rows = {entry.bot: row for row, entry in enumerate(self.entries)}
        if len(self.rows) < len(self.entries):
            raise ValueError("a bot has two entries")
        self.of_version: dict[str, int] = {}
        self._owners: dict[str, int] = {}
        size = len(self.entries)
        self.mu: Floats = np.zeros(size)
        self.variance: Floats = np.zeros(size)  # sigma squared
        self.asked_ms: Whole = np.zeros(size, np.int64)
        self.game_ms: Whole = np.zeros(size, np.int64)
        self.in_flight: Whole = np.zeros(size, np.int64)
        self.version_pairs: Whole = np.zeros(size, np.int64)
        self.owner: Whole = np.zeros(size, np.int64)
        self.plays: Mask = np.zeros(size, np.bool_)
        self.settling: Mask = np.zeros(size, np.bool_)
        self.house: Mask = np.zeros(size, np.bool_)
        for row in range(size):
            self._write(row)
        self._count()

    def put(self, entry: LadderEntry) -> None:
        """Takes an entry in place of the same bot's earlier one."""
        row = self.rows[entry.bot]
        before, self.entries[row] = self.entries[row], entry
        if before.version != entry.version:
            del self.of_version[before.version]
        self._write(row)
        if (before.plays, before.owner, before.house) != (entry.plays, entry.owner, entry.house):
            self._count()

    def _write(self, row: int) -> None:
        entry = self.entries[row]
        self.of_version[entry.version] = row
        self.mu[row], self.variance[row] = entry.mu, entry.sigma**2
        self.asked_ms[row], self.game_ms[row] = entry.asked_ms, entry.game_ms
        self.in_flight[row], self.version_pairs[row] = entry.in_flight, entry.version_pairs
        # Each house bot counts as an owner of its own, because house bots may meet each other.
        self.owner[row] = ~row if entry.house else self._owners.setdefault(entry.owner, len(self._owners))
        self.plays[row], self.house[row] = entry.plays, entry.house
        self.settling[row] = entry.state is EntryState.SETTLING

    def _count(self) -> None:
        self.owners_playing = len(set(self.owner[self.plays].tolist()))
        self.players_playing = int((self.plays & ~self.house).sum())

    @property
    def can_play(self) -> bool:
        """Whether a table can be filled without two bots of one owner; then any entry that plays can be its host."""
        return self.owners_playing >= self.policy.seats

    @property
    def house_hosts(self) -> bool:
        """Whether house bots host, because too few players' bots are there."""
        return self.players_playing < self.policy.house_hosts_until

    def moderation(self) -> Floats:
        """Returns for each row how much less often it is asked to play because its games cost much, from 1 down."""
        known = self.game_ms[self.plays & (self.game_ms > 0)]
        if not known.size:
            return np.ones(len(self.entries))
        bound = COSTLY * float(np.median(known))
        factors: Floats = bound / np.maximum(self.game_ms, bound)
        return factors
