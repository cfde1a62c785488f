"""This module waits for bots that connect by themselves, and shows meanwhile who is missing."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from botyard.cli.console import errors
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings
    from botyard.links.bot_spec import BotSpec
    from botyard.links.visitors import Visitor
    from botyard.match.player import Player

Wait = Annotated[
    float | None,
    typer.Option(
        "--wait",
        metavar="[SECONDS]",
        min=0.1,
        help="How long to wait for bots that connect by themselves; no limit by default. Without a number the clock "
        "waits for people, too, who then have all the time there is.",
    ),
]


class WaitingCommand(TyperCommand):
    """A command whose --wait needs no number: without one it means as long as it takes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_a_number("--wait", args))


def with_a_number(option: str, args: Sequence[str]) -> list[str]:
    """Returns the arguments with a number after each of these options, infinite where there was none."""
    whole: list[str] = []
    for at, arg in enumerate(args):
        whole.append(arg)
        if arg == option and not is_number(args[at + 1] if at + 1 < len(args) else ""):
            whole.append("inf")
    return whole


def is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def check_waiting(specs: Sequence[BotSpec], wait_s: float | None) -> bool:
    """Refuses --wait where nobody is waited for; returns whether the clock waits for people."""
    people = any(spec.is_person for spec in specs)
    if wait_s is None:
        return False
    if wait_s == math.inf and people:
        return True
    if not any(spec.comes_by_itself for spec in specs):
        raise YardError(
            f"--wait {wait_s:g} is given, but no bot connects by itself" if people
            else "--wait is given, but no bot connects by itself",
            hint="write --wait without a number: then the clock waits for people" if people
            else "leave it out, or name a bot as listen or json:listen",
        )  # fmt: skip
    return False


def waiting_time(book: Rulebook, settings: Settings, given: Mapping[str, Any], wait_s: float | None) -> float | None:
    """Returns how many seconds to wait; None means for ever.

    Only a time that the user has given counts. A preset has the time of the original, whose bots were started by a
    script; here a person has yet to start one.
    """
    if wait_s is not None:
        return None if wait_s == math.inf else wait_s
    if settings.CONNECTING in given:
        return book.wire.open_session(settings, 0).connect_ms / 1000 or None
    return None


def patience_of(limit_s: float | None) -> str:
    return "for as long as it takes" if limit_s is None else f"{limit_s:g} s"


def announce(text: str) -> None:
    """Prints where we wait for a bot, even with --quiet, because no bot can connect without that address."""
    errors.print(text, markup=False, highlight=False, soft_wrap=True)


async def admit(visitors: Sequence[Visitor], players: Sequence[Player], limit_s: float | None, quiet: bool) -> None:
    """Waits for the visitors of a game before it begins. If nobody comes, or we are stopped, it closes everything."""
    from botyard.links.visitors import named, wait_for_visitors
    from botyard.match.loop import stop_all

    def told(text: str) -> None:
        if not quiet:
            announce(text)

    try:
        async with countdown(visitors, limit_s, quiet):
            await wait_for_visitors(visitors, limit_s, told)
    except BaseException as end:
        if isinstance(end, asyncio.CancelledError):  # by Ctrl-C
            missing = [visitor for visitor in visitors if not visitor.here]
            announce(f"stopped while waiting for {named(missing)}: nothing was played")
        await stop_all(players)
        raise


@contextlib.asynccontextmanager
async def countdown(visitors: Sequence[Visitor], limit_s: float | None, quiet: bool) -> AsyncIterator[None]:
    """Shows a line on the terminal, if there is one, that says who is missing and how long we wait."""
    if quiet or not errors.is_terminal:
        yield
        return
    loop = asyncio.get_running_loop()
    began = loop.time()
    with errors.status("", spinner="line") as line:

        async def tick(show: Callable[[str], None]) -> None:
            while True:
                show(still(visitors, loop.time() - began, limit_s))
                await asyncio.sleep(1)

        ticking = asyncio.create_task(tick(line.update))
        try:
            yield
        finally:
            ticking.cancel()


def still(visitors: Sequence[Visitor], gone_s: float, limit_s: float | None) -> str:
    """Returns a sentence that says who is missing, and for how long we wait."""
    from botyard.links.visitors import named

    missing = named([visitor for visitor in visitors if not visitor.here])
    time = f"{gone_s:.0f} s so far" if limit_s is None else f"{max(limit_s - gone_s, 0):.0f} s left"
    return f"waiting for {missing}: {time}; Ctrl-C gives up"
