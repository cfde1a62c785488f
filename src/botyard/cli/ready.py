"""This module builds the bots before the first game, and prints how each is run and whether it is caged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botyard.cli.console import note

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.kernel.verdict import Fault
    from botyard.links.bot_spec import BotSpec


async def make_ready(spec: BotSpec, quiet: bool) -> Fault | None:
    """Builds a bot, after it was told how it is run."""
    tell_running(spec, quiet)
    return await spec.build()


def tell_running(spec: BotSpec, quiet: bool) -> None:
    """Prints how a bot is run if its author did not say so, so that nobody guesses which file it is."""
    if spec.bot and spec.bot.running and not quiet:
        note("[dim]{bot}: running {running}[/]", bot=spec.label, running=spec.bot.running)


def tell_level(level: str) -> None:
    """Prints that programs are not caged, if so, and what that means."""
    from botyard.jail.levels import LIMITED_MEANS
    from botyard.jail.limits import Level

    if level == Level.OPEN:
        note("[yellow]open:[/] programs run as you, uncaged")
    if level == Level.LIMITED:
        note("[yellow]limited:[/] {meaning}", meaning=LIMITED_MEANS)


def tell_contest_level(plan: Plan) -> None:
    if not plan.is_house(plan.bots):
        tell_level(plan.cage.level)
