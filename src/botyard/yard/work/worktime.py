"""How the workers' time was spent lately, by class of task: classes that wait have a share of it guaranteed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Final

from botyard.rank.ladder import TaskClass

LATELY_MS: Final = 10 * 60 * 1000


class WorkTime:
    """The time that workers have spent on tasks which have ended."""

    def __init__(self) -> None:
        self._spent: deque[tuple[int, TaskClass, int]] = deque()  # when it ended, for what, how long
        self._sums: Counter[TaskClass] = Counter()

    def add(self, task_class: TaskClass, began_ms: int, ended_ms: int) -> None:
        spent = max(0, ended_ms - began_ms)
        self._spent.append((ended_ms, task_class, spent))
        self._sums[task_class] += spent

    def lately(self, running: Iterable[tuple[TaskClass, int]], now_ms: int) -> Mapping[TaskClass, int]:
        """Returns the time by class; tasks that run, each with its beginning, count as far as they have come."""
        while self._spent and self._spent[0][0] < now_ms - LATELY_MS:
            _, task_class, spent = self._spent.popleft()
            self._sums[task_class] -= spent
        used = Counter(self._sums)
        for task_class, began in running:
            used[task_class] += max(0, now_ms - began)
        return used
