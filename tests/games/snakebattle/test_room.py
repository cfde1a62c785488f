"""What a live room must know of the game (specification 4.3, 4.4 and 6.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

import botyard
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.games.snakebattle.wire import room


def test_settings_are_shown_by_the_names_players_know() -> None:
    rows = {row["key"]: row for row in room.setting_rows(SnakebattleSettings(fury_count=12, rounds_enabled=False))}
    fury = {"name": "[Game] Fury count", "key": "fury_count", "type": "integer", "default": "10", "value": "12"}
    assert rows["fury_count"] == fury
    assert (rows["rounds_enabled"]["type"], rows["rounds_enabled"]["value"]) == ("boolean", "false")
    assert len(rows["level_map"]["value"]) == 900
    assert rows["tick_ms"]["name"] == "tick_ms"
    assert "played_as" not in rows
    assert set(room.SHOWN_SETTINGS) < set(rows)


@pytest.mark.parametrize(
    ("text", "taken"), [("LEFT", True), ("react", True), ("hello", False), ("", False), ("UP" * 50, False)]
)
def test_the_joystick_takes_short_texts_with_a_word_that_means_something(text: str, taken: bool) -> None:
    assert room.is_command(text) is taken


def test_a_field_takes_players_until_its_last_round() -> None:
    game = botyard.new("snakebattle", seed=1, played_as="room", rounds_per_match=2)
    game.state.round_number = 1
    assert room.takes_players(game)
    game.state.round_number = 2
    assert not room.takes_players(game)


def test_a_round_runs_from_the_end_of_its_countdown_on_and_only_where_there_are_rounds() -> None:
    game = botyard.new("snakebattle", seed=1, played_as="room", rounds_time_before_start=2)
    game.change("join", 0)
    game.change("join", 1)
    seen = []
    for _ in range(3):
        game.step_orders({})
        seen.append(room.round_running(game))
    assert (seen[0], seen[-1]) == (False, True)
    assert room.round_running(botyard.new("snakebattle", seed=1, played_as="room", rounds_enabled=False)) is None


def test_points_go_along() -> None:
    game = botyard.new("snakebattle", seed=1, played_as="room", rounds_enabled=False)
    game.change("join", 3)
    room.bring_points(game, 3, 25)
    assert game.scores[3] == 25
    game.change("leave", 3)
    assert game.scores[3] == 15  # leaving alive is dying


def test_a_room_is_played_as_one() -> None:
    plain, played = SnakebattleSettings(fury_count=3), SnakebattleSettings(fury_count=3, played_as="room")
    assert room.room_settings(plain, None) == played
    assert room.room_settings(plain, 40) == replace(played, tick_ms=40)


def test_a_player_is_told_why_its_snake_sleeps_and_until_when() -> None:
    game = botyard.new("snakebattle", seed=1, played_as="room", rounds_time_before_start=5, rounds_time=300)
    game.change("join", 0)
    assert room.why_idle(game, 0) == ("the field waits for a second player; the round begins soon after", None, False)
    game.change("join", 1)
    game.step_orders({})
    assert room.why_idle(game, 0) == ("every snake sleeps until the round begins", 4, False)
    for _ in range(4):
        game.step_orders({})
    assert room.why_idle(game, 0) is None
    game.change("join", 2)
    assert room.why_idle(game, 2) == ("a new snake sleeps until the next round", 305, True)
    game.state.snakes[2].length = 0
    assert room.why_idle(game, 2) == (
        "all start cells are taken; a new snake comes as soon as one is free",
        None,
        False,
    )


def test_a_field_that_waits_for_all_says_for_how_many() -> None:
    game = botyard.new("snakebattle", seed=1, played_as="room", wait_full_room=True, rounds_players_per_room=3)
    game.change("join", 0)
    assert room.why_idle(game, 0) == ("the field waits for 2 more players", None, False)
    game.change("join", 1)
    assert room.why_idle(game, 0) == ("the field waits for 1 more player", None, False)
