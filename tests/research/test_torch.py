"""A drill is seen by PyTorch without a copy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from botyard.games import GAMES
from botyard.sim.drill import Drill
from botyard.sim.torch import TensorDrill, over, planes

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
