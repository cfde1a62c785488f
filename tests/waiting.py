"""Waiting for something that will be, and not for ever: a test never sleeps and hopes.

Every wait of a test has a bound of its own and says what it waited for; `timeout` in pyproject.toml is the last net.
tests/test_bounds.py holds that.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, AnyStr, TypeVar

T = TypeVar("T")

PATIENCE_S = 120.0  # for one thing to happen, however busy the machine is
RUN_S = 280.0  # for a whole program or event loop: less than a test may take


def wait_until(happened: Callable[[], Any], otherwise: Callable[[], Any] = lambda: "it did not happen") -> None:
    """Returns as soon as something is true; fails, saying what is the case otherwise, if it does not come true."""
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline, f"waited {PATIENCE_S:g} s: {otherwise()}"
        time.sleep(0.01)


async def until(happened: Callable[[], Any]) -> None:
    """The same in an event loop, which goes on meanwhile."""
    async with bounded(PATIENCE_S, "it did not happen"):
        while not happened():
            await asyncio.sleep(0.005)


async def soon(awaited: Awaitable[T]) -> T:
    """What is awaited, unless it never comes."""
    async with bounded(PATIENCE_S, "what was awaited did not come"):
        return await awaited


def finished(main: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
    """What comes of an event loop of its own; whatever is awaited in it is bounded by it."""

    async def within_bounds() -> T:
        async with bounded(RUN_S if seconds is None else seconds, "the event loop is not finished"):
            return await main

    return asyncio.run(within_bounds())


@contextlib.asynccontextmanager
async def bounded(seconds: float, otherwise: str) -> AsyncIterator[asyncio.Timeout]:
    """Fails, saying what is the case otherwise, if what is awaited inside takes longer."""
    try:
        async with asyncio.timeout(seconds) as bound:
            yield bound
    except TimeoutError:
        assert not bound.expired(), f"waited {seconds:g} s: {otherwise}"
        raise


async def read_on(reader: asyncio.StreamReader) -> bytes:
    """The next piece; there has to be one. Whoever reads on and on after the end never lets the loop go on."""
    piece = await soon(reader.read(1 << 20))
    assert piece, "the connection was closed"
    return piece


def in_time(call: Callable[[], T]) -> T:
    """What a call gives that blocks and knows no bound itself, such as reading a line from a pipe."""
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        return outcome.result(PATIENCE_S)
    except TimeoutError:
        assert outcome.done(), f"waited {PATIENCE_S:g} s: {call} did not return"
        raise


def joined(*threads: threading.Thread) -> None:
    """Returns when threads have ended."""
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), f"waited {PATIENCE_S:g} s: {thread.name} did not end"


@contextlib.contextmanager
def ending(process: subprocess.Popen[AnyStr]) -> Iterator[subprocess.Popen[AnyStr]]:
    """A process that ends by itself at the end of a block, and is killed if it does not, or if the block fails."""
    try:
        yield process
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        process.wait(PATIENCE_S)
    finally:
        process.kill()
        with process:
            pass
