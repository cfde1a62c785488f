"""What a live room must know of Snake Battle, and what its server shows of it (specification 4.3, 4.4, 5 and 6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from botyard.games.game import Game
from botyard.games.snakebattle.map.alphabet import map_rows
from botyard.games.snakebattle.scene import SIGN_STYLES
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.games.snakebattle.wire import WORDS, merged

__all__ = [
    "COMMANDS", "KEYS", "SIGN_STYLES", "STEERING", "bring_points", "is_command", "merged", "room_settings",
    "setting_rows", "takes_players",
]  # fmt: skip

LONGEST_COMMAND = 100  # of the joystick

SHOWN_SETTINGS = {
    "rounds_enabled": "[Rounds] Enabled",
    "rounds_players_per_room": "[Rounds] Players per room",
    "rounds_teams_per_room": "[Rounds] Teams per room",
    "rounds_time": "[Rounds] Time per Round",
    "rounds_time_for_winner": "[Rounds] Time for Winner",
    "rounds_time_before_start": "[Rounds] Time before start Round",
    "rounds_per_match": "[Rounds] Rounds per Match",
    "rounds_min_ticks_for_win": "[Rounds] Min ticks for win",
    "flying_count": "[Game] Flying count",
    "fury_count": "[Game] Fury count",
    "stone_reduced": "[Game] Stone reduced value",
    "win_score": "[Score] Win score",
    "apple_score": "[Score] Apple score",
    "gold_score": "[Score] Gold score",
    "die_penalty": "[Score] Die penalty",
    "stone_score": "[Score] Stone score",
    "eat_score": "[Score] Eat enemy score",
    "level_map": "[Map] Map",
}
"""Names the original shows to players; a setting of ours that it has not is shown by its own."""

HIDDEN = ("played_as",)  # always `room` here
TYPES = {bool: "boolean", int: "integer", str: "text"}


KEYS = {"ArrowLeft": "LEFT", "ArrowRight": "RIGHT", "ArrowUp": "UP", "ArrowDown": "DOWN", " ": "ACT"}
STEERING = "Arrow keys steer, space drops a stone."
COMMANDS = f"LEFT, RIGHT, UP, DOWN, ACT, fewer than {LONGEST_COMMAND} characters"


def room_settings(settings: SnakebattleSettings, tick_ms: int | None) -> SnakebattleSettings:
    """The settings as a room plays by them."""
    return replace(settings, played_as="room", tick_ms=settings.tick_ms if tick_ms is None else tick_ms)


def takes_players(game: Game) -> bool:
    """Nobody joins a match that is over: its last round is running, and whoever joined would stay behind."""
    return bool(game.state.round_number < game.arena.rounds_per_match)


def bring_points(game: Game, seat: int, points: int) -> None:
    """Points belong to the player: they go on where they were, also when a death takes some of them."""
    game.state.snakes[seat].score = points


def is_command(text: str) -> bool:
    """Whether the joystick takes it: short, and with a word that means something."""
    return len(text) < LONGEST_COMMAND and WORDS.search(text) is not None


def setting_rows(settings: SnakebattleSettings) -> Iterator[dict[str, str]]:
    """Every setting with its name as players know it, its type, its default and its value, all as text."""
    for row in fields(settings):
        if row.name not in HIDDEN:
            yield {
                "name": SHOWN_SETTINGS.get(row.name, row.name),
                "key": row.name,
                "type": TYPES[type(row.default)],
                "default": shown(row.name, row.default),
                "value": shown(row.name, getattr(settings, row.name)),
            }


def shown(key: str, value: Any) -> str:
    if key == "level_map":
        return "".join(map_rows(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
