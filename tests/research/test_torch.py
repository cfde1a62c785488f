"""A drill is seen by PyTorch without a copy."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import botyard
from botyard.games import GAMES
from botyard.kernel.senses import SensedNumber
from botyard.sim.drill import Drill
from botyard.sim.torch import Inputs, TensorDrill, drawn, narrowed, over, planes

FIRST = next(iter(GAMES))


def test_tensors_lie_over_the_memory_of_the_drill(game: str) -> None:
    tensors = TensorDrill(game, n=3)
    drill = tensors.drill
    pairs = [
        *zip(tensors.seen, (drill.codes, drill.numbers, drill.mask, drill.turn), strict=True),
        *zip(tensors.finals, (drill.final_codes, drill.final_numbers), strict=True),
        (tensors.rewards, drill.rewards),
        (tensors.places, drill.places),
        (tensors.ended, drill.ended),
    ]
    for tensor, array in pairs:
        assert tensor.data_ptr() == array.__array_interface__["data"][0]
        assert tensor.numel() == array.size


@pytest.mark.parametrize("learners", [1, 2])
def test_a_drill_of_tensors_plays_as_one_of_arrays(game: str, learners: int) -> None:
    tensors = TensorDrill(game, n=4, learners=learners, horizon=12)
    arrays = Drill(game, n=4, learners=learners, horizon=12)
    tensors.reset(seed=5)
    arrays.reset(5)
    dice, ends = torch.Generator().manual_seed(1), 0
    for _ in range(30):
        orders = tensors.random_orders(dice)
        told = tensors.step(orders)
        arrays.step(orders.numpy().reshape(4, learners))
        assert np.array_equal(told.seen.codes.numpy().reshape(arrays.codes.shape), arrays.codes)
        assert np.array_equal(told.seen.mask.numpy().reshape(arrays.mask.shape), arrays.mask != 0)
        assert np.array_equal(told.rewards.numpy().reshape(arrays.rewards.shape), arrays.rewards)
        assert np.array_equal(told.ended.numpy(), arrays.ended != 0)
        assert torch.equal(tensors.running, ~told.ended)
        ends += int(told.ended.sum())
    assert ends


def test_orders_at_random_are_allowed(game: str) -> None:
    tensors = TensorDrill(game, n=16)
    orders = tensors.random_orders().long()
    assert tensors.seen.mask.gather(1, orders[:, None]).all()


def test_chosen_games_begin_anew() -> None:
    tensors = TensorDrill(FIRST, n=3)
    tensors.reset(seed=40, chosen=torch.tensor([False, True, False]))
    assert [tensors.drill.position(i).seed for i in range(3)] == [0, 41, 2]


def test_a_reset_without_a_seed_goes_on_with_the_next_ones() -> None:
    tensors, arrays = TensorDrill(FIRST, n=2, seed=7), Drill(FIRST, n=2, seed=7)
    tensors.reset()
    arrays.reset()
    assert [tensors.drill.position(i).seed for i in range(2)] == [arrays.position(i).seed for i in range(2)]


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        (torch.zeros(4), "the orders have the type float32"),
        (torch.zeros(4, dtype=torch.bool), "the orders have the type bool"),
        (torch.zeros((1, 4), dtype=torch.int32), r"the orders have the shape \(1, 4\)"),
        (torch.full((4,), 1 << 40), "an order is 1099511627776"),
    ],
)
def test_tensors_that_are_no_orders_are_refused(orders: torch.Tensor, told: str) -> None:
    with pytest.raises(botyard.YardError, match=told):
        TensorDrill(FIRST, n=4).step(orders)


def test_a_number_wider_than_kernels_take_becomes_no_order_by_losing_bits() -> None:
    wide = torch.tensor([[3], [1 << 32], [-(1 << 40)]])
    assert narrowed(wide).tolist() == [[3], [(1 << 31) - 1], [-(1 << 31)]]
    assert narrowed(wide).dtype == torch.int32
    assert narrowed(short := wide.short()) is short


def test_the_tensors_of_a_copy_lie_over_its_own_drill() -> None:
    tensors = TensorDrill(FIRST, n=4)
    for twin in (copy.deepcopy(tensors), pickle.loads(pickle.dumps(tensors))):
        assert repr(twin) == repr(tensors)
        assert twin.seen.codes.data_ptr() == twin.drill.codes.__array_interface__["data"][0]
        before = tensors.seen.codes.clone()
        for _ in range(3):
            twin.step(twin.random_orders())
        assert torch.equal(tensors.seen.codes, before)
        assert not torch.equal(twin.seen.codes, before)


def test_planes_mark_each_code_once() -> None:
    codes = TensorDrill(FIRST, n=2).seen.codes
    marked = planes(codes, 16)
    assert marked.shape == (2, 16, *codes.shape[1:])
    assert torch.equal(marked.argmax(1).to(torch.uint8), codes)
    assert torch.equal(marked.sum(1), torch.ones(codes.shape))


def test_an_array_and_its_tensor_are_one() -> None:
    array = np.zeros(3, np.int32)
    over(array)[1] = 5
    assert array.tolist() == [0, 5, 0]


class FewSenses:
    """Two codes, a number of few values and one of many."""

    CODES = ("nothing", "something")
    NUMBERS = (SensedNumber("few", -1, 1, "of three values"), SensedNumber("many", 100, 300, "of two hundred and one"))


def test_inputs_mark_codes_and_values_and_measure_what_has_many() -> None:
    inputs = Inputs(FewSenses, (1, 2))
    codes = torch.tensor([[[0, 1]], [[1, 1]]], dtype=torch.uint8)
    numbers = torch.tensor([[-1, 100], [1, 250]], dtype=torch.int16)
    assert inputs.width == 8
    assert inputs(codes, numbers).tolist() == [[1, 0, 0, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1, 0.75]]


def test_a_number_of_32_values_has_an_input_for_each_and_one_of_33_is_measured() -> None:
    class Edges:
        CODES = ("nothing",)
        NUMBERS = (SensedNumber("last", 0, 31, "of 32 values"), SensedNumber("first", 0, 32, "of 33 values"))

    inputs = Inputs(Edges, (1, 1))
    made = inputs(torch.zeros(1, 1, 1, dtype=torch.uint8), torch.tensor([[31, 16]], dtype=torch.int16))
    assert made.tolist() == [[1, *[0] * 31, 1, 0.5]]


def test_every_game_has_inputs_between_0_and_1(game: str) -> None:
    tensors = TensorDrill(game, n=4)
    inputs = Inputs(tensors.drill.senses, tensors.seen.codes.shape[1:])
    for _ in range(3):
        made = inputs(tensors.seen.codes, tensors.seen.numbers)
        assert made.shape == (4, inputs.width)
        assert ((made >= 0) & (made <= 1)).all()
        tensors.step(tensors.random_orders())


def test_orders_are_drawn_by_their_chances() -> None:
    torch.manual_seed(1)
    logits = torch.tensor([0.5, 0.25, 0.25, 0.0]).log().clamp_min(-1e9).expand(20_000, 4)
    counts = torch.bincount(drawn(logits), minlength=4) / 20_000
    assert torch.allclose(counts, torch.tensor([0.5, 0.25, 0.25, 0.0]), atol=0.02)
    assert counts[3] == 0
