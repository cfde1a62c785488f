"""What a live room needs to know of Snake Battle, and what its server shows (specification 4.3, 4.4, 5 and 6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from botyard.games.game import Game
from botyard.games.snakebattle.map.alphabet import map_rows
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.games.snakebattle.wire import WORDS, merged
from botyard.kernel.contract import Idleness

__all__ = [
    "COMMANDS", "KEYS", "STEERING", "bring_points", "is_command", "merged", "room_settings", "round_running",
    "setting_rows", "takes_players", "why_idle",
]  # fmt: skip

SOCIETY = 2  # players with whom a field begins to count down
LONGEST_COMMAND = 100  # characters of a joystick command

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
    """Returns the settings by which a room plays."""
    return replace(settings, played_as="room", tick_ms=settings.tick_ms if tick_ms is None else tick_ms)


def takes_players(game: Game) -> bool:
    """Tells whether players can join: not once the last round runs, because a new player would stay behind after it."""
    return bool(game.state.round_number < game.arena.rounds_per_match)


def round_running(game: Game) -> bool | None:
    """Tells whether snakes are about; None without rounds. In between all of them sleep, and nobody would lose."""
    return bool(game.state.countdown <= 0) if game.arena.rounds_enabled else None


def bring_points(game: Game, seat: int, points: int) -> None:
    """Gives a seat the points that its player already has, so that they are counted on, up or down."""
    game.state.snakes[seat].score = points


def why_idle(game: Game, seat: int) -> Idleness | None:
    """Tells why a snake does not move: its field waits for players, a round has not begun, or it has died in one."""
    arena, state = game.arena, game.state
    snake, missing = state.snakes[seat], int(arena.rounds_players_per_room) - int(state.players)
    if arena.rounds_enabled and arena.wait_full_room and not state.filled:
        return Idleness(f"the field waits for {missing} more player{'' if missing == 1 else 's'}")
    if arena.rounds_enabled and state.countdown > 0:
        if state.players < SOCIETY:
            return Idleness("the field waits for a second player; the round begins soon after")
        return Idleness("every snake sleeps until the round begins", int(state.countdown))
    if not snake["length"]:
        return Idleness("all start cells are taken; a new snake comes as soon as one is free")
    if snake["awake"]:
        return None
    rest = max(int(state.round_left), 0) + int(arena.rounds_time_before_start)
    return Idleness("a new snake sleeps until the next round", rest, at_most=True)


def is_command(text: str) -> bool:
    """Tells whether the joystick accepts a text: it must be short and have a word with a meaning."""
    return len(text) < LONGEST_COMMAND and WORDS.search(text) is not None


def setting_rows(settings: SnakebattleSettings) -> Iterator[dict[str, str]]:
    """Yields every setting with the name that players know, its type, its default and its value, all as text."""
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
