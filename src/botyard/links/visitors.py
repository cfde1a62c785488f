"""Bots that connect by themselves: they are waited for before their game begins.

An original's server gave them seconds, since a script had started them a moment before. At home somebody has yet to
type the command that starts the bot, so the wait is a matter between that person and the command, not of the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from botyard.links.tcp import TcpLink
from botyard.match.loop import together


@dataclass(slots=True)
class Visitor:
    """A bot that is to come, or has come."""

    name: str  # what it is called until it says its own
    link: TcpLink
    here: bool = field(default=False, init=False)


class NobodyCame(Exception):
    """None of the bots that were waited for has connected: there is no game."""

    def __init__(self, visitors: Sequence[Visitor], limit_s: float | None) -> None:
        within = "" if limit_s is None else f" within {limit_s:g} s"
        super().__init__(f"{named(visitors)} did not connect{within}")


async def wait_for_visitors(
    visitors: Sequence[Visitor], limit_s: float | None, told: Callable[[str], None] = lambda text: None
) -> None:
    """Waits until all are here, or the time is up; whoever has not come by then is missing when the game begins.

    A bot that leaves while others are still waited for has its place kept: it, or its next try, may come again.
    """
    loop = asyncio.get_running_loop()
    deadline = None if limit_s is None else loop.time() + limit_s

    async def arrival(visitor: Visitor, left_s: float | None) -> None:
        visitor.here = await visitor.link.arrive(left_s) is None
        if visitor.here:
            told(f"{visitor.name} has connected")

    awaited, left_s = list(visitors), limit_s
    while awaited:
        await together([arrival(visitor, left_s) for visitor in awaited])
        in_time = deadline is None or loop.time() < deadline
        awaited = [visitor for visitor in visitors if visitor.here and visitor.link.left and in_time]
        for visitor in awaited:
            told(f"{visitor.name} left before the game began; waiting for it again")
            visitor.here = False
        left_s = None if deadline is None else round(max(deadline - loop.time(), 0), 1)
    if not any(visitor.here for visitor in visitors):
        raise NobodyCame(visitors, limit_s)


def named(visitors: Sequence[Visitor]) -> str:
    """These bots in words; a crowd is counted."""
    names = [visitor.name for visitor in visitors]
    if len(names) > 3:
        return f"{len(names)} bots"
    return " and ".join(names[-2:]) if len(names) < 3 else f"{names[0]}, {names[1]} and {names[2]}"
