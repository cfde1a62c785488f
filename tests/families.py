"""Processes and whoever they started, as the kernel lists them."""

from __future__ import annotations

import contextlib
from pathlib import Path

from botyard.kernel.processes import started


def family(owner: int) -> dict[int, str]:
    """A process and all below it, and when each was started."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = {owner}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {process: started(process) for process in found}


def status_of(process: int, key: str) -> list[str]:
    """The words of one line of a process's status; none if it has gone."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return next(line.split()[1:] for line in lines if line.startswith(f"{key}:"))
    return []
