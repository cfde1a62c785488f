"""A view told as named fields says all that the view says, and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.settings import Settings
from botyard.links.view_json import FieldNames, seat_lists
from botyard.testing.random_games import sample_settings

SETTINGS = [
    *((game, load(game).facts.usual_seats, {}) for game in GAMES),
    *((game, None, load(game).samples.golden) for game in GAMES),  # on a small board
    ("hackman", None, {"initial_enemy_count": 3, "map_weapon_count": 2}),
    ("snakepit", 12, {"width": 30, "height": 20}),
    ("snakepit", 1, {}),
]


def rebuilt(told: dict[str, Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """The record a bot could make of what it was told."""
    records = np.zeros(1, kind)
    for name, value in told.items():
        count = name.removesuffix("s") + "_count"
        if count not in (kind.names or ()):
            fill(records[name], [value])
        elif records[count].ndim == 1:
            records[count] = len(value)
            fill(records[name], [value])
        else:
            records[count] = [list(map(len, value))]
            for at, part in enumerate(value):
                fill(records[name][:, at], [part])
    return records


def fill(whole: NDArray[Any], told: list[Any]) -> None:
    """Writes into the corner of an array; the rest stays zero."""
    values = np.array(told)
    if values.size:
        whole[tuple(slice(0, size) for size in values.shape)] = values


def without_margin(view: View) -> NDArray[Any]:
    """What lies outside of a board that is smaller than its record is not on the board."""
    records = view.array.copy()
    if "side" in view.fields:
        records["board"][:, view.side :] = records["board"][:, :, view.side :] = 0
    return records


def settings_of(game: str, seats: int | None, values: Mapping[str, Any]) -> Settings:
    settings = load(game).settings.read(values)
    return settings if seats is None else settings.seated(seats)


@pytest.mark.parametrize(("game", "seats", "values"), SETTINGS, ids=lambda value: str(value)[:30])
def test_the_record_can_be_made_again_from_what_was_told(
    game: str, seats: int | None, values: Mapping[str, Any]
) -> None:
    book, dice = load(game), random.Random(5)
    settings = settings_of(game, seats, values)
    playing, names = Game(book, settings, 11), FieldNames(book, settings)
    for _ in range(60):
        if playing.over:
            break
        for seat in playing.asked:
            view = playing.view(seat)
            told = json.loads(json.dumps(names.of(view)))
            assert rebuilt(told, view.array.dtype).tobytes() == without_margin(view).tobytes()
        likely = {seat: playing.orders(seat) for seat in playing.asked}
        playing.step({seat: dice.choice(orders) for seat, orders in likely.items()})


def test_lists_are_as_long_as_what_they_hold() -> None:
    pit = settings_of("snakepit", 3, {})
    told = FieldNames(load("snakepit"), pit).of(Game(load("snakepit"), pit, 1).view(0))
    assert [len(told[name]) for name in ("heads", "tails", "alive")] == [3, 3, 3]
    maze = settings_of("hackman", 2, {})
    told = FieldNames(load("hackman"), maze).of(Game(load("hackman"), maze, 1).view(0))
    assert (len(told["snippets"]), told["bugs"], "snippet_count" in told, "spare" in told) == (2, [], False, False)


def test_a_small_board_is_told_small() -> None:
    book = load("snakebattle")
    settings = sample_settings(book)
    told = FieldNames(book, settings).of(Game(book, settings, 1).view(0))
    assert (told["side"], len(told["board"]), len(told["board"][0])) == (9, 9, 9)


def test_only_snakepit_has_lists_by_seat_today() -> None:
    found = {game: seat_lists(load(game)) for game in GAMES}
    assert {game: names for game, names in found.items() if names} == {"snakepit": {"heads", "tails", "alive"}}
