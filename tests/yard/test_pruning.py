"""Prune and sweep: what goes, in which order, and what must stay."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import BadRecord
from botyard.yard.config import YardConfig
from botyard.yard.data.blobs import Blobs, share_naming
from botyard.yard.data.database import Database, DatabaseAway
from botyard.yard.data.tables import BLOB, MATCH
from botyard.yard.data.times import DAY, HOUR, SECOND
from botyard.yard.keeping import pruning
from botyard.yard.keeping.pruning import FILMS, RATED, ROUNDS, TURNS, UNRATED, prune
from botyard.yard.keeping.sweeping import Swept, sweep
from botyard.yard.site import Yard
from tests.yard.conftest import Hands
from tests.yard.planting import add_entry, add_ladder, add_match, add_person, large
from tests.yard.postgres import Postgres

CONTENT = {"replay": b"replay ", "turns": b"turns ", "film": b"film "}


@pytest.fixture
def on_sqlite(tmp_path: Path, hands: Hands) -> Iterator[Yard]:
    """A yard for what both databases do alike."""
    config = YardConfig(tmp_path)
    yard = Yard(config, Database.at(config.database_address), hands)
    yard.database.create()
    yield yard
    yard.close()


def content(number: int) -> dict[str, Any]:
    return {what: word + str(number).encode() for what, word in CONTENT.items()}


def left(yard: Yard) -> set[bytes]:
    """The content of all blobs that are there."""
    with yard.database.reading() as connection:
        digests = connection.scalars(sa.select(BLOB.c.digest).where(BLOB.c.pruned_ms.is_(None)))
        return {yard.blobs.read(connection, digest) for digest in digests}


def test_prune_keeps_the_last_matches_of_whoever_plays(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "MATCHES_KEPT", 2)
    now = yard.clock()
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        playing = add_entry(connection, yard, ladder, ada, "plays")
        retired = add_entry(connection, yard, ladder, ada, "left", "retired")
        for number in range(4):
            at = now - (100 + number) * DAY
            add_match(connection, yard, ladder, [playing, retired], at, rated=number != 3, **content(number))
        add_match(connection, yard, ladder, [retired], now - 200 * DAY, **content(8))
        add_match(connection, yard, ladder, [retired], now - 2 * DAY, **content(9))
    pruned = prune(yard.database, yard.blobs, 90 * DAY, now)
    assert pruned.blobs == {TURNS: 3, FILMS: 3, ROUNDS: 0, UNRATED: 1, RATED: 2}
    sources = {b"source of plays", b"source of left"}
    assert left(yard) == sources | {raw for number in (0, 1, 9) for raw in content(number).values()}
    with yard.database.reading() as connection:
        gone = connection.execute(
            sa.select(BLOB).join(MATCH, MATCH.c.replay == BLOB.c.digest).where(BLOB.c.pruned_ms == now)
        )
        assert {row.size for row in gone} == {len(b"replay 8")}, "the row keeps hash and size"
    assert prune(yard.database, yard.blobs, 90 * DAY, now).bytes == 0, "a second time finds nothing"


def test_prune_ends_when_enough_is_free_and_takes_turn_logs_first(on_sqlite: Yard) -> None:
    yard = on_sqlite
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        retired = add_entry(connection, yard, ladder, ada, "left", "retired")
        add_match(connection, yard, ladder, [retired], 1, turns=large("turns"), replay=large("replay"))
    assert prune(yard.database, yard.blobs, DAY, yard.clock(), enough=1).blobs == {
        TURNS: 1,
        FILMS: 0,
        ROUNDS: 0,
        UNRATED: 0,
        RATED: 0,
    }
    assert left(yard) == {b"source of left", large("replay")}
    assert len(list(yard.blobs.files())) == 1, "its file is gone, too"


def test_prune_leaves_what_something_else_names(on_sqlite: Yard) -> None:
    yard = on_sqlite
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        playing = add_entry(connection, yard, ladder, ada, "plays")
        retired = add_entry(connection, yard, ladder, ada, "left", "retired")
        add_match(connection, yard, ladder, [retired], 1, turns=b"source of left", replay=b"shared", film=b"film")
        add_match(connection, yard, ladder, [playing], 2, replay=b"shared")
        add_match(connection, yard, ladder, [retired], 3, rated=False, replay=b"rated elsewhere")
        add_match(connection, yard, ladder, [retired], 4, rated=True, replay=b"rated elsewhere")
    assert prune(yard.database, yard.blobs, DAY, yard.clock()).blobs == {
        TURNS: 0,
        FILMS: 1,
        ROUNDS: 0,
        UNRATED: 0,
        RATED: 1,
    }
    assert left(yard) == {b"source of plays", b"source of left", b"shared"}


def test_what_was_pruned_comes_back_when_it_is_kept_again(on_sqlite: Yard) -> None:
    yard = on_sqlite
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        retired = add_entry(connection, yard, ladder, ada, "left", "retired")
        add_match(connection, yard, ladder, [retired], 1, replay=large("replay"))
    prune(yard.database, yard.blobs, DAY, yard.clock())
    with yard.database.writing() as connection:
        digest = connection.execute(sa.select(MATCH.c.replay)).scalar_one()
        with pytest.raises(BadRecord, match="was pruned"):
            yard.blobs.read(connection, digest)
        assert yard.blobs.keep(connection, large("replay"), yard.clock()) == digest
    assert large("replay") in left(yard)


def test_sweep_takes_what_nobody_has_named_for_a_day(yard: Yard, hands: Hands) -> None:
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        add_entry(connection, yard, ladder, ada, "plays")
        for raw in (b"small", large("large"), b"again"):
            yard.blobs.keep(connection, raw, yard.clock())
    assert sweep(yard.database, yard.blobs, yard.clock()) == Swept(0, 0), "somebody may be about to name it"
    hands.pass_ms(DAY + HOUR)
    with yard.database.writing() as connection:
        yard.blobs.keep(connection, b"again", yard.clock())
    assert sweep(yard.database, yard.blobs, yard.clock()) == Swept(2, 0)
    assert left(yard) == {b"source of plays", b"again"}
    assert list(yard.blobs.files()) == []


def test_sweep_takes_files_of_transactions_that_never_ended(on_sqlite: Yard) -> None:
    yard = on_sqlite
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada")
        retired = add_entry(connection, yard, ladder, ada, "left", "retired")
        add_match(connection, yard, ladder, [retired], yard.clock(), replay=large("replay"))
    with pytest.raises(RuntimeError), yard.database.writing() as connection:  # noqa: PT012
        for word in ("old", "new"):
            yard.blobs.keep(connection, large(word), yard.clock())
        raise RuntimeError
    by_content = {path.read_bytes(): path for path in yard.blobs.files()}
    unfinished = by_content[large("old")].with_name(".new-abc")
    unfinished.write_bytes(b"")
    for path in (by_content[large("old")], by_content[large("replay")], unfinished):
        os.utime(path, (1, 1))
    os.utime(by_content[large("new")], (yard.clock() / SECOND, yard.clock() / SECOND))
    assert sweep(yard.database, yard.blobs, yard.clock() + HOUR) == Swept(0, 2)
    assert {path.read_bytes() for path in yard.blobs.files()} == {large("replay"), large("new")}


def test_nothing_is_swept_while_somebody_names_blobs(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botyard.yard.data.blobs.SWEEP_S", 0.1)
    database, blobs = Database.at(postgres.new_database()), Blobs(tmp_path)  # SQLite has one writer at a time
    database.create()
    with database.writing() as connection:
        share_naming(connection)
        with pytest.raises(DatabaseAway, match="being named"):
            sweep(database, blobs, DAY)
    assert sweep(database, blobs, DAY) == Swept(0, 0)
    database.close()
