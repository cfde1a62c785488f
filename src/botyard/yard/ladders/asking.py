"""Asking for the next pair of a ladder: the policy of `botyard.rank.ladder` over the tables.

The choice is a pure function of the entries, of what the host has met, and of the ladder's stored random stream. Its
pair is asked in the transaction that stores the stream's next state, with both games on one seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from botyard.contest.roots import derive_seed
from botyard.rank.ladder import (
    LadderEntry,
    LadderField,
    LadderPolicy,
    NextPair,
    NoPair,
    TaskClass,
    asked,
    choose,
)
from botyard.yard.data.tables import ENTRY
from botyard.yard.ladders.ladders import OPEN, locked_row, policy_in
from botyard.yard.ladders.meetings import LadderMeetings
from botyard.yard.ladders.pairs import LADDER_PAIR, PairAsked, Seated, ask_pairs
from botyard.yard.ladders.rows import ENTRIES, THESE_ENTRIES, change_entries, changed_values, ladder_entry


class KnownEntries:
    """The entries of a ladder as they were last read. Of a thousand entries only those are read again that changed."""

    def __init__(self, ladder: int) -> None:
        self._ladder, self._seen = ladder, -1
        self._entries: dict[str, LadderEntry] = {}
        self._field: LadderField | None = None
        self._unsure: set[int] = set()  # changed in a transaction of which nobody knows whether it came to pass
        self.seated: dict[str, Seated] = {}  # how they sit in a match

    def read(self, connection: sa.Connection, policy: LadderPolicy) -> LadderField:
        """Returns the field of the ladder, whose row the caller has locked and of which nothing was changed yet."""
        asked = {"of_ladder": self._ladder, "seen": self._seen, "unsure": sorted(self._unsure)}
        rows = connection.execute(CHANGED, asked).all()
        self._unsure.clear()
        self.seated |= {str(row.id): seated(row) for row in rows}
        found = [ladder_entry(row) for row in rows]
        new = any(entry.bot not in self._entries for entry in found)
        self._entries |= {entry.bot: entry for entry in found}
        if self._field is None or new or self._field.policy != policy:
            self._field = LadderField(self._entries.values(), policy)
        else:
            for entry in found:
                self._field.put(entry)
        self._seen = max([self._seen, *(row.changed for row in rows)])
        return self._field

    def put(self, entries: Sequence[LadderEntry]) -> None:
        """Takes over what this transaction changes; it is read again in the next one."""
        assert self._field is not None, "read() comes first"
        for entry in entries:
            self._entries[entry.bot] = entry
            self._field.put(entry)
            self._unsure.add(int(entry.bot))


@dataclass(frozen=True, slots=True)
class Asked:
    """A pair that was asked."""

    pair: int
    task_class: TaskClass
    games: int


@dataclass(slots=True)
class Answers:
    """What came of asking a ladder for pairs."""

    asked: list[Asked] = field(default_factory=list)
    none: dict[TaskClass, NoPair] = field(default_factory=dict)  # the classes of which there is none, and why
    changes: int = 0  # of the ladder, as its entries are now


def ask_next(
    connection: sa.Connection, known: KnownEntries, ladder: int, wanted: Sequence[TaskClass], now_ms: int
) -> Answers:
    """Asks a ladder for the next pairs: one of each class that is named, settling or steady, as often as it is."""
    row = locked_row(connection, ladder)
    answers = Answers(changes=row.changes)
    if row.state != OPEN:
        answers.none = dict.fromkeys(wanted, NoPair(f"the ladder is {row.state}: nothing is asked any more"))
        return answers
    stream, entries = int(row.stream), known.read(connection, policy_in(row.policy))
    meetings = LadderMeetings(connection, ladder, now_ms)
    pairs: list[NextPair] = []
    changes: dict[int, dict[str, Any]] = {}
    for task_class in wanted:
        if task_class in answers.none:
            continue
        chosen = choose(entries, lambda host: meetings.of(host.version), now_ms, stream, task_class)
        if isinstance(chosen, NoPair):
            answers.none[task_class] = chosen
            continue
        stream = chosen.stream
        meetings.add([entry.version for entry in chosen.entries])
        after = asked(chosen, now_ms)
        known.put(after)
        changes |= {int(one.bot): changed_values(one) for one in after}
        pairs.append(chosen)
    if pairs:
        numbers = ask_pairs(connection, [pair_of(known, row, pair) for pair in pairs], now_ms)
        meetings.write()
        answers.changes = change_entries(connection, ladder, changes, stream=str(stream))
        answers.asked = [
            Asked(number, pair.task_class, len(pair.pairings)) for number, pair in zip(numbers, pairs, strict=True)
        ]
    return answers


CHANGED = ENTRIES.where(
    ENTRY.c.ladder == sa.bindparam("of_ladder"),
    sa.or_(ENTRY.c.changed > sa.bindparam("seen"), ENTRY.c.id.in_(sa.bindparam("unsure", expanding=True))),
)


def pair_of(known: KnownEntries, ladder: sa.Row[Any], chosen: NextPair) -> PairAsked:
    """Returns the pair that the policy has chosen, as it is asked."""
    seats = known.seated
    chance = chosen.pairings[0].chance
    guests = "; ".join(
        f"{seats[guest.bot].name}: {why}" for guest, why in zip(chosen.guests, chosen.guest_why, strict=True)
    )
    return PairAsked(
        kind=LADDER_PAIR,
        ladder=ladder.id,
        season=ladder.season,
        game=ladder.game,
        settings=ladder.settings,
        rules=ladder.rules,
        chance=chance,
        seed=derive_seed(bytes.fromhex(ladder.root), chance),
        halves=tuple(tuple(seats[bot] for bot in pairing.bots) for pairing in chosen.pairings),
        urgency=int(chosen.task_class),
        why=f"{seats[chosen.host.bot].name}: {chosen.host_why}; {guests}",
    )


def seated_entries(connection: sa.Connection, entries: list[int]) -> dict[str, Seated]:
    """Returns entries as they sit in a match, by their numbers as text."""
    rows = connection.execute(THESE_ENTRIES, {"entries": entries})
    return {str(row.id): seated(row) for row in rows}


def seated(row: sa.Row[Any]) -> Seated:
    return Seated(row.house or row.name, entry=row.id, version=row.version, house=row.house)
