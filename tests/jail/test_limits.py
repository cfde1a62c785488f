"""The limits that the kernel holds a process to."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Collection

from botyard.jail.limits import MEGABYTE, Limits, apply_limits
from tests.waiting import ending

LIMITS = Limits(memory_mb=300, processes=20, cpu_s=7, open_files=50, file_mb=3)
ALWAYS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_CPU: 7,
    resource.RLIMIT_NOFILE: 50,
    resource.RLIMIT_FSIZE: 3 * MEGABYTE,
}


def limited(limits: Limits, counted: Collection[str], *kinds: int) -> list[tuple[int, int]]:
    with ending(subprocess.Popen(["cat"], stdin=subprocess.PIPE)) as process:
        apply_limits(process.pid, limits, counted)
        return [resource.prlimit(process.pid, kind) for kind in kinds]


def test_a_process_is_held_to_every_limit_and_cannot_raise_it() -> None:
    values = {**ALWAYS, resource.RLIMIT_NPROC: 20, resource.RLIMIT_DATA: 300 * MEGABYTE}
    assert limited(LIMITS, (), *values) == [(value, value) for value in values.values()]


def test_where_a_cgroup_counts_its_own_limits_decide() -> None:
    unlimited = resource.getrlimit(resource.RLIMIT_DATA)
    kinds = (*ALWAYS, resource.RLIMIT_NPROC, resource.RLIMIT_DATA)
    seen = [*((value, value) for value in ALWAYS.values()), (40, 40), unlimited]
    assert limited(LIMITS, ("memory", "pids"), *kinds) == seen


def test_a_limit_of_zero_is_none() -> None:
    [seen] = limited(Limits(cpu_s=0), (), resource.RLIMIT_CPU)
    assert seen == resource.getrlimit(resource.RLIMIT_CPU)


def test_nobody_is_allowed_more_than_we_are() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    more = Limits(open_files=hard + 1)
    assert limited(more, (), resource.RLIMIT_NOFILE) == [(hard, hard)]
