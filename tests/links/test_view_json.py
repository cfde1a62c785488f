"""A view told as named fields says all that the view says, and nothing else."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.settings import Settings
from botyard.links.view_json import FieldNames, seat_lists

SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("hive", 2, {}),
    ("hive", 2, {"rows": 9, "cols": 12, "flowers_min": 5, "flowers_max": 9}),
    ("hackman", 2, {"initial_enemy_count": 3, "map_weapon_count": 2}),
    ("battlebots", 2, {}),
    ("battlebots", 2, {"width": 8, "height": 6}),
    ("snakepit", 4, {}),
    ("snakepit", 12, {"width": 30, "height": 20}),
    ("snakepit", 1, {}),
    ("snakebattle", 5, {}),
    ("snakebattle", 2, {"level_map": "☼☼☼☼☼☼\n☼# ○ ☼\n☼ ●$ ☼\n☼  ® ☼\n☼# ©☼☼\n☼☼☼☼☼☼"}),
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


def settings_of(game: str, seats: int, values: dict[str, Any]) -> Settings:
    return load(game).settings.read(values).seated(seats)


@pytest.mark.parametrize(("game", "seats", "values"), SETTINGS, ids=lambda value: str(value)[:30])
def test_the_record_can_be_made_again_from_what_was_told(game: str, seats: int, values: dict[str, Any]) -> None:
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
    game, seats, values = SETTINGS[-1]
    settings = settings_of(game, seats, values)
    told = FieldNames(load(game), settings).of(Game(load(game), settings, 1).view(0))
    assert (told["side"], len(told["board"]), len(told["board"][0])) == (6, 6, 6)


def test_only_snakepit_has_lists_by_seat_today() -> None:
    found = {game: seat_lists(load(game)) for game in GAMES}
    assert {game: names for game, names in found.items() if names} == {"snakepit": {"heads", "tails", "alive"}}
