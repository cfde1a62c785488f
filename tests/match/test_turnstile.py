"""A crowd that is released goes on a few at a time, and a clock is looked at in between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from botyard.match.turnstile import Turnstile
from tests.waiting import finished


async def come(turnstile: Turnstile, passed: list[int], numbers: Sequence[int]) -> list[asyncio.Task[None]]:
    """A crowd that waits at a turnstile, and notes who has passed."""

    async def one(number: int) -> None:
        await turnstile.wait()
        passed.append(number)

    crowd = [asyncio.create_task(one(number)) for number in numbers]
    await asyncio.sleep(0)  # by now all of them wait
    return crowd


def test_a_crowd_goes_through_a_few_at_a_time_and_in_its_order() -> None:
    async def main() -> tuple[list[int], list[int]]:
        turnstile, passed, seen = Turnstile(at_once=3), list[int](), list[int]()
        crowd = await come(turnstile, passed, range(20))
        turnstile.release()
        while len(passed) < len(crowd):
            await asyncio.sleep(0)  # one round of the event loop
            seen.append(len(passed))
        return passed, seen

    passed, seen = finished(main())
    assert passed == list(range(20))
    steps = [after - before for before, after in zip([0, *seen], seen, strict=False)]
    assert max(steps) == 3


def test_nobody_goes_on_before_a_release_and_who_comes_later_waits_for_the_next() -> None:
    async def main() -> list[list[int]]:
        turnstile, passed, told = Turnstile(at_once=2), list[int](), list[list[int]]()
        turnstile.release()  # nobody waits: it is not kept for those who come
        early = await come(turnstile, passed, range(5))
        told.append(list(passed))
        turnstile.release()
        late = await come(turnstile, passed, range(5, 8))  # while the others go through
        await asyncio.gather(*early)
        told.append(list(passed))
        turnstile.release()
        await asyncio.gather(*late)
        return [*told, passed]

    assert finished(main()) == [[], [0, 1, 2, 3, 4], list(range(8))]


def test_two_releases_let_no_more_through_at_a_time_than_one() -> None:
    async def main() -> list[int]:
        turnstile, passed, seen = Turnstile(at_once=1), list[int](), list[int]()
        crowd = await come(turnstile, passed, range(4))
        turnstile.release()
        crowd += await come(turnstile, passed, range(4, 8))
        turnstile.release()
        while len(passed) < len(crowd):
            before = len(passed)
            await asyncio.sleep(0)
            seen.append(len(passed) - before)
        return seen

    assert max(finished(main())) == 1


def test_who_has_gone_takes_nobodys_place() -> None:
    async def main() -> tuple[list[int], int]:
        turnstile, passed = Turnstile(at_once=1), list[int]()
        waiting = await come(turnstile, passed, range(6))
        waiting[0].cancel()  # one goes before the release, three while they wait for their turn
        await asyncio.sleep(0)
        turnstile.release()
        for gone in waiting[2:5]:
            gone.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        later = await come(turnstile, passed, [6])  # and it turns for those who come later
        turnstile.release()
        await asyncio.gather(*later)
        return passed, sum(task.cancelled() for task in waiting)

    assert finished(main()) == ([1, 5, 6], 4)
