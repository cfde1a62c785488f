"""Exports of a game: a record per tick and player, and the original's listing of the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from botyard.games.snakebattle.files.field import board_rows
from botyard.games.snakebattle.layout import DIE, TURNS
from botyard.games.snakebattle.scene.wording import logged
from botyard.games.snakebattle.wire import answer_text
from botyard.kernel.contract import Exporter
from botyard.kernel.errors import BadRecord

RULE = "-" * 60
MOST_CHARACTERS = 64 * 1024 * 1024  # boards and events together: five times what fifteen players see in a match


class Recorder(Exporter):
    """Follows a game and records each player's board and score before a tick, its answer, and the tick's events."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._ticks: list[dict[int, dict[str, Any]]] = []
        self._settings: dict[str, Any] = {}
        self._size = 0

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        self._settings = game.settings.of_group("rules")
        self._read_events(game)
        self._ticks.append({seat: self._record(game, seat, orders.get(seat, 0)) for seat in game.asked})

    def _record(self, game: Any, seat: int, order: int) -> dict[str, Any]:
        snake = game.state.snakes[seat]
        record: dict[str, Any] = {
            "tick": len(self._ticks) + 1,
            "player": seat + 1,
            "board": board_rows(game, seat),
            "score": int(snake["score"]),
            "answer": answer_text(order),
            "events": [],
        }
        self._grow(record["board"])
        dies = order >= 0 and order // TURNS & DIE
        return {**record, "respawn": True} if not snake["alive"] or dies else record

    def _read_events(self, game: Any) -> None:
        """Reads the events of a tick, which can be seen when the next tick begins, or at the end."""
        if self._ticks:
            for seat, text in logged(game.state):
                self._ticks[-1][seat]["events"].append(text)
                self._grow([text])

    def _grow(self, texts: Sequence[str]) -> None:
        """Refuses a game that is too large: a small replay may have a million ticks, or dots in a countdown."""
        self._size += sum(map(len, texts))
        if self._size > MOST_CHARACTERS:
            raise BadRecord(
                f"the listing has more than {MOST_CHARACTERS >> 20} million characters", hint="no match is that long"
            )

    def end(self, game: Any) -> bytes:
        self._read_events(game)
        # Bytes of a name that are not UTF-8 become escapes, which JSON has too.
        return "".join(f"{line}\n" for line in self.lines()).encode("utf-8", "backslashreplace")

    def lines(self) -> list[str]:
        head = {"settings": self._settings, "names": list(self._names)}
        records = [record for tick in self._ticks for record in tick.values()]
        return [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in [head, *records]]


class Lister(Recorder):
    """Writes the listing of the original's reference game: text, every line with its tick and player."""

    def lines(self) -> list[str]:
        listed = []
        for tick in self._ticks:
            for record in tick.values():
                prefix = f"{record['tick']}: {record['player']}:"
                texts = [*record["board"], "", f"Scores: {record['score']}", f"Answer: {record['answer']}"]
                listed += [f"{prefix} {text}".rstrip() for text in texts]
            for record in tick.values():
                prefix = f"{record['tick']}: {record['player']}:"
                listed += [f"{prefix} Seated anew"] if "respawn" in record else []
                listed += [f"{prefix} Fire Event: {event}" for event in record["events"]]
            listed.append(RULE)
        return listed
