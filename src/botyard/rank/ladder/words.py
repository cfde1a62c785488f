"""This module puts times and numbers into the words of a reason."""

from __future__ import annotations


def waited(ms: int) -> str:
    """Returns a time in the largest unit that is full at least twice: 41 s, 3 min, 5 h, 2 days."""
    seconds = max(0, ms // 1000)
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
