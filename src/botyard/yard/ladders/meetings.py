"""Who has met whom on a ladder: versions, how often they were asked to meet, and whether they repeat themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import Encounter
from botyard.yard.data.database import dialect_insert
from botyard.yard.data.ladder_tables import ENCOUNTER

MET = sa.select(ENCOUNTER.c.one, ENCOUNTER.c.other, ENCOUNTER.c.pairs, ENCOUNTER.c.last_ms, ENCOUNTER.c.settled).where(
    ENCOUNTER.c.ladder == sa.bindparam("of_ladder"),
    sa.or_(ENCOUNTER.c.one == sa.bindparam("word"), ENCOUNTER.c.other == sa.bindparam("word")),
)
SAME = sa.case((ENCOUNTER.c.orders_hash == sa.bindparam("played"), 1), else_=0)
REPEATED = (
    sa.update(ENCOUNTER)
    .where(
        ENCOUNTER.c.ladder == sa.bindparam("of_ladder"),
        ENCOUNTER.c.one == sa.bindparam("of_one"),
        ENCOUNTER.c.other == sa.bindparam("of_other"),
    )
    .values(settled=SAME, orders_hash=sa.bindparam("played"))
)


def encounters_of(connection: sa.Connection, ladder: int, word: str) -> dict[str, Encounter]:
    """Returns what a version has met on a ladder, by the other version."""
    return {
        other if one == word else one: Encounter(pairs=pairs, last_ms=last_ms, settled=bool(settled))
        for one, other, pairs, last_ms, settled in connection.execute(MET, {"of_ladder": ladder, "word": word})
    }


class LadderMeetings:
    """What versions have met on a ladder, with what one transaction adds: it is written once, at the end."""

    def __init__(self, connection: sa.Connection, ladder: int, now_ms: int) -> None:
        self._connection, self._ladder, self._now_ms = connection, ladder, now_ms
        self._new: Counter[tuple[str, str]] = Counter()

    def of(self, word: str) -> dict[str, Encounter]:
        """Returns what a version has met, by the other version."""
        met = encounters_of(self._connection, self._ladder, word)
        for pair, more in self._new.items():
            if word in pair:
                other = pair[1] if pair[0] == word else pair[0]
                before = met.get(other, Encounter(pairs=0, last_ms=0))
                met[other] = replace(before, pairs=before.pairs + more, last_ms=self._now_ms)
        return met

    def add(self, words: Sequence[str]) -> None:
        """Notes that these are asked to meet, each two of them."""
        self._new.update(combinations(sorted(words), 2))

    def write(self) -> None:
        rows = [
            {"ladder": self._ladder, "one": one, "other": other, "pairs": more, "last_ms": self._now_ms}
            for (one, other), more in sorted(self._new.items())
        ]
        if rows:
            self._connection.execute(met_again(self._connection.dialect.name), rows)


@cache
def met_again(database: str) -> Any:
    added = dialect_insert(database, ENCOUNTER)
    changed = {"pairs": ENCOUNTER.c.pairs + added.excluded.pairs, "last_ms": added.excluded.last_ms}
    return added.on_conflict_do_update(index_elements=list(ENCOUNTER.primary_key), set_=changed)


def note_repetitions(connection: sa.Connection, ladder: int, pairs: Sequence[tuple[Sequence[str], str]]) -> None:
    """Notes whether two versions have played the same pair again, by their words and a hash of all orders."""
    told = [(sorted(words), orders) for words, orders in pairs]
    rows = [{"of_ladder": ladder, "of_one": one, "of_other": other, "played": orders} for (one, other), orders in told]
    if rows:
        connection.execute(REPEATED, rows)
