"""Two seats: who leads, and which places that makes."""

from __future__ import annotations

import numpy as np
import pytest

from botyard.kernel.duel import NOBODY, leader, place_winner
from botyard.kernel.rule import opened


@pytest.mark.parametrize(("scores", "ahead"), [((3, 1), 0), ((1, 3), 1), ((2, 2), NOBODY), ((0, 0), NOBODY)])
def test_whoever_has_more_points_leads(scores: tuple[int, int], ahead: int) -> None:
    assert leader(opened(np.array(scores))) == ahead


@pytest.mark.parametrize(("winner", "places"), [(0, [0, 1]), (1, [1, 0]), (NOBODY, [0, 0])])
def test_the_winner_has_the_better_place_and_a_draw_is_one_place(winner: int, places: list[int]) -> None:
    out = np.full(2, 9)
    place_winner(winner, opened(out))
    assert out.tolist() == places
