"""Contests of programs: what is kept of them, and what becomes of those that fail."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from botyard.contest import prepared
from botyard.contest.find_replay import replay_of
from botyard.contest.messages import Job
from botyard.contest.prepared import PreparedContest
from botyard.contest.store_file import StoreFile
from botyard.jail import bot_cache, uids
from botyard.jail.spawner import spawner
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.links import bot_spec
from botyard.links.bot_spec import BotSpec
from botyard.match.replay import Replay
from botyard.rank.results import parse
from tests.conftest import need
from tests.contest.yard import PATIENT, QUICK, bot_file, games_of, plan_of, play_jobs, run_contest, table_of
from tests.waiting import PATIENCE_S, finished, joined


def test_programs_keep_replays_verdicts_and_times(tmp_path: Path) -> None:
    idler = bot_file(tmp_path, "idler")
    text = (
        QUICK.replace("house:raider", f"py:{idler}")
        .replace("bouts = 2", "bouts = 1")
        .replace("[bots]", PATIENT + "[bots]")
    )
    plan = plan_of(tmp_path, text)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        row = store.row(1)
        assert row.verdicts is not None
        assert row.timing is not None
        assert set(row.verdicts["raider"]) == {"OK"}
        assert row.timing["raider"][0] == row.verdicts["raider"]["OK"]
        assert row.ticks == 20
        replay = finished(replay_of(plan, store, row))
        assert "raider" in replay.names
        assert replay.verify().over


SLOW = """
import time

def decide(view):
    time.sleep(0.1)  # long enough for somebody to strike in the middle of a game
    return 'guard N'
"""


def test_a_game_whose_cage_was_ended_from_outside_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("bwrap")
    begun, add_orders = threading.Event(), Replay.add_orders

    def noted(replay: Replay, orders: Mapping[int, int]) -> None:
        add_orders(replay, orders)
        begun.set()  # a cage that is ended before its bot has begun is just made anew

    monkeypatch.setattr(Replay, "add_orders", noted)
    waiter = bot_file(tmp_path, "waiter", SLOW)
    text = QUICK.split("[bots]")[0].replace("20", "8") + (
        f'{PATIENT}[bots]\nforager = "house:forager"\nwaiter = "py:{waiter}"\n'
        '[format]\nkind = "round_robin"\n[run]\nexecutor = "inline"\n'
    )
    plan = plan_of(tmp_path, text)
    over = threading.Event()
    striking = threading.Thread(target=strike_a_cage, args=(begun, over, b"python", b"waiter"), daemon=True)
    striking.start()
    try:
        run_contest(plan)
    finally:
        over.set()
        joined(striking)
    with StoreFile.open(plan.store_path) as store:
        [(number, _, reason)] = store.faults()
        counts = store.counts()
    assert number == 1
    assert "killed by SIGKILL" in reason
    assert counts.done == counts.all == 1
    assert not any("waiter!" in result for *_, result in games_of(plan))


def strike_a_cage(begun: threading.Event, over: threading.Event, *words: bytes) -> None:
    """Ends the first bubblewrap, from outside, whose command has these words, once a game has begun."""
    begun.wait(PATIENCE_S)
    started = Path(f"/proc/{spawner().pid}/task/{spawner().pid}/children")
    while not over.is_set():
        for pid in map(int, started.read_text().split()):
            with contextlib.suppress(OSError):
                told = Path(f"/proc/{pid}/cmdline").read_bytes()
                trial = b"/true" in told  # whether the cage can be had, before the first game
                if not trial and told.split(b"\0")[0].endswith(b"bwrap") and all(word in told for word in words):
                    os.kill(pid, signal.SIGKILL)
                    return


def test_without_kept_replays_a_program_cannot_be_shown(tmp_path: Path) -> None:
    idler = bot_file(tmp_path, "idler")
    text = QUICK.replace("house:raider", f"py:{idler}").replace('"inline"', '"inline"\nreplays = false')
    plan = plan_of(tmp_path, text.replace("bouts = 2", "bouts = 1"))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store, pytest.raises(YardError, match="replays = true"):
        finished(replay_of(plan, store, store.row(1)))


def test_who_does_not_come_forfeits(tmp_path: Path) -> None:
    broken = bot_file(tmp_path, "broken", "import nothing_of_that_name\n")
    ruin = bot_file(tmp_path, "ruin", "1 / 0\n")
    text = QUICK.split("[bots]")[0] + (
        f'[bots]\nforager = "house:forager"\nbroken = "py:{broken}"\nruin = "py:{ruin}"\n'
        '[format]\nkind = "round_robin"\n[run]\nexecutor = "inline"\n'
    )
    plan = plan_of(tmp_path, text)
    run_contest(plan)
    results = {bots: result for _, bots, _, result in games_of(plan)}
    assert results["forager", "broken"].startswith("forager")
    assert "broken!" in results["forager", "broken"]
    assert results["broken", "ruin"] == "broken!:0=ruin!:0"  # nobody came: their doing, not ours
    assert [(row["bot"], row["place"]) for row in table_of(plan)] == [("forager", 1), ("broken", 2), ("ruin", 2)]


ONE_OPEN_ROUND = """
[format]
kind = "round_robin"
bouts = 1
[cage]
level = "open"
[run]
executor = "inline"
"""


def test_a_failing_bot_forfeits_where_the_original_would_stop_everything(tmp_path: Path) -> None:
    """The original's control program ends with the first bot that fails (BattleBots 6); a contest goes on."""
    head = """
game = "battlebots"
preset = "program"
seed = 1
[settings]
rounds_per_bout = 5
[bots]
nop = "house:nop"
hugger = "house:hugger"
broken = "cmd:false"
"""
    plan = plan_of(tmp_path, head + 'wrong = "cmd:false"\n' + ONE_OPEN_ROUND)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        assert (store.counts().recorded, store.counts().void, store.faults()) == (6, 0, [])
    results = {frozenset(bots): result for _, bots, _, result in games_of(plan)}
    assert results[frozenset(("nop", "broken"))] == "nop:10>broken!:0"
    assert results[frozenset(("hugger", "wrong"))] == "hugger:10>wrong!:0"
    assert results[frozenset(("broken", "wrong"))] == "broken!:0=wrong!:0"  # both in one round: a draw
    harmless = plan_of(tmp_path, head.replace("[bots]", 'on_bot_failure = "no_action"\n[bots]') + ONE_OPEN_ROUND)
    run_contest(harmless, anew=True)
    assert [row["games"] for row in table_of(harmless)] == [2, 2, 2]
    assert not any("!" in result for *_, result in games_of(harmless))


HEARS = """
import socket, sys
bot = socket.create_connection((sys.argv[1], int(sys.argv[2])))
said = bot.makefile("rb")
heard = b""
for line in said:
    heard += line
    if line == b"mov\\n":
        break
with open("heard.txt", "a") as file:
    file.write(f"{b's 1 ' in heard}\\n")
bot.sendall(b"u")
"""


def test_a_program_hears_the_opening_of_a_later_game_of_its_match(tmp_path: Path) -> None:
    """Snakepit's controller repeats the heads from the second game on (6.2)."""
    (tmp_path / "hears.py").write_text(HEARS)
    text = """
game = "snakepit"
seed = 1
[settings]
opening_deltas = true
[bots]
hears = "cmd:python3 hears.py"
other = "house:beeline"
[format]
kind = "fixed"
games = 2
[cage]
level = "open"
[run]
executor = "inline"
"""
    run_contest(plan_of(tmp_path, text))
    assert (tmp_path / "heard.txt").read_text().splitlines() == ["False", "True"]


HANGS = """
import sys
asked = 0
for line in sys.stdin:
    asked += line.startswith("action")
    if line.startswith("action"):
        print(" " if asked == int(sys.argv[1]) else "up", flush=True)
"""


def test_who_hangs_the_original_forfeits_and_two_at_once_have_drawn(tmp_path: Path) -> None:
    """Hack-man 6.7: a line of white space, in the middle of a game that goes badly."""
    (tmp_path / "hangs.py").write_text(HANGS)
    head = """
game = "hackman"
preset = "program"
seed = 1
[settings]
max_rounds = 4
engine_timeout_ms = 1
[bots]
hangs = "cmd:python3 hangs.py 2"
hung = "cmd:python3 hangs.py 2"
later = "cmd:python3 hangs.py 3"
plays = "house:wanderer"
"""
    plan = plan_of(tmp_path, head + ONE_OPEN_ROUND)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        assert (store.counts().recorded, store.counts().void, store.faults()) == (6, 0, [])
        row = next(row for row in store.rows() if set(row.pairing.bots) == {"hangs", "plays"})
        assert finished(replay_of(plan, store, row)).outcome is None  # the original has none
        assert row.verdicts is not None
        assert row.verdicts["hangs"] == {"OK": 1, "GARBLED": 1}
    forfeits = {frozenset(bots): parse(result) for _, bots, _, result in games_of(plan)}
    assert forfeits[frozenset(("hangs", "plays"))].winner == "plays"
    assert forfeits[frozenset(("later", "plays"))].forfeits == {"later"}
    assert forfeits[frozenset(("hangs", "later"))].winner == "later"
    both = forfeits[frozenset(("hangs", "hung"))]
    assert both.drawn
    assert both.forfeits == {"hangs", "hung"}
    assert [row["bot"] for row in table_of(plan)][:2] == ["plays", "later"]


def test_a_bot_that_cannot_be_read_built_or_seated_forfeits_its_own_games_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever comes up about one bot after the contest was read: it is its own."""
    lost = bot_file(tmp_path, "lost")
    text = QUICK.split("[bots]")[0] + (
        f'[bots]\nforager = "house:forager"\nlost = "py:{lost}"\nraider = "house:raider"\n'
        '[format]\nkind = "round_robin"\nbouts = 1\n[run]\nexecutor = "inline"\n'
    )
    for spoil in (vanishes, refuses_to_build, refuses_to_sit):
        plan = plan_of(tmp_path, text)
        with monkeypatch.context() as patch:
            spoil(tmp_path, patch)
            jobs = [Job(1, ("forager", "lost"), 1), Job(2, ("forager", "raider"), 2), Job(3, ("lost", "raider"), 3)]
            reports = sorted(play_jobs(plan, *jobs), key=lambda report: report.number)
        bot_file(tmp_path, "lost")
        assert [report.trouble for report in reports] == ["", "", ""]
        assert [sorted(parse(report.result).forfeits) for report in reports] == [["lost"], [], ["lost"]]
        assert parse(reports[0].result).winner == "forager"
        assert reports[0].verdicts is not None
        assert reports[0].verdicts["lost"] == {"UNBUILT": 1}


def vanishes(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "bots" / "lost" / "lost.py").unlink()


def refuses_to_build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    async def build(spec: BotSpec) -> Fault | None:
        if spec.house is None:
            raise RecursionError("a manifest nobody can read")
        return None

    patch.setattr(BotSpec, "build", build)


def refuses_to_sit(folder: Path, patch: pytest.MonkeyPatch) -> None:
    def seat(*_: object) -> None:
        raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")

    patch.setattr(bot_spec, "PythonPlayer", seat)


def test_what_the_machine_refuses_is_no_forfeit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    plan = plan_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(prepared, "read_bot_spec", refuse)
        contest = PreparedContest(plan.brief)
        [report] = finished(contest.play([Job(1, ("forager", "raider"), 1)]))
    with pytest.raises(OSError, match="Too many open files"):
        finished(contest.build())
    assert report.result == ""
    assert "Too many open files" in report.trouble


def test_bots_that_we_cannot_house_have_not_forfeited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if that goes for all of them, and nobody came."""

    async def build(spec: BotSpec) -> Fault | None:
        return Fault(Verdict.HOUSE, "no cage can be made here")

    text = QUICK
    for name in ("forager", "raider"):
        text = text.replace(f"house:{name}", f"py:{bot_file(tmp_path, name)}")
    plan = plan_of(tmp_path, text)
    monkeypatch.setattr(BotSpec, "build", build)
    [report] = play_jobs(plan, Job(1, ("forager", "raider"), 1))
    assert (report.result, report.trouble) == ("", "no cage can be made here")


def test_no_user_for_a_bot_and_no_room_for_its_copy_are_no_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "raider").mkdir()
    (tmp_path / "raider" / "main.py").touch()
    plan = plan_of(tmp_path, QUICK.replace("house:raider", f"dir:{tmp_path / 'raider'}"))
    for place, name in ((uids, "check_own"), (bot_cache, "sweep_at_times"), (os, "open")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, refuse)
            [report] = play_jobs(plan, Job(1, ("forager", "raider"), 1))
        assert report.result == ""
        assert "No space left" in report.trouble
