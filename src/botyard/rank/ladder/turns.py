"""This module says which class of task an idle worker takes next, and why the tasks of a class wait.

Lower classes go first. With two or more workers, one is kept for builds, checks, challenges and test games, so that
nobody waits for long games there. Each of the other classes has a share of the workers' time guaranteed while it has
work, so that none stands still because of those before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from botyard.kernel.words import counted
from botyard.rank.ladder.records import TaskClass

URGENT: Final = (TaskClass.BUILD, TaskClass.CHALLENGE)
PATIENT: Final = (TaskClass.SETTLING, TaskClass.CONTEST, TaskClass.STEADY)

SHARES: Final[Mapping[TaskClass, float]] = {TaskClass.SETTLING: 0.15, TaskClass.CONTEST: 0.15, TaskClass.STEADY: 0.1}
"""The share of the workers' time that each patient class gets at least, while it has work."""

NAMES: Final[Mapping[TaskClass, str]] = {
    TaskClass.BUILD: "builds and checks",
    TaskClass.CHALLENGE: "challenges and test games",
    TaskClass.SETTLING: "games of settling entries",
    TaskClass.CONTEST: "contests",
    TaskClass.STEADY: "the steady ladder",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What waits and what runs, by class. Classes that are missing have nothing."""

    workers: int
    waiting: Mapping[TaskClass, int] = field(default_factory=dict)  # tasks that could run now
    running: Mapping[TaskClass, int] = field(default_factory=dict)
    used_ms: Mapping[TaskClass, int] = field(default_factory=dict)  # workers' time lately, tasks that run included

    @property
    def idle(self) -> int:
        return max(0, self.workers - sum(self.running.values()))

    @property
    def one_is_kept(self) -> bool:
        """Whether patient classes must leave the next idle worker alone."""
        patient = sum(self.running.get(one, 0) for one in PATIENT)
        return self.workers >= 2 and patient >= self.workers - 1

    def share(self, one: TaskClass) -> float:
        """Returns the part of the workers' time that a class had lately."""
        used = sum(self.used_ms.values())
        return self.used_ms.get(one, 0) / used if used else 0.0


@dataclass(frozen=True, slots=True)
class NextClass:
    """The class that an idle worker takes next, or none, and why."""

    task_class: TaskClass | None
    why: str


def next_class(load: Load) -> NextClass:
    """Returns what an idle worker takes next."""
    waiting = [one for one in TaskClass if load.waiting.get(one, 0) > 0]
    if not waiting:
        return NextClass(None, "nothing waits")
    if not load.idle:
        return NextClass(None, no_worker(load))
    urgent = [one for one in waiting if one in URGENT]
    patient = [] if load.one_is_kept else [one for one in waiting if one in PATIENT]
    if not urgent and not patient:
        return NextClass(None, KEPT)
    behind = [one for one in patient if load.share(one) < SHARES[one]]
    first = min([*urgent, *patient])
    if behind and sum(load.used_ms.values()):
        owed = min(behind, key=lambda one: (load.share(one) / SHARES[one], one))
        if owed != first:
            had, due = f"{load.share(owed):.0%}", f"{SHARES[owed]:.0%}"
            return NextClass(owed, f"owed: {NAMES[owed]} had {had} of the workers' time lately, {due} are guaranteed")
    return NextClass(first, f"first of what waits: {NAMES[first]}")


def next_classes(load: Load, idle: int) -> list[TaskClass]:
    """Returns what so many idle workers take next, one after the other, each of them as if the others had begun."""
    taken: list[TaskClass] = []
    while len(taken) < idle and (chosen := next_class(load).task_class) is not None:
        taken.append(chosen)
        waiting = {**load.waiting, chosen: load.waiting[chosen] - 1}
        load = replace(load, waiting=waiting, running={**load.running, chosen: load.running.get(chosen, 0) + 1})
    return taken


KEPT: Final = f"one worker is kept for {NAMES[TaskClass.BUILD]}, {NAMES[TaskClass.CHALLENGE]}"


def no_worker(load: Load) -> str:
    return "there is no worker" if load.workers == 0 else f"{counted(load.workers, 'worker')} at work, none is idle"


def why_waiting(load: Load, task_class: TaskClass) -> str:
    """Returns why the tasks of a class wait, for whoever waits for one."""
    if not load.idle:
        return no_worker(load)
    if task_class in PATIENT and load.one_is_kept:
        return KEPT
    turn = next_class(load)
    if turn.task_class is None or turn.task_class == task_class:
        return "next: a worker is idle"
    before = sum(load.waiting.get(one, 0) for one in TaskClass if one < task_class)
    return f"{counted(before, 'task')} of lower classes; {turn.why}" if before else turn.why
