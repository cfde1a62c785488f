"""Passwords: what they cost, and how many are hashed at a time."""

from __future__ import annotations

import asyncio
import threading
import unicodedata

import pytest
from argon2 import extract_parameters

from botyard.yard.people.passwords import AT_A_TIME, HASHER, MOST_WAITING, NOBODYS, PasswordQueue, fits, hashed
from botyard.yard.refusals import TooMuch
from tests.waiting import PATIENCE_S, finished, until


def test_the_hash_of_nobody_costs_what_any_other_does() -> None:
    nobody = extract_parameters(NOBODYS)
    assert (nobody.memory_cost, nobody.time_cost, nobody.parallelism) == (19456, 2, 1)
    assert (HASHER.memory_cost, HASHER.time_cost, HASHER.parallelism) == (19456, 2, 1)
    assert (nobody.hash_len, nobody.salt_len, nobody.type) == (HASHER.hash_len, HASHER.salt_len, HASHER.type)


def test_a_password_fits_itself_from_whatever_keyboard_and_nothing_fits_nobody() -> None:
    async def main() -> None:
        kept = await hashed("größer als zuvor")
        assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert await fits(kept, unicodedata.normalize("NFD", "größer als zuvor"))
        assert not await fits(kept, "grösser als zuvor")
        assert not await fits(None, "größer als zuvor")
        assert not await fits("no hash at all", "größer als zuvor")

    finished(main())


def test_two_are_hashed_at_a_time_and_whoever_is_one_too_many_is_sent_away() -> None:
    at_work, go_on = threading.Semaphore(0), threading.Event()
    most = running = 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal most, running
        with lock:
            running += 1
            most = max(most, running)
        at_work.release()
        assert go_on.wait(PATIENCE_S)
        with lock:
            running -= 1

    async def main() -> None:
        queue = PasswordQueue()
        tasks = [asyncio.create_task(queue.take(work)) for _ in range(MOST_WAITING)]
        await until(lambda: running == AT_A_TIME)
        with pytest.raises(TooMuch):
            await queue.take(work)
        tasks.pop().cancel()  # one who does not wait any longer makes room
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(queue.take(work)))
        go_on.set()
        await asyncio.gather(*tasks)

    finished(main())
    assert most == AT_A_TIME
