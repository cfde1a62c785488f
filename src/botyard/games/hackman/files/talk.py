"""The talk between the platform's wrapper and its engine, as the wrapper printed it (specification 6.8)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from botyard.games.hackman.facts import FACTS
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.plan import PLAYERS
from botyard.games.hackman.wire import updates
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Verdict


class TalkWriter:
    """Follows a game and gives what engine and wrapper would have said to each other about it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._answers: dict[tuple[int, int], str] = {}  # what bots wrote, by round and player
        self._rounds = 0

    def hear(self, log: Any) -> None:
        """Takes what the bots said; a time-out is told as null."""
        rounds = [0] * PLAYERS
        for turn in log.turns:
            if turn.tick >= 0:
                rounds[turn.seat] += 1
                words = turn.received.splitlines() if turn.sent else []
                if turn.verdict in (Verdict.SILENT, Verdict.LATE):
                    words = ["null"]
                if words:
                    self._answers[rounds[turn.seat], turn.seat] = words[0]

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        if not self._rounds:
            self._begin(game)
        self._rounds += 1
        told = updates(game.settings.plan, game.view(game.asked[0]))
        for player in range(PLAYERS):
            self._out(*(f"bot {player} send {line}" for line in told))
        for player in range(PLAYERS):
            order = orders.get(player, NO_ORDER)
            word = FACTS.orders[order] if 0 <= order <= PASS else "null"
            self._out(f"bot {player} ask action move")
            self._in(f"bot {player} {self._answers.get((self._rounds, player), word)}")

    def end(self, game: Any) -> bytes:
        self._out("end")
        self._in("details", "game")
        return "".join(f"{line}\n" for line in self._lines).encode("utf-8", "replace")

    def _begin(self, game: Any) -> None:
        settings = game.settings
        seed = {"seed": {"type": "String", "value": str(game.seed)}}
        self._in("initialize", "bot_ids 0,1", f"configuration {json.dumps(seed, separators=(',', ':'))}", "start")
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
