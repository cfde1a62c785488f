"""Entries between their rows and the records of the ladder's policy (`botyard.rank.ladder`).

The policy knows an entry by its number as text, and what it plays with by a word: `v12` for a version of a bot,
`house:NAME` for a house bot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import EntryState, LadderEntry
from botyard.yard.data.statements import change_each
from botyard.yard.data.tables import BOT, ENTRY, LADDER

ENTRIES = sa.select(ENTRY, BOT.c.owner, BOT.c.name).select_from(sa.outerjoin(ENTRY, BOT, ENTRY.c.bot == BOT.c.id))
"""Entries with the owner and the name of their bots, which house bots do not have."""
THESE_ENTRIES = ENTRIES.where(ENTRY.c.id.in_(sa.bindparam("entries", expanding=True))).order_by(ENTRY.c.id)


def player_word(version: int | None, house: str | None) -> str:
    """Returns the word for what sits in a seat."""
    return f"v{version}" if version is not None else f"house:{house}"


def ladder_entry(row: sa.Row[Any]) -> LadderEntry:
    """Returns the policy's record of a row of `ENTRIES`."""
    return LadderEntry(
        bot=str(row.id),
        owner="" if row.owner is None else str(row.owner),
        version=player_word(row.version, row.house),
        state=EntryState(row.state),
        house=row.house is not None,
        mu=row.mu,
        sigma=row.sigma,
        pairs=row.pairs,
        version_pairs=row.version_pairs,
        games=row.games,
        in_flight=row.in_flight,
        asked_ms=row.asked_ms,
        hosted_ms=row.hosted_ms,
        game_ms=row.game_ms,
        seated=tuple(json.loads(row.seated)),
    )


def changed_values(entry: LadderEntry) -> dict[str, Any]:
    """Returns what a row holds of a record that the policy has changed."""
    return {
        "state": str(entry.state),
        "mu": entry.mu,
        "sigma": entry.sigma,
        "pairs": entry.pairs,
        "version_pairs": entry.version_pairs,
        "games": entry.games,
        "in_flight": entry.in_flight,
        "asked_ms": entry.asked_ms,
        "hosted_ms": entry.hosted_ms,
        "seated": json.dumps(entry.seated),
    }


@cache
def ladder_change(also: tuple[str, ...]) -> Any:
    """Returns the statement that counts one more change of a ladder, and changes these columns with it."""
    values: dict[str, Any] = {name: sa.bindparam(f"to_{name}") for name in also}
    counted = sa.update(LADDER).where(LADDER.c.id == sa.bindparam("ladder"))
    return counted.values(changes=LADDER.c.changes + 1, **values).returning(LADDER.c.changes)


def change_entries(
    connection: sa.Connection, ladder: int, changes: Mapping[int, Mapping[str, Any]], **also: Any
) -> int:
    """Changes entries of a ladder, by their numbers, and `also` of the ladder; returns the number of this change.

    All entries change in the same columns. Nothing else writes to their rows, so that whoever keeps entries in memory
    learns of every change.
    """
    values = {"ladder": ladder, **{f"to_{name}": value for name, value in also.items()}}
    changed = int(connection.execute(ladder_change(tuple(also)), values).scalar_one())
    rows = [({"id": entry}, {**values, "changed": changed}) for entry, values in sorted(changes.items())]
    change_each(connection, ENTRY, rows)
    return changed
