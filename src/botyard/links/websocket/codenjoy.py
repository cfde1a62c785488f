"""What a Codenjoy server shows of its game: addresses, the names of settings, and the customs of its rooms.

Everything that is Snake Battle's own and not in the contract of all games is in this file. It looks at records by the
names of their fields and at the game's parts by theirs, as they are given to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any
from urllib.parse import quote

from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings

CONTEXT = "/codenjoy-contest"
LINK = "websocket"  # how a game's facts name this link
LONGEST_COMMAND = 100  # of the joystick (specification 6.5)

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
"""Names the original shows to players (specification 5); a setting of ours that it has not is shown by its own."""

HIDDEN = ("played_as",)  # always `room` here


def board_path(user: str, code: str = "") -> str:
    """The board page of a player, below the context."""
    return f"/board/player/{quote(user)}" + (f"?code={quote(code)}" if code else "")


def board_address(host: str, port: int, user: str, code: str) -> str:
    """What a bot's author is given: the address of the board page, which clients make the socket's address of."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{CONTEXT}{board_path(user, code)}"


@dataclass(frozen=True, slots=True)
class SnakeCustoms:
    """Rooms of Snake Battle (specification 4.3 and 4.4)."""

    book: Rulebook

    def takes_players(self, game: Game) -> bool:
        """Nobody joins a match that is over: its last round is running, and whoever joined would stay behind."""
        return bool(game.state.round_number < game.arena.rounds_per_match)

    def bring_points(self, game: Game, seat: int, points: int) -> None:
        """Points belong to the player: they go on where they were, also when a death takes some of them."""
        game.state.snakes[seat].score = points

    def merged(self, order: int, then: int) -> int:
        return int(self.book.part("wire").merged(order, then))


def customs_of(book: Rulebook) -> SnakeCustoms:
    if book.facts.link != LINK or not hasattr(book.rules, "join"):
        raise YardError(f"there are no rooms of {book.facts.name}", hint="snakebattle has them")
    return SnakeCustoms(book)


def room_settings(settings: Any) -> Settings:
    """The settings as a room plays by them."""
    chosen: Settings = replace(settings, played_as="room")
    return chosen


def is_command(book: Rulebook, text: str) -> bool:
    """Whether the joystick takes it: short, and with a word that means something."""
    return len(text) < LONGEST_COMMAND and book.part("wire").WORDS.search(text) is not None


def shown_settings(book: Rulebook, settings: Settings) -> dict[str, str]:
    """Shown name → value, all as text."""
    return {row["name"]: row["value"] for row in setting_rows(book, settings)}


def setting_rows(book: Rulebook, settings: Settings) -> Iterator[dict[str, str]]:
    """Every setting with its name as players know it, its type, its default and its value."""
    for row in fields(settings):
        if row.name in HIDDEN or row.default is MISSING:
            continue
        yield {
            "name": SHOWN_SETTINGS.get(row.name, row.name),
            "key": row.name,
            "type": {bool: "boolean", int: "integer", str: "text"}[type(row.default)],
            "default": shown_value(book, row.name, row.default),
            "value": shown_value(book, row.name, getattr(settings, row.name)),
        }


def shown_value(book: Rulebook, key: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if key == "level_map":
        return "".join(book.part("alphabet").map_rows(value))
    return str(value)
