"""Contests of programs: what is kept of them, and what becomes of those that fail."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from pathlib import Path

import pytest

from botyard.contest.again import replay_of
from botyard.contest.runner import run_contest
from botyard.contest.store import Store
from botyard.jail.ushered import usher
from botyard.kernel.errors import YardError
from tests.conftest import need
from tests.contest.yard import PATIENT, QUICK, bot_file, games_of, plan_of, table_of


def test_programs_keep_replays_verdicts_and_times(tmp_path: Path) -> None:
    idler = bot_file(tmp_path, "idler")
    text = (
        QUICK.replace("house:raider", f"py:{idler}")
        .replace("bouts = 2", "bouts = 1")
        .replace("[bots]", PATIENT + "[bots]")
    )
    plan = plan_of(tmp_path, text)
    run_contest(plan)
    with Store.open(plan.store_path) as store:
        row = store.row(1)
        assert row.verdicts is not None
        assert row.timing is not None
        assert set(row.verdicts["raider"]) == {"OK"}
        assert row.timing["raider"][0] == row.verdicts["raider"]["OK"]
        assert row.ticks == 20
        replay = replay_of(plan, store, row)
        assert "raider" in replay.names
        assert replay.verify().over


SLOW = """
import time

def decide(view):
    time.sleep(0.02)
    return 'guard N'
"""


def test_a_game_whose_cage_was_ended_from_outside_is_played_again(tmp_path: Path) -> None:
    need("bwrap")
    waiter = bot_file(tmp_path, "waiter", SLOW)
    text = QUICK.split("[bots]")[0].replace("20", "8") + (
        f'{PATIENT}[bots]\nforager = "house:forager"\nwaiter = "py:{waiter}"\n'
        '[format]\nkind = "round_robin"\n[run]\nexecutor = "inline"\n'
    )
    plan = plan_of(tmp_path, text)
    over = threading.Event()
    striking = threading.Thread(target=strike_a_cage, args=(over, b"python", b"waiter"))
    striking.start()
    run_contest(plan)
    over.set()
    striking.join()
    with Store.open(plan.store_path) as store:
        [(number, _, reason)] = store.faults()
        counts = store.counts()
    assert number == 1
    assert "killed by SIGKILL" in reason
    assert counts.done == counts.all == 1
    assert not any("waiter!" in result for *_, result in games_of(plan))


def strike_a_cage(over: threading.Event, *words: bytes) -> None:
    """Ends the first bubblewrap, from outside, whose command has these words."""
    started = Path(f"/proc/{usher().pid}/task/{usher().pid}/children")
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
    with Store.open(plan.store_path) as store, pytest.raises(YardError, match="replays = true"):
        replay_of(plan, store, store.row(1))


def test_who_does_not_come_forfeits(tmp_path: Path) -> None:
    broken = bot_file(tmp_path, "broken", "import nothing_of_that_name\n")
    ruin = bot_file(tmp_path, "ruin", "1 / 0\n")
    text = QUICK.split("[bots]")[0] + (
        f'[bots]\nforager = "house:forager"\nbroken = "py:{broken}"\nruin = "py:{ruin}"\n'
        '[format]\nkind = "round_robin"\n[run]\nexecutor = "inline"\n'
    )
    plan = plan_of(tmp_path, text)
    run_contest(plan)
    results = [result for *_, result in games_of(plan)]
    assert results[0].startswith("forager")
    assert "broken!" in results[0]
    assert results[2] == "broken!:0=ruin!:0"  # nobody came: their doing, not ours
    assert [(row["bot"], row["place"]) for row in table_of(plan)] == [("forager", 1), ("broken", 2), ("ruin", 2)]


def test_a_failing_bot_stops_the_contest_where_the_settings_want_that(tmp_path: Path) -> None:
    """The original's control program ends with the first bot that fails; that is no fault of ours (BattleBots 6)."""
    text = """
game = "battlebots"
preset = "program"
seed = 1
[settings]
rounds_per_bout = 5
[bots]
nop = "house:nop"
hugger = "house:hugger"
broken = "cmd:false"
[format]
kind = "round_robin"
bouts = 1
[cage]
level = "open"
[run]
executor = "inline"
"""
    plan = plan_of(tmp_path, text)
    with pytest.raises(YardError, match=r"game 2 stopped the contest: false: CRASHED") as stopped:
        run_contest(plan)
    assert "on_bot_failure" in stopped.value.hint
    with Store.open(plan.store_path) as store:
        assert (store.counts().recorded, store.counts().void, store.faults()) == (1, 0, [])
    going_on = plan_of(tmp_path, text.replace("[bots]", 'on_bot_failure = "no_action"\n[bots]'))
    run_contest(going_on, anew=True)
    assert [row["games"] for row in table_of(going_on)] == [2, 2, 2]


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
