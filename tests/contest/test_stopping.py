"""A worker that is told to stop does so wherever it happens to be, cleans up if it can, and says nothing about it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.executors import Done, Event, Lost, Signed, Work
from botyard.contest.executors.local import Local
from botyard.contest.worker import Worker
from tests.waiting import PATIENCE_S, finished


class Thing:
    """Something that is referred to weakly."""


@dataclass(frozen=True)
class Waiting:
    """Waits as for an answer, and notes that it cleaned up."""

    note: Path

    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> None:
        try:
            progress("at work")
            await asyncio.sleep(PATIENCE_S)
        finally:
            await asyncio.sleep(0.1)  # as stopping a bot takes its time
            self.note.write_text("cleaned up")


@dataclass(frozen=True)
class InCallbacks(Waiting):
    """Spends its time in callbacks of weak references, where an exception is printed and lost, as compilers do."""

    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> None:
        try:
            progress("at work")
            for _ in range(int(PATIENCE_S / 0.01)):
                thing = Thing()
                kept = weakref.ref(thing, lambda gone: time.sleep(0.01))
                del thing
                assert kept() is None
                await asyncio.sleep(0)
        finally:
            self.note.write_text("cleaned up")


@dataclass(frozen=True)
class Stuck(Waiting):
    """Never comes back to the loop."""

    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> None:
        progress("at work")
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            pass


@dataclass(frozen=True)
class Nothing:
    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> str:
        return "done"


async def hear(executor: Local) -> Event:
    events: list[Event] = []
    while not events:
        events = await executor.wait(1.0)
    return events[0]


async def ended_at_work(work: Work) -> float:
    """Returns how long a worker took that was ended at this work; another must have taken its place."""
    executor = Local(1)
    try:
        executor.start("worker 1", work)
        assert isinstance(await hear(executor), Signed)
        began = time.monotonic()
        await executor.end("worker 1")
        took = time.monotonic() - began
        executor.start("worker 1", Nothing())
        assert await hear(executor) == Done("worker 1", "done")
        return took
    finally:
        await executor.close()


@pytest.mark.parametrize("kind", [Waiting, InCallbacks])
def test_a_worker_cleans_up_wherever_it_is_told_to_stop(
    kind: type[Waiting], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    finished(ended_at_work(kind(tmp_path / "note")))
    assert (tmp_path / "note").read_text() == "cleaned up"
    assert capfd.readouterr() == ("", "")


def test_a_worker_that_never_comes_back_to_its_loop_is_not_waited_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botyard.contest.executors.local.STOP_S", PATIENCE_S)  # so that only the alarm can end it
    assert finished(ended_at_work(Stuck(tmp_path / "note"))) < PATIENCE_S / 2
    assert capfd.readouterr() == ("", "")


def test_a_worker_between_two_works_ends_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    async def stopped_between() -> Event:
        executor = Local(1)
        try:
            executor.start("worker 1", Nothing())
            assert await hear(executor) == Done("worker 1", "done")
            os.kill(executor.processes[0], signal.SIGTERM)
            return await hear(executor)
        finally:
            await executor.close()

    assert finished(stopped_between()) == Lost("worker 1", "the worker died (SIGTERM)")
    assert capfd.readouterr() == ("", "")
