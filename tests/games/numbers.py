"""What rules write about a game as bare numbers, whatever was there before: places, and the mask of a seat's orders."""

from __future__ import annotations

import numpy as np

from botyard.games.game import Game
from botyard.kernel.arrays import FLAG, SCORE
from botyard.kernel.rule import opened


def mask_of(game: Game, seat: int) -> list[int]:
    """One number for every order of the game."""
    mask = np.full(len(game.book.facts.orders), 7, FLAG)
    arenas, states = game.arrays
    game.book.loops.allowed_at(opened(arenas), opened(states), seat, opened(mask))
    return [int(may) for may in mask]


def places_of(game: Game) -> list[int]:
    """One number for every seat, 0 the best."""
    places = np.full(game.seats, 7, SCORE)
    arenas, states = game.arrays
    game.book.loops.place_at(opened(arenas), opened(states), opened(places))
    return [int(place) for place in places]
