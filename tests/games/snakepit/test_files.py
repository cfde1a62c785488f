"""The files of Snakepit: recordings of the original, and the results of matches."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.snakepit.files import check, recognise
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.rule import INTERPRETED
from tests.conftest import recorded_file

# Recordings


@cache
def text() -> str:
    return read_text(recorded_file("snakepit"))


def checked(recorded: str) -> Conformance:
    result = Conformance("snakepit", "test")
    check(recorded, result, None, partial(Game, load("snakepit")))
    return result


@cache
def recorded_games() -> list[dict[str, Any]]:
    return [json.loads(line) for line in text().splitlines()]


def record(want: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The shortest recorded game of a kind."""
    return copy.deepcopy(min(filter(want, recorded_games()), key=lambda game: len(game["ticks"])))


@pytest.mark.skipif(INTERPRETED, reason="takes a minute; the short games are checked in any case")
def test_every_recorded_tick_comes_out_the_same() -> None:
    result = checked(text())
    assert result.first is None
    assert (result.games, result.steps, result.equal) == (46, 8150, 8150)
    assert result.notes == ["8085 also simultaneous, 65 depend on the order"]


def test_the_short_recorded_games_come_out_the_same() -> None:
    """And the shortest of those in which nobody ate any more."""
    starved = record(lambda game: game["result"]["end"] == "tick_timeout")
    short = [game for game in recorded_games() if len(game["ticks"]) < 40]
    result = checked("\n".join(map(json.dumps, [*short, starved])))
    assert result.first is None
    assert result.games == len(short) + 1 > 5


def test_recordings_are_told_by_their_content() -> None:
    assert recognise(text())
    assert not recognise("# Player 0: somebody")
    assert not recognise("{no json")
    assert not recognise('{"game": "hive", "steps": []}')
    assert not recognise("[1]")


def test_what_is_no_recording_is_refused() -> None:
    with pytest.raises(BadRecord, match="line 1 is not a recorded game"):
        checked('{"settings": {}}')
    with pytest.raises(BadRecord, match="line 2"):
        checked(json.dumps(record(lambda game: len(game["ticks"]) < 20)) + "\n{")


def several(game: dict[str, Any]) -> bool:
    return game["result"]["end"] == "last_man" and game["scores"] is not None and len(game["ticks"]) > 10


def altered(change: Callable[[dict[str, Any]], Any]) -> Conformance:
    game = record(several)
    change(game)
    return checked(json.dumps(game))


def set_in(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(game: dict[str, Any]) -> None:
        target: Any = game
        for key in path[:-1]:
            target = target[key]
        assert target.get(path[-1]) != to if isinstance(target, dict) else target[path[-1]] != to
        target[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("ticks", 3, "state", "tick"), 7, "tick"),
        (("ticks", 3, "state", "pellet"), [1, 1], "pellet"),
        (("ticks", 3, "state", "pellet_lost"), True, "pellet_lost"),
        (("ticks", 3, "state", "ghosts"), [[1, 1]], "ghosts"),
        (("ticks", 3, "state", "snakes", 0, "growing"), 9, "growing of snake 1"),
        (("ticks", 3, "state", "snakes", 0, "pellets"), 9, "pellets of snake 1"),
        (("ticks", 3, "state", "snakes", 0, "dir"), "x", "dir of snake 1"),
        (("ticks", 3, "state", "snakes", 0, "alive"), False, "alive of snake 1"),
        (("initial", "tick"), 1, "tick"),
        (("scores", "1"), 3, "scores"),
        (("scores_document",), None, "scores_document"),
        (("result", "winner"), 9, "result: winner"),
        (("result", "end"), "all_dead", "result: end"),
        (("result", "deaths"), {}, "result: deaths"),
        (("result", "pellets_consumed"), 99, "result: pellets_consumed"),
        (("result", "last_man"), None, "result: last_man"),
    ],
)
def test_a_difference_is_found_and_named(path: tuple[Any, ...], value: Any, what: str) -> None:
    result = altered(set_in(*path, to=value))
    assert not result.holds
    assert result.first is not None
    assert result.first.what == what
    assert result.first.recorded != result.first.ours


def test_one_difference_does_not_hide_the_rest() -> None:
    result = altered(set_in("ticks", 2, "state", "snakes", 0, "pellets", to=5))
    assert result.steps - result.equal == 2  # in that tick, and when the number falls back after it
    assert result.first is not None
    assert result.first.step == 3


def test_missing_and_invented_moves_are_found() -> None:
    def forget(game: dict[str, Any]) -> None:
        del game["ticks"][1]["moves"]["1"]

    result = altered(forget)
    assert result.first is not None
    assert result.first.what == "snakes asked"
    result = altered(set_in("ticks", 1, "timeouts", to=[1]))
    game = record(several)
    same = game["ticks"][0]["moves"]["1"] == game["ticks"][1]["moves"]["1"]
    assert result.holds == same


def test_a_silent_snake_must_have_kept_its_direction() -> None:
    def contradict(game: dict[str, Any]) -> None:
        tick = game["ticks"][0]
        tick["timeouts"] = [1]
        tick["moves"]["1"] = "u" if tick["moves"]["1"] != "u" else "l"
        game["ticks"][0]["state"]["snakes"][0]["dir"] = "r"

    result = altered(contradict)
    assert not result.holds


def test_a_recorded_death_in_the_last_tick_is_compared_as_the_document_has_it() -> None:
    game = record(lambda game: game["scores"] != game["scores_document"])
    assert checked(json.dumps(game)).holds


def test_a_difference_under_the_simultaneous_rule_alone_is_named_so() -> None:
    game = record(lambda game: any(tick.get("ambiguous") for tick in game["ticks"]) and game["settings"]["clean_start"])
    for tick in game["ticks"]:
        tick.pop("ambiguous", None)
    result = checked(json.dumps(game))
    assert result.first is not None
    assert result.first.what.endswith("simultaneous")


def test_a_body_with_a_gap_is_no_recording() -> None:
    def tear(game: dict[str, Any]) -> None:
        game["ticks"][2]["state"]["snakes"][0]["body"][1] = [1, 1]

    with pytest.raises(BadRecord, match="a body has a gap"):
        altered(tear)


def test_a_recorded_body_may_have_one_step_on_the_spot() -> None:
    def double(times: int, game: dict[str, Any]) -> None:
        body = game["ticks"][2]["state"]["snakes"][0]["body"]
        body[:] = [body[0], *[body[1]] * times, *body[1:]]

    assert altered(partial(double, 1)).first is not None  # loaded, and gone on from
    with pytest.raises(BadRecord, match="two steps on the spot"):
        altered(partial(double, 2))


def test_bodies_that_hang_out_of_the_board_are_loaded_too() -> None:
    game = record(lambda game: not game["settings"]["clean_start"] and hangs_out(game))
    game["initial"]["snakes"][0]["growing"] = 1
    result = checked(json.dumps(game))
    assert result.first is not None
    assert result.first.what == "growing of snake 1"
    game["initial"]["snakes"][0]["growing"] = 0
    assert checked(json.dumps(game)).holds


def hangs_out(game: dict[str, Any]) -> bool:
    cells = [cell for snake in game["initial"]["snakes"] for cell in snake["body"]]
    return bool(max(y for _, y in cells) > game["settings"]["height"])


def test_a_wrong_start_is_found_and_the_recorded_one_played() -> None:
    def shift(game: dict[str, Any]) -> None:
        game["initial"]["snakes"][0]["growing"] = 1

    result = altered(shift)
    assert result.first is not None
    assert result.first.step == 0


def test_a_start_with_too_few_draws_is_a_difference() -> None:
    game = record(lambda game: game["settings"]["rand_start_pellet"] is False)
    assert checked(json.dumps(game)).holds
    game["settings"]["rand_start_pellet"] = True  # the same pellet, but drawn
    assert checked(json.dumps(game)).holds
    game["settings"]["rand_start_pellet"] = False
    game["initial"]["pellet"] = [1, 1]
    assert checked(json.dumps(game)).first is not None


def test_the_program_s_centre_between_two_cells_is_taken_as_recorded() -> None:
    game = record(lambda game: game["settings"]["rand_start_pellet"] is False)
    game["settings"]["height"] += 1
    result = checked(json.dumps(game))
    assert result.first is None or result.first.step > 0


def test_a_game_that_breaks_off_has_no_end() -> None:
    game = record(several)
    game["ticks"] = game["ticks"][:-1]
    result = checked(json.dumps(game))
    assert result.first is not None
    assert result.equal == result.steps
    game["ticks"] = []
    game["scores"] = {str(at + 1): 0 for at in range(len(game["initial"]["snakes"]))}
    game["scores_document"] = game["scores"]
    game["result"] = {"end": "last_man"}
    empty = checked(json.dumps(game))
    assert empty.first is not None
    assert empty.first.ours == "none"
