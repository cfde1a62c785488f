"""What is said before the first game: how each bot is run, and that one is not caged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botyard.cli.console import note

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.kernel.verdict import Fault
    from botyard.links.bot_spec import BotSpec


async def make_ready(spec: BotSpec, quiet: bool) -> Fault | None:
    """Builds a bot. How it is run is told where its author did not say it: nobody has to guess which file was taken."""
    if spec.bot and spec.bot.running and not quiet:
        note("[dim]{bot}: running {running}[/]", bot=spec.label, running=spec.bot.running)
    return await spec.build()


def tell_level(level: str) -> None:
    """Where programs are not caged the screen says so, and what that means."""
    from botyard.jail.levels import LIMITED_MEANS
    from botyard.jail.limits import Level

    if level == Level.OPEN:
        note("[yellow]open:[/] programs run as you, uncaged")
    if level == Level.LIMITED:
        note("[yellow]limited:[/] {meaning}", meaning=LIMITED_MEANS)


def tell_contest_level(plan: Plan) -> None:
    if not plan.is_house(plan.bots):
        tell_level(plan.cage.level)
