"""This module builds and checks every bot of a contest before it begins, several at a time.

The table that comes of it is made to be handed back: it says of each bot whether it was built, whether it plays, what
its first mistake is, and what its author can do about it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from botyard.contest.plan import Plan
from botyard.kernel.devices import core_count
from botyard.kernel.errors import YardError
from botyard.links.bot_spec import house_name
from botyard.links.check_games import CheckResult, CheckScript, carry_out, check_script, quiet_seating
from botyard.match.blame import is_ours
from botyard.match.checkup import Finding

TURNS = 20  # questions in each of the two games: enough to see whether a bot plays at all


@dataclass(frozen=True, slots=True)
class BotCheck:
    """What the check of one bot has shown."""

    key: str
    name: str
    language: str
    built: bool
    plays: bool
    mistake: str = ""  # the first one
    remedy: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def fit(self) -> bool:
        return self.built and self.plays


async def check_bots(plan: Plan, told: Callable[[BotCheck], None] = lambda check: None) -> list[BotCheck]:
    """Checks all bots of a contest, as many at a time as there are cores; `told` hears of each as it is done."""
    turns = asyncio.Semaphore(core_count())

    async def check(key: str) -> BotCheck:
        async with turns:
            found = await check_bot(plan, key)
        told(found)
        return found

    return list(await asyncio.gather(*map(check, plan.bots)))


async def check_bot(plan: Plan, key: str) -> BotCheck:
    bot = plan.bots[key]
    if house_name(bot.spec) is not None:
        return BotCheck(key, bot.name, "house bot", built=True, plays=True)
    try:
        settings = plan.settings.seated(2)
        script = check_script(bot.spec, plan.book, settings, plan.cage.policy, TURNS, plan.folder)
    except YardError as error:
        return BotCheck(key, bot.name, "", built=False, plays=False, mistake=error.message, remedy=error.hint)
    except Exception as error:
        if is_ours(error):
            raise
        return BotCheck(key, bot.name, "", built=False, plays=False, mistake=str(error))
    return summed_up(plan, key, script, await carry_out(script, quiet_seating))


def telling_line(text: str) -> str:
    """Returns the line of a long text that says most: the first error of a compiler, or else the first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "")


def summed_up(plan: Plan, key: str, script: CheckScript, result: CheckResult) -> BotCheck:
    first = result.wrong[0] if result.wrong else None
    return BotCheck(
        key,
        plan.bots[key].name,
        script.bot.language or plan.bots[key].spec.partition(":")[0],
        built=result.fault is None,
        plays=first is None,
        mistake=telling_line(first.what) if first else "",
        remedy=first.remedy if first else "",
        findings=tuple(result.findings),
    )
