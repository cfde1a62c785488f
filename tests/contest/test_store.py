"""The store: recorded exactly once, held by one, and honest about what it cannot read."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.lease import holds, new_token
from botyard.contest.lost_turns import LostTurns
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.rows import LeasedGame
from botyard.contest.schema import ABOUT, ASKED, DONE, LEASED, VOID
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.processes import started
from botyard.match.jitter import Lateness
from botyard.rank.formats import Pairing
from tests.contest.yard import new_store
from tests.waiting import PATIENCE_S, ending, in_time

WAVE = [
    Pairing(("A", "B"), "A vs B", 1, "1"),
    Pairing(("B", "A"), "A vs B", 2, "1"),
    Pairing(("A", "C"), "A vs C", 1, "2"),
]
SEEDS = [3, 3, 2**64 - 1]


@pytest.fixture
def store(tmp_path: Path) -> StoreFile:
    store = new_store(tmp_path / "x.store")
    store.hold()
    store.ask(1, WAVE, SEEDS)
    return store


def test_games_are_asked_for_once(store: StoreFile) -> None:
    store.ask(1, WAVE, SEEDS)
    assert store.counts().all == 3
    assert [(job.number, job.game) for job in store.waiting(1, 3)] == [(1, 1), (2, 2), (3, 1)]
    assert store.waiting(3, 1)[0].seed == 2**64 - 1


def test_another_game_in_the_same_place_is_refused(store: StoreFile) -> None:
    with pytest.raises(BadRecord, match="game 1"):
        store.ask(1, WAVE[::-1], SEEDS)


def test_a_game_is_recorded_exactly_once(store: StoreFile) -> None:
    assert store.record([GameReport(1, "A>B", replay=b"r")]) == 1
    assert store.record([GameReport(1, "B>A", replay=b"s")]) == 0
    assert str(store.row(1).result) == "A>B"
    assert store.replay(1) == b"r"
    assert store.replay(2) is None
    assert store.counts().done == 1


LOST = {"B": {"LATE": LostTurns(1, 16, "it took too long", "think less")}}


def test_everything_told_of_a_game_is_kept(store: StoreFile) -> None:
    verdicts, timing = {"A": {"OK": 3}, "B": {"LATE": 1}}, {"A": (3, 1.5, 0.9)}
    cages, jitter = {"A": ("caged", 17.25), "B": (None, None)}, Lateness(100, 0.1, 1.5, 20.0)
    told = GameReport(2, "B:4>A!:1", "", 17, verdicts, timing, cages, jitter, b"replay", b"turns", LOST, {"pellets": 3})
    store.record([told])
    row = store.row(2)
    assert (str(row.result), row.ticks, row.verdicts, row.note) == ("B:4>A!:1", 17, verdicts, {"pellets": 3})
    assert row.lost == LOST
    assert row.timing == {"A": [3, 1.5, 0.9]}
    assert row.cages == {"A": ["caged", 17.25], "B": [None, None]}
    assert row.jitter == jitter
    assert (store.replay(2), store.turn_log(2)) == (b"replay", b"turns")
    assert (store.replay(1), store.turn_log(1)) == (None, None)
    assert row.pairing == WAVE[1]


def test_a_fault_of_ours_is_played_again_and_given_up_in_the_end(store: StoreFile) -> None:
    job = store.waiting(1, 1)[0]
    for attempt in (2, 3):
        again = store.fault([job], "worker 1", "boom", attempts=3)
        assert [one.attempt for one in again] == [attempt]
        job = again[0]
        assert store.row(1).state == ASKED
    assert store.fault([job], "worker 2", "boom", attempts=3) == []
    assert store.row(1).state == VOID
    assert str(store.row(1).result) == "A?B"
    assert [number for number, _, _ in store.faults()] == [1, 1, 1]
    assert store.counts().recorded == 1


def test_a_fault_after_the_record_changes_nothing(store: StoreFile) -> None:
    store.record([GameReport(1, "A>B")])
    assert store.fault([Job(1, ("A", "B"), 3)], "w", "late news", 1) == []
    assert store.row(1).state == DONE
    assert store.faults() == []


def test_leases_have_an_owner_and_progress_and_fall_back(store: StoreFile) -> None:
    store.lease([1, 2], "worker 1")
    store.note_progress(Sign(1, 40, {"A": "left"}))
    assert store.row(1).state == LEASED
    with sqlite3.connect(store.path) as plain:
        owner, progress = plain.execute("select owner, progress from games where number = 1").fetchone()
    assert owner == f"{store.token}/worker 1"
    assert progress == 40
    assert store.leased() == [
        LeasedGame(("A", "B"), "worker 1", Sign(1, 40, {"A": "left"})),
        LeasedGame(("B", "A"), "worker 1", Sign(2, 0)),
    ]
    store.release()
    store.hold()
    assert store.counts().leased == 0
    assert len(store.waiting(1, 3)) == 3
    assert store.leased() == []


def test_a_store_is_held_by_one(store: StoreFile) -> None:
    other = StoreFile.open(store.path)
    with pytest.raises(YardError, match=f"process {os.getpid()}"):
        other.hold()
    assert other.holder.endswith(f"/{os.getpid()}")
    store.release()
    other.hold()
    assert other.holder
    with pytest.raises(YardError, match="taken over"):
        store.record([GameReport(1, "A>B")])


def test_the_store_of_a_dead_process_is_taken_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.store"
    script = (
        "import os, pathlib, sys\n"
        "from tests.contest.yard import new_store\n"
        "store = new_store(pathlib.Path(sys.argv[1]))\n"
        "store.hold()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(path)], check=False, timeout=PATIENCE_S)
    assert ended.returncode == -9
    store = StoreFile.open(path)
    assert store.holder == ""
    store.hold()
    assert store.holder


def test_a_process_that_has_ended_and_that_nobody_has_noticed_holds_no_store(tmp_path: Path) -> None:
    """It is still listed, with its birth, until its parent asks how it ended."""
    path = tmp_path / "x.store"
    script = (
        "import pathlib, sys\n"
        "from tests.contest.yard import new_store\n"
        "new_store(pathlib.Path(sys.argv[1])).hold()\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
        "import os; os._exit(0)\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with ending(subprocess.Popen([sys.executable, "-c", script, str(path)], **pipes)) as holder:  # type: ignore[call-overload]
        assert holder.stdin
        assert holder.stdout
        assert in_time(holder.stdout.readline) == b"held\n"
        assert StoreFile.open(path).holder
        holder.stdin.close()
        in_time(lambda: os.waitid(os.P_PID, holder.pid, os.WEXITED | os.WNOWAIT))
        assert Path(f"/proc/{holder.pid}").exists()
        with StoreFile.open(path) as store:
            assert store.holder == ""
            store.hold()


def test_a_holder_elsewhere_is_believed_while_it_beats() -> None:
    assert holds("another-machine/1/2/abcd", str(time.time()))
    assert not holds("another-machine/1/2/abcd", "99999999999")  # a clock that was a century ahead
    assert not holds("another-machine/1/2/abcd", "1000")
    assert holds(new_token(), "0")
    machine, process, _, mark = new_token().split("/")
    assert not holds(f"{machine}/{process}/0/{mark}", "0")  # the number of a process comes again
    assert started(2**22 + 1) == ""


def note_holder(store: StoreFile, beat: float) -> None:
    with store.writing() as connection:
        stamp = f"another-machine/1/2/abcd@{beat}"
        connection.execute(sa.update(ABOUT).where(ABOUT.c.key == "holder").values(value=stamp))


@pytest.mark.parametrize("years", [-1, 1])
def test_a_holder_elsewhere_is_heard_even_if_its_clock_is_a_year_off(
    store: StoreFile, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    clock = time.time() + years * 365 * 24 * 3600
    note_holder(store, clock)
    over = threading.Event()

    def beat() -> None:
        with StoreFile.open(store.path) as other:
            for count in range(10_000):
                note_holder(other, clock + count)
                if over.wait(0.02):
                    return

    beating = threading.Thread(target=beat, daemon=True)
    beating.start()
    try:
        with StoreFile.open(store.path) as third, pytest.raises(YardError, match="process 1 on another-machine"):
            third.hold()
    finally:
        over.set()
        beating.join(PATIENCE_S)
    monkeypatch.setattr("botyard.contest.sql_contest.LISTEN_S", 0.1)
    with StoreFile.open(store.path) as third:
        third.hold()  # nothing new was heard: whoever that was is gone


def test_a_store_where_nothing_can_be_written_is_read_and_not_begun(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    with new_store(tmp_path / "x.store") as store:
        store.hold()
        store.ask(1, WAVE, SEEDS)
    script = 'mount --bind $0 $0 && mount -o remount,bind,ro $0 && exec $1 -c "$2" $0'
    code = """if True:
        import sys
        from pathlib import Path
        from botyard.contest.store_file import StoreFile
        from botyard.kernel.errors import YardError
        from tests.contest.yard import new_store
        with StoreFile.open(Path(sys.argv[1]) / "x.store") as store:
            print(store.counts().all)
            try: store.hold()
            except YardError as error: print(error)
        try: new_store(Path(sys.argv[1]) / "y.store")
        except YardError as error: print(error)
    """
    words = ["unshare", "--mount", "sh", "-c", script, str(tmp_path), sys.executable, code]
    told = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert told.returncode == 0, told.stderr
    count, held, created = told.stdout.splitlines()
    assert count == "3"
    assert "cannot use" in held
    assert "cannot" in created


def test_a_beat_keeps_the_store(store: StoreFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.contest.sql_contest.BEAT_S", 0.0)
    before = store.about()["holder"]
    store.beat()
    assert store.about()["holder"] != before
    assert store.about()["holder"].startswith(store.token)


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(YardError, match="has not begun"):
        StoreFile.open(tmp_path / "gone.store")
    text = tmp_path / "text.store"
    text.write_text("this is not a database, but it is long enough to have a header of one" * 20)
    with pytest.raises(BadRecord, match="damaged or not the store"):
        StoreFile.open(text)
    foreign = tmp_path / "foreign.store"
    with sqlite3.connect(foreign) as plain:
        plain.execute("create table songs (name text)")
    with pytest.raises(BadRecord, match="not the store of a contest") as refused:
        StoreFile.open(foreign)
    assert "another program made this database" in refused.value.hint
    with sqlite3.connect(foreign) as plain:
        plain.execute("create table about (key text, value text)")
    with pytest.raises(BadRecord, match="not the store of a contest") as refused:
        StoreFile.open(foreign)
    assert "a table 'songs' that Botyard does not make" in refused.value.hint


def test_a_damaged_store_is_told(store: StoreFile) -> None:
    store.record([GameReport(number, "A>B") for number in (1, 2)])
    store.release()
    store.close()
    raw = bytearray(store.path.read_bytes())
    raw[4096:] = b"\xa5" * (len(raw) - 4096)
    store.path.write_bytes(raw)
    with pytest.raises(BadRecord, match="damaged"):
        StoreFile.open(store.path)


def test_a_store_whose_damage_is_told_in_no_text_is_told_all_the_same(store: StoreFile) -> None:
    """SQLite quotes what it cannot read, whatever bytes that are."""
    store.release()
    store.close()
    raw = store.path.read_bytes()
    assert b"PRIMARY KEY (contest, number)" in raw
    store.path.write_bytes(raw.replace(b"PRIMARY KEY (contest, number)", b"PRIMARY KEY (contest, numb\xe5r)"))
    with pytest.raises(BadRecord, match="damaged"):
        StoreFile.open(store.path)


def test_a_store_of_another_version_is_refused(store: StoreFile) -> None:
    store.release()
    store.close()
    with sqlite3.connect(store.path) as plain:
        plain.execute("update about set value = '99' where key = 'version'")
    with pytest.raises(BadRecord, match="version 99"):
        StoreFile.open(store.path)


def test_there_is_no_game_beyond_the_last(store: StoreFile) -> None:
    with pytest.raises(YardError, match="3 games were asked for"):
        store.row(4)


def test_many_rows_come_page_by_page(store: StoreFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.contest.sql_store.PAGE", 2)
    assert [row.number for row in store.rows()] == [1, 2, 3]
    assert [row.number for row in store.rows(2, 3)] == [2, 3]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(YardError, match="cannot use"):
        new_store(tmp_path / "gone" / "x.store")
