"""Stores from strangers, and damaged ones: nothing in them is believed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from botyard.contest.identity import Identity
from botyard.contest.messages import GameReport
from botyard.contest.opening import open_store
from botyard.contest.plan_json import plan_values, read_plan_values
from botyard.contest.store_file import StoreFile
from botyard.contest.summary import summarize
from botyard.kernel.errors import BadRecord, YardError
from tests.contest import test_store
from tests.contest.yard import new_store, plan_of, run_contest

store = test_store.store  # the fixture


LONG_REASON = (
    """update games set lost = '{"A": {"LATE": {"count": 1, "tick": 1, "remedy": "", "reason": "'"""
    """ || printf('%.*c', 5000, 'x') || '"}}}'"""
)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("update games set bots = '[1]'", "the bots"),
        ("update games set bots = 'x'", "the bots 'x'"),
        ("update games set bots = x'ff'", "the bots"),
        ("update games set seed = '-1'", "the seed '-1'"),
        ("update games set seed = 7.5", "the seed '7.5'"),
        ("update games set state = 'odd'", "has the state 'odd'"),
        ("update games set ticks = 'many'", "ticks = 'many'"),
        ("update games set result = 'A>B>Z'", "the result 'A>B>Z' of game 1 in x.store between A, B"),
        ("update games set result = 'A:' || printf('%.*c', 5000, '9') || '>B'", "the result"),
        ("update games set verdicts = '{\"A\": 5}'", "verdicts"),
        ("update games set timing = '{\"A\": [1]}'", "timing"),
        ("update games set note = '[[[[1]]]]'", "the note of game 1 in x.store"),
        ("update games set cages = '{\"A\": [1, 2]}'", "the cages of game 1"),
        ('update games set cages = \'{"A": ["open"]}\'', "the cages of game 1"),
        ('update games set lost = \'{"A": {"LATE": 1}}\'', "the lost turns of game 1"),
        ("update games set lost = '{\"A\": 1}'", "the lost turns of game 1"),
        (LONG_REASON, "the lost turns of game 1"),
        ("update games set jitter = '{\"samples\": 1}'", "the jitter of game 1"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(store: StoreFile, change: str, complaint: str) -> None:
    store.record([GameReport(1, "A>B")])
    with sqlite3.connect(store.path) as plain:
        plain.execute(f"{change} where number = 1")
    with pytest.raises(BadRecord) as refused:
        list(store.rows())
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    "schema",
    [
        "create view extra as with recursive n(x) as (select 1 union all select x + 1 from n) select x from n",
        "create trigger extra after insert on games begin delete from games; end",
        "create table extra (x)",
        "alter table games add column extra as (hex(zeroblob(1000000)))",
        "create index extra on games (state) where ticks > 0",
        "drop table faults; create table faults (id, number, owner, reason, check (hex(zeroblob(1000000 + id)) > ''))",
        "drop index games_by_state; create index games_by_state on games (hex(zeroblob(1000000 + number)))",
    ],
)
def test_a_store_with_more_than_our_tables_is_refused(store: StoreFile, schema: str) -> None:
    store.release()
    store.close()
    with sqlite3.connect(store.path) as plain:
        plain.executescript(schema)
    with pytest.raises(BadRecord, match="not the store of a contest"):
        StoreFile.open(store.path)


@pytest.mark.parametrize("holder", ["nobody", "a/b@c", "@", "a/b/c/d@x", ""])
def test_a_holder_that_cannot_be_read_is_nobody(store: StoreFile, holder: str) -> None:
    with sqlite3.connect(store.path) as plain:
        plain.execute("update about set value = ? where key = 'holder'", (holder,))
    assert store.holder == ""
    store.hold()
    assert store.holder


def test_an_identity_that_cannot_be_read_is_refused_or_nothing(store: StoreFile) -> None:
    with sqlite3.connect(store.path) as plain:
        plain.execute("update about set value = '[]' where key = 'identity'")
    assert store.identity == Identity({}, {})
    with sqlite3.connect(store.path) as plain:
        plain.execute("delete from about where key = 'identity'")
    with pytest.raises(BadRecord, match="the identity"):
        assert store.identity


def test_a_game_that_the_format_did_not_ask_for_is_refused(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with sqlite3.connect(plan.store_path) as plain:
        plain.execute("""update games set bots = '["raider", "nobody"]', result = 'raider>nobody' where number = 1""")
    with StoreFile.open(plan.store_path) as store, pytest.raises(BadRecord, match="the format asks for"):
        summarize(plan, store)


def test_a_replay_that_is_text_is_refused(store: StoreFile) -> None:
    store.record([GameReport(1, "A>B", replay=b"r")])
    with sqlite3.connect(store.path) as plain:
        plain.execute("update replays set content = 5")
    with pytest.raises(BadRecord, match="the replay of game 1"):
        store.replay(1)


def test_a_store_of_another_version_is_told_as_such_whatever_its_tables_are(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with sqlite3.connect(plan.store_path) as database:
        database.execute("alter table games drop column lost")
        database.execute("update about set value = '1' where key = 'version'")
    with pytest.raises(BadRecord, match="is a store of version 1"):
        StoreFile.open(plan.store_path)
    run_contest(plan, anew=True)


def test_a_forgotten_contest_does_not_come_back_from_what_a_crash_left_beside_it(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    journal = plan.store_path.with_name("league.store-wal")
    with sqlite3.connect(plan.store_path) as held:
        held.execute("update games set state = 'void'")
        held.commit()
        left = journal.read_bytes()
    held.close()
    assert left
    plan.store_path.unlink()  # as the docs say: but after a crash this file is not all
    journal.write_bytes(left)
    with open_store(plan, anew=False) as store:
        assert store.counts().all == 0


def test_of_two_runs_that_begin_at_once_one_makes_the_store(tmp_path: Path) -> None:
    store = new_store(tmp_path / "x.store")
    store.hold()
    with pytest.raises(YardError, match="another run has just made"):
        new_store(tmp_path / "x.store", seed=8)
    assert store.identity.rules == {"seed": 7}
    store.beat()  # it is the same store as before
    assert [path.name for path in tmp_path.iterdir() if ".new" in path.name] == []


@pytest.mark.parametrize(
    ("part", "value"),
    [("spec", 5), ("spec", []), ("spec", "listen:4000"), ("name", None), ("name", ["x"]), ("name", "a\ud800"),
     ("name", "\x1b[31m"), ("name", "x" * 61), ("guest", "no")],
)  # fmt: skip
def test_a_plan_with_a_bot_that_no_file_could_register_is_told_as_damaged(
    tmp_path: Path, part: str, value: object
) -> None:
    plan = plan_of(tmp_path)
    values = plan_values(plan)
    values["bots"][0][1][part] = value
    with pytest.raises(BadRecord, match=r"the plan in x\.store cannot be read"):
        read_plan_values(values, plan.path, "x.store")
