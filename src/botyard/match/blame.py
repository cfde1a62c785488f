"""Whose fault an exception is that was raised while one bot was dealt with, and what is told of our own.

What the machine refuses us is ours, and voids a game: no memory, no descriptors, no disk, nobody who starts programs.
Everything else came up because of this bot: because of its files, its words or a gap in our own handling of them. It is
that bot's verdict, with a note that says so, and stops neither the game of the others nor a contest.
"""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Iterable

from botyard.jail.spawner import NoSpawner
from botyard.kernel.errors import MACHINE, OurFault, YardError
from botyard.kernel.verdict import Fault, Verdict

NO_THREAD = "can't start new thread"


def is_ours(error: BaseException) -> bool:
    """Whether the machine or we ourselves failed, whichever bot it was that was dealt with."""
    if isinstance(error, OSError):
        return error.errno in MACHINE
    no_thread = type(error) is RuntimeError and NO_THREAD in str(error)  # in other errors it may be a bot's words
    return no_thread or isinstance(error, (MemoryError, NoSpawner, OurFault))


def mishandled(error: Exception, what: str, verdict: Verdict = Verdict.CRASHED) -> Fault:
    """An exception about one bot as that bot's fault, with our note. A mistake that has a sentence needs none."""
    if isinstance(error, YardError):
        return Fault(verdict, str(error))
    words = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    return Fault(verdict, f"our own handling of {what} failed: {words}")


REMEDIES = (
    (r"open files in system|Errno 23\b", "too many open files: use fewer workers, or raise fs.file-max"),
    (r"open files|Errno 24\b", "raise the limit on open files: ulimit -n 4096"),
    (r"No space left|quota|Errno (28|122)\b", "free disk space, also where TMPDIR points"),
    (r"Read-only|Errno 30\b", "make the folders of the games and of TMPDIR writable"),
    (r"allocate memory|MemoryError|Errno 12\b", "the machine is out of memory: use fewer workers"),
    (r"temporarily unavailable|new thread|could not fork|Errno 11\b", "raise ulimit -u, or use fewer workers"),
    (r"fire drill", "unset BOTYARD_FAULT_DRILL"),
)  # fmt: skip
"""What of a reason is known to have a remedy, and the remedy."""


def commonest(reasons: Iterable[str]) -> str:
    """Of faults of ours, the commonest reason with its count and its remedy, in a sentence; nothing of none."""
    last_lines = [line_of(reason) for reason in reasons]
    if not last_lines:
        return ""
    alike = Counter(re.sub(r"\d+", "#", line) for line in last_lines)
    kind, count = alike.most_common(1)[0]
    reason = next(line for line in last_lines if re.sub(r"\d+", "#", line) == kind)
    remedy = next((f"; {remedy}" for known, remedy in REMEDIES if re.search(known, reason)), "")
    return f"{reason}{'' if len(last_lines) == 1 else f' ({count} of {len(last_lines)} times)'}{remedy}"


def line_of(reason: str) -> str:
    """The last line of a traceback or of a longer reason: what it comes down to. Nobody needs the name of a module."""
    lines = reason.strip().splitlines() or ["the reason is unknown"]
    return re.sub(r"^(\w+\.)+(?=\w+: )", "", lines[-1].strip())
