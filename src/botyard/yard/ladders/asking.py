"""Asking for the next pair of a ladder: the policy of `botyard.rank.ladder` over the tables.

The choice is a pure function of the entries, of what the host has met, and of the ladder's stored random stream. Its
pair is asked in the transaction that stores the stream's next state, with both games on one seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.contest.roots import derive_seed
from botyard.rank.ladder import Encounter, LadderEntry, LadderField, NextPair, NoPair, TaskClass, asked, choose
from botyard.yard.data.ladder_tables import ENCOUNTER
from botyard.yard.data.tables import ENTRY, LADDER
from botyard.yard.ladders.closing import note_meeting
from botyard.yard.ladders.ladders import OPEN, Ladder, lock_ladder
from botyard.yard.ladders.pairs import LADDER_PAIR, PairAsked, Seated, ask_pair
from botyard.yard.ladders.rows import ENTRIES, change_entries, changed_values, ladder_entry


class KnownEntries:
    """The entries of a ladder as they were last read. Of a thousand entries only those are read again that changed."""

    def __init__(self, ladder: int) -> None:
        self._ladder, self._seen = ladder, -1
        self._entries: dict[str, LadderEntry] = {}
        self._field: LadderField | None = None

    def read(self, connection: sa.Connection, ladder: Ladder) -> LadderField:
        """Returns the field of the ladder, whose row the caller has locked."""
        chosen = ENTRIES.where(ENTRY.c.ladder == self._ladder, ENTRY.c.changed > self._seen)
        rows = connection.execute(chosen).all()
        found = [ladder_entry(row) for row in rows]
        new = any(entry.bot not in self._entries for entry in found)
        self._entries |= {entry.bot: entry for entry in found}
        if self._field is None or new or self._field.policy != ladder.policy:
            self._field = LadderField(self._entries.values(), ladder.policy)
        else:
            for entry in found:
                self._field.put(entry)
        self._seen = max([self._seen, *(row.changed for row in rows)])
        return self._field


@dataclass(frozen=True, slots=True)
class Asked:
    """A pair that was asked."""

    pair: int
    task_class: TaskClass
    games: int


def ask_next(
    connection: sa.Connection, known: KnownEntries, ladder: int, task_class: TaskClass, now_ms: int
) -> Asked | NoPair:
    """Asks for the next pair of a ladder, of one class: settling or steady; if there is none, says why."""
    locked = lock_ladder(connection, ladder)
    if locked.state != OPEN:
        return NoPair(f"the ladder is {locked.state}: nothing is asked any more")
    field = known.read(connection, locked)
    secret = connection.execute(sa.select(LADDER.c.root, LADDER.c.stream).where(LADDER.c.id == ladder)).one()
    chosen = choose(
        field, lambda host: encounters_of(connection, ladder, host.version), now_ms, int(secret.stream), task_class
    )
    if isinstance(chosen, NoPair):
        return chosen
    pair = ask_pair(connection, pair_of(connection, locked, chosen, bytes.fromhex(secret.root)), now_ms)
    note_meeting(connection, ladder, tuple(entry.version for entry in chosen.entries), now_ms)
    connection.execute(sa.update(LADDER).where(LADDER.c.id == ladder).values(stream=str(chosen.stream)))
    changes = {int(entry.bot): changed_values(entry) for entry in asked(chosen, now_ms)}
    change_entries(connection, ladder, changes)
    return Asked(pair, chosen.task_class, len(chosen.pairings))


def encounters_of(connection: sa.Connection, ladder: int, word: str) -> Mapping[str, Encounter]:
    """Returns what a version has met on a ladder, by the other version."""
    met = sa.select(ENCOUNTER).where(
        ENCOUNTER.c.ladder == ladder, sa.or_(ENCOUNTER.c.one == word, ENCOUNTER.c.other == word)
    )
    return {
        row.other if row.one == word else row.one: Encounter(
            pairs=row.pairs, last_ms=row.last_ms, settled=bool(row.settled)
        )
        for row in connection.execute(met)
    }


def pair_of(connection: sa.Connection, ladder: Ladder, chosen: NextPair, root: bytes) -> PairAsked:
    """Returns the pair that the policy has chosen, as it is asked."""
    seats = seated_entries(connection, [int(entry.bot) for entry in chosen.entries])
    settings = connection.execute(sa.select(LADDER.c.settings).where(LADDER.c.id == ladder.id)).scalar_one()
    chance = chosen.pairings[0].chance
    guests = "; ".join(
        f"{seats[guest.bot].name}: {why}" for guest, why in zip(chosen.guests, chosen.guest_why, strict=True)
    )
    return PairAsked(
        kind=LADDER_PAIR,
        ladder=ladder.id,
        season=ladder.season,
        game=ladder.game,
        settings=settings,
        rules=ladder.rules,
        chance=chance,
        seed=derive_seed(root, chance),
        halves=tuple(tuple(seats[bot] for bot in pairing.bots) for pairing in chosen.pairings),
        urgency=int(chosen.task_class),
        why=f"{seats[chosen.host.bot].name}: {chosen.host_why}; {guests}",
    )


def seated_entries(connection: sa.Connection, entries: list[int]) -> dict[str, Seated]:
    """Returns entries as they sit in a match, by their numbers as text."""
    rows = connection.execute(ENTRIES.where(ENTRY.c.id.in_(entries)))
    return {
        str(row.id): Seated(row.house or row.name, entry=row.id, version=row.version, house=row.house) for row in rows
    }
