"""Passwords: hashed with argon2id, two at a time and in threads, so that a storm of logins holds up nothing else.

A name that nobody has costs the same time as one with a wrong password.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import Argon2Error, InvalidHashError

from botyard.yard.people.names import name_key
from botyard.yard.refusals import Refusal, TooMuch

SHORTEST, LONGEST = 10, 200  # characters
FEWEST_SIGNS = 4  # that differ
AT_A_TIME = 2
MOST_WAITING = 40  # with two at a time, the last of them waits a second

# 19 MiB, two passes, one lane: 44 ms. The library's default costs eight times as much.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16, type=Type.ID)
# What was kept of a password that nobody knows; what is typed beside an unknown name is compared with it.
NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$UIhb1fqPKMsr/kTTAqqUEw$LGFDQkbcRskeZAmi1YpmgDmI4V72GAVAE6QFo90xLoo"

P = ParamSpec("P")
T = TypeVar("T")


class BadPassword(Refusal):
    """A password that is not taken as a new one."""


def check_password(password: str, name: str) -> None:
    """Refuses a new password that is too easily guessed."""
    if len(password) < SHORTEST:
        raise BadPassword("the password is too short", hint=f"it needs {SHORTEST} characters; take a sentence")
    if len(password) > LONGEST:
        raise BadPassword("the password is too long", hint=f"it may have {LONGEST} characters")
    if len(set(password)) < FEWEST_SIGNS or name_key(password) == name_key(name):
        raise BadPassword("the password is easily guessed", hint="a sentence of a few words is better")


async def hashed(password: str) -> str:
    """Returns what is kept of a password."""
    return await queue().take(HASHER.hash, one_form(password))


async def fits(kept: str | None, password: str) -> bool:
    """Whether a password is the one that this was kept of; where nothing was kept the answer is no, after as long."""
    alike = await queue().take(verified, kept or NOBODYS, one_form(password))
    return alike and kept is not None


def verified(kept: str, password: str) -> bool:
    try:
        return HASHER.verify(kept, password)
    except (Argon2Error, InvalidHashError):
        return False


def one_form(password: str) -> str:
    """Returns a password as every keyboard gives it: some send an umlaut as one character, some as two."""
    return unicodedata.normalize("NFKC", password)


class PasswordQueue:
    """Threads that hash. Who comes when too many wait is sent away at once."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="passwords")
        self._waiting = 0

    async def take(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._waiting >= MOST_WAITING:
            raise TooMuch("too many people sign in at this moment", 2, hint="try again in a few seconds")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, lambda: work(*args, **kwargs))
        finally:
            self._waiting -= 1


@cache
def queue() -> PasswordQueue:
    """The one queue of this process: its cores are shared by all."""
    return PasswordQueue()
