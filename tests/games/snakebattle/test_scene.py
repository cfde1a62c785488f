"""Snake Battle as people see it, and states read back."""

from __future__ import annotations

from typing import Any

import pytest

import botyard
from botyard.games.game import Game
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.errors import BadRecord
from tests.games.snakebattle.table import BOOK, Battle, game

DRAWN = """
tick 14, round 1, countdown -1, round left 93 of 100, winner -1, 2 joined, filled
☼☼☼☼☼☼☼
☼#aA..☼
☼☼..○.☼
☼#..B.☼
☼☼..b.☼
☼☼..b.☼
☼☼☼☼☼☼☼
seat 1: 0 points, head 4,3 up dd, turns left, furious 7, cut 2, last tail 4,0
seat 0: 3 points, head 3,5 right l, stones 1
under 2,5 ○
register 0 1
events 0 APPLE; 1 EAT[3]; 1 [Round 2]; 0 [..2..]
""".strip()


def test_a_drawing_parses_back() -> None:
    drawn = Game.drawn("snakebattle", DRAWN)
    assert str(drawn) == DRAWN
    assert drawn.state.snakes[1]["fury"] == 7
    assert drawn.state.counts[3] == 2
    assert drawn.seats == 2


def test_a_drawing_without_a_headline_is_a_round_that_has_just_begun() -> None:
    drawn = Game.drawn("snakebattle", "\n".join(DRAWN.splitlines()[1:10]))
    assert (drawn.state.round_number, drawn.state.round_left, drawn.state.countdown) == (1, 300, -1)
    assert drawn.state.register[:2].tolist() == [0, 1]


def test_the_map_of_the_settings_is_kept_where_it_fits() -> None:
    first = Game.drawn("snakebattle", DRAWN)
    again = Game.drawn("snakebattle", DRAWN, first.settings)
    assert again.settings is first.settings
    other = Game.drawn("snakebattle", DRAWN, SnakebattleSettings(rounds_time=7))
    assert other.settings.of_group("rules")["rounds_time"] == 7


def test_a_game_can_be_drawn_at_any_time() -> None:
    match = Game(BOOK, BOOK.settings.read(BOOK.samples.golden), 5)
    for tick in range(120):
        text = str(match)
        again = Game.drawn("snakebattle", text, match.settings)
        assert str(again) == text
        again.state.chance = match.state.chance
        assert again.bytes()[-match.state.nbytes :] == match.bytes()[-match.state.nbytes :]
        assert Game.from_bytes(match.bytes()) == match
        if match.over:
            break
        turns = {seat: (tick * 7 + seat * 3) % 5 for seat in match.asked}
        match.step_orders(turns if tick % 3 else dict.fromkeys(turns, 10 * (tick % 9 == 0)))
    assert match.over


def test_players_who_left_or_have_no_place_are_named() -> None:
    match = game("☼☼☼☼☼\n☼#  ☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼", 3, played_as="room")
    for seat in range(3):
        match.change("join", seat)
    match.change("leave", 0)
    text = str(match)
    assert "seat 0: 0 points, gone" in text
    assert "seat 2: 0 points, no snake" in text
    assert str(Game.drawn("snakebattle", text, match.settings)) == text
    empty = game("☼☼☼☼☼\n☼#  ☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼", 2, played_as="room")
    assert str(Game.drawn("snakebattle", str(empty), empty.settings)) == str(empty)


def test_a_cleared_snake_is_drawn_as_awake_and_not_there() -> None:
    battle = Battle("☼☼☼☼☼\n☼   ☼\n☼╘► ☼\n☼   ☼\n☼☼☼☼☼")
    battle.on_do({"hero": ["act(0)"]})
    assert ", dead, suicide, died" in str(battle.field.game)
    battle.on_tick(1)
    text = str(battle.field.game)
    assert "seat 0: 0 points, no snake, awake, suicide" in text
    assert str(Game.drawn("snakebattle", text, battle.field.game.settings)) == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seat 1: 0 points", "seat 1: no points", "not a drawing"),
        ("☼☼..○.☼", "☼☼..!.☼", "unknown cell"),
        ("filled", "fulfilled", "headline"),
        ("seat 1:", "seat 30:", "is out of order"),
        ("stones 1", "pebbles 1", "for a snake"),
        ("turns left", "turns round", "for a snake"),
        ("head 4,3 up dd", "head 9,3 up dd", "outside"),
        ("head 4,3 up dd", "head 4,0 up ddddd", "within the field's frame"),
        ("register 0 1", "register 0", "register"),
        ("0 APPLE", "0 PEAR", "unknown event"),
        ("0 APPLE", "x APPLE", "event"),
        ("events 0 APPLE", "events " + "; ".join(["0 APPLE"] * 140), "event"),
        ("head 4,3 up dd", "head 4,3 up rrrr", "field's frame"),
    ],
)
def test_a_bad_drawing_is_an_error_with_a_hint(old: str, new: str, message: str) -> None:
    assert old in DRAWN
    with pytest.raises(BadRecord, match=message):
        Game.drawn("snakebattle", DRAWN.replace(old, new))


def test_nothing_is_no_drawing() -> None:
    with pytest.raises(BadRecord):
        Game.drawn("snakebattle", "")


def test_a_view_is_drawn_in_the_games_alphabet() -> None:
    match = botyard.new("snakebattle", seed=2, rounds_players_per_room=2)
    assert str(match.view(0)).count("~&") == 1
    assert len(str(match.view(0)).splitlines()) == 31


# Which bytes are a game


def spoil(change: Any) -> None:
    match = Game(BOOK, BOOK.settings.read(BOOK.samples.golden), 5)
    for _ in range(6):
        match.step_orders({0: 3})
    states = match.arrays[1].copy()
    change(states[0])
    fresh = Game(BOOK, match.settings, 5)
    fresh.load_state(match.arrays[1].tobytes())
    with pytest.raises(BadRecord) as raised:
        fresh.load_state(states.tobytes())
    assert raised.value.hint


def put(name: Any, value: Any, *at: Any) -> Any:
    """A change of one field, or of one element of it."""

    def change(state: Any) -> None:
        for key in at:
            state = state[key]
        state[name] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        put("kind", 9, "chance"),
        put("over", 2),
        put("countdown", -2),
        put("tick", -1),
        put("victims", 1),
        put("notes_length", 1),
        put("players", 2),
        put("players", 15),
        put(0, 2, "roster"),
        put(5, 1, "register"),
        put("log_length", 255),
        put("log_length", 1),
        put("here", 1, "snakes", 7),
        put("score", -1, "snakes", 0),
        put("alive", 2, "snakes", 0),
        put("alive", 1, "snakes", 7),
        put("direction", 4, "snakes", 0),
        put("length", 2000, "snakes", 0),
        put("length", 0, "snakes", 1),
        put("head", 0, "snakes", 1),
        put("head", -400, "snakes", 1),
        put("tail", 77, "snakes", 1),
        put("last_tail", -5, "snakes", 1),
        put("folds", 3, "snakes", 1),
        put(20, 1, "snakes", 1, "steps"),
        put(40, 9, "ground"),
        put(0, 0, "ground"),
        put(3, 7, "counts"),
        put(40, 1, "cover"),
        put((3, 3), 300, "picture"),
    ],
)
def test_bytes_that_no_game_can_be_in_are_refused(change: Any) -> None:
    spoil(change)
