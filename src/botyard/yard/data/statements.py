"""Statements that are made once and executed often.

Making a statement takes longer than executing it. A game takes some thirty of them, so those on its way are kept here,
by their table and columns; values are given when they are executed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa

IS, TO = "is_", "to_"  # begin the names of what a row is found by, and of what it is changed to

Values = Mapping[str, Any]


def among(column: sa.ColumnElement[str], *words: str) -> sa.ColumnElement[bool]:
    """Returns whether a column is one of some words of ours. They are part of the statement; as values they would be
    put into it anew whenever it is executed, which takes as long as the rest of it."""
    assert all(word.replace("_", "").isalpha() for word in words), words
    return column.in_([sa.literal_column(f"'{word}'") for word in words])


@cache
def update_of(table: sa.Table, found_by: tuple[str, ...], changed: tuple[str, ...]) -> sa.Update:
    condition = sa.and_(*(table.c[name] == sa.bindparam(IS + name) for name in found_by))
    return sa.update(table).where(condition).values({name: sa.bindparam(TO + name) for name in changed})


@cache
def returning_update_of(table: sa.Table, found_by: tuple[str, ...], changed: tuple[str, ...]) -> Any:
    return update_of(table, found_by, changed).returning(table)


@cache
def select_of(table: sa.Table, found_by: tuple[str, ...], order: tuple[str, ...], lock: bool) -> sa.Select[Any]:
    chosen = sa.select(table).where(*(table.c[name] == sa.bindparam(IS + name) for name in found_by))
    chosen = chosen.order_by(*(table.c[name] for name in order))
    return chosen.with_for_update(key_share=True) if lock else chosen


def bound(found_by: Values, values: Values) -> dict[str, Any]:
    given = {IS + name: value for name, value in found_by.items()}
    return given | {TO + name: value for name, value in values.items()}


def change_rows(connection: sa.Connection, table: sa.Table, found_by: Values, values: Values) -> int:
    """Changes the rows whose columns are equal to these; returns how many there were."""
    statement = update_of(table, tuple(found_by), tuple(values))
    return connection.execute(statement, bound(found_by, values)).rowcount


def changed_row(connection: sa.Connection, table: sa.Table, found_by: Values, values: Values) -> sa.Row[Any] | None:
    """Changes a row and returns it as it is then; None if there is none."""
    statement = returning_update_of(table, tuple(found_by), tuple(values))
    row: sa.Row[Any] | None = connection.execute(statement, bound(found_by, values)).one_or_none()
    return row


def change_each(connection: sa.Connection, table: sa.Table, changes: Sequence[tuple[Values, Values]]) -> int:
    """Changes several rows, each by its own values; all are found by the same columns and change the same ones.

    Returns how many rows were changed.
    """
    if not changes:
        return 0
    found_by, values = changes[0]
    statement = update_of(table, tuple(found_by), tuple(values))
    return connection.execute(statement, [bound(*change) for change in changes]).rowcount


def rows_by(
    connection: sa.Connection, table: sa.Table, found_by: Values, *, order: tuple[str, ...] = (), lock: bool = False
) -> Sequence[sa.Row[Any]]:
    """Returns the rows whose columns are equal to these; locked ones are changed by nobody else until the end (others
    may still add rows that refer to them)."""
    return connection.execute(select_of(table, tuple(found_by), order, lock), bound(found_by, {})).all()


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert_into(table), [dict(row) for row in rows])


@cache
def insert_into(table: sa.Table) -> sa.Insert:
    return sa.insert(table)
