"""The settings of Snakepit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from botyard.games.snakepit.layout import capacity, layouts, make_arena
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.errors import SettingsError
from botyard.kernel.records import record_of

# Every option of the specification's sections 5.1 and 5.2 but for those given with a game: seed, bots and their names.
OPTIONS = """
    best_of width height initial_len growth rand_start_pellet tick_timeout update_freq port host server_timeout
    client_timeout preserve_results preserve_mode results_file match_winner last_man_standing pellet_points tick_points
    preserve_dead pixel_size pellet_color bg_color show_info info_color snakes tick_resolution clean_start
    initial_len_counts_head swap_board_axes tick_timeout_resets survivor_takes_bonus simultaneous_death game_winner
    match_length match_games_cap wash_limit solo_starved solo_games koth_best_of koth_match_bonus rank_method
    rng_per_game unknown_answer stale_answers ask_mode opening_deltas send_quit results_labels on_connect_failure
"""


def test_every_option_is_a_setting() -> None:
    assert sorted(row.name for row in fields(SnakepitSettings)) == sorted(OPTIONS.split())


def test_the_defaults_are_the_document() -> None:
    assert SnakepitSettings.read() == SnakepitSettings.read({}, "document") == SnakepitSettings()
    chosen = SnakepitSettings()
    assert (chosen.width, chosen.height, chosen.snakes, chosen.best_of, chosen.tick_timeout) == (60, 60, 3, 30, 5000)


def test_the_program_is_a_preset() -> None:
    program = SnakepitSettings.read({}, "program")
    assert program.tick_resolution == "sequential_by_id"
    assert program.results_labels == "program"
    assert not program.clean_start
    assert program.wash_limit == 0


def test_thirty_games_need_fifteen_wins() -> None:
    assert [SnakepitSettings(best_of=n).wins_needed for n in (30, 39, 1, 10)] == [15, 20, 1, 5]


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"initial_len": 0, "initial_len_counts_head": True}, "initial_len"),
        ({"width": 5, "height": 5}, "snakes"),  # bodies of six cells
        ({"snakes": 4, "width": 3, "height": 6}, "snakes"),
        ({"snakes": 3, "width": 3, "height": 6}, "snakes"),  # no cell is left for the pellet
        ({"snakes": 4, "width": 2, "height": 2, "clean_start": False}, "snakes"),
        ({"snakes": 9, "width": 30, "height": 3, "clean_start": False, "swap_board_axes": True}, "snakes"),
        ({"snakes": 27}, "snakes"),
        ({"pellet_color": "PINK"}, "pellet_color"),
        ({"bg_color": "1,2"}, "bg_color"),
        ({"info_color": "1,2,256"}, "info_color"),
        ({"tick_resolution": "random"}, "tick_resolution"),
    ],
)
def test_what_cannot_be_is_refused_by_name(values: dict[str, Any], key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        SnakepitSettings(**values)
    assert caught.value.key == key
    assert caught.value.hint


def test_colours_have_names_or_numbers() -> None:
    assert SnakepitSettings(pellet_color="161,255,65").pellet_color == "161,255,65"


def test_swapped_axes_give_bodies_room_below() -> None:
    swapped = SnakepitSettings(snakes=2, width=12, height=3, swap_board_axes=True)
    assert swapped.real_size == (3, 12)


def test_small_boards_share_the_common_records() -> None:
    assert layouts(SnakepitSettings(snakes=1, width=7, height=9)) == capacity()
    assert capacity().state.itemsize <= 24 * 1024


def test_a_large_board_has_its_own_records() -> None:
    large = SnakepitSettings(snakes=20, width=100, height=70)
    kinds = layouts(large)
    assert kinds.state["cells"].shape == (70, 100)
    assert kinds.state["snakes"].shape == (20,)
    assert record_of(make_arena(large)).slots == 8192
    assert layouts(SnakepitSettings(width=1000, height=100)).memory["queue"].base.itemsize == 4


def test_a_body_longer_than_the_board_has_a_ring() -> None:
    long = SnakepitSettings(snakes=1, initial_len=1000, clean_start=False)
    assert record_of(make_arena(long)).slots >= 1001


def test_the_bots_that_come_are_the_snakes_that_play() -> None:
    assert SnakepitSettings().seated(7).snakes == 7
    with pytest.raises(SettingsError, match="snakes"):
        SnakepitSettings(width=5, height=5).seated(12)
