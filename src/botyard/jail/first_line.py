"""The first line of a script, which names the program that runs it: `#!/usr/bin/env python3`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

LINE_BYTES = 256  # the kernel reads no more
MARK = re.compile(rb"#![ \t]*")
BLANKS = re.compile(rb"[ \t]+")


class FirstLine(NamedTuple):
    """What a script asks for."""

    program: str  # as it is named, by its path or behind `env`
    alone: bool  # it is given no words of its own, and the line ends where the kernel still reads it

    @property
    def name(self) -> str:
        """The bare name of the program."""
        return Path(self.program).name.rstrip("\r")


def first_line_of(beginning: bytes) -> FirstLine | None:
    """The first line of a file that begins like this; None if it is no script."""
    line, end, _ = beginning[:LINE_BYTES].partition(b"\n")
    mark = MARK.match(line)
    words = BLANKS.split(line[mark.end() :].rstrip(b" \t")) if mark else []
    if not words or not words[0]:
        return None
    if words[0].rpartition(b"/")[2] == b"env" and len(words) > 1:
        rest = words[2:] if words[1] == b"-S" and len(words) > 2 else words[1:]
        return FirstLine(os.fsdecode(rest[0]), bool(end) and len(words) == 2)
    return FirstLine(os.fsdecode(words[0]), bool(end) and len(words) == 1)
