"""What all tables of the yard are made of: their metadata, which names every constraint, and kinds of columns."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

TABLES = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Column = sa.Column[Any]


def key() -> Column:
    """Returns the column of a row's number, which is never given to another row."""
    return sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True)


def of(table: str, name: str = "", *, null: bool = False, column: str = "id", **options: Any) -> Column:
    """Returns a column that refers to a row of another table; it is called like that table, if not otherwise."""
    kind = sa.Text() if column in ("digest", "name") else sa.BigInteger()
    return sa.Column(name or table, kind, sa.ForeignKey(f"{table}.{column}"), nullable=null, **options)


def text(name: str, *, null: bool = False, **options: Any) -> Column:
    return sa.Column(name, sa.Text, nullable=null, **options)


def number(name: str, *, null: bool = False, default: int | None = None, **options: Any) -> Column:
    return sa.Column(name, sa.BigInteger, nullable=null, default=default, **options)


def real(name: str) -> Column:
    return sa.Column(name, sa.Double, nullable=False)


def one_of(column: str, *values: str) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=column)
