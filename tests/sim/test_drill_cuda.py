"""Drills of every game: the same bytes interpreted, compiled and on Numba's simulator of a CUDA device."""

from __future__ import annotations

import numpy as np
import pytest

from botyard.games import OWN_GAMES, load
from botyard.sim.drill import Drill
from tests.simulated import run

PLAYED = """
import hashlib
import numpy as np
from numba import cuda
from botyard.games import OWN_GAMES, load
from botyard.sim.drill import Drill

def choices(drill, step):
    marks = [np.flatnonzero(lanes[0]) for lanes in drill.host(drill.mask)]
    return np.array([int(orders[(7 * step + i) % len(orders)]) if len(orders) else 0 for i, orders in enumerate(marks)])

def marks_on(device):
    marks = np.array([3, 0], np.uint8)  # any number but 0 is a mark
    if device == "cpu":
        return marks
    there = cuda.to_device(marks)
    there.__cuda_array_interface__ = {"shape": (2,), "typestr": "|u1"}  # a real device has this and the next one
    cuda.as_cuda_array = lambda array: array
    return there

def played(name, device):
    book = load(name)
    settings, bots = book.settings.read(book.samples.golden), list(book.bots.HOUSE_BOTS)[:1]
    stream = cuda.stream() if device == "cuda" else None
    drill = Drill(
        name, settings, n=2, opponents=bots, horizon=2, autoreset="same_step", device=device, seed=3, stream=stream
    )
    told, ended = hashlib.sha256(), 0
    drill.put(1, drill.position(0))
    drill.reset(40, marks_on(device))
    for step in range(3):
        drill.most_ticks = step
        drill.step(choices(drill, step))
        ended += int(drill.host(drill.ended).sum())
        for array in drill._arrays:
            told.update(drill.host(array).tobytes())
    return f"{name} {ended > 0} {told.hexdigest()}"

for device in DEVICES:
    for name in OWN_GAMES:
        print(played(name, device))
"""


def test_a_drill_has_the_same_bytes_on_a_device() -> None:
    told = run(PLAYED.replace("DEVICES", "('cpu', 'cuda')"), NUMBA_ENABLE_CUDASIM="1").splitlines()
    here, there = told[: len(OWN_GAMES)], told[len(OWN_GAMES) :]
    assert [line.split()[:2] for line in here] == [[name, "True"] for name in OWN_GAMES]
    assert there == here


@pytest.mark.long  # the loop of each game is compiled for this
def test_a_drill_has_the_same_bytes_compiled_and_interpreted() -> None:
    script = PLAYED.replace("DEVICES", "('cpu',)")
    assert run(script) == run(script, BOTYARD_RULES="interpreted")


@pytest.mark.long
@pytest.mark.parametrize("name", OWN_GAMES)
def test_random_orders_that_make_sense_lead_to_the_ends_of_games(name: str) -> None:
    book, dice = load(name), np.random.default_rng(1)
    settings = book.settings.read(book.samples.golden)
    drill = Drill(name, settings, n=64, opponents=list(book.bots.HOUSE_BOTS)[-1:])
    low, high = np.array([(number.low, number.high) for number in book.senses.NUMBERS]).T
    ended = np.zeros(64, bool)
    for _ in range(2000):
        drill.step((dice.random(drill.mask.shape[::2]) * drill.mask[:, 0]).argmax(axis=1))
        ended |= drill.ended == 1
        assert drill.codes.max() < len(book.senses.CODES)
        assert ((low <= drill.numbers) & (drill.numbers <= high)).all()
        if ended.all():
            return
    assert ended.all()
