"""A yard that is open: its configuration, tables, blobs and clock, for everything that serves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from botyard.yard.bots.places import UnpackingPlaces
from botyard.yard.config import YardConfig
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.database import Database, DatabaseAway
from botyard.yard.data.times import WallClock, now_ms

ATTEMPTS = 4  # of a transaction that the database breaks off
BROKEN_OFF = "40P01", "40001"  # what PostgreSQL calls it: a deadlock, or a row that another transaction has changed

P = ParamSpec("P")
T = TypeVar("T")


class Yard:
    """An open yard. Functions over its tables take a transaction first; `ask` and `change` run them in a thread."""

    def __init__(self, config: YardConfig, database: Database, clock: WallClock = now_ms) -> None:
        self.config, self.database, self.clock = config, database, clock
        self.blobs = Blobs(config.blobs)
        self.unpacking = UnpackingPlaces()

    async def ask(self, question: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Returns what a function finds in the tables, outside the event loop."""

        def in_thread() -> T:
            with self.database.reading() as connection:
                return question(connection, *args, **kwargs)

        return await asyncio.to_thread(in_thread)

    async def change(self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Has a function change the tables in one transaction, outside the event loop.

        Where two transactions wait for each other the database breaks one off; it is carried out again, so a function
        must not do anything else that happens twice then.
        """
        return await self._carry_out(lambda connection: act(connection, *args, **kwargs), lasting=True)

    async def change_for_now(
        self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same for what nobody was promised, such as a lease: a power cut may undo it, and it is asked again."""
        return await self._carry_out(lambda connection: act(connection, *args, **kwargs), lasting=False)

    async def _carry_out(self, act: Callable[[sa.Connection], T], *, lasting: bool) -> T:
        def in_thread() -> T:
            with self.database.writing(lasting=lasting) as connection:
                return act(connection)

        for _ in range(ATTEMPTS - 1):
            try:
                return await asyncio.to_thread(in_thread)
            except DatabaseAway as error:
                if not broken_off(error):
                    raise
        return await asyncio.to_thread(in_thread)

    def close(self) -> None:
        self.database.close()


def broken_off(error: DatabaseAway) -> bool:
    """Whether the database broke a transaction off in favour of another one."""
    cause = error.__cause__
    return isinstance(cause, sa.exc.DBAPIError) and getattr(cause.orig, "sqlstate", "") in BROKEN_OFF
