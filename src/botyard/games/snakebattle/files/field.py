"""A field driven step by step, as recordings of the original program do: players by number, dice from the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from botyard.games.snakebattle.layout import BARE, DIE, TURNS
from botyard.games.snakebattle.map.alphabet import DEFAULT_MAP, SYMBOLS
from botyard.games.snakebattle.rules.events import forget_log
from botyard.games.snakebattle.rules.picture import OWNER, lay_snakes, lift_snakes
from botyard.games.snakebattle.scene.wording import logged
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.games.snakebattle.wire import board_line
from botyard.kernel.chance import TAPE
from botyard.kernel.errors import BadRecord
from botyard.kernel.rule import opened

Found: TypeAlias = tuple[str, str, str]
"""What differs, as it was recorded, and as it is here."""


def board_rows(game: Any, seat: int) -> list[str]:
    view = game.view(seat)
    line, side = board_line(view), view.side
    return [line[at : at + side] for at in range(0, side * side, side)]


def onlooker_rows(game: Any) -> list[str]:
    """Draws the field for somebody who is not on it: every snake is another's."""
    side = int(game.arena.side)
    codes = game.state.picture[1 : side + 1, 1 : side + 1] % OWNER
    return ["".join(SYMBOLS[code] for code in row) for row in codes.tolist()]


def read_settings(values: dict[str, Any], rows: Sequence[str] | None, players: int) -> SnakebattleSettings:
    """Reads the settings of a recording, on the preset `program`; the seat limit does not apply (clarification 12).

    The map is given beside the settings or among them, as rows or as text.
    """
    given = {**values, "rounds_players_per_room": max(players, 2), "seats_reopen": True}
    level = rows if rows is not None else given.get("level_map", DEFAULT_MAP)
    given["level_map"] = level if isinstance(level, str) else "\n".join(level)
    return SnakebattleSettings.read(given, "program")


class RecordedField:
    """A field whose steps are called from outside. Players are numbered from 1 as they come and keep their numbers."""

    def __init__(self, settings: SnakebattleSettings, new_game: Any) -> None:
        self.game = new_game(settings, 0)
        self.game.arena.drive = BARE
        self.game.arena.chance_kind = TAPE
        self.game.begin()
        self.seats: dict[int, int] = {}  # seats of the players on the field, in the order in which they came
        self.events: dict[int, list[str]] = {}
        self.scores: dict[int, int] = {}
        self.ever_leaving: set[int] = set()

    def snake(self, player: int) -> Any:
        return self.game.state.snakes[self.seats[player]]

    def apply(self, rule: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a single rule that takes arena and state."""
        arenas, states = self.game.arrays
        return rule(opened(arenas)[0], opened(states)[0], *arguments)

    def touch(self, rule: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a single rule that takes the state only."""
        return rule(opened(self.game.arrays[1])[0], *arguments)

    def changed(self, change: Callable[..., Any], *arguments: Any) -> None:
        """Makes a change between ticks; keeps the picture up to date and reads the events."""
        self.touch(forget_log)
        self.apply(lift_snakes)
        change(*arguments)
        self.apply(lay_snakes)
        self.read_log()

    def begin_tick(self, dice: Sequence[int], faces: Sequence[int]) -> None:
        if len(dice) != len(faces):
            raise BadRecord(
                f"a tick has {len(dice)} dice and {len(faces)} faces", hint="it must have a face for each die"
            )
        self.game.feed(list(zip(faces, dice, strict=True)))
        self.events = {player: [] for player in self.scores}

    def join(self, player: int) -> None:
        taken = set(self.seats.values())
        self.seats[player] = next(seat for seat in range(self.game.seats) if seat not in taken)
        self.events.setdefault(player, [])
        self.game.change("join", self.seats[player])
        self.read_log()

    def leave(self, player: int) -> None:
        self.game.change("leave", self.seats[player])
        self.read_log()
        del self.seats[player]

    def to_respawn(self, orders: dict[int, int]) -> list[int]:
        """Lists the players to whom the next tick will give a new snake."""
        return [p for p in self.seats if not self.snake(p).alive or orders.get(p, 0) // TURNS & DIE]

    def step(self, orders: dict[int, int]) -> None:
        self.game.step_orders({self.seats[player]: order for player, order in orders.items()})
        self.read_log()

    def read_log(self) -> None:
        players = {seat: player for player, seat in self.seats.items()}
        for seat, text in logged(self.game.state):
            self.events[players[seat]].append(text)
        for player in self.seats:
            self.scores[player] = int(self.snake(player).score)
            if self.snake(player).leaving:
                self.ever_leaving.add(player)

    def board(self, player: int) -> list[str]:
        return board_rows(self.game, self.seats[player]) if player in self.seats else onlooker_rows(self.game)

    def compare_board(self, player: int, rows: list[str]) -> Found | None:
        ours = self.board(player)
        return None if ours == rows else (f"board of player {player}", "\n".join(rows), "\n".join(ours))

    def compare_dice(self, dice: Sequence[int]) -> Found | None:
        chance = self.game.state.chance
        return None if self.game.draws_fit else ("dice", f"{dice}", f"{chance.counter} drawn, fault {chance.fault}")


def compare(what: str, recorded: Any, ours: Any) -> Found | None:
    return None if recorded == ours else (what, str(recorded), str(ours))
