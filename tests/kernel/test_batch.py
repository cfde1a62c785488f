"""Batches: seeds, modes, clones, faults, threads."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import botyard
from botyard import Batch
from botyard.games import load
from botyard.kernel import devices
from botyard.kernel.errors import UnknownName, WrongType, YardError
from botyard.kernel.orders import checked_orders
from botyard.kernel.restarts import checked_chosen
from botyard.kernel.rule import INTERPRETED
from tests.waiting import PATIENCE_S, RUN_S

QUIET: dict[str, Any] = {"max_turns": 3}  # every game is over after three turns


def ones(batch: Batch) -> Any:
    return np.ones((batch.n, batch.seats), np.int32)


def test_a_batch_plays_the_game_of_its_seed() -> None:
    games = Batch("hive", {"flowers_min": 35}, 5, seed=40)
    alone = botyard.new("hive", seed=42, flowers_min=35)
    assert games.states[2].tobytes() == alone.arrays[1].tobytes()
    games.step(ones(games))
    alone.step("move NE")
    assert games.states[2].tobytes() == alone.arrays[1].tobytes()
    assert "5 games of hive, flowers_min=35, 2 seats, on cpu" in repr(games)


def test_orders_may_be_one_per_game_where_one_seat_acts() -> None:
    one, two = Batch("hive", None, 4), Batch("hive", None, 4)
    for _ in range(3):
        one.step(np.ones(4, np.int64))
        two.step([[1, 1]] * 4)
    assert one.states.tobytes() == two.states.tobytes()


def test_orders_of_the_right_kind_are_not_copied() -> None:
    games = Batch("hive", None, 2)
    games.step(np.full((2, 2), 1, np.int32))
    assert not games.orders.any()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_orders_may_be_of_any_integer_type(kind: Any) -> None:
    one, two = Batch("hive", None, 4), Batch("hive", None, 4)
    one.step(np.full((4, 2), 3, kind))
    two.step(np.full((4, 2), 3, np.int32))
    assert one.states.tobytes() == two.states.tobytes()


def test_orders_may_be_as_large_and_as_small_as_32_bits_allow() -> None:
    given = np.array([[2**31 - 1, -(2**31)]])
    assert checked_orders(given, 1, 2, simultaneous=True) is given


def test_orders_that_loops_were_not_compiled_for_are_copied() -> None:
    """A strided or a read-only array is another type to Numba, which would compile all of it again."""
    strided = np.full((2, 4), 3, np.int32).T
    fixed = np.full((4, 2), 3, np.int32)
    fixed.flags.writeable = False
    for orders in (strided, fixed):
        games = Batch("hive", None, 4)
        games.step(orders)
        assert (games.orders == 3).all()


@pytest.mark.parametrize(
    ("orders", "complaint"),
    [
        (np.ones((3, 2)), r"the orders have the type float64: give int32 in the shape \(3, 2\), one for each seat"),
        ([[1.5, 0]] * 3, "the orders have the type float64"),
        ([["move NE", "wait"]] * 3, "the orders have the type <U7"),
        (np.ones((3, 2), bool), "the orders have the type bool"),
        (np.full((3, 2), 2**32), "an order is 4294967296: orders go from -2147483648 to 2147483647"),
        (np.full(3, -(2**31) - 1), "an order is -2147483649"),
        (np.full((3, 2), 2**63, np.uint64), "an order is 9223372036854775808"),
        ([[2**70, 0]] * 3, "the orders have the type object"),
        (
            np.ones((3, 1), np.int32),
            r"the shape \(3, 1\): give int32 in the shape \(3, 2\), one for each seat of each game, or \(3,\)",
        ),
        (np.ones((4, 2), np.int32), r"the shape \(4, 2\)"),
        (np.ones(2, np.int32), r"the shape \(2,\)"),
        (1, r"the shape \(\)"),
        ([[1, 2], [3], [4, 5]], "the orders cannot be made an array"),
        (None, r"the shape \(\)"),
    ],
)
def test_orders_that_no_device_could_take_are_refused_and_change_nothing(orders: Any, complaint: str) -> None:
    games = Batch("hive", None, 3)
    before = games.states.tobytes()
    with pytest.raises(YardError, match=complaint) as refused:
        games.step(orders)
    assert isinstance(refused.value, TypeError) == (not complaint.startswith("an order is"))
    assert games.states.tobytes() == before


def test_one_order_per_game_is_not_enough_where_all_seats_move_at_once() -> None:
    games = Batch("snakepit", None, 3)
    wanted = rf"the shape \(3,\): give int32 in the shape \(3, {games.seats}\), one for each seat of each game$"
    with pytest.raises(TypeError, match=wanted):
        games.step(np.zeros(3, np.int32))


class OnDevice:
    """An array in the memory of a GPU, as other libraries show theirs."""

    def __init__(self, *shape: int, kind: str) -> None:
        self.__cuda_array_interface__ = {"shape": shape, "typestr": kind, "data": (0, False), "version": 3}


def test_orders_on_a_gpu_are_checked_without_waiting_for_it() -> None:
    for kind in ("<i4", "|i1", "<u2"):
        given = OnDevice(3, 2, kind=kind)
        assert checked_orders(given, 3, 2, simultaneous=True) is given
    with pytest.raises(YardError, match="the orders on the GPU have the type int64: convert them to int32"):
        checked_orders(OnDevice(3, 2, kind="<i8"), 3, 2, simultaneous=True)
    with pytest.raises(YardError, match="the orders have the type float32"):
        checked_orders(OnDevice(3, 2, kind="<f4"), 3, 2, simultaneous=True)
    with pytest.raises(YardError, match="the shape"):
        checked_orders(OnDevice(2, kind="<i4"), 3, 2, simultaneous=False)


def test_a_batch_on_the_cpu_says_that_an_array_is_on_a_gpu() -> None:
    games = Batch("hive", None, 3)
    with pytest.raises(WrongType, match="the orders are on a GPU and the batch is not: copy them, or choose"):
        games.step(OnDevice(3, 2, kind="<i4"))
    for seed in (None, 7):
        with pytest.raises(WrongType, match="the marks of games are on a GPU and the batch is not"):
            games.reset(seed, OnDevice(3, kind="|b1"))


def test_marks_on_a_gpu_are_checked_without_waiting_for_it() -> None:
    for kind in ("|b1", "|u1"):
        given = OnDevice(3, kind=kind)
        assert checked_chosen(given, 3) == (given, None)
    with pytest.raises(WrongType, match=r"the marks of chosen games have the shape \(2,\): give bool or uint8"):
        checked_chosen(OnDevice(2, kind="|u1"), 3)
    with pytest.raises(WrongType, match=r"the chosen games on the GPU have the shape \(2,\) and the type int64"):
        checked_chosen(OnDevice(2, kind="<i8"), 3)


def test_views_and_fields_share_the_memory_of_the_batch() -> None:
    games = Batch("hive", None, 3)
    window = games.view_field("window")
    assert window.shape == (3, 2, 7, 7)
    assert np.shares_memory(window, games.views)
    assert np.shares_memory(games.state_field("turn"), games.states)
    assert (window[:, 0, 3, 3] == 1).all()
    before = games.views[:, 0].tobytes()
    games.step(ones(games))
    assert (window[:, 1, 3, 3] == 2).all()
    assert games.views[:, 0].tobytes() == before  # who is not asked sees what it saw last


def test_next_step_begins_anew_one_step_after_the_end() -> None:
    games = Batch("hive", QUIET, 2, seed=10, autoreset="next_step")
    over = []
    for _ in range(8):
        games.step(ones(games))
        over.append(int(games.over[0]))
    assert over == [0, 0, 1, 0, 0, 0, 1, 0]
    assert games.seeds[:, 0].tolist() == [14, 15]
    assert games.states["turn"].tolist() == [0, 0]


def test_same_step_begins_anew_at_once_and_keeps_the_final_state() -> None:
    games = Batch("hive", QUIET, 2, seed=10, autoreset="same_step")
    for _ in range(3):
        games.step(ones(games))
    assert games.over.tolist() == [1, 1]
    assert games.states["turn"].tolist() == [0, 0]
    assert games.finals["turn"].tolist() == [3, 3]
    assert games.finals["over"].tolist() == [1, 1]
    assert games.states[0].tobytes() == botyard.new("hive", seed=12, **QUIET).arrays[1].tobytes()


def test_off_leaves_a_finished_game_alone() -> None:
    games = Batch("hive", QUIET, 2, autoreset="off")
    for _ in range(3):
        games.step(ones(games))
    final = games.states.tobytes()
    games.step(ones(games))
    assert games.states.tobytes() == final
    assert games.over.tolist() == [1, 1]


def test_a_clone_goes_its_own_way_and_can_be_gone_back_to() -> None:
    games = Batch("hive", None, 3, seed=1)
    games.step(ones(games))
    saved = games.clone()
    before = games.states.tobytes()
    games.step(ones(games))
    assert games.states.tobytes() != before
    assert saved.states.tobytes() == before
    games.restore(saved)
    assert games.states.tobytes() == before
    with pytest.raises(YardError, match="does not fit this one"):
        games.restore(Batch("hive", None, 4))


def test_seeds_are_counted_up_or_given_and_wrap_round() -> None:
    games = Batch("hive", None, 2, seed=2**64 - 1)
    assert games.states[1].tobytes() == botyard.new("hive", seed=0).arrays[1].tobytes()
    games.reset([7, 5])
    assert games.states[0].tobytes() == botyard.new("hive", seed=7).arrays[1].tobytes()
    with pytest.raises(YardError, match="3 seeds for 2 games"):
        games.reset([1, 2, 3])


def test_seeds_carry_into_the_high_word() -> None:
    games = Batch("hive", QUIET, 3, seed=2**32 - 1, autoreset="same_step")
    for _ in range(3):
        games.step(ones(games))
    assert games.seeds.tolist() == [[2, 1], [3, 1], [4, 1]]


def test_racing_counts_the_orders_asked_for() -> None:
    games = Batch("hive", QUIET, 2)
    games.race(10)
    games.wait()
    assert games.steps.tolist() == [10, 10]
    assert games.host(games.seeds)[0, 0] > 0


def test_stray_orders_can_be_played_from_outside() -> None:
    raced, stepped = Batch("hive", None, 3, autoreset="off"), Batch("hive", None, 3, autoreset="off")
    raced.race(5)
    for tick in range(5):
        stepped.stray(salt=tick)
        stepped.step(stepped.orders)
    assert stepped.states.tobytes() == raced.states.tobytes()
    assert stepped.steps.tolist() == [5, 5, 5]


def test_stray_orders_are_others_in_every_game() -> None:
    games = Batch("hive", None, 32)
    games.stray()
    assert len(set(games.orders[:, 0].tolist())) > 4
    assert not games.orders[:, 1].any()  # this seat is not asked


def test_a_fault_is_shown() -> None:
    games = Batch("hive", None, 2)
    assert not games.faults.any()
    games.states["fault"][1] = 1
    assert games.faults.tolist() == [False, True]
    games.states["chance"]["fault"][0] = 1
    assert games.faults.tolist() == [True, True]


@pytest.fixture
def three_cores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets threads work on batches of a few games already."""
    monkeypatch.setattr(devices.Cpu.launch, "__kwdefaults__", {"least": 4})
    monkeypatch.setattr(devices, "core_count", lambda: 3)
    devices._forget_crew()
    yield
    devices._forget_crew()


@pytest.mark.usefixtures("three_cores")
def test_many_games_are_shared_among_threads() -> None:
    few = Batch("hive", None, 3)
    for _ in range(4):
        few.step(ones(few))
    started = [devices._threads]
    Batch("hive", None, 8)
    started.append(devices._threads)
    assert [crew is not None for crew in started] == [False, True]
    many = Batch("hive", None, 17)
    for _ in range(4):
        many.step(ones(many))
    assert many.states[:3].tobytes() == few.states.tobytes()
    assert many.states["turn"].tolist() == [4] * 17
    assert devices._crew()._max_workers == 2  # beside the thread that calls


@pytest.mark.usefixtures("three_cores")
def test_what_fails_in_a_thread_fails_for_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(arrays: Any, start: int, stop: int) -> None:
        if start:
            raise ZeroDivisionError

    games = Batch("hive", None, 17)
    monkeypatch.setitem(vars(games.book), "loops", SimpleNamespace(begin=fail))
    with pytest.raises(ZeroDivisionError):
        devices.Cpu(games.book).launch("begin", games._arrays)


def test_the_cores_are_those_this_process_may_use() -> None:
    cores = os.sched_getaffinity(0)
    assert devices.core_count() == len(cores)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert devices.core_count() == 1
    finally:
        os.sched_setaffinity(0, cores)


MANY = 20 if INTERPRETED else 2000


def forked(queue: Any) -> None:
    games = Batch("hive", None, MANY)
    games.step(ones(games))
    queue.put(int(games.states["turn"].sum()))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_forked_after_a_batch_still_runs_batches() -> None:
    """Numba's own parallel loops would kill the child here."""
    games = Batch("hive", None, MANY)
    games.step(ones(games))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=forked, args=(queue,))
    child.start()
    assert queue.get(timeout=RUN_S) == MANY
    child.join(PATIENCE_S)
    assert child.exitcode == 0


def test_mistakes_are_explained() -> None:
    with pytest.raises(YardError, match="a batch of 0 games"):
        Batch("hive", None, 0)
    with pytest.raises(UnknownName, match="did you mean 'next_step'"):
        Batch("hive", None, 1, autoreset="nextstep")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="unknown device 'tpu': did you mean 'gpu'"):
        Batch("hive", None, 1, device="tpu")
    for device in ("cuda", "gpu"):
        with pytest.raises(YardError, match="no CUDA device was found"):
            Batch("hive", None, 1, device=device)
    with pytest.raises(UnknownName, match="unknown house bot of hive"):
        load("hive").bot_number("nobody")
