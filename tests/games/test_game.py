"""The library as a newcomer uses it."""

from __future__ import annotations

import numpy as np
import pytest

import botyard
from botyard.games import GAMES, load
from botyard.games.game import MAGIC
from botyard.kernel.errors import BadRecord, UnknownName, YardError
from tests.games.hive.table import hive


def test_a_game_is_played_by_names_and_numbers() -> None:
    game = botyard.new("hive", seed=7, flowers_min=35)
    assert game.asked == (0,)
    game.step("move E")
    game.step(0, seat=1)
    game.step({0: "build N"})
    game.step([0, np.int64(16)])
    game.step(np.array([16, 0]))
    assert game.state.turn == 5
    assert not game.over
    assert game.outcome is None
    assert game.scores == (0, 0)
    assert not game.fault
    assert repr(game) == "<Game of hive, flowers_min=35, seed 7, turn 5>"


def test_without_a_seed_every_game_is_another() -> None:
    assert botyard.new("hive").seed != botyard.new("hive").seed
    assert botyard.new("hive", seed=3) == botyard.new("hive", 3)


def test_orders_are_given_to_the_seat_that_is_asked() -> None:
    game = botyard.new("hive", seed=7)
    with pytest.raises(YardError, match="there is no order for seat 0"):
        game.step("move E", seat=1)
    with pytest.raises(YardError, match="no seat 5"):
        game.view(5)
    with pytest.raises(UnknownName, match="unknown order of hive 'fly N'"):
        game.step("fly N")
    with pytest.raises(TypeError, match=r"1\.5 is not an order: give its name or its number"):
        game.step(1.5)  # type: ignore[arg-type]
    with pytest.raises(YardError, match="no order 99"):
        game.step(99)


def test_where_several_seats_are_asked_one_must_be_named() -> None:
    game = botyard.new("battlebots", seed=1)
    with pytest.raises(YardError, match=r"seats \(0, 1\) must act at the same time"):
        game.step("N")
    game.step({0: "N", 1: "S"})
    assert game.view(1).hp == game.view(0).enemy_hp


def test_a_finished_game_takes_no_orders() -> None:
    game = hive("A*. . .\n@ . . &\n. . . a").play("forage S")
    assert game.over
    assert game.orders() == []
    assert "over" in repr(game)
    with pytest.raises(YardError, match="the game is over"):
        game.step("move N")


def test_a_view_shows_itself_and_names_its_fields() -> None:
    view = botyard.new("hive", seed=7).view()
    assert view.fields == ["turn", "player", "bee", "row", "col", "window"]
    assert isinstance(view.row, int)
    assert "window" in dir(view)
    assert repr(view) == f"<View of hive: turn=0, player=0, bee=0, row={view.row}, col={view.col}, window 7×7>"
    assert str(view).startswith("turn 0, player 0, bee 0")
    with pytest.raises(AttributeError, match="a view of hive has no 'colour'; it has turn"):
        _ = view.colour
    with pytest.raises(ValueError, match="read-only"):
        view.window[0, 0] = 1


def test_bytes_give_the_game_back() -> None:
    game = botyard.new("hive", seed=2**64 - 1, preset="program")
    game.step("move E")
    again = botyard.from_bytes(game.bytes())
    assert again == game
    assert again.settings.of_group("rules") == game.settings.of_group("rules")
    again.step("move W")
    assert again != game
    assert game != "game"


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda raw: b"", "not a Botyard game"),
        (lambda raw: b"x" + raw[1:], "not a Botyard game"),
        (lambda raw: raw[:20], "head of these bytes"),
        (lambda raw: raw.replace(b'"hive"', b'"chss"'), "head of these bytes"),
        (lambda raw: raw.replace(b'"seed":7', b'"seed":x'), "head of these bytes"),
        (lambda raw: raw.replace(b'"rules":1', b'"rules":9'), "rules version 9"),
        (lambda raw: raw[:-1], "the state has 1175 bytes"),
        (lambda raw: raw[:-1] + b"\x01", "spare bytes"),
        (lambda raw: MAGIC + (2).to_bytes(4, "little") + b"[]" + raw[30:], "head of these bytes"),
    ],
)
def test_other_bytes_are_refused(damage: object, complaint: str) -> None:
    raw = botyard.new("hive", seed=7).bytes()
    with pytest.raises(BadRecord, match=complaint):
        botyard.from_bytes(damage(raw))  # type: ignore[operator]


def test_only_what_a_game_knows_can_be_done_outside_the_ticks() -> None:
    game = botyard.new("hive", seed=7)
    assert game.changes == ["forfeit"]
    with pytest.raises(YardError, match="'join' is not possible in hive: possible: forfeit"):
        game.change("join", 0)
    with pytest.raises(YardError, match="'step' is not possible in hive"):
        game.change("step", 0)
    game.change("forfeit", 1)
    assert game.outcome is not None
    assert game.outcome.winner == 0


def test_beginning_again_gives_the_same_start() -> None:
    game = botyard.new("hive", seed=7)
    first = game.bytes()
    game.step("move E")
    game.begin()
    assert game.bytes() == first


def test_an_unknown_game_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="unknown game 'hiv': did you mean 'hive'"):
        botyard.new("hiv")
    assert load("hive") is load("hive")


def test_the_package_loads_what_it_offers() -> None:
    assert all(getattr(botyard, name) for name in botyard.__all__)
    assert "play" in dir(botyard)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = botyard.nothing


@pytest.mark.parametrize("name", GAMES)
def test_the_seed_is_in_no_view(name: str) -> None:
    """Games with neighbouring seeds that look alike to a bot would tell it apart from nothing."""
    game = botyard.new(name, seed=0x1234_5678_9ABC_DEF0)
    raw = game.view(game.asked[0]).array.tobytes()
    assert (0x9ABC_DEF0).to_bytes(4, "little") not in raw
    assert (0x1234_5678).to_bytes(4, "little") not in raw
