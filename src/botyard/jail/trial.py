"""A program is looked for, and its cage is tried, once before the first game: what cannot be set up because of a bot is
that bot's fault, not ours."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.location import locate
from botyard.jail.program import Program
from botyard.jail.script import missing_script
from botyard.jail.threads import in_thread
from botyard.kernel.verdict import Fault, Verdict

TRIAL_S = 30.0
WORDS = 300  # characters of what a failing cage said


async def try_cage(launch: Launch) -> Fault | None:
    """Runs a program that does nothing with the bot's own words, in the bot's own cage."""
    located = await in_thread(locate, launch)  # toolchains are asked once what they are, which takes its time
    if isinstance(located, Fault):
        return located
    if script := missing_script(launch):
        return Fault(Verdict.UNBUILT, f"there is no file {script[:60]!r} for {launch.command[0]!r} to run")
    if launch.level is not Level.CAGED:
        return None
    trial = replace(launch, command=("true", *launch.command[1:]), callers=False, port=0)
    if await trouble_of(trial) is None:
        return None
    ours = await trouble_of(Launch(("true",), Path("/tmp"), Level.CAGED))
    if ours is not None:
        return ours
    fault = await trouble_of(trial)  # again: somebody may have ended the first
    if fault is None:
        return None
    return Fault(Verdict.UNBUILT, f"it cannot be caged: {fault.reason}")


async def trouble_of(launch: Launch) -> Fault | None:
    started = await Program.start(launch, piped=True)
    if isinstance(started, Fault):
        return started
    try:
        async with asyncio.timeout(TRIAL_S):
            failed = await started.ended()
        said = started.said().strip()[-WORDS:]
    except TimeoutError:
        return Fault(Verdict.HOUSE, f"an empty cage did not end within {TRIAL_S:g} s")
    finally:
        await started.stop()
    return Fault(Verdict.HOUSE, said or started.ending()) if failed else None
