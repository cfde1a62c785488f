"""A command line may run a file of source: as `python3 -O bot.py`, or by a first line that names Python."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from botyard.jail.first_line import LINE_BYTES, first_line_of
from botyard.jail.launch import Launch
from botyard.jail.toolchains import PYTHON

FLAGS = re.compile(r"-[BbdEIOPqsSu]+")  # those that stand alone and run a file as usual
PAIRS = ("-W", "-X")
RUNS_FILES = re.compile(
    r"python[0-9.]*|pypy[0-9.]*|node|deno|bun|ruby|perl|php|lua[0-9.]*|luajit|java|sh|bash|dash|Rscript"
)
"""Interpreters: the first of their words that is no option is the file they run."""
SOURCE = re.compile(r".+\.(py|js|mjs|cjs|ts|rb|pl|php|lua|java|jar|sh|r)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Script:
    """A Python file, the interpreter that runs it, and what that is told."""

    interpreter: str
    options: tuple[str, ...]
    file: str


def script_of(launch: Launch) -> Script | None:
    """The script a launch runs; None for any other program, and for scripts with arguments of their own."""
    first, *rest = launch.command
    if not PYTHON.fullmatch(Path(first).name):
        interpreter = interpreter_of(launch, first)
        return Script(interpreter, (), first) if interpreter and not rest else None
    options: list[str] = []
    while rest and rest[0].startswith("-"):
        taken = rest[: 2 if rest[0] in PAIRS else 1]
        if not (rest[0].startswith(PAIRS) or FLAGS.fullmatch(rest[0])):
            return None  # -c, -m, -i and whatever else is not a plain run of a file
        options += taken
        rest = rest[len(taken) :]
    if len(rest) != 1 or not launch.lies_at(rest[0]).is_file():
        return None
    return Script(first, tuple(options), rest[0])


def interpreter_of(launch: Launch, program: str) -> str | None:
    """The Python a script asks for in its first line; of one that could not be started, none."""
    path = launch.lies_at(program)
    if "/" not in program or not os.access(path, os.X_OK):
        return None
    try:
        with path.open("rb") as file:
            line = first_line_of(file.read(LINE_BYTES))
    except OSError:
        return None
    return line.program if line and line.alone and PYTHON.fullmatch(Path(line.program).name) else None


def missing_script(launch: Launch) -> str:
    """The file that an interpreter is to run and that is not there; empty if nothing of that kind is missing."""
    program, *rest = launch.command
    file = next((word for word in rest if not word.startswith("-")), "")
    if not RUNS_FILES.fullmatch(Path(program).name) or not SOURCE.fullmatch(file) or {"-c", "-e", "-m"} & set(rest):
        return ""
    return "" if launch.lies_at(file).exists() else file
