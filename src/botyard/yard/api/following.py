"""Those who follow events: one look at the table tells all of them that there is something new.

Events are written by other processes, too, such as commands, so the table is looked at now and then, as long as
somebody follows. Followers ask for what they may know themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.events import Event, events_after
from botyard.yard.people.registry import count_events
from botyard.yard.refusals import TooMuch
from botyard.yard.site import Yard

LOOK_S = 0.3  # between two looks at the table
MOST_FOLLOWERS = 1000
MOST_OF_ONE = 20  # of one person; of one address there may be a whole class
MOST_OF_ADDRESS = 100
LONGEST_S = 900.0  # then a follower comes again, with what they may know by then
SIGN_S = 20.0  # without an event, so that nothing between us takes the line for dead
AT_ONCE = 200  # events that are read at a time


@dataclass(frozen=True, slots=True)
class Following:
    """Whose events, after which, and of which kinds."""

    caller: Caller
    after: int
    kinds: Sequence[str] = ()

    def read(self, connection: sa.Connection, after: int, limit: int) -> tuple[list[Event], int]:
        """Returns the next events, and the number up to which all were looked at."""
        latest = count_events(connection)
        person, admin = self.caller.person, self.caller.is_admin
        found = events_after(connection, after, person=person, admin=admin, kinds=self.kinds, limit=limit)
        return found, found[-1].number if len(found) == limit else max(after, latest)


def key_of(caller: Caller) -> str:
    return f"person {caller.person}" if caller.known else caller.address


class EventWatch:
    """Wakes followers when there are new events."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._latest = 0
        self._raised = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._followers: Counter[str] = Counter()

    def need_place(self, caller: Caller) -> None:
        """Refuses one follower too many."""
        most = MOST_OF_ONE if caller.known else MOST_OF_ADDRESS
        if self._followers[key_of(caller)] >= most or self._followers.total() >= MOST_FOLLOWERS:
            raise TooMuch("too many follow already", 30, hint="end one of yours, or try again later")

    async def follow(self, wanted: Following) -> AsyncGenerator[Event | None]:
        """Yields events as they come, and now and then None, until it is time to ask again who follows."""
        after, ends = wanted.after, asyncio.get_running_loop().time() + LONGEST_S
        key = key_of(wanted.caller)
        self._followers[key] += 1
        try:
            while asyncio.get_running_loop().time() < ends:
                found, after = await self._yard.ask(wanted.read, after, AT_ONCE)
                for event in found:
                    yield event
                if len(found) < AT_ONCE and not await self._beyond(after):
                    yield None
        finally:
            self._followers[key] -= 1
            self._followers += Counter()  # those who have gone are forgotten

    async def _beyond(self, number: int) -> bool:
        """Waits for an event after some number; False if it takes long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SIGN_S):
                while self._latest <= number:
                    if self._looking is None or self._looking.done():
                        self._looking = asyncio.create_task(self._look())
                    await self._raised.wait()
                return True
        return False

    async def _look(self) -> None:
        """Looks at the table as long as somebody follows."""
        while self._followers.total():
            latest = await self._yard.ask(count_events)
            if latest > self._latest:
                self._latest = latest
                self._raised.set()
                self._raised = asyncio.Event()
            await asyncio.sleep(LOOK_S)
