"""A spawner that does not answer holds up only who waits for it, and what is cancelled meanwhile leaves nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.jail import spawner as spawners
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.program import Program
from botyard.jail.spawner import NoSpawner, spawner
from botyard.kernel.session import MoveSession
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.per_move import FreshStarter, Move, PerMovePlayer
from botyard.match.clock import LoopClock
from botyard.match.player import Answer
from tests.hostile.aftermath import nothing_left
from tests.waiting import finished, until

TICK_S = 0.01
TICKS = 20
MOVE_MS = 500


@pytest.fixture(params=[Level.CAGED, Level.LIMITED, Level.OPEN])
def launch(request: pytest.FixtureRequest) -> Launch:
    if trouble := obstacle(request.param):
        pytest.skip(trouble)
    sleeps = Launch(("sleep", "600"), Path("/"), request.param)
    finished(started_and_stopped(sleeps))  # what is looked up once has been
    return sleeps


async def started(launch: Launch) -> Program:
    program = await Program.start(launch, piped=True)
    assert isinstance(program, Program), program
    return program


async def started_and_stopped(launch: Launch) -> None:
    await (await started(launch)).stop()


@contextlib.contextmanager
def stopped_spawner() -> Iterator[None]:
    pid = spawner().pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


async def other_games_go_on() -> None:
    for _ in range(TICKS):
        await asyncio.sleep(TICK_S)


def test_other_games_go_on_while_a_program_waits_to_be_started(launch: Launch) -> None:
    async def play() -> None:
        with stopped_spawner():
            starting = asyncio.create_task(started_and_stopped(launch))
            await other_games_go_on()
            assert not starting.done()
        await starting

    with nothing_left():
        finished(play())


def test_other_games_go_on_while_a_program_waits_to_be_ended(launch: Launch) -> None:
    async def play() -> None:
        program = await started(launch)
        with stopped_spawner():
            stopping = asyncio.create_task(program.stop())
            await other_games_go_on()
            await until(lambda: program.over)
            assert program.running  # nobody knows yet how it ended
            assert not stopping.done()
        await stopping
        assert program.killed or launch.level is not Level.CAGED

    with nothing_left():
        finished(play())


def test_a_start_that_is_cancelled_while_it_waits_ends_what_it_has_started(launch: Launch) -> None:
    async def play() -> None:
        with stopped_spawner():
            starting = [asyncio.create_task(started_and_stopped(launch)) for _ in range(3)]
            await other_games_go_on()
            for task in starting:
                task.cancel()
            await other_games_go_on()
        ended = await asyncio.gather(*starting, return_exceptions=True)
        assert [type(end) for end in ended] == [asyncio.CancelledError] * 3

    with nothing_left():
        finished(play())


def test_starts_that_are_cancelled_at_any_moment_and_more_than_once_leave_nothing(launch: Launch) -> None:
    chance = random.Random(7)

    async def give_up(at_s: float) -> None:
        task = asyncio.create_task(started_and_stopped(launch))
        await asyncio.sleep(at_s)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(chance.random() * 0.003)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def storm() -> None:
        for _ in range(6):
            await asyncio.gather(*(give_up(chance.random() * 0.06) for _ in range(5)))

    with nothing_left():
        finished(storm())


def test_a_spawner_that_never_answers_is_ended_and_that_is_our_fault(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawners, "ANSWER_S", 0.2)
    monkeypatch.setattr(spawners, "SECOND_LOOK_S", 0.1)

    async def play() -> Fault:
        program = await started(launch)
        with stopped_spawner():
            with pytest.raises(NoSpawner, match="has not answered within"):
                await started(launch)
            await program.ended()  # it went with the spawner
        fault = program.judge()
        await program.stop()
        await started_and_stopped(launch)  # and another one starts the next
        return fault

    fault = finished(play())
    assert fault.verdict is Verdict.HOUSE, fault


def test_an_event_loop_that_is_gone_takes_no_answer_of_others_along() -> None:
    """As in a notebook, where one loop follows the other."""

    async def ask_and_go() -> None:
        asyncio.create_task(started_and_stopped(Launch(("sleep", "600"), Path("/"), Level.OPEN)))  # noqa: RUF006
        await asyncio.sleep(0)

    with nothing_left():
        for _ in range(5):
            finished(ask_and_go())
        finished(started_and_stopped(Launch(("true",), Path("/"), Level.OPEN)))


def test_a_move_that_was_made_in_time_counts_however_late_we_hear_of_its_end() -> None:
    book = load("battlebots")
    game = Game(book, book.settings.read({"move_timeout_ms": MOVE_MS}), 1)
    late_s = 3 * MOVE_MS / 1000

    class Stalled(FreshStarter):
        """The spawner stands still from the moment a move has begun."""

        async def begin(self, argument: bytes) -> Move | Fault:
            begun = await super().begin(argument)
            pid = spawner().pid
            os.kill(pid, signal.SIGSTOP)
            asyncio.get_running_loop().call_later(late_s, os.kill, pid, signal.SIGCONT)
            return begun

    async def move() -> Answer:
        session = cast(MoveSession, book.wire.open_session(game.settings, 0))
        starter = Stalled(lambda argument: Launch(("echo", "NO"), Path("/"), Level.OPEN))
        return await PerMovePlayer("bot", session, starter, LoopClock()).ask(game.view(0))

    with nothing_left():
        answer = finished(move())
    assert answer.ms > MOVE_MS
    assert answer.result == book.facts.orders.index("NO")


def test_two_hundred_starts_leave_no_descriptor() -> None:
    async def play() -> None:
        for _ in range(20):
            await asyncio.gather(*(started_and_stopped(Launch(("true",), Path("/"), Level.OPEN)) for _ in range(10)))

    with nothing_left():
        finished(play())
