"""What comes one by one is done in groups: whatever comes while a group is at work is done together afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Grouped(Generic[T, R]):
    """Does things together that wait for the same; each is told what came of its own.

    If a group fails, each of it is done by itself, so that none costs another. So whatever a group has done when it
    fails must be undone, as a transaction is, or may happen twice.
    """

    def __init__(self, act: Callable[[Sequence[T]], Awaitable[Sequence[R]]], most: int) -> None:
        self._act, self._most = act, most
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._working: asyncio.Task[None] | None = None

    async def do(self, one: T) -> R:
        """Has it done with the next group; returns what came of it, or raises its error."""
        told: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, told))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await told

    async def _work(self) -> None:
        try:
            while self._waiting:
                group = self._waiting[: self._most]
                del self._waiting[: self._most]
                await self._do(group)
        finally:
            self._working = None

    async def _do(self, group: Sequence[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            results = await self._act([one for one, _ in group])
        except Exception as error:
            if len(group) == 1:
                tell(group[0][1], error)
            else:
                for single in group:
                    await self._do([single])
        else:
            for (_, told), result in zip(group, results, strict=True):
                tell(told, result)


def tell(told: asyncio.Future[R], what: R | Exception) -> None:
    """Tells whoever waits, unless nobody does any more."""
    if told.done():
        return
    if isinstance(what, Exception):
        told.set_exception(what)
    else:
        told.set_result(what)
