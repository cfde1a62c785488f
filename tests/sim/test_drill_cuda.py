"""Drills of every game: the same bytes on Numba's simulator of a CUDA device, and to the ends of games if compiled."""

from __future__ import annotations

import numpy as np
import pytest

from botyard.games import OWN_GAMES, load
from botyard.sim.drill import Drill
from tests.simulated import run

SIMULATED = """
import numpy as np
from botyard.games import OWN_GAMES, load
from botyard.sim.drill import Drill

def choices(drill, step):
    marks = [np.flatnonzero(lanes[0]) for lanes in drill.host(drill.mask)]
    return [int(orders[(7 * step + i) % len(orders)]) for i, orders in enumerate(marks)]

for name in OWN_GAMES:
    book = load(name)
    settings, bots = book.settings.read(book.samples.golden), list(book.bots.HOUSE_BOTS)[:1]
    here, there = (
        Drill(name, settings, n=2, opponents=bots, horizon=2, autoreset="same_step", device=device, seed=3)
        for device in ("cpu", "cuda")
    )
    differ, ended = set(), 0
    for step in range(2):
        orders = np.array(choices(here, step))
        here.step(orders)
        there.step(orders)
        ended += int(here.ended.sum())
        for field, own in here._arrays._asdict().items():
            if here.host(own).tobytes() != there.host(there._arrays._asdict()[field]).tobytes():
                differ.add(field)
    print(name, ended > 0, sorted(differ))
"""


def test_a_drill_has_the_same_bytes_on_a_device() -> None:
    told = run(SIMULATED, NUMBA_ENABLE_CUDASIM="1").splitlines()
    assert told == [f"{name} True []" for name in OWN_GAMES]


@pytest.mark.long  # the loop of each game is compiled for this
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
