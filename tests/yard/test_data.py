"""Tables, blobs and events, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import OurFault
from botyard.yard.data.blobs import IN_ROW
from botyard.yard.data.database import Database, DatabaseAway, inserted_id, next_number
from botyard.yard.data.events import events_after, note_event
from botyard.yard.data.tables import PERSON
from botyard.yard.site import Yard


def add_person(connection: sa.Connection, name: str) -> int:
    row = {"name": name, "name_key": name.lower(), "role": "player", "state": "active", "made_ms": 0}
    return inserted_id(connection, PERSON, **row)


def test_a_transaction_that_fails_leaves_nothing_behind(yard: Yard) -> None:
    with pytest.raises(RuntimeError), yard.database.writing() as connection:  # noqa: PT012
        add_person(connection, "Ada")
        note_event(connection, 1, "person.registered", "person/1")
        raise RuntimeError
    with yard.database.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(PERSON)).scalar() == 0
        assert events_after(connection, 0, admin=True) == []


def test_events_are_numbered_without_a_gap_and_told_to_whom_they_concern(yard: Yard) -> None:
    with yard.database.writing() as connection:
        ada, bob = add_person(connection, "Ada"), add_person(connection, "Bob")
        note_event(connection, 1, "match.done", "match/1", public=True, ticks=7)
        note_event(connection, 2, "version.unbuilt", "version/1", concerns=ada)
        note_event(connection, 3, "person.banned", f"person/{bob}", person=ada)
    with yard.database.reading() as connection:
        assert [event.number for event in events_after(connection, 0, admin=True)] == [1, 2, 3]
        assert [event.body for event in events_after(connection, 0)] == [{"ticks": 7}]
        assert [event.kind for event in events_after(connection, 1, person=ada)] == ["version.unbuilt"]
        assert events_after(connection, 1, person=bob) == []


def test_a_number_that_was_not_used_is_given_again(yard: Yard) -> None:
    with pytest.raises(RuntimeError), yard.database.writing() as connection:  # noqa: PT012
        assert next_number(connection, "pairs") == 1
        raise RuntimeError
    with yard.database.writing() as connection:
        assert next_number(connection, "pairs") == 1


@pytest.mark.parametrize("size", [0, IN_ROW, IN_ROW + 1])
def test_a_blob_is_kept_once_and_read_again(yard: Yard, size: int) -> None:
    content = b"b" * size
    with yard.database.writing() as connection:
        digest = yard.blobs.keep(connection, content, 1)
        assert yard.blobs.keep(connection, content, 2) == digest
        assert yard.blobs.path(digest).exists() == (size > IN_ROW)
        assert yard.blobs.read(connection, digest) == content


def test_a_blob_that_was_altered_or_lost_is_our_fault(yard: Yard) -> None:
    with yard.database.writing() as connection:
        digest = yard.blobs.keep(connection, b"b" * (IN_ROW + 1), 1)
    yard.blobs.path(digest).write_bytes(b"other")
    with yard.database.reading() as connection, pytest.raises(OurFault, match="was altered"):
        yard.blobs.read(connection, digest)
    yard.blobs.path(digest).unlink()
    with yard.database.reading() as connection, pytest.raises(OurFault, match="has no file"):
        yard.blobs.read(connection, digest)


def test_a_person_is_not_registered_twice_under_one_name(yard: Yard) -> None:
    with yard.database.writing() as connection:
        add_person(connection, "Ada")
        with pytest.raises(sa.exc.IntegrityError):
            add_person(connection, "ADA")


def test_what_need_not_last_is_not_synced_and_everything_else_is(yard: Yard) -> None:
    asked = "PRAGMA synchronous" if yard.database.on_sqlite else "SHOW synchronous_commit"
    found = []
    for lasting in (True, False, True):
        with yard.database.writing(lasting=lasting) as connection:
            found.append(connection.exec_driver_sql(asked).scalar_one())
    assert found == ([2, 1, 2] if yard.database.on_sqlite else ["on", "off", "on"])


def test_a_database_that_is_away_says_so() -> None:
    nowhere = Database.at("sqlite:////no/such/folder/yard.db")
    with pytest.raises(DatabaseAway, match="does not answer"), nowhere.reading():
        pass
