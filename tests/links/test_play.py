"""`botyard.play`: functions, house bots and programs in one call, wherever it is called from."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.verdict import Verdict
from botyard.match.loop import Played
from tests.links.matches import rival_of, short_match
from tests.waiting import PATIENCE_S, ending, finished, wait_until

ANY_GAME = Path(__file__).parents[2] / "examples" / "anygame.py"

QUICK: dict[str, Any] = {"max_turns": 6, "random_seats": False}


def idle(view: Any) -> str:
    return "guard N"


def test_a_game_returns_outcome_verdicts_and_replay() -> None:
    played = botyard.play("hive", [idle, idle], seed=7, **QUICK)
    assert played.outcome is not None
    assert played.outcome.draw
    assert played.verdicts == ({Verdict.OK: 3}, {Verdict.OK: 3})
    assert played.names == ("idle", "idle")
    assert played.replay.verify().over
    assert [turn.received for turn in played.turns] == ["'guard N'"] * 6


def test_the_seat_draw_is_the_games_affair() -> None:
    swapped = next(s for s in range(20) if botyard.new("hive", seed=s).entrant(0) == 1)

    def loser(view: Any) -> int:
        return 99

    played = botyard.play("hive", [loser, idle], seed=swapped)
    assert played.entrants == (1, 0)
    assert played.outcome is not None
    assert played.outcome.winner == 0  # the seat
    assert played.winner == 1  # the player
    assert played.replay.missed[0].verdict is Verdict.INVALID


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("fly", Verdict.GARBLED, "unknown order of hive 'fly'"),
        (None, Verdict.GARBLED, "not None"),
        (True, Verdict.GARBLED, "not True"),
        (1.5, Verdict.GARBLED, "not 1.5"),
        (32, Verdict.INVALID, "no order 32"),
        (-1, Verdict.INVALID, "no order -1"),
    ],
)
def test_a_wrong_answer_is_explained(answer: Any, verdict: Verdict, reason: str) -> None:
    played = botyard.play("hive", [lambda view: answer, idle], seed=7, **QUICK)
    [miss] = played.replay.missed
    assert miss.verdict is verdict
    assert reason in miss.reason
    assert played.winner == 1


def test_an_exception_is_a_crash_with_its_traceback() -> None:
    def clumsy(view: Any) -> str:
        return dict[str, str]()["nothing"]

    played = botyard.play("hive", [clumsy, idle], seed=7, **QUICK)
    assert played.replay.missed[0].verdict is Verdict.CRASHED
    assert played.replay.missed[0].reason == "KeyError: 'nothing'"
    assert "in clumsy" in played.turns[0].said


def test_a_function_that_takes_too_long_is_late_unless_there_is_no_limit() -> None:
    def slow(view: Any) -> str:
        time.sleep(0.02)
        return "guard N"

    played = botyard.play("hive", [slow, idle], seed=7, reply_timeout_ms=5, **QUICK)
    assert played.replay.missed[0].verdict is Verdict.LATE
    patient = botyard.play("hive", [slow, idle], seed=7, reply_timeout_ms=5, time_limit=False, **QUICK)
    assert not patient.replay.missed


def test_a_bot_may_be_asynchronous_or_an_object() -> None:
    class Counter:
        def __init__(self) -> None:
            self.turns = 0

        def __call__(self, view: Any) -> int:
            self.turns += 1
            return 24

    async def patient(view: Any) -> int:
        await asyncio.sleep(0)
        return 24

    counter = Counter()
    played = botyard.play("hive", [counter, patient], seed=7, **QUICK)
    assert counter.turns == 3
    assert played.names == ("Counter", "patient")
    assert not played.replay.missed


def test_house_bots_join_by_name() -> None:
    played = botyard.play("hive", [idle, "house:wanderer"], seed=7, **QUICK)
    assert played.names == ("idle", "wanderer")
    with pytest.raises(UnknownName, match="did you mean 'forager'"):
        botyard.play("hive", [idle, "house:foragr"])
    with pytest.raises(YardError, match="unknown kind of bot"):
        botyard.play("hive", [idle, "wanderer"])
    with pytest.raises(YardError, match="connects by itself"):
        botyard.play("hive", [idle, "listen"])


def test_the_number_of_bots_must_fit() -> None:
    with pytest.raises(YardError, match="1 bot for 2 seats: Hive Arena takes 2 bots"):
        botyard.play("hive", [idle])


def test_without_a_seed_a_secret_one_is_used() -> None:
    first, second = (botyard.play("hive", [idle, idle], max_turns=1) for _ in range(2))
    assert first.replay.seed != second.replay.seed


# Programs, and callers that have a loop already


def programs(folder: Path) -> list[tuple[str, str]]:
    """A program of every kind, and the game it plays."""
    (folder / "mine").mkdir()
    (folder / "mine" / "mybot.py").write_text('print("NO")\n')
    (folder / "idler.py").write_text("def decide(view):\n    return 'guard N'\n")
    return [
        ("battlebots", f"cmd:{INTERPRETER} {folder / 'mine' / 'mybot.py'}"),
        ("battlebots", f"dir:{folder / 'mine'}"),
        ("hive", f"py:{folder / 'idler.py'}"),
        ("hive", f"json:{INTERPRETER} {ANY_GAME}"),
    ]


LENGTHS = {"battlebots": {"rounds_per_bout": 3}, "hive": {"max_turns": 6}}


def play_short(game: str, bot: str) -> Played:
    return botyard.play(game, [bot, rival_of(game)], seed=7, **short_match(game, **LENGTHS[game]))


async def called(game: str, bot: str) -> Played:
    """A coroutine, as a cell of a notebook is one, that calls the plain function."""
    return play_short(game, bot)


def test_programs_play_with_a_loop_around_them_and_without(tmp_path: Path) -> None:
    for game, bot in programs(tmp_path):
        for played in (play_short(game, bot), finished(called(game, bot))):
            assert played.outcome is not None
            assert {str(verdict) for counts in played.verdicts for verdict in counts} == {"OK"}, played.replay.missed


def test_functions_play_inside_a_running_loop() -> None:
    async def notebook() -> Played:
        return botyard.play("hive", [idle, idle], seed=7, **QUICK)

    plain, inside = botyard.play("hive", [idle, idle], seed=7, **QUICK), finished(notebook())
    assert inside.replay.to_bytes() == plain.replay.to_bytes()


def test_several_games_go_on_in_one_loop(tmp_path: Path) -> None:
    async def both() -> list[Played]:
        return await asyncio.gather(
            *(
                botyard.play_async(game, [bot, rival_of(game)], seed=7, **short_match(game, **LENGTHS[game]))
                for game, bot in programs(tmp_path)
            )
        )

    assert all(played.outcome for played in finished(both()))


def test_mistakes_come_out_of_the_thread_as_they_are() -> None:
    async def notebook() -> None:
        with pytest.raises(UnknownName, match="did you mean 'forager'"):
            botyard.play("hive", [idle, "house:foragr"])

    finished(notebook())


@pytest.mark.filterwarnings("ignore:coroutine")  # it never began, which is the point
def test_a_game_that_never_began_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many_files() -> None:
        raise OSError(24, "Too many open files")

    async def notebook() -> None:
        monkeypatch.setattr("asyncio.events.new_event_loop", too_many_files)
        with pytest.raises(OSError, match="Too many open files"):
            botyard.play("hive", [idle, idle], **QUICK)

    finished(notebook())
    gc.collect()  # Python warns of the coroutine here, and in no other test


def test_a_program_that_cannot_be_built_is_told(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("agent:\n\t@echo no such compiler; false\n")
    with pytest.raises(YardError, match=r"is UNBUILT: (?s:.*)no such compiler"):
        botyard.play("hive", [idle, f"dir:{tmp_path}"])


NOTEBOOK = """
import asyncio, sys
import botyard
from botyard.jail.limits import Level
from botyard.links.cage_policy import CagePolicy

async def cell():
    bots, cage = [sys.argv[1], "house:wanderer"], CagePolicy(Level.OPEN)
    botyard.play("hive", bots, seed=7, random_seats=False, reply_timeout_ms=600_000, cage=cage)

LOOP
"""


@pytest.mark.parametrize("loop", ["asyncio.run(cell())", "asyncio.new_event_loop().run_until_complete(cell())"])
def test_ctrl_c_in_a_notebook_leaves_nothing_behind(tmp_path: Path, loop: str) -> None:
    """Under the first an interrupt cancels the caller, under the second, as in a notebook, it strikes at once."""
    mark, source = tmp_path / "asked", tmp_path / "slow.py"
    source.write_text(
        "import os, pathlib, time\n\n"
        "def decide(view):\n"
        f"    pathlib.Path({str(mark)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", NOTEBOOK.replace("LOOP", loop), f"py:{source}"]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)) as process:
        wait_until(lambda: process.poll() is not None or (mark.exists() and mark.read_text()))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert b"KeyboardInterrupt" in said
    assert not Path(f"/proc/{mark.read_text()}").exists()
