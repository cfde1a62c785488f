"""`py:` bots: a function in an interpreter of its own, which can be stopped."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from botyard.kernel.verdict import Verdict
from tests.links.yard import BRISK_MS, LateClock, play

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def python_bot(folder: Path, source: str, function: str = "") -> str:
    path = folder / "mybot.py"
    path.write_text(dedent(source))
    return f"py:{path}" + (f":{function}" if function else "")


def test_a_function_plays_prints_and_remembers(tmp_path: Path) -> None:
    bot = python_bot(
        tmp_path,
        """
        import helper_module
        turns = []
        def bot(view):
            turns.append(view.turn)
            print("turn", len(turns), helper_module.WORD)
            return "guard N" if view.window[3, 3] else 99
        """,
    )
    (tmp_path / "helper_module.py").write_text("WORD = 'hello'\n")
    played = play(bot, "house:wanderer")
    assert played.names[0] == "mybot"
    assert not played.replay.missed
    assert "turn 1 hello\nturn 2 hello\n" in "".join(turn.said for turn in played.turns)
    assert played.turns[0].received == "'guard N'"


@pytest.mark.parametrize(
    ("source", "verdict", "reason"),
    [
        ("def bot(view): return 1 / 0", Verdict.CRASHED, "ZeroDivisionError: division by zero"),
        ("def bot(view): return 'fly'", Verdict.GARBLED, "unknown order of hive 'fly'"),
        ("def bot(view): return 77", Verdict.INVALID, "no order 77"),
        ("def bot(view): return [1]", Verdict.GARBLED, "not [1]"),
        ("import time\ndef bot(view): time.sleep(60)", Verdict.SILENT, f"no answer within {BRISK_MS} ms"),
        ("import time\ndef bot(view): time.sleep(1.5); return 24", Verdict.LATE, f"the limit is {BRISK_MS} ms"),
        ("import os\ndef bot(view): os._exit(7)", Verdict.CRASHED, "exit status 7"),
        ("def bot(view): raise SystemExit", Verdict.CRASHED, "SystemExit"),
        ("def bot(view):\n    while True: pass", Verdict.SILENT, "no answer"),
        ("import os, signal\ndef bot(view): os.kill(os.getpid(), signal.SIGSEGV)", Verdict.CRASHED, "SIGSEGV"),
        ("this is no Python", Verdict.CRASHED, "SyntaxError"),
        ("import no_such_module", Verdict.CRASHED, "no_such_module"),
        ("x = 1", Verdict.CRASHED, "which function"),
        ("def one(view): pass\ndef two(view): pass", Verdict.CRASHED, "there are one, two"),
    ],
)
def test_what_can_go_wrong_is_told(tmp_path: Path, source: str, verdict: Verdict, reason: str) -> None:
    timed: dict[str, Any] = {"reply_timeout_ms": BRISK_MS} if verdict in (Verdict.SILENT, Verdict.LATE) else {}
    clock = LateClock() if verdict is Verdict.LATE else None
    played = play(python_bot(tmp_path, source), "house:wanderer", clock=clock, **timed)
    [miss] = played.replay.missed
    assert (miss.seat, miss.verdict) == (0, verdict), miss
    assert reason in miss.reason
    assert played.winner == 1
    if verdict is Verdict.LATE:
        assert not any(turn.received for turn in played.turns)  # what came too late counts as nothing


def test_what_a_function_returned_is_shown_also_where_it_is_no_order(tmp_path: Path) -> None:
    played = play(python_bot(tmp_path, "def bot(view): return 'fly'"), "house:wanderer")
    assert [turn.received for turn in played.turns if turn.verdict is Verdict.GARBLED] == ["'fly'"]


def test_a_silent_turn_shows_nothing_of_what_was_returned_before(tmp_path: Path) -> None:
    source = "import time\ndef bot(view):\n    time.sleep(60 if view.turn else 0)\n    return 'guard N'"
    played = play(python_bot(tmp_path, source), "house:wanderer", reply_timeout_ms=BRISK_MS)
    own = [turn for turn in played.turns if turn.seat == 0]
    assert [turn.received for turn in own if turn.verdict is Verdict.SILENT] == [""]
    assert own[0].received == "'guard N'"


def test_a_loop_that_was_held_up_itself_does_not_blame_the_bot(tmp_path: Path) -> None:
    slow = python_bot(tmp_path, "import time\ndef bot(view): time.sleep(1.0); return 24")
    played = play(slow, "house:wanderer", clock=LateClock(lag_s=3.0), reply_timeout_ms=BRISK_MS, max_turns=1)
    assert not played.replay.missed


def test_a_bot_that_writes_into_its_own_channel_hurts_only_itself(tmp_path: Path) -> None:
    source = """
        import os
        def bot(view):
            for descriptor in range(3, 20):
                try: os.write(descriptor, b"\\xff" * 64)
                except OSError: pass
            return 24
    """
    played = play(python_bot(tmp_path, source), "house:wanderer")
    assert {miss.seat for miss in played.replay.missed} == {0}
    assert played.replay.missed[0].verdict in (Verdict.FLOODED, Verdict.GARBLED)
    assert played.winner == 1


def test_the_function_can_be_chosen(tmp_path: Path) -> None:
    source = "import numpy\ndef one(view): return 99\ndef two(view): return numpy.int64(24)"
    assert not play(python_bot(tmp_path, source, "two"), "house:wanderer").replay.missed
    played = play(python_bot(tmp_path, source, "three"), "house:wanderer")
    assert "no function 'three'; it has one, two" in played.replay.missed[0].reason
    only = "import random\ndef mine(view): return 24"
    assert not play(python_bot(tmp_path, only), "house:wanderer").replay.missed


def test_the_example_bot_plays_a_full_game() -> None:
    played = play(f"py:{ROOT / 'examples' / 'gatherer.py'}", "house:wanderer", max_turns=0)
    assert not played.replay.missed
    assert played.winner == 0
