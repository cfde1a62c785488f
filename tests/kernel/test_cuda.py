"""Batches on Numba's simulator of a CUDA device, and how kernels are kept on disk; `bench/gpu.py` tries a real GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.kernel.rule import INTERPRETED
from tests.simulated import run

# Scripts say themselves how rules run in them: once is enough.
pytestmark = pytest.mark.skipif(INTERPRETED, reason="the same as where rules are compiled")

SIMULATED = """
import numpy as np
from botyard import Batch

games = Batch("hive", {"max_turns": 3}, 3, device="cuda", autoreset="off")
games.states._ary["fault"][1] = 1
games.states._ary["chance"]["fault"][2] = 1
print(games.faults.tolist())
games.reset(0)
twin = games.clone()
for orders in (np.ones(3, np.int64), np.ones((2, 3), np.int8).T, games.orders):
    games.step(orders)
print(games.host(games.over).tolist(), twin.host(twin.over).tolist())
games.restore(twin)
print(games.host(games.over).tolist(), games.state_field("turn").tolist())
for wrong in (np.ones((3, 2)), np.full((3, 2), 2**32), np.ones(2, np.int32)):
    try:
        games.step(wrong)
    except ValueError as error:
        print(str(error).partition(":")[0], isinstance(error, TypeError))
"""


def test_a_device_tells_faults_takes_orders_and_goes_back() -> None:
    assert run(SIMULATED, NUMBA_ENABLE_CUDASIM="1").splitlines() == [
        "[False, True, True]",
        "[1, 1, 1] [0, 0, 0]",
        "[0, 0, 0] [0, 0, 0]",
        "the orders have the type float64 True",
        "an order is 4294967296 False",
        "the orders have the shape (2,) True",
    ]


TRAVELLED = """
import pickle
import numpy as np
from botyard import Batch

games = Batch("hive", {"max_turns": 3}, 3, device="gpu", autoreset="same_step")
print(games)
for _ in range(2):
    games.step(np.ones(3, np.int32))
again = pickle.loads(pickle.dumps(games))
for each in (games, again):
    each.step(np.ones(3, np.int32))
for name in ("states", "views", "scores", "over", "seeds", "finals", "places", "masks", "asked"):
    assert games.host(getattr(games, name)).tobytes() == again.host(getattr(again, name)).tobytes(), name
print([one.draw for one in again.outcomes])
again.reset(chosen=again.over)
again.reset(20, chosen=np.array([False, True, False]))
print(again.host(again.seeds)[:, 0].tolist(), again.host(again.over).tolist(), again.outcomes)
"""


def test_a_batch_on_a_device_travels_and_starts_some_games_again() -> None:
    assert run(TRAVELLED, NUMBA_ENABLE_CUDASIM="1").splitlines() == [
        "<Batch of 3 games of hive, max_turns=3, 2 seats, on cuda, same_step>",
        "[True, True, True]",
        "[6, 21, 8] [0, 0, 0] [None, None, None]",
    ]


KEPT = """
from botyard.games import load
from botyard.kernel.cache import rules_folder

book = load("hive")
kernels = book.cuda_loops
names = "begin advance race wander survey_asked survey_masks survey_places spread take_over find_faults"
for name in names.split():
    path = getattr(kernels, name)._cache.cache_path
    print(path == str(rules_folder(book.folder) / "botyard.games.hive.cuda_loops"), name)
"""


def test_kernels_are_kept_with_the_rules_of_their_game(tmp_path: Path) -> None:
    """That they are found there again only a GPU can show."""
    told = run(KEPT, BOTYARD_CACHE=str(tmp_path)).splitlines()
    assert len(told) == 10
    assert all(line.startswith("True") for line in told)


RACE = """
import time
import types
import numpy as np
from numba import cuda, int64
from numba.cuda.simulator import kernelapi
import botyard.kernel.cuda_kernels

def slowly(*args, **options):
    time.sleep(0.002)  # time enough for other threads of the block to ask, too
    return np.zeros(*args, **options)

kernelapi.np = types.SimpleNamespace(**{**vars(np), "empty": slowly})

@cuda.jit
def count(out):
    marks = cuda.shared.array(32, int64)
    marks[cuda.threadIdx.x] = 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 31:
        out[0] = marks.sum()

out = np.zeros(1, np.int64)
count[1, 32](out)
print(out[0])
"""


def test_all_threads_of_a_simulated_block_share_one_array() -> None:
    assert run(RACE, NUMBA_ENABLE_CUDASIM="1").split() == ["32"]
