"""Plain Python functions as bots: `botyard.play`."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

import botyard
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.verdict import Verdict

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
        ("fly", Verdict.GARBLED, "no order of hive 'fly'"),
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
    with pytest.raises(YardError, match="'cmd:x'"):
        botyard.play("hive", [idle, "cmd:x"])


def test_the_number_of_bots_must_fit() -> None:
    with pytest.raises(YardError, match="1 bots for 2 seats: Hive Arena takes 2 bots"):
        botyard.play("hive", [idle])


def test_without_a_seed_a_secret_one_is_used() -> None:
    first, second = (botyard.play("hive", [idle, idle], max_turns=1) for _ in range(2))
    assert first.replay.seed != second.replay.seed
