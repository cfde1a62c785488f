"""The tables of ladders, kept until something in them changes: many look at them, and reading one takes a while."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.times import SECOND
from botyard.yard.ladders.ladders import Ladder
from botyard.yard.ladders.listing import ListedEntry, changes_of, ladder_table

KEPT_MS = 10 * SECOND  # names of people and bots may change, which the ladder does not count


class LadderTables:
    """The last table of each ladder that somebody asked for."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[int, int, list[ListedEntry]]] = {}

    def read(self, connection: sa.Connection, ladder: Ladder, now_ms: int) -> list[ListedEntry]:
        changes = changes_of(connection, ladder.id)
        kept = self._kept.get(ladder.id)
        if kept is not None and kept[0] == changes and now_ms - kept[1] < KEPT_MS:
            return kept[2]
        table = ladder_table(connection, ladder)
        self._kept[ladder.id] = (changes, now_ms, table)
        return table
