"""The tables of ladders, kept until something in them changes: many look at them, and reading one takes a while."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from botyard.yard.data.times import SECOND
from botyard.yard.ladders.ladders import Ladder
from botyard.yard.ladders.listing import ListedEntry, ladder_table

KEPT_MS = 10 * SECOND  # names of people and bots may change, which the ladder does not count


class LadderTables:
    """The last table of each ladder that somebody asked for."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[int, int, list[ListedEntry]]] = {}

    def read(self, connection: sa.Connection, ladder: Ladder, now_ms: int) -> list[ListedEntry]:
        return self.read_all(connection, [ladder], now_ms)[ladder.id]

    def read_all(
        self, connection: sa.Connection, ladders: Sequence[Ladder], now_ms: int
    ) -> dict[int, list[ListedEntry]]:
        """Returns the tables of these ladders, which were read in the same transaction, by their numbers."""
        for ladder in ladders:
            kept = self._kept.get(ladder.id)
            if kept is None or kept[0] != ladder.changes or now_ms - kept[1] >= KEPT_MS:
                self._kept[ladder.id] = (ladder.changes, now_ms, ladder_table(connection, ladder))
        return {ladder.id: self._kept[ladder.id][2] for ladder in ladders}
