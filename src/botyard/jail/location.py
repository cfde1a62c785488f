"""This module finds the program of a launch, on this machine and in its cage, and the toolchains it needs there.

What a cage shows follows from what is found here, so it is decided by the house: a bot's own words lead to files inside
the bot and to programs of toolchains, and nowhere else. Only a caller, who names a program on the command line or in a
contest file, may name any; it is shown alone, without what lies around it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from botyard.jail.first_line import LINE_BYTES, first_line_of
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.toolchains import (
    NAMING,
    SYSTEM,
    Tool,
    Toolchain,
    Unusable,
    all_toolchains,
    in_system,
    on_path,
    tool_at,
    tool_named,
    within,
)
from botyard.kernel.errors import MACHINE
from botyard.kernel.verdict import Fault, Verdict

CALLS_OTHERS = re.compile(r"sh|bash|dash|ksh|zsh|make|gmake|cmake|ninja|env|time|nice|timeout|xargs")
"""Programs that are told in a file, or in further words, which others to run."""


@dataclass(frozen=True, slots=True)
class Located:
    """A program that can be started."""

    outside: Path
    inside: Path
    toolchains: tuple[Toolchain, ...]  # all that a cage shows for it
    alone: bool = False  # it belongs to nothing a cage shows, and is shown by itself


def locate(launch: Launch) -> Located | Fault:
    """The program a launch begins with, or why there is none."""
    name = launch.command[0]
    try:
        return locate_path(launch, name) if "/" in name else locate_name(launch, name)
    except Unusable as reason:
        return missing(f"there is no working program {name!r}: {reason}")
    except (OSError, ValueError) as error:  # a name that is too long, forbidden folders, a zero byte
        if getattr(error, "errno", None) in MACHINE:
            raise
        return missing(f"there is no program {name[:60]!r}: {getattr(error, 'strerror', '') or error}")


def locate_name(launch: Launch, name: str) -> Located | Fault:
    for toolchain in launch.toolchains:
        if name in toolchain.programs:
            return with_toolchains(launch, Tool(toolchain.programs[name], toolchain.places[name], toolchain))
    tool = tool_named(name)
    if tool is not None:
        return with_toolchains(launch, tool)
    elsewhere = next(on_path(name), None)
    if elsewhere is None:
        return missing(f"there is no program {name!r} on this machine")
    if not launch.callers:
        return missing(
            f"{name!r} belongs to no toolchain that Botyard knows; whoever runs the bots can add one: "
            f'--toolchain {name}=FOLDER, or [toolchains] {name} = "FOLDER" in a contest file'
        )
    return Located(elsewhere, elsewhere, needed_by(launch, elsewhere), alone=True)


def locate_path(launch: Launch, name: str) -> Located | Fault:
    inside = Path(os.path.normpath(launch.folder / name))
    outside = launch.lies_at(str(inside))
    if not launch.callers and not is_shown(launch, inside) and not within(inside, SYSTEM):
        return missing(f"{name[:60]!r} lies outside the bot; {NAMING}")
    if not outside.exists():
        ask = (
            "is the path correct, seen from this folder?" if launch.callers else "does `build` in botyard.toml make it?"
        )
        return missing(f"there is no program {name[:60]!r}; {ask}")
    if outside.is_dir():
        return missing(f"{name!r} is a folder, not a program")
    if not os.access(outside, os.X_OK):
        return missing(f"{name!r} is not executable; run chmod +x on it")
    shown = is_shown(launch, inside)
    tool = tool_at(outside, believed=not shown) if launch.callers or not shown else None
    if tool is not None:
        return with_toolchains(launch, tool)
    if shown:
        return Located(outside, inside, needed_by(launch, outside))
    return Located(outside, inside, needed_by(launch, outside), alone=True)


def is_shown(launch: Launch, path: Path) -> bool:
    """Whether a path is inside what is the bot's own."""
    places = launch.shows if launch.level is Level.CAGED or launch.shows else (launch.folder,)
    return any(path.is_relative_to(place) for place in places)


def with_toolchains(launch: Launch, tool: Tool) -> Located:
    return Located(tool.outside, tool.inside, merged(needed_by(launch, tool.outside), tool.toolchain))


def needed_by(launch: Launch, program: Path) -> tuple[Toolchain, ...]:
    """What the organiser adds, and what the program calls as far as its name or its first line tells."""
    if launch.builds or CALLS_OTHERS.fullmatch(program.name):
        return merged((*launch.toolchains, *all_toolchains(launch.builds)))
    interpreter = interpreter_named(program)
    if not interpreter:
        return launch.toolchains
    if CALLS_OTHERS.fullmatch(interpreter):
        return merged((*launch.toolchains, *all_toolchains(builds=False)))
    try:
        tool = tool_named(interpreter)
    except Unusable:
        tool = None
    return merged(launch.toolchains, tool.toolchain if tool else None)


def interpreter_named(program: Path) -> str:
    """The bare name of the interpreter a script asks for; nothing for any other program."""
    if in_system(program):
        return ""
    with program.open("rb") as file:
        line = first_line_of(file.read(LINE_BYTES))
    return line.name if line else ""


def merged(toolchains: tuple[Toolchain, ...], also: Toolchain | None = None) -> tuple[Toolchain, ...]:
    """Each toolchain once; of two with the same name the one that was asked for, which comes first."""
    found: dict[str, Toolchain] = {}
    for toolchain in (*((also,) if also else ()), *toolchains):
        found.setdefault(toolchain.name, toolchain)
    return tuple(found.values())


def missing(reason: str) -> Fault:
    return Fault(Verdict.UNBUILT, reason)
