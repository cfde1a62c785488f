"""One source, four ways to run: interpreted, compiled, batch and CUDA give the same bytes, illegal orders included.

CUDA is Numba's simulator here; `bench/gpu.py` compares a real GPU.
"""

from __future__ import annotations

import pytest

from botyard.testing.parity import TICKS, WAYS, check_way, lines


def test_a_batch_plays_the_games_that_are_played_one_by_one(game: str) -> None:
    for size in ("small", "usual"):
        *played, retold = lines(game, size, "single")
        assert list(lines(game, size, "batch"))[:TICKS] == played
        assert retold == played[-1]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_run_gives_the_same_bytes(game: str, way: str) -> None:
    check_way(game, way)


def test_the_comparison_would_notice_a_difference(game: str) -> None:
    hashes = list(lines(game, "small", "batch"))
    assert len(set(hashes)) > TICKS  # the games really go on, in every mode


def test_games_of_several_blocks_of_a_gpu_do_not_meddle(game: str) -> None:
    """The last block of 32 threads has one game only."""
    check_way(game, "CUDA simulator", 3, 33)
