"""What an idle worker takes next: classes in their order, a worker kept free, and shares that are guaranteed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.rank.ladder import Load, TaskClass, next_class, next_classes, why_waiting
from botyard.rank.ladder.turns import PATIENT, SHARES, URGENT

BUILD, CHALLENGE, SETTLING, CONTEST, STEADY = TaskClass

counts = st.dictionaries(st.sampled_from(TaskClass), st.integers(0, 3))
loads = st.builds(
    Load,
    workers=st.integers(0, 6),
    waiting=counts,
    running=counts,
    used_ms=st.dictionaries(st.sampled_from(TaskClass), st.integers(0, 100)),
)


@given(loads)
def test_a_worker_takes_only_what_waits_and_always_says_why(load: Load) -> None:
    found = next_class(load)
    assert found.why
    if found.task_class is not None:
        assert load.waiting[found.task_class] > 0
        assert load.idle > 0


@given(loads)
def test_with_two_or_more_workers_one_is_kept_for_urgent_tasks(load: Load) -> None:
    patient = sum(load.running.get(one, 0) for one in PATIENT)
    if load.workers >= 2 and next_class(load).task_class in PATIENT:
        assert patient + 1 < load.workers


@given(loads)
def test_an_idle_worker_never_leaves_an_urgent_task_for_nothing(load: Load) -> None:
    if load.idle and any(load.waiting.get(one, 0) for one in URGENT):
        assert next_class(load).task_class is not None


@given(loads)
def test_only_a_class_that_had_less_than_its_share_goes_before_its_turn(load: Load) -> None:
    found = next_class(load).task_class
    if found is not None:
        before = [one for one in TaskClass if one < found and load.waiting.get(one, 0)]
        if before and not (load.one_is_kept and set(before) <= set(PATIENT)):
            assert load.share(found) < SHARES[found]


@given(loads, st.integers(0, 6))
def test_several_workers_take_what_waits_and_leave_one_for_urgent_tasks(load: Load, idle: int) -> None:
    taken = Counter(next_classes(load, idle))
    assert taken.total() <= min(idle, load.idle)
    assert all(taken[one] <= load.waiting[one] for one in taken)
    running = sum(load.running.get(one, 0) for one in PATIENT)
    begun = sum(taken[one] for one in PATIENT)
    assert not begun or load.workers == 1 or running + begun < load.workers
    if idle and next_class(load).task_class is not None:
        assert next_classes(load, idle)[0] == next_class(load).task_class


@given(loads, st.sampled_from(TaskClass))
def test_whoever_waits_is_told_why(load: Load, task_class: TaskClass) -> None:
    assert why_waiting(load, task_class)


def test_classes_go_in_their_order() -> None:
    waiting = dict.fromkeys(TaskClass, 1)
    taken = []
    while (found := next_class(Load(workers=9, waiting=waiting)).task_class) is not None:
        taken.append(found)
        waiting[found] = 0
    assert taken == list(TaskClass)


def test_one_worker_alone_does_everything() -> None:
    assert next_class(Load(workers=1, waiting={STEADY: 1})).task_class is STEADY


def test_the_last_free_worker_of_two_is_kept() -> None:
    load = Load(workers=2, waiting={STEADY: 5}, running={STEADY: 1})
    assert next_class(load).task_class is None
    assert next_class(load).why == "one worker is kept for builds and checks, challenges and test games"
    assert why_waiting(load, STEADY) == next_class(load).why
    assert next_class(Load(workers=2, waiting={BUILD: 1}, running={STEADY: 1})).task_class is BUILD


@pytest.mark.parametrize(("workers", "why"), [(0, "there is no worker"), (2, "2 workers at work, none is idle")])
def test_without_an_idle_worker_it_says_so(workers: int, why: str) -> None:
    load = Load(workers=workers, waiting={BUILD: 1}, running={BUILD: workers})
    assert next_class(load).task_class is None
    assert next_class(load).why == why == why_waiting(load, BUILD)


def test_the_reasons_are_plain() -> None:
    load = Load(workers=4, waiting={BUILD: 2, STEADY: 1}, used_ms={BUILD: 97, STEADY: 3})
    assert next_class(load).why == "owed: the steady ladder had 3% of the workers' time lately, 10% are guaranteed"
    load = Load(workers=4, waiting={BUILD: 2, STEADY: 1})
    assert next_class(load).why == "first of what waits: builds and checks"
    assert why_waiting(load, BUILD) == "next: a worker is idle"
    assert why_waiting(load, STEADY) == "2 tasks of lower classes; first of what waits: builds and checks"
    owed = Load(workers=4, waiting={SETTLING: 1, STEADY: 1}, used_ms={SETTLING: 97, STEADY: 3})
    assert why_waiting(owed, SETTLING) == next_class(owed).why
    assert next_class(Load(workers=4)).why == "nothing waits"


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_a_flood_of_urgent_tasks_leaves_each_patient_class_its_share(workers: int) -> None:
    """Tasks of all classes wait without end, and take a second each."""
    used: Counter[TaskClass] = Counter()
    for _ in range(300):
        running: Counter[TaskClass] = Counter()
        for _ in range(workers):
            load = Load(workers=workers, waiting=dict.fromkeys(TaskClass, 9), running=running, used_ms=used + running)
            found = next_class(load).task_class
            if found is not None:
                running[found] += 1
        used += running
    for one in PATIENT:
        assert used[one] / used.total() >= SHARES[one] - 0.02
    assert used[BUILD] / used.total() > 0.5
    assert used[CHALLENGE] == 0  # builds never end here, and challenges have no share


def test_a_class_that_had_exactly_its_share_waits_for_its_turn() -> None:
    load = Load(workers=3, waiting={BUILD: 1, STEADY: 1}, used_ms={BUILD: 90, STEADY: 10})
    assert next_class(load).task_class is BUILD


def test_a_class_that_had_nothing_at_all_is_owed_its_share() -> None:
    load = Load(workers=3, waiting={BUILD: 1, STEADY: 1}, used_ms={BUILD: 4})
    assert next_class(load).task_class is STEADY


def test_a_class_without_work_is_owed_nothing() -> None:
    load = Load(workers=3, waiting={BUILD: 1, CONTEST: 1}, used_ms={BUILD: 80, CONTEST: 20})
    assert next_class(load).task_class is BUILD
