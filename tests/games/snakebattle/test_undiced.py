"""Our own recordings, which hold no dice: what is not told is read off the boards."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.files import EXPORTS, exporter, listing
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.chance import TAPE
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance
from botyard.kernel.rule import INTERPRETED, opened
from tests.games.snakebattle.recorded import as_lines, conform
from tests.games.snakebattle.table import BOOK, game, rows_of

LEVEL = """
    ☼☼☼☼☼☼☼☼☼
    ☼#  ○ ® ☼
    ☼☼    ○ ☼
    ☼# ●  © ☼
    ☼☼  ○   ☼
    ☼☼ $  ● ☼
    ☼#    ® ☼
    ☼☼ ○    ☼
    ☼☼☼☼☼☼☼☼☼
"""


MATCHES = 1 if INTERPRETED else None  # of each kind: boards are read by the same code, however rules run


@functools.cache
def played(suffix: str, ticks: int = 70, seed: int = 3, luck: int = 0, **settings: Any) -> bytes:
    """What an exporter writes of a match with random orders."""
    values = {"level_map": "\n".join(rows_of(LEVEL)), "rounds_players_per_room": 3, "rounds_time": 30}
    clock = {"rounds_time_before_start": 2, "rounds_min_ticks_for_win": 3, "rounds_per_match": 9}
    game = Game(BOOK, SnakebattleSettings.read({**values, **clock, **settings}), seed)
    writer = exporter(suffix, ["a", "b", "c"])
    arenas, states = game.arrays
    for tick in range(ticks):
        orders = {}
        for seat in game.asked:
            dice = (tick * 7919 + seat * 104729 + luck) * 2654435761 >> 7 & 0xFFFF
            orders[seat] = int(BOOK.rules.stray(opened(arenas)[0], opened(states)[0], seat, dice))
        if tick == 40:
            orders[0] = 10
        writer.before(game, orders)
        game.step_orders(orders)
    return writer.end(game)


@pytest.mark.parametrize("players", [(1, 2), (1, 2, 3)][:MATCHES])
def test_our_own_recording_is_followed_without_dice(players: tuple[int, ...]) -> None:
    head, *records = played(".jsonl").decode().splitlines()
    chosen = [line for line in records if json.loads(line)["player"] in players]
    result = conform("\n".join([head, *chosen]))
    assert result.holds, result.first
    assert result.steps == 70 * len(players)
    assert "without dice" in result.notes[0]


@pytest.mark.parametrize(("seed", "luck"), [(6, 0), (26, 0), (47, 0), (2, 17), (3, 20)][:MATCHES])
def test_what_lay_under_a_snake_is_known_by_who_eats_it_or_can_drop_nothing_there(seed: int, luck: int) -> None:
    result = conform(played(".jsonl", 70, seed, luck).decode())
    assert result.holds, result.first
    assert result.steps == 70 * 3


@pytest.mark.parametrize("seed", [3, 4, 6][:MATCHES])
def test_without_rounds_a_new_snake_is_seen_where_it_has_gone(seed: int) -> None:
    result = conform(played(".jsonl", 70, seed, rounds_enabled=False).decode())
    assert result.holds, result.first
    assert result.steps == 70 * 3


DIES = BOOK.facts.order_named("die")
UP, LEFT = BOOK.facts.order_named("up"), BOOK.facts.order_named("left")
NOTHING_APPEARS = [(50, 49), *[(9, 0)] * 202]


@pytest.mark.parametrize(
    ("starts", "orders", "anew", "shown"),
    [
        ((0, 1), [{}, {1: DIES}, {}], 2, "╘►"),  # woken in the tick in which it was seated
        ((0, 2), [{}, {}, {}, {1: UP}, {}, {}, {0: DIES, 1: LEFT}, {}], 1, "~☺"),  # hidden by one that died on it
    ],
)
def test_a_new_snake_is_seen_that_is_awake_already_or_has_its_head_hidden(
    starts: tuple[int, int], orders: list[dict[int, int]], anew: int, shown: str
) -> None:
    match = game(LEVEL, 2, rounds_time_before_start=2)
    match.arena.chance_kind = TAPE
    match.feed([(3, start) for start in starts])
    match.begin()
    writer = exporter(".jsonl", ["a", "b"])
    for given in orders:
        writer.before(match, given)
        match.feed([(3, anew)] * (DIES in given.values()) + NOTHING_APPEARS)
        match.step_orders(given)
    text = writer.end(match).decode()
    assert any(row.startswith(shown) for line in text.splitlines()[-2:] for row in json.loads(line)["board"])
    result = conform(text)
    assert result.holds, result.first


def undiced_with(change: Callable[[dict[str, Any]], None], at: int = 33) -> Conformance:
    lines = [json.loads(line) for line in played(".jsonl", 40).decode().splitlines()]
    change(lines[at])
    return conform(as_lines(lines))


def more_objects(record: dict[str, Any]) -> None:
    record["board"] = [row.replace(" ", "○") for row in record["board"]]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda record: record.update(score=record["score"] + 1), "score"),
        (lambda record: record.update(events=[*record["events"], "GOLD"]), "events"),
        (lambda record: record.update(respawn=True), "seated anew"),
        (more_objects, "new objects"),
        (lambda record: record.update(board=[row.replace("●", " ") for row in record["board"]]), "next board"),
    ],
)
def test_what_cannot_be_is_found_without_dice(change: Callable[[dict[str, Any]], None], what: str) -> None:
    result = undiced_with(change)
    assert result.first is not None
    assert result.first.what.startswith(what)


def test_nobody_eats_gold_on_a_cell_that_is_seen_to_be_empty() -> None:
    result = undiced_with(lambda record: record.update(events=["GOLD"]), at=32)
    assert result.first is not None
    assert result.first.what == "events"


def test_the_listing_has_every_tick_and_player() -> None:
    text = played(".txt", 3).decode()
    first = json.loads(played(".jsonl", 1).splitlines()[1])
    assert text.splitlines()[:2] == ["1: 1: ☼☼☼☼☼☼☼☼☼", f"1: 1: {first['board'][1]}"]
    assert text.count("---\n") == 3
    assert "2: 3: Fire Event: START" in text
    assert "1: 2: Scores: 0" in text
    assert set(EXPORTS) == {".jsonl", ".txt"}
    assert "41: 1: Seated anew" in played(".txt", 42).decode()


def test_a_name_that_is_no_text_is_an_escape_in_a_recording() -> None:
    raw = exporter(".jsonl", ["\udcff", "b"]).end(game(LEVEL))
    assert json.loads(raw)["names"] == ["\udcff", "b"]


def test_a_recorder_tells_nothing_before_the_first_tick() -> None:
    game = Game(BOOK, SnakebattleSettings(rounds_players_per_room=2), 1)
    assert exporter(".txt", ["a", "b"]).end(game) == b""


def test_more_boards_than_any_match_has_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_CHARACTERS", 1000)
    with pytest.raises(BadRecord, match="no match is that long"):
        played(".txt")
