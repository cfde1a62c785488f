"""The laws that every game keeps, held by ours and by the game of somebody else's."""

from __future__ import annotations

import pytest

from botyard.games import GAMES, OWN_GAMES, load
from botyard.testing.laws import LAWS, LAWS_OF_ONE_FOLDER, Law, named


@pytest.mark.parametrize("law", LAWS, ids=named)
def test_every_game_keeps_the_law(law: Law, game: str) -> None:
    law(load(game))


@pytest.mark.parametrize("game", sorted(set(GAMES) - set(OWN_GAMES)))
@pytest.mark.parametrize("law", LAWS_OF_ONE_FOLDER, ids=named)
def test_a_game_of_others_keeps_the_law(law: Law, game: str) -> None:
    law(load(game))
