"""Recordings that would lead compiled rules off the board, or keep us busy for ever: they are refused."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hive.layout import FLOWER
from botyard.games.snakebattle.files import undiced
from botyard.games.snakepit.files.recorded import load as take_recorded
from botyard.games.snakepit.files.recorded import recorded_form
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.recording import Believed, Conformance, read_text
from tests.conftest import recorded_file
from tests.games.hive.test_files import written_log
from tests.games.snakebattle.test_undiced import played


def check(game: str, text: str) -> Conformance:
    result, book = Conformance(game, "here"), load(game)
    book.files.check(text, result, None, partial(Game, book))
    return result


@cache
def first_line(game: str) -> str:
    return min(read_text(recorded_file(game)).splitlines()[:4], key=len)


def refused(game: str, *path: Any, to: Any) -> str:
    """What is said of a recorded game in which one thing was changed."""
    record = json.loads(first_line(game))
    holder = record
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = to
    with pytest.raises(BadRecord) as error:
        check(game, json.dumps(record))
    return str(error.value)


@pytest.mark.parametrize("bees", [[[[999, 999]] * 5] * 2, [[[-9, 0]] * 5] * 2, [[[1e308, 0]] * 5] * 2, "bees"])
def test_bees_stand_on_the_board(bees: Any) -> None:
    refused("hive", "initial", "bees", to=bees)


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        ([4, 4], "a recorded draw is 4 with the bound 4"),
        ([4, -1], "a recorded draw is -1 with the bound 4"),
        ([4, "a"], "'a'"),
        ([2**32, 0], "4294967296"),
    ],
)
def test_a_draw_lies_below_its_bound(draw: list[Any], complaint: str) -> None:
    assert complaint in refused("hive", "setup_draws", to=[draw])


@pytest.mark.parametrize("value", ["a", [1], 1.0, -0.5, 7])
def test_a_real_draw_lies_below_one(value: Any) -> None:
    assert "a number from 0 to below 1" in refused("hackman", "rounds", 0, "draws", to=[[0, value]])


@pytest.mark.parametrize("pellet", [[0, 7], [60, 1], [-1, -1], [9999, 1], [1.5, "a"]])
def test_a_pellet_lies_on_the_board(pellet: list[Any]) -> None:
    refused("snakepit", "ticks", 0, "state", "pellet", to=pellet)


@pytest.mark.parametrize("body", [[[0, 1]], [[9999, 3]], [[2, 2], [2, 9]], [[]]])
def test_a_snake_lies_on_the_board(body: list[list[int]]) -> None:
    refused("snakepit", "initial", "snakes", 0, "body", to=body)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"pellet": [0, 7]}, "a recorded pellet lies at"),
        ({"snakes": [[0, 1]]}, "head at"),
        ({"snakes": [[9999, 3]]}, "head at"),
    ],
)
def test_a_recorded_state_that_leads_off_the_board_is_not_taken_over(change: dict[str, Any], complaint: str) -> None:
    game = Game(load("snakepit"), load("snakepit").settings.read({"snakes": 1}), 3)
    before, state = game.bytes(), recorded_form(game)
    if "pellet" in change:
        state["pellet"] = change["pellet"]
    else:
        state["snakes"][0]["body"] = change["snakes"]
    with pytest.raises(BadRecord, match=complaint):
        take_recorded(game, {**state, "snakes": [{**snake, "dir": "u"} for snake in state["snakes"]]})
    assert game.bytes() == before


def test_a_board_of_other_signs_or_with_too_many_flowers_has_no_seed() -> None:
    game = Game(load("hive"), load("hive").settings.read({"random_seats": False}, "program"), 7)
    log = written_log(game, ("a", "b"), [0])
    board = next(line.split(",")[5] for line in log.split("\n") if not line.startswith("#"))
    with pytest.raises(BadRecord, match="other characters than 0 to 8"):
        check("hive", log.replace(board, board[:-1] + "x"))
    with pytest.raises(YardError, match="no seed gives the first board"):
        check("hive", log.replace(board, board.replace("0", str(FLOWER))))


def test_only_small_contests_are_played_again() -> None:
    names = [f"nop{number}" for number in range(17)]
    table = "".join(f"{name}\t0\t0\n" for name in names)
    with pytest.raises(BadRecord, match="only contests among the sample bots"):
        check("battlebots", f"nop1 vs nop2\n0 1 2 3 4 \n\nResults:\nBot\tMatches\tBouts\n{table}")


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        ({"tick": 10**9}, "tick = 1000000000"),
        ({"tick": "1"}, "tick = '1'"),
        ({"snake": {"length": 10**9, "active": True}}, "length = 1000000000"),
        ({"put": {"apple": [99, 1]}}, "x = 99"),
        ({"put": {"apple": [1, -1]}}, "y = -1"),
        ({"set": {"hero": {"head": 30_000}}}, "unknown value 'head' of a snake"),
        ({"set": {"hero": {"flying": -1}}}, "flying = -1"),
        ({"score_event": {"hero": "EAT[99999999999]"}}, "score_event = 99999999999"),
        ({"given": ["☼☼☼☼", "►   ", "    ", "☼☼☼☼"]}, "x = -1"),
        ({"score": {"hero": 10**12}}, "not a recording"),
        ({"players": 99}, "not a recording"),
    ],
)
def test_a_case_calls_rules_by_hand_but_only_with_what_they_can_take(step: dict[str, Any], complaint: str) -> None:
    steps = [step, {"players": 1}] if "given" in step else [step]
    with pytest.raises(BadRecord) as error:
        check("snakebattle", json.dumps([{"name": "x", "settings": {}, "steps": steps}]))
    assert complaint in str(error.value)


@pytest.mark.parametrize(("bound", "complaint"), [("MOST_WAYS", "too many to guess"), ("MOST_GUESSES", "be guessed")])
def test_what_others_did_is_not_guessed_for_ever(bound: str, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = played(".jsonl", 12).decode().splitlines()
    listed = "\n".join(line for line in lines if json.loads(line).get("player", 1) == 1)
    monkeypatch.setattr(undiced, bound, 2)
    with pytest.raises(BadRecord, match=complaint):
        check("snakebattle", listed)


def test_a_recording_is_believed_until_that_fails() -> None:
    with pytest.raises(BadRecord, match="none after 3 steps: KeyError"), Believed(lambda: "none after 3 steps"):
        raise KeyError("steps")
    with pytest.raises(MemoryError), Believed("no recording"):
        raise MemoryError
