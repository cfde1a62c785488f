"""Migrations: from nothing and from every revision to the tables of today, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import OurFault, YardError
from botyard.yard.data.all_tables import ALL_TABLES
from botyard.yard.data.database import Database, inserted_id
from botyard.yard.data.ladder_tables import KEPT_RATING
from botyard.yard.data.tables import PERSON, TASK, TOKEN, VERSION
from botyard.yard.keeping.migrating import Migrated, Revisions, migrate, needs_migration, revision_of

FIRST = "0001"
HEAD = Revisions().newest

ADDS_MOTTO = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9001", "{before}"

def upgrade():
    with op.batch_alter_table("person") as table:
        table.add_column(sa.Column("motto", sa.Text, nullable=False, server_default="none"))
        table.drop_constraint(op.f("ck_person_role"), type_="check")
    {then}
"""


def schema_of(database: Database) -> dict[str, Any]:
    """All that a database knows of its tables, in an order of its own."""
    with database.reading() as connection:
        found = sa.inspect(connection)
        schema: dict[str, Any] = {
            name: {"columns": [{**row, "type": str(row["type"])} for row in rows]}
            for (_, name), rows in found.get_multi_columns().items()
            if name != "alembic_version"
        }
        for what in ("pk_constraint", "foreign_keys", "unique_constraints", "check_constraints", "indexes"):
            for (_, name), rows in getattr(found, f"get_multi_{what}")().items():
                if name in schema:
                    schema[name][what] = sorted(map(str, rows)) if isinstance(rows, list) else rows
        return schema


@pytest.fixture
def database(database_address: str) -> Iterator[Database]:
    migrate(database_address)
    database = Database.at(database_address)
    yield database
    database.close()


def with_motto(folder: Path, then: str = "pass") -> Revisions:
    """The revisions of Botyard and one of tomorrow."""
    folder.mkdir()
    (folder / "r9001_motto.py").write_text(ADDS_MOTTO.format(before=HEAD, then=then))
    return Revisions(folder)


def add_person_with_token(database: Database) -> None:
    with database.writing() as connection:
        row = {"name": "Ada", "name_key": "ada", "role": "player", "state": "active", "made_ms": 1}
        person = inserted_id(connection, PERSON, **row)
        token = {"person": person, "name": "t", "digest": "d", "scopes": "[]", "made_ms": 1}
        connection.execute(sa.insert(TOKEN).values(**token))


def test_migrations_lead_to_the_tables_that_the_code_knows(
    database: Database, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    made = Database.at(f"sqlite:///{tmp_path / 'made.db'}")
    if not database.on_sqlite:
        made = Database.at(request.getfixturevalue("postgres").new_database())
    made.create()
    assert schema_of(database) == schema_of(made), 'run tools/new_migration.py "what has changed"'
    assert schema_of(database).keys() == ALL_TABLES.tables.keys()
    made.close()


def test_a_database_of_the_first_revision_is_brought_up_to_date(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'yard.db'}"
    assert migrate(address, until=FIRST) == Migrated("", FIRST)
    assert migrate(address).after == HEAD
    assert migrate(address) == Migrated(HEAD, HEAD), "and then it is left alone"


def add_row(connection: sa.Connection, table: str, **values: Any) -> None:
    """Adds a row to a table as some revision has it; what is not named is 0 or empty."""
    found = sa.Table(table, sa.MetaData(), autoload_with=connection)
    plain = {one.name: "" if isinstance(one.type, sa.Text) else 0 for one in found.columns if not one.nullable}
    connection.execute(sa.insert(found).values({**plain, **values}))


def test_what_a_yard_of_the_first_revision_holds_is_there_afterwards(database_address: str) -> None:
    migrate(database_address, until=FIRST)
    database = Database.at(database_address)
    with database.writing() as connection:
        add_row(connection, "person", id=1, name="Ada", name_key="ada", role="player", state="active")
        add_row(connection, "bot", id=1, owner=1, game="hive", name="Ant", name_key="ant")
        add_row(connection, "blob", digest="d")
        for number in (1, 2):
            version = {"id": number, "bot": 1, "number": number, "tree": f"t{number}", "source": "d", "state": "fit"}
            add_row(connection, "version", **version)
        add_row(connection, "ladder", id=1, slug="spring", game="hive", state="open")
        add_row(connection, "entry", id=1, ladder=1, bot=1, version=2, state="active")
        for at, mu in ((1, 20.0), (2, 30.0)):
            left = {"before": 1, "version": 2, "mu": mu, "sigma": 2.0}
            add_row(connection, "milestone", id=at, ladder=1, kind="activated", entry=1, **left)
        add_row(connection, "task", id=1, kind="build", state="waiting", version=1)
    database.close()
    migrate(database_address)
    with database.reading() as connection:
        kept = connection.execute(sa.select(KEPT_RATING)).all()
        assert [tuple(row) for row in kept] == [(1, 1, 30.0, 2.0)], "going back to version 1 restores what it had last"
        assert connection.execute(sa.select(TASK.c.why)).scalar_one(), "it says now why it waits"
        assert connection.execute(sa.select(VERSION.c.message)).scalars().all() == ["", ""]
    database.close()


def test_rows_survive_a_change_of_their_table(database: Database, database_address: str, tmp_path: Path) -> None:
    add_person_with_token(database)
    database.close()
    (tmp_path / "yard.db.new").write_text("what a migration left that was killed")
    migrated = migrate(database_address, with_motto(tmp_path / "tomorrow"))
    assert (migrated.before, migrated.after) == (HEAD, "9001")
    with database.writing() as connection:
        assert connection.exec_driver_sql("SELECT name, motto FROM person").all() == [("Ada", "none")]
        assert connection.execute(sa.select(TOKEN.c.person)).scalar() == 1
        with pytest.raises(sa.exc.IntegrityError):
            connection.execute(sa.update(TOKEN).values(person=7))
    person = schema_of(database)["person"]
    assert (
        "ck_person_state" in str(person["check_constraints"]),
        "ck_person_role" in str(person["check_constraints"]),
    ) == (True, False)
    database.close()
    if migrated.kept:
        assert not (tmp_path / "yard.db.new").exists()
        old = Database.in_file(migrated.kept)
        with old.reading() as connection:
            assert revision_of(connection) == HEAD, "the database of before stays beside the new one"
        old.close()
        assert {path.name for path in migrated.kept.parent.glob("yard.db*")} == {"yard.db", migrated.kept.name}


def test_a_migration_that_fails_changes_nothing(database: Database, database_address: str, tmp_path: Path) -> None:
    add_person_with_token(database)
    before = schema_of(database)
    database.close()
    for what, then in {"fails": "SELECT * FROM nothing", "dangles": "DELETE FROM person"}.items():
        with pytest.raises((sa.exc.DBAPIError, YardError, OurFault)):
            migrate(database_address, with_motto(tmp_path / what, f'op.execute("{then}")'))
        assert not list(tmp_path.glob("*.new*"))
    assert schema_of(database) == before
    with database.reading() as connection:
        assert revision_of(connection) == HEAD
        assert connection.execute(sa.select(PERSON.c.name)).scalar() == "Ada"


def test_a_yard_of_a_later_botyard_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'yard.db'}"
    migrate(address, with_motto(tmp_path / "tomorrow"))
    database = Database.at(address)
    with pytest.raises(YardError, match="a later Botyard"):
        needs_migration(database)
    with pytest.raises(YardError, match="a later Botyard"):
        migrate(address)
    database.close()


def test_tables_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    database = Database.in_file(tmp_path / "yard.db")
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE other (value INTEGER)")
    with pytest.raises(YardError, match="not a yard's"):
        migrate(f"sqlite:///{tmp_path / 'yard.db'}")
    assert schema_of(database).keys() == {"other"}
    database.close()
