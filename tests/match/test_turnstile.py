"""A crowd that wakes up at once goes on a few at a time, and a clock is looked at in between."""

from __future__ import annotations

import asyncio

from botyard.match.turnstile import Turnstile
from tests.waiting import finished


def test_a_crowd_goes_through_a_few_at_a_time_and_in_its_order() -> None:
    async def main() -> tuple[list[int], list[int]]:
        turnstile, gate = Turnstile(at_once=3), asyncio.Event()
        passed: list[int] = []
        seen: list[int] = []

        async def one(number: int) -> None:
            await gate.wait()
            await turnstile.turn()
            passed.append(number)

        crowd = [asyncio.create_task(one(number)) for number in range(20)]
        await asyncio.sleep(0)
        gate.set()
        while len(passed) < len(crowd):
            await asyncio.sleep(0)  # one round of the event loop
            seen.append(len(passed))
        return passed, seen

    passed, seen = finished(main())
    assert passed == list(range(20))
    steps = [after - before for before, after in zip([0, *seen], seen, strict=False)]
    assert max(steps) == 3


def test_who_has_gone_takes_nobodys_place() -> None:
    async def main() -> int:
        turnstile = Turnstile(at_once=1)
        waiting = [asyncio.create_task(turnstile.turn()) for _ in range(5)]
        await asyncio.sleep(0)
        for gone in waiting[1:4]:
            gone.cancel()
        await asyncio.wait_for(waiting[4], 5)
        await turnstile.turn()  # and it turns for those who come later
        return sum(task.cancelled() for task in waiting)

    assert finished(main()) == 3
