"""How much memory a tree of processes holds, looked up where no control group counts it."""

from __future__ import annotations

import os
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


def tree_bytes(root: int) -> int:
    """The resident memory of a process and all its descendants."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)], pages[int(entry.name)] = int(fields[1]), int(fields[21])
            except (OSError, ValueError, IndexError):
                continue
    family = {root}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(pages.get(pid, 0) for pid in family) * PAGE
