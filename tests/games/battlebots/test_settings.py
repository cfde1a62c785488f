"""The settings of BattleBots: two presets, and errors that name key, value and remedy."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games import load
from botyard.games.battlebots.layout import layouts
from botyard.games.battlebots.settings import LONGEST_TEXT, BattlebotsSettings
from botyard.games.battlebots.wire import open_session
from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.errors import SettingsError, UnknownName
from botyard.kernel.settings import describe


def test_the_program_differs_in_these_settings() -> None:
    program = {row.key: row.program for row in describe(BattlebotsSettings) if row.program != row.default}
    assert program == {
        "min_coordinate": 1,
        "missile_damage": 3,
        "wall_splash_per_step": True,
        "mine_under_bot_explodes_now": False,
        "spent_mines_linger": True,
        "emp_both_pay": False,
        "show_mines": False,
        "strict_spacing": False,
        "move_timeout_ms": 0,
        "on_bot_failure": "abort",
        "max_output_bytes": 0,
        "profile": "program",
    }


def test_each_setting_has_its_group() -> None:
    settings = BattlebotsSettings()
    assert set(settings.of_group("wire")) == {"strict_spacing", "max_output_bytes"}
    assert settings.of_group("clock") == {"move_timeout_ms": 2000}
    assert settings.of_group("match") == {"bouts_per_match": 5, "swap_sides": False, "on_bot_failure": "no_action"}
    assert len(settings.of_group("rules")) == 22


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"min_coordinate": 10}, "min_coordinate = 10: must be below the shorter side (10)"),
        ({"min_coordinate": 2}, "start_inset = 1: must be from 2 to 7"),
        ({"start_inset": 10}, "start_inset = 10: must be from 0 to 9"),
        ({"width": 1}, "start_inset = 1: must be from 0 to 0"),
        (
            {"width": 3, "min_coordinate": 2},
            "start_inset = 1: enlarge the board: no inset puts both bots on usable squares of 3 × 10",
        ),
        ({"width": 3, "height": 3}, "start_inset = 1: choose another inset"),
        ({"bullet_speed": 0}, "bullet_speed = 0: must be at least 1"),
        ({"width": 101}, "width = 101: must be at most 100"),
        ({"on_bot_failure": "cry"}, "on_bot_failure = 'cry': must be one of no_action, abort"),
    ],
)
def test_what_cannot_be_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        BattlebotsSettings.read(values)
    assert message in str(error.value)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(UnknownName, match="mine_damage"):
        BattlebotsSettings.read({"mine_damges": 1})


def test_boards_up_to_the_common_size_share_their_records_and_none_is_large() -> None:
    common = layouts(BattlebotsSettings())
    assert layouts(BattlebotsSettings(width=4, height=5, bullet_speed=1)) is common
    assert layouts(BattlebotsSettings(width=12)) is not common
    assert common.state.itemsize <= 2048
    assert common.view.itemsize <= 512


@pytest.mark.parametrize(("width", "height"), [(11, 10), (10, 11), (11, 11), (12, 12), (13, 15), (100, 100)])
def test_every_size_has_records_without_padding(width: int, height: int) -> None:
    kinds = layouts(BattlebotsSettings(width=width, height=height))
    assert kinds.state["mine_at"].shape == (height, width)
    assert kinds.state["shots"].shape == (2, 2 * max(width, height), 4)


def test_an_arena_that_no_command_line_could_hold_is_refused() -> None:
    """Else one bot's mines would keep the other from being started."""
    large: Any = {"width": 100, "height": 100, "bullet_speed": 1}
    with pytest.raises(
        SettingsError, match=r"rounds_per_bout = 9000: lower it: the arena with that many mines"
    ) as refused:
        BattlebotsSettings(**large, rounds_per_bout=9000)
    assert str(LONGEST_TEXT) in refused.value.hint
    BattlebotsSettings(**large, rounds_per_bout=4000)
    BattlebotsSettings(**large, rounds_per_bout=9000, show_mines=False)


@pytest.mark.parametrize("side", [4, 10])
def test_no_arena_is_longer_than_its_settings_say(side: int) -> None:
    settings = BattlebotsSettings(width=side, height=side, rounds_per_bout=10_000, start_hp=1000)
    game = Game(load("battlebots"), settings, 1)
    taken = {tuple(map(int, bot)) for bot in game.state.bots[:, :2]}
    squares = [(x, y) for x in range(side) for y in range(side) if (x, y) not in taken]
    array = game.view(0).array.copy()
    array["mine_count"] = len(squares)
    array["mines"][0, : len(squares)] = squares
    text = open_session(settings, 0).ask(View(array, game.book))
    assert len(squares) * 10 < len(text) <= settings.longest_text
