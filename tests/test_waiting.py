"""What tests wait with: whatever does not come within bounds fails the test, with a sentence."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests import waiting
from tests.links import hall
from tests.match import stage

OVER = threading.Event()


async def never() -> None:
    await asyncio.Event().wait()


async def leap_and_wait(leap: Callable[[float], Awaitable[None]]) -> None:
    await leap(3600)  # which takes nothing of the bound
    await never()


def join_a_busy_thread() -> None:
    busy = threading.Thread(target=OVER.wait, name="busy", daemon=True)
    busy.start()
    waiting.joined(busy)


WAITS: dict[str, tuple[Callable[[], Any], str]] = {
    "a condition": (lambda: waiting.wait_until(lambda: False, lambda: "it is false"), "it is false"),
    "a condition in a loop": (lambda: waiting.finished(waiting.until(lambda: False)), "it did not happen"),
    "something awaited": (lambda: waiting.finished(waiting.soon(never())), "what was awaited did not come"),
    "a loop": (lambda: waiting.finished(never()), "the event loop is not finished"),
    "a loop that leaps": (lambda: hall.run_leaping(leap_and_wait), "the event loop is not finished"),
    "a loop that jumps": (lambda: stage.without_waiting(never()), "what runs without waiting is not finished"),
    "a call that blocks": (lambda: waiting.in_time(OVER.wait), "did not return"),
    "a thread": (join_a_busy_thread, "busy did not end"),
}


@pytest.mark.parametrize("what", WAITS)
def test_what_never_comes_fails_with_a_sentence(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((waiting, "PATIENCE_S"), (waiting, "RUN_S"), (hall, "RUN_S"), (stage, "RUN_S")):
        monkeypatch.setattr(module, name, 0.2 if name == "RUN_S" else 0.1)
    wait, sentence = WAITS[what]
    try:
        with pytest.raises(AssertionError, match=rf"waited 0\.[12] s: .*{sentence}"):
            wait()
    finally:
        OVER.set()
        OVER.clear()


def test_a_process_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.1)
    with (
        pytest.raises(subprocess.TimeoutExpired, match=r"timed out after 0\.1 seconds"),
        waiting.ending(subprocess.Popen(["sleep", "600"])) as process,
    ):
        pass
    assert process.returncode == -9


def test_what_fails_by_itself_is_told_as_it_is() -> None:
    async def late() -> None:
        raise TimeoutError("of its own")

    def fails() -> None:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        waiting.finished(waiting.soon(late()))
    with pytest.raises(TimeoutError, match="of its own"):
        waiting.in_time(fails)
    assert waiting.in_time(lambda: 7) == waiting.finished(asyncio.sleep(0, 7)) == 7
