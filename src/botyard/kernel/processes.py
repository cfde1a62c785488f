"""This module tells one process from a later one that has the same number."""

from __future__ import annotations

from pathlib import Path


def started(process: int) -> str:
    """Returns when a process was started, in the kernel's count, which no wall clock changes; empty if it has ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state[0] == "Z" else state[19]
