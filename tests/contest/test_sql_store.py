"""Many contests in one database: each store speaks of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from botyard.contest.database import LONGEST, open_database
from botyard.contest.executors.inline import Inline
from botyard.contest.identity import Identity
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.plan_json import plan_values
from botyard.contest.roots import read_root
from botyard.contest.runner import Run
from botyard.contest.schema import ABOUT, TABLES
from botyard.contest.sql_contest import contests_of
from botyard.contest.sql_store import SqlStore
from botyard.contest.store import Counts
from botyard.contest.store_file import StoreFile
from botyard.contest.summary import summarize
from botyard.kernel.errors import BadRecord, YardError
from tests.contest.test_store import SEEDS, WAVE
from tests.contest.yard import QUICK, plan_of, run_contest
from tests.waiting import finished

NOTHING = Identity({}, {})


def test_two_contests_share_a_database(tmp_path: Path) -> None:
    """All that one records, holds and counts is its own."""
    engine = open_database(tmp_path / "all.db")
    one, other = (SqlStore(engine, contest, "all.db") for contest in ("one", "other"))
    for store, seed in ((one, 1), (other, 2)):
        store.begin(Identity({"seed": seed}, {}), read_root(seed), {})
        store.hold()
        store.ask(1, WAVE, SEEDS)
    one.lease([1, 2], "worker 1")
    other.lease([2], "worker 2")
    one.note_progress(Sign(2, 9, {"A": "left"}))
    assert [game.sign.ticks for game in other.leased()] == [0]
    assert one.record([GameReport(1, "A>B", replay=b"one", turn_log=b"turns")]) == 1
    assert other.record([GameReport(1, "B>A", replay=b"other")]) == 1
    other.fault([Job(2, ("B", "A"), 3)], "worker 2", "a fault", 1)
    assert (one.counts(), other.counts()) == (Counts(1, 1, 1, 0, 0), Counts(1, 0, 1, 1, 1))
    assert [str(store.row(1).result) for store in (one, other)] == ["A>B", "B>A"]
    assert [store.replay(1) for store in (one, other)] == [b"one", b"other"]
    assert [store.turn_log(1) for store in (one, other)] == [b"turns", None]
    assert [store.faults() for store in (one, other)] == [[], [(2, "worker 2", "a fault")]]
    assert [store.identity for store in (one, other)] == [Identity({"seed": 1}, {}), Identity({"seed": 2}, {})]
    assert [store.root for store in (one, other)] == [read_root(1), read_root(2)]
    assert [[job.number for job in store.waiting(1, 3)] for store in (one, other)] == [[2, 3], [3]]
    assert len(list(one.lines())) == len(list(other.rows())) == 3
    one.release()
    assert (one.holder, bool(other.holder)) == ("", True)
    one.hold()  # takes back its own leases alone
    assert [len(store.waiting(1, 3)) for store in (one, other)] == [2, 1]
    with one.reading() as connection:
        assert contests_of(connection) == ["one", "other"]


def test_a_contest_begins_once(tmp_path: Path) -> None:
    store = SqlStore(open_database(tmp_path / "all.db"), "one", "all.db")
    store.begin(NOTHING, read_root(7), {})
    SqlStore(store._engine, "one", "all.db").find()
    with pytest.raises(YardError, match=r"no contest 'two' in all\.db"):
        SqlStore(store._engine, "two", "all.db").find()
    with pytest.raises(YardError, match=r"all\.db already has a contest 'one'"):
        store.begin(NOTHING, read_root(7), {})


def test_contests_are_run_in_one_database(tmp_path: Path) -> None:
    """The whole way, by turns: the tables are those of files of their own."""
    plans = []
    for name, seed in (("a", 7), ("b", 8)):
        (tmp_path / name).mkdir()
        plans.append(plan_of(tmp_path / name, QUICK.replace("seed = 7", f"seed = {seed}")))
    engine = open_database(tmp_path / "all.db")
    stores = [SqlStore(engine, plan.identity.fingerprint, "all.db") for plan in plans]

    async def run_all() -> None:
        await asyncio.gather(*(Run(plan, store, Inline).play() for plan, store in zip(plans, stores, strict=True)))

    for plan, store in zip(plans, stores, strict=True):
        store.begin(plan.identity, plan.root or b"", plan_values(plan))
        store.hold()
    finished(run_all())
    for plan, store in zip(plans, stores, strict=True):
        run_contest(plan)
        with StoreFile.open(plan.store_path) as own:
            assert summarize(plan, store) == summarize(plan, own)
            assert list(store.rows()) == list(own.rows())


def test_a_file_holds_one_contest(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "x.store")
    for contest in ("one", "other"):
        store = SqlStore(engine, contest, "x.store")
        store.begin(NOTHING, read_root(7), {})
        store.close()
    with pytest.raises(BadRecord, match="holds 2 contests"):
        StoreFile.open(tmp_path / "x.store")


def test_the_tables_can_be_made_elsewhere() -> None:
    """PostgreSQL is not here; that it would be asked in its own words is."""
    elsewhere = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = [str(CreateTable(table).compile(dialect=elsewhere)) for table in TABLES.tables.values()]
    assert "content BYTEA NOT NULL" in made[-2]
    assert all("contest INTEGER NOT NULL" in words for words in made[1:])
    locked = sa.select(ABOUT.c.value).with_for_update()
    assert "FOR UPDATE" in str(locked.compile(dialect=elsewhere))


def test_no_value_is_longer_than_what_is_read(tmp_path: Path) -> None:
    with open_database(tmp_path / "x.store").connect() as connection:
        longest = connection.exec_driver_sql(f"SELECT zeroblob({LONGEST})").scalar_one()
        assert len(longest) == LONGEST
        with pytest.raises(sa.exc.DBAPIError, match="too big"):
            connection.exec_driver_sql(f"SELECT zeroblob({LONGEST + 1})")


def test_of_what_fails_half_way_nothing_is_written(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "x.store")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")

    def write_and_fail() -> None:
        with engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO t VALUES (1)")
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        write_and_fail()
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM t").scalar_one() == 0
