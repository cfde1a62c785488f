"""A level says how strictly a program is held, and limits say how much of the machine it may use."""

from __future__ import annotations

import resource
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

MEGABYTE = 1024 * 1024


class Level(StrEnum):
    """Named in every result: how the program was held."""

    CAGED = "caged"  # bubblewrap: namespaces of its own, an explicit list of files, a filter on system calls
    LIMITED = "limited"  # no bubblewrap to be had: a user of its own and limits
    OPEN = "open"  # runs as we do; for one's own bots


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may use. Zero means no limit of ours."""

    memory_mb: int = 1024
    processes: int = 64  # threads count
    cores: float = 1.0
    cpu_s: int = 3600  # of each process, in all
    open_files: int = 256
    file_mb: int = 64
    scratch_mb: int = 64  # each of its private /tmp, home and /dev/shm


BUILD_LIMITS = Limits(memory_mb=4096, processes=512, cores=0, cpu_s=300, open_files=4096, file_mb=512, scratch_mb=1024)
"""Compilers are hungrier than bots."""


def apply_limits(pid: int, limits: Limits, counted: Collection[str]) -> None:
    """Sets limits on one process. The address space has none: Node and Java reserve far more of it than they use.

    Where a cgroup counts `memory` or `pids` the limits here stay above its own, which then decide.
    """
    values = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: limits.processes * (2 if "pids" in counted else 1),
        resource.RLIMIT_CPU: limits.cpu_s,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_FSIZE: limits.file_mb * MEGABYTE,
        resource.RLIMIT_DATA: 0 if "memory" in counted else limits.memory_mb * MEGABYTE,
    }
    for kind, value in values.items():
        if value or kind == resource.RLIMIT_CORE:
            most = resource.prlimit(pid, kind)[1]  # only root may raise it
            kept = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.prlimit(pid, kind, (kept, kept))
