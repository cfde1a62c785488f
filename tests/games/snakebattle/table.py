"""Snake Battle fields drawn as text, for tests that read like the rule book.

Drawings use the game's own alphabet: double lines are the hero's snake, single lines the enemy's.
"""

from __future__ import annotations

from functools import partial
from textwrap import dedent
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.games.snakebattle.files.cases import PLAYERS, RecordedCase
from botyard.games.snakebattle.layout import COUNTDOWN, EAT, ROUND
from botyard.games.snakebattle.layout.validity import validate
from botyard.games.snakebattle.scene.wording import logged
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.chance import LOWEST

BOOK = load("snakebattle")
WITH_AMOUNT = (COUNTDOWN, ROUND, EAT)


def rows_of(drawing: str) -> list[str]:
    return [row for row in dedent(drawing).split("\n") if row.strip()]


def check(match: Game) -> None:
    """The state is one a game can be in, and only events that have an amount say one."""
    validate(match.arena, match.state)
    entries = match.state.log[: match.state.log_length]
    assert all(entry["kind"] in WITH_AMOUNT or entry["amount"] == 0 for entry in entries)


class Battle(RecordedCase):
    """One or two awake snakes on a drawn field; the dice show 0, so nothing appears. Nobody is seated anew."""

    def __init__(self, drawing: str, players: int = 1, **settings: Any) -> None:
        quick = {"rounds_time_before_start": 0, "rounds_min_ticks_for_win": 1}
        chosen = {**SnakebattleSettings().of_group("rules"), **quick, **settings}
        super().__init__(chosen, partial(Game, BOOK))
        self.on_given(rows_of(drawing))
        self.on_players(players)

    def play(self, *hero: str, enemy: tuple[str, ...] = ()) -> Battle:  # type: ignore[override]
        """A tick for each command; the enemy's go along with the hero's."""
        for at in range(max(len(hero), len(enemy), 1)):
            for name, commands in (("hero", hero), ("enemy", enemy)):
                if at < len(commands):
                    self.on_do({name: [commands[at]]})
            self.on_tick(1)
            check(self.field.game)
        return self

    def board(self, name: str = "hero") -> list[str]:
        return self._field.board(PLAYERS[name])

    def shows(self, drawing: str, name: str = "hero") -> bool:
        """Whether this is what a player sees; a test's failure shows both."""
        assert self.board(name) == rows_of(drawing)
        return True

    def events(self, name: str = "hero") -> list[str]:
        return self._field.events[PLAYERS[name]]

    def snake(self, name: str = "hero") -> Any:
        return self.field.snake(PLAYERS[name])

    @property
    def field(self) -> Any:
        return self._field


def game(level: str, players: int = 2, **settings: Any) -> Game:
    """A match on a small map, as the match loop plays it; the dice show 0, so nothing appears."""
    chosen = {"level_map": "\n".join(rows_of(level)), "rounds_players_per_room": players, **settings}
    match = Game(BOOK, SnakebattleSettings.read(chosen), 1)
    match.arena.chance_kind = LOWEST
    match.begin()
    return match


HEAD_ON = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼        ☼
    ☼ ╘════► ☼
    ☼        ☼
    ☼     ×─>☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼☼☼☼☼☼☼☼☼☼
"""

ARENA = """
    ☼☼☼☼☼☼☼
    ☼#    ☼
    ☼☼    ☼
    ☼#    ☼
    ☼☼    ☼
    ☼☼    ☼
    ☼☼☼☼☼☼☼
"""
CLOCK = {"rounds_time_before_start": 2, "rounds_min_ticks_for_win": 2}

OPEN = """
    ☼☼☼☼☼☼☼
    ☼     ☼
    ☼     ☼
    ☼╘═►  ☼
    ☼     ☼
    ☼     ☼
    ☼☼☼☼☼☼☼
"""


def after(drawing: str, *commands: str, players: int = 1, enemy: tuple[str, ...] = (), **settings: Any) -> Battle:
    return Battle(drawing, players, **settings).play(*commands, enemy=enemy)


def face_to_face(hero: str, enemy: str, **settings: Any) -> Battle:
    """Two snakes in one row whose heads meet on the cell between them."""
    width = len(hero) + len(enemy) + 5
    line = f"☼ {hero} {enemy} ☼"
    blank = "☼" + " " * (width - 2) + "☼"
    return after("\n".join(["☼" * width, line, *[blank] * (width - 3), "☼" * width]), players=2, **settings)


def log(match: Game) -> dict[int, list[str]]:
    """What was said to each seat in the last tick, which left a state a game can be in."""
    check(match)
    told: dict[int, list[str]] = {}
    for seat, text in logged(match.state):
        told.setdefault(seat, []).append(text)
    return told
