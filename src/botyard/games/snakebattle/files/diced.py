"""Recordings with every die: the reference game with all its players, and the random games."""

from __future__ import annotations

from typing import Any

from botyard.games.snakebattle.files.field import Found, RecordedField, compare, read_settings
from botyard.games.snakebattle.wire import read_answer
from botyard.kernel.recording import Conformance, Difference


def check_runs(records: list[dict[str, Any]], result: Conformance, new_game: Any) -> None:
    """Checks games one after another; each has a head with its settings and then a record per tick."""
    runs: list[list[dict[str, Any]]] = []
    for record in records:
        if "settings" in record:
            runs.append([])
        runs[-1].append(record)
    for at, run in enumerate(runs):
        check_run(str(run[0].get("run", at)), run[0], run[1:], result, new_game)


def check_run(name: str, head: dict[str, Any], ticks: list[dict[str, Any]], result: Conformance, new_game: Any) -> None:
    field = RecordedField(read_settings(head["settings"], head.get("map"), most_players(head, ticks)), new_game)
    field.begin_tick(head["dice"], head["faces"])
    for player in range(1, head["players"] + 1):
        field.join(player)
    seated = field.compare_dice(head["dice"])
    result.games += 1
    for record in ticks:
        found = seated or play(field, record)
        seated = None
        result.count(Difference(name, record["tick"], *found) if found else None)


def most_players(head: dict[str, Any], ticks: list[dict[str, Any]]) -> int:
    """Counts how many players are on the field at the same time, at most."""
    most = now = head["players"]
    for record in ticks:
        now += len(record.get("join", ()))
        most = max(most, now)
        now -= len(record.get("leave", ()))
    return int(most)


def play(field: RecordedField, record: dict[str, Any]) -> Found | None:
    """Plays one recorded tick as a whole; returns the first difference."""
    found = None
    for player, rows in record["boards"].items():
        found = found or field.compare_board(int(player), rows)
    field.begin_tick(record["dice"], record["faces"])
    if "answers" in record:  # the scores in the reference game are those before the tick
        found = found or compare("scores", record["scores"], list(field.scores.values()))
    for player in record.get("join", ()):
        field.join(player)
    for player in record.get("leave", ()):
        field.leave(player)
    texts = record["answers"] if "answers" in record else record["commands"]
    orders = {at: read_answer(text) for at, text in enumerate(texts, 1) if text is not None and at in field.seats}
    found = found or compare("players seated anew", record["respawn"], field.to_respawn(orders))
    field.step(orders)
    found = found or field.compare_dice(record["dice"])
    found = found or compare("events", record["events"], list(field.events.values()))
    if "commands" in record:
        found = found or compare("scores", record["scores"], list(field.scores.values()))
        found = found or compare("players to leave", record.get("should_leave", []), sorted(field.ever_leaving))
    return found
