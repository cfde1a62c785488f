"""New game: the laws that every game keeps, the same bytes in every way to run it, and its rules on drawn boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.picture import camera_of, words_of
from botyard.kernel.errors import YardError
from botyard.testing.laws import LAWS, LAWS_OF_ONE_FOLDER, Law, check_golden, named
from botyard.testing.parity import WAYS, check_way


@pytest.mark.parametrize("law", [*LAWS, *LAWS_OF_ONE_FOLDER], ids=named)
def test_the_game_keeps_the_law(law: Law) -> None:
    law(load("newgame"))


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_run_gives_the_same_bytes(way: str) -> None:
    check_way("newgame", way)


def test_the_golden_playthrough_comes_out_the_same() -> None:
    check_golden(load("newgame"), Path(__file__).parent / "golden.txt")


# Draw a board, give orders, look at the board: so every rule can have its test. Rules are compiled once for each size.


def after(board: str, *orders: dict[int, str]) -> Game:
    """A drawn game after some ticks."""
    game = Game.drawn("newgame", board)
    for order in orders:
        game.step(order)
    return game


def test_whoever_comes_to_a_coin_has_it_and_another_one_falls() -> None:
    game = after("A * . . B", {0: "right", 1: "stay"})
    assert game.scores == (1, 0)
    assert str(game).count("*") == 1


def test_a_coin_that_both_reach_at_once_is_lost() -> None:
    game = after(". A * B .", {0: "right", 1: "left"})
    assert game.scores == (0, 0)
    assert "@" in str(game)


def test_nobody_leaves_the_board() -> None:
    assert str(after("A . * . B", {0: "up", 1: "right"})).splitlines()[1] == "A . * . B"


def test_a_walker_sees_only_what_is_near() -> None:
    game = after("A . . B *")
    assert str(game.view(0)).splitlines()[1] == "A . . B ?"


def test_a_picture_shows_the_board_and_who_walks_there() -> None:
    game = after("A . * . B")
    camera = camera_of(game)
    everybody, first = camera.take(game), camera.take_view(game, game.view(0))
    assert [camera.palette[tile].glyph for tile in everybody.stamped()[0]] == ["A", ".", "*", ".", "B"]
    assert [camera.palette[tile].glyph for tile in first.grid[0]] == ["A", ".", "*", ".", "?"]


def test_who_has_more_coins_in_the_end_wins() -> None:
    game = after("tick 39, scores 2-3\nA . * . B", {0: "stay", 1: "stay"})
    assert game.outcome is not None
    assert game.outcome.winner == 1


def test_who_gives_up_loses_whatever_the_score() -> None:
    game = after("tick 9, scores 7-3\nA . * . B")
    game.change("forfeit", 0)
    assert words_of(game).line(0) == "points 7, gave up"
    assert game.outcome is not None
    assert game.outcome.winner == 1


def test_a_board_without_room_for_its_coins_is_refused() -> None:
    with pytest.raises(YardError, match="only 2 cells are free"):
        load("newgame").settings.read({"rows": 1, "cols": 4, "coins": 3})
