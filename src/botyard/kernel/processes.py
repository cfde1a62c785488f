"""Which process is meant by a number: numbers come again, and the wall clock may jump."""

from __future__ import annotations

from pathlib import Path


def started(process: int) -> str:
    """When a process was started, in the kernel's count; nothing if there is none. Numbers of processes come again."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state[0] == "Z" else state[19]
