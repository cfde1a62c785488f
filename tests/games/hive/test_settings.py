"""The settings of Hive Arena that no board could have."""

from __future__ import annotations

from typing import Any

import pytest

import botyard
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.errors import SettingsError


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bees_per_player": 4}, "bees_per_player = 4: must be an odd number"),
        ({"rows": 3}, "bees_per_player = 5: must not be above rows"),
        ({"hive_inset": 15}, "hive_inset = 15: must be at most 14 with 30 columns"),
        ({"bee_inset": 15}, "bee_inset = 15: must be at most 14"),
        ({"bee_inset": 1}, "bee_inset = 1: must differ from hive_inset"),
        ({"flowers_min": 41}, r"flowers_min = 41: must not be above flowers_max \(40\)"),
        ({"flowers_max": 739}, "flowers_max = 739: must be at most 738, the number of free cells"),
        ({"guard_sides": 0}, "guard_sides = 0: must be at least 1"),
        ({"rng": "mersenne"}, "rng = 'mersenne': must be one of default, glibc_rand_r"),
        ({"rows": 181}, "rows = 181: must be at most 180"),
        ({"port": 70000}, "port = 70000: must be at most 65535"),
    ],
)
def test_impossible_settings_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        HiveSettings.read(values)


def test_the_presets_are_those_of_the_specification() -> None:
    program = HiveSettings.read(preset="program")
    assert (program.flowers_max, program.stall_latched, program.rng, program.line_framing) == (
        39,
        False,
        "glibc_rand_r",
        "packet",
    )
    assert HiveSettings.read() == HiveSettings()


@pytest.mark.parametrize(
    "settings",
    [
        {
            "rows": 3,
            "cols": 4,
            "bees_per_player": 1,
            "hive_inset": 0,
            "bee_inset": 1,
            "flowers_min": 8,
            "flowers_max": 8,
        },
        {"rows": 40, "cols": 50, "bees_per_player": 25, "flowers_min": 1000, "flowers_max": 1000},
        {"view_distance": 1},
        {"view_distance": 5, "rows": 7, "cols": 9, "bees_per_player": 3, "flowers_min": 0, "flowers_max": 3},
    ],
    ids=["smallest", "large", "short-sighted", "far-sighted"],
)
def test_every_possible_board_can_be_played(settings: dict[str, Any]) -> None:
    game = botyard.new("hive", seed=1, **settings)
    side = 2 * settings.get("view_distance", 3) + 1
    for _ in range(60):
        if game.over:
            break
        view = game.view()
        assert view.window.shape == (side, side)
        assert view.window[side // 2, side // 2] in (view.player + 1, view.player + 3)
        game.step(game.orders()[view.turn % len(game.orders())])
    assert botyard.from_bytes(game.bytes()) == game
