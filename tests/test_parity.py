"""One source, four ways to run: interpreted, compiled, batch and CUDA give the same bytes, illegal orders included.

CUDA is Numba's simulator here; `bench/gpu.py` compares a real GPU.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from botyard.games import GAMES, load
from tests.parity import GAMES as GAMES_AT_ONCE
from tests.parity import TICKS, lines

ROOT = Path(__file__).parents[1]

WAYS = {
    "interpreted, one by one": ("small", "single", {"BOTYARD_RULES": "interpreted"}),
    "interpreted, batch": ("small", "batch", {"BOTYARD_RULES": "interpreted"}),
    "CUDA simulator": ("small", "cuda", {"NUMBA_ENABLE_CUDASIM": "1"}),
    "compiled with bounds checks, batch": ("usual", "batch", {"BOTYARD_RULES": "checked"}),
}


def ticks_of(game: str, way: str) -> int:
    """Interpreted, and more so simulated, some games are slow; they are over soon, and begin anew several times."""
    return TICKS if way.startswith("compiled") else load(game).samples.interpreted_ticks


def played(
    game: str, size: str, way: str, environment: dict[str, str], ticks: int, games: int = GAMES_AT_ONCE
) -> list[str]:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_RULES", "NUMBA", "COV"))
    }
    command = [sys.executable, "-W", "ignore", "-m", "tests.parity", game, size, way, str(ticks), str(games)]
    done = subprocess.run(command, cwd=ROOT, env={**clean, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_plays_the_games_that_are_played_one_by_one(game: str) -> None:
    for size in ("small", "usual"):
        assert list(lines(game, size, "batch"))[:TICKS] == list(lines(game, size, "single"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_every_way_to_run_gives_the_same_bytes(game: str, way: str) -> None:
    size, method, environment = WAYS[way]
    ticks = ticks_of(game, way)
    ours = list(lines(game, size, method if method == "single" else "batch", ticks))
    assert played(game, size, method, environment, ticks) == ours


@pytest.mark.parametrize("game", GAMES)
def test_the_comparison_would_notice_a_difference(game: str) -> None:
    digests = list(lines(game, "small", "batch"))
    assert len(set(digests)) > TICKS  # the games really go on, in every mode


@pytest.mark.parametrize("game", GAMES)
def test_games_of_several_blocks_of_a_gpu_do_not_meddle(game: str) -> None:
    """The last block of 32 threads has one game only."""
    size, method, environment = WAYS["CUDA simulator"]
    assert played(game, size, method, environment, 3, 33) == list(lines(game, size, "batch", 3, 33))
