"""Time in which we ourselves are held up: nobody pays for it, and nobody can make it."""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import PULSES, UNTOLD_S, LoopClock, Pulse
from botyard.match.deadline import Deadline
from botyard.match.in_process import FunctionPlayer
from botyard.match.loop import Played, play_game
from botyard.match.wire_player import WirePlayer
from tests.match.stage import JumpingLoop, ScriptedLink, Stall, play_hive, without_waiting
from tests.waiting import RUN_S, ending, finished

HELLO = [b"alpha\n"]
OK = [b"3,0\n"]


def verdicts(played: Played) -> list[Verdict]:
    return [turn.verdict for turn in played.turns if turn.seat == 0]


# Deadlines


def test_an_answer_that_came_while_we_were_stopped_counts() -> None:
    played, _ = play_hive(HELLO, [1000, Stall(8), b"3,0\n"], OK, OK, OK)
    assert verdicts(played) == [Verdict.OK] * 4
    assert played.turns[0].ms == pytest.approx(1000, abs=50)


def test_a_bot_that_still_thinks_after_a_stall_of_ours_has_its_whole_time() -> None:
    played, _ = play_hive(HELLO, [1000, Stall(8), 900, b"3,0\n"], OK, OK, OK)
    assert verdicts(played) == [Verdict.OK] * 4
    assert played.turns[0].ms == pytest.approx(1900, abs=50)


def test_several_stalls_in_one_question_all_count() -> None:
    played, _ = play_hive(HELLO, [300, Stall(3), 300, Stall(0.5), 300, Stall(5), b"3,0\n"], OK, OK, OK)
    assert verdicts(played) == [Verdict.OK] * 4
    assert played.turns[0].ms == pytest.approx(900, abs=80)


def test_a_stall_does_not_make_the_time_longer_than_it_is() -> None:
    played, _ = play_hive(HELLO, [1000, Stall(8), 1100, b"3,0\n"])
    assert verdicts(played) == [Verdict.LATE]
    played, _ = play_hive(HELLO, [1000, Stall(8)])
    assert verdicts(played) == [Verdict.SILENT]


def test_a_stall_while_a_late_answer_is_waited_for_does_not_make_it_silent() -> None:
    played, _ = play_hive(HELLO, [2100, Stall(8), 50, b"3,0\n"])
    assert verdicts(played) == [Verdict.LATE]


def test_a_stall_while_a_bot_says_its_name_costs_it_nothing() -> None:
    played, _ = play_hive([1000, Stall(8), 500, b"alpha\n"], OK, OK, OK, OK)
    assert played.names[0] == "alpha"


def bank_after(*act: Any) -> int | None:
    """The time bank of Hack-man after one question that went like this."""

    async def main() -> Played:
        link, clock = ScriptedLink([], act), LoopClock()
        game = botyard.new("hackman", seed=4, max_rounds=1)
        scripted = WirePlayer("scripted", game.book.wire.open_session(game.settings, 0), link, clock)
        return await play_game(game, [scripted, FunctionPlayer(lambda view: "pass", game.book.facts, 0, clock)])

    return without_waiting(main()).turns[0].next_ms


def test_a_stall_of_ours_is_not_charged_to_a_time_bank() -> None:
    without = bank_after(1500, b"up\n")
    assert without == pytest.approx(8600, abs=1)
    assert bank_after(1500, Stall(8), b"up\n") == pytest.approx(without, abs=100)
    assert bank_after(500, Stall(8), 1000, b"up\n") == pytest.approx(without, abs=100)


def test_only_while_it_waits_is_the_time_of_a_function_without_our_stalls() -> None:
    """Whether a function sleeps or our process is stopped cannot be told apart while it runs."""

    async def waits(view: Any) -> str:
        await asyncio.sleep(1.0)
        stand_still(8)
        await asyncio.sleep(0.5)
        return "guard N"

    def blocks(view: Any) -> str:
        stand_still(8)
        return "guard N"

    verdict, ms = asked(waits)
    assert (verdict, round(ms, -2)) == (Verdict.OK, 1500)
    verdict, ms = asked(blocks)
    assert (verdict, round(ms, -2)) == (Verdict.LATE, 8000)


def test_a_function_that_fails_is_told_how_long_it_took() -> None:
    async def fails(view: Any) -> str:
        await asyncio.sleep(1.5)
        raise ValueError("no idea")

    verdict, ms = asked(fails)
    assert verdict is Verdict.CRASHED
    assert ms == pytest.approx(1500, abs=0.1)


@pytest.mark.parametrize(("settle_ms", "verdict"), [(0, Verdict.SILENT), (1, Verdict.LATE)])
def test_an_answer_that_is_owed_is_waited_for_a_moment_if_there_is_one(settle_ms: int, verdict: Verdict) -> None:
    async def main() -> int | Fault:
        told = asyncio.Event()
        asyncio.get_running_loop().call_later(2.0005, told.set)

        async def read() -> int:
            await told.wait()
            return 3

        return await Deadline(LoopClock(), 2.0).order(read, lambda: Fault(Verdict.SILENT, ""), settle_ms=settle_ms)

    result = without_waiting(main())
    assert isinstance(result, Fault)
    assert result.verdict is verdict


def stand_still(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    loop.stand_still(seconds)


def asked(function: Callable[[Any], Any]) -> tuple[Verdict, float]:
    async def main() -> tuple[Verdict, float]:
        game = botyard.new("hive", seed=4)
        await asyncio.sleep(3.0)  # so that the clock does not begin with the question
        answer = await FunctionPlayer(function, game.book.facts, 2000, LoopClock()).ask(game.view())
        return answer.verdict, answer.ms

    return without_waiting(main())


def test_where_there_is_no_limit_a_stall_is_only_not_counted() -> None:
    async def main() -> float:
        deadline = Deadline(LoopClock(), None)

        async def read() -> None:
            await asyncio.sleep(1.0)
            stand_still(8)
            await asyncio.sleep(1.0)

        await deadline.wait(read)
        return deadline.seconds

    assert without_waiting(main()) == pytest.approx(2.0, abs=0.05)


# What counts as held up


class Meters:
    """A process as the kernel sees it: seconds on a processor, and ready but without one."""

    def __init__(self) -> None:
        self.used, self.queued = 0.0, 0.0
        self.told = True


def held_after(*gaps: tuple[float, float, float], told: bool = True) -> float:
    """What counts after gaps in which so many seconds passed, of which so many were used, and queued for."""

    async def main() -> float:
        meters = Meters()
        pulse = Pulse(asyncio.get_running_loop(), lambda: meters.used, lambda: meters.queued if told else None)
        for seconds, used, queued in gaps:
            meters.used += used
            meters.queued += queued
            stand_still(seconds)
            pulse.held_up()
        return pulse.held_up()

    return without_waiting(main())


def test_who_makes_us_busy_or_keeps_all_cores_busy_gains_no_time() -> None:
    assert held_after((8, 0, 0)) == pytest.approx(8, abs=0.03)
    assert held_after((8, 8, 0)) == pytest.approx(0)  # we worked: somebody may have sent us much
    assert held_after((8, 0, 8)) == pytest.approx(0)  # we had no processor: somebody may have used them all
    assert held_after((8, 3, 3)) == pytest.approx(2, abs=0.03)
    assert held_after(*[(0.2, 0, 0.18)] * 100) == pytest.approx(0)


def test_a_timer_that_is_a_little_late_is_no_stall() -> None:
    assert held_after(*[(0.025, 0, 0)] * 1000) == 0


def test_where_the_kernel_does_not_tell_only_long_gaps_count() -> None:
    assert held_after(*[(UNTOLD_S / 2, 0, 0)] * 100, told=False) == 0
    assert held_after((8, 0, 0), told=False) == pytest.approx(8, abs=0.03)


def test_the_beat_ends_when_nobody_waits_any_more() -> None:
    async def main() -> int:
        clock = LoopClock()
        await clock.within(None, asyncio.sleep(1))
        await asyncio.sleep(1)
        return len(asyncio.get_running_loop()._scheduled)  # type: ignore[attr-defined]

    assert without_waiting(main()) == 0


def test_a_loop_that_is_over_is_not_kept() -> None:
    async def main() -> int:
        await LoopClock().within(None, asyncio.sleep(0))
        return len(PULSES)

    gc.collect()
    before = len(PULSES)
    for _ in range(5):
        assert finished(main()) <= before + 2  # its own, and one that is about to go
        gc.collect()


# Real programs, and a runner that is really stopped

STOPS = """
import os, signal, sys, time
def stop_the_runner(runner, then):
    os.kill(runner, signal.SIGSTOP)
    time.sleep(STOPPED)
    os.kill(runner, signal.SIGCONT)
    time.sleep(then)
"""

BOTS = {
    "hackman": """
asked = 0
for line in sys.stdin:
    if line.startswith("action"):
        asked += 1
        if asked == 1:
            stop_the_runner(int(sys.argv[1]), 0.0)
        if asked == 2:
            stop_the_runner(int(sys.argv[1]), 1.0)
        print("pass", flush=True)
""",
    "snakepit": """
import socket
link = socket.create_connection((sys.argv[2], int(sys.argv[3])))
for line in link.makefile("rb"):
    if line == b"mov\\n":
        stop_the_runner(int(sys.argv[1]), 0.3)
        link.sendall(b"u")
        break
""",
    "battlebots": """
stop_the_runner(int(sys.argv[1]), 0.3)
print("NO")
""",
    "python": """
def bot(view):
    stop_the_runner(int(open("FOLDER/runner").read()), 0.3)
    return "guard N"
""",
}

RUNNER = """
import asyncio, json, os, sys
from botyard.games import load
from botyard.games.game import Game
from botyard.jail.limits import Level
from botyard.links.cage_policy import CagePolicy
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.match.clock import LoopClock
from botyard.match.loop import play_game

def play(game, spec, turns, **settings):
    book = load(game)
    chosen = book.settings.read(settings).seated(2)
    entry = read_bot_spec(spec.replace("RUNNER", str(os.getpid())), book, CagePolicy(Level.OPEN))
    rival = read_bot_spec(f"house:{next(iter(book.bots.HOUSE_BOTS))}", book)

    async def main():
        seating = Seating(book, chosen, LoopClock())
        players = [one.seat_player(seating, at) for at, one in enumerate((entry, rival))]
        return await play_game(Game(book, chosen, 4), players, enough=lambda told: len(told) >= turns)

    played = asyncio.run(main())
    return [[turn.verdict, turn.ms, turn.next_ms] for turn in played.turns if turn.seat == 0]

open("runner", "w").write(str(os.getpid()))
print(json.dumps({game: play(*order, **settings) for game, (order, settings) in json.loads(sys.argv[1]).items()}))
"""


def test_a_runner_that_is_stopped_in_the_middle_of_questions_charges_nobody(tmp_path: Path) -> None:
    """Each bot stops the runner itself while it is asked. Two of them think on for a while after it goes on."""
    stopped_s, limit_ms, bank_ms = 1.5, 1200, 5000
    for name, body in BOTS.items():
        text = STOPS.replace("STOPPED", str(stopped_s)) + body
        (tmp_path / f"{name}.py").write_text(text.replace("FOLDER", str(tmp_path)))
    orders: dict[str, Any] = {
        "hackman": (
            ("hackman", f"cmd:python3 {tmp_path}/hackman.py RUNNER", 4),
            {"timebank_ms": bank_ms, "time_per_move_ms": 0, "max_rounds": 2},
        ),
        "battlebots": (
            ("battlebots", f"cmd:python3 {tmp_path}/battlebots.py RUNNER", 2),
            {"rounds_per_bout": 1, "move_timeout_ms": limit_ms},
        ),
        "python": (("hive", f"py:{tmp_path}/python.py", 1), {"random_seats": False, "reply_timeout_ms": limit_ms}),
        "snakepit": (("snakepit", f"cmd:python3 {tmp_path}/snakepit.py RUNNER", 2), {"client_timeout": 1}),
    }
    command = [sys.executable, "-c", RUNNER, json.dumps(orders)]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path)) as runner:
        try:
            told = json.loads(runner.communicate(timeout=RUN_S)[0])
        finally:
            runner.send_signal(signal.SIGCONT)
            runner.kill()
    assert [verdict for turns in told.values() for verdict, *_ in turns] == ["OK"] * 5
    first, second = told["hackman"]
    assert first[2] > bank_ms - 1000 * stopped_s / 2  # nothing was charged of the time in which the runner stood still
    # What the bot thought after that is charged as far as the runner was awake: perhaps less than a millisecond.
    assert second[2] <= first[2]
    assert max(told["battlebots"][0][1], told["python"][0][1]) < limit_ms
    assert told["snakepit"][0][1] < 1000
