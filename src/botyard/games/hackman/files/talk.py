"""The messages between the platform's wrapper and its engine, as the wrapper printed them (specification 6.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botyard.games.hackman.facts import FACTS
from botyard.games.hackman.files.platform import answer_in, compact, move_made
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import PLAYERS
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import TIME_OUTS, is_staying, updates
from botyard.kernel.contract import Exporter
from botyard.kernel.facts import NO_ORDER

ENGINE_SETTINGS = (
    "max_rounds", "player_snippet_count", "map_snippet_count", "snippet_spawn_rate", "snippet_spawn_count",
    "initial_enemy_count", "enemy_spawn_delay", "enemy_spawn_rate", "enemy_spawn_count", "enemy_snippet_loss",
    "map_weapon_count", "weapon_spawn_delay", "weapon_spawn_rate", "weapon_spawn_count", "weapon_snippet_loss",
    "weapon_paralysis_duration", "field_width", "field_height", "field_layout",
)  # fmt: skip
"""Those the engine knows (5.1)."""


class TalkWriter(Exporter):
    """Follows a game and writes what engine and wrapper would have said to each other about it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._turns: dict[tuple[int, int], Any] = {}  # turns of the log, by round and player
        self._rounds = 0

    def hear(self, log: Any) -> None:
        """Takes the turns of the log, which say what the bots answered."""
        rounds = [0] * PLAYERS
        for turn in log.turns:
            if turn.tick >= 0:
                rounds[turn.seat] += 1
                self._turns[rounds[turn.seat], turn.seat] = turn

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        if not self._rounds:
            self._begin(game)
        self._rounds += 1
        told = updates(game.settings.plan, game.view(game.asked[0]))
        for player in range(PLAYERS):
            self._out(*(f"bot {player} send {line}" for line in told))
        for player in range(PLAYERS):
            self._out(f"bot {player} ask action move")
            self._in(f"bot {player} {self._passed_on(game, player, orders.get(player, NO_ORDER))}")
        for player in range(PLAYERS):
            warning = move_made(game, player, orders.get(player, NO_ORDER))[1]
            self._out(*([f"bot {player} warning {warning}"] if warning else []))

    def _passed_on(self, game: Any, player: int, order: int) -> str:
        """Returns an answer as the wrapper passes it on: null for a time-out, `pass` for `no_moves` (10.1)."""
        turn = self._turns.get((self._rounds, player))
        if turn is not None and turn.verdict in TIME_OUTS:
            return "null"
        said = None if turn is None else answer_in(game.settings, turn)
        if said is None:
            return FACTS.orders[order] if 0 <= order <= PASS else "null"
        return FACTS.orders[PASS] if is_staying(said.encode("latin-1", "replace")) else said

    def end(self, game: Any) -> bytes:
        if game.over:  # otherwise the wrapper gave up on the engine, and asks for nothing (6.7)
            self._out("end")
            self._in("details", "game")
        return "".join(f"{line}\n" for line in self._lines).encode("utf-8", "replace")

    def _begin(self, game: Any) -> None:
        settings = game.settings
        self._in("initialize", "bot_ids 0,1", f"configuration {compact(configuration(settings, game.seed))}", "start")
        for player in range(PLAYERS):
            told = {
                "your_botid": player,
                "field_width": settings.field_width,
                "field_height": settings.field_height,
                "max_rounds": settings.max_rounds,
            }
            self._out(*(f"bot {player} send settings {key} {value}" for key, value in told.items()))

    def _in(self, *lines: str) -> None:
        self._lines += [f"Engine in: '{line}'" for line in lines]

    def _out(self, *lines: str) -> None:
        self._lines += [f"Engine out: '{line}'" for line in lines]


def configuration(settings: HackmanSettings, seed: int) -> dict[str, Any]:
    """Returns the settings that the engine is told: those that differ from its defaults, and the seed (5.1)."""
    usual = HackmanSettings()
    told = {
        name: getattr(settings, name) for name in ENGINE_SETTINGS if getattr(settings, name) != getattr(usual, name)
    }
    return {engine_key(name): typed(value) for name, value in {**told, "seed": str(seed)}.items()}


def engine_key(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def typed(value: int | str) -> dict[str, Any]:
    return {"type": "integer" if isinstance(value, int) else "String", "value": value}
