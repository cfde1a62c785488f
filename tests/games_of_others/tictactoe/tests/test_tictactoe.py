"""The rules of tic-tac-toe on drawn boards. What holds for every game is tested with all the others."""

from __future__ import annotations

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord


def after(board: str, *orders: str, misere: bool = False) -> Game:
    """A drawn game after some orders."""
    game = Game.drawn("tictactoe", board, load("tictactoe").settings.read({"misere": misere}))
    for order in orders:
        game.step(order)
    return game


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("X X .\nO O .\n. . .", "c3"),
        ("X O .\nX O .\n. . .", "a1"),
        ("X O .\nO X .\n. . .", "c1"),
        (". O X\nO X .\n. . .", "a1"),
    ],
)
def test_three_in_a_line_win(board: str, order: str) -> None:
    assert str(after(board, order)).startswith("over, winner 0")
    assert str(after(board, order, misere=True)).startswith("over, winner 1")


def test_a_full_board_is_a_draw() -> None:
    game = after("X O X\nX O O\nO X .", "c1")
    assert str(game).startswith("over\n")
    assert game.outcome is not None
    assert game.outcome.draw


def test_a_taken_cell_loses() -> None:
    game = after("X . .\n. . .\n. . .")
    game.step_orders({1: 0})
    assert str(game) == "over, winner 0\nX . .\n. . .\n. . ."


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("X X .\nO O .\n. . .", "c3"),
        ("X . .\nX O .\n. . .", "a1"),
        (". . X\nX O .\n. O X", "b3"),
        ("X . O\n. O .\n. . X", "a1"),
    ],
)
def test_the_blocker_completes_its_line_or_the_rivals(board: str, order: str) -> None:
    from tests.match.stage import without_waiting

    from botyard.match.clock import LoopClock
    from botyard.match.in_process import HousePlayer

    game = after(board)
    bot = HousePlayer(game.book, game.settings, "blocker", LoopClock())
    [seat] = game.asked

    async def answer() -> object:
        await bot.start()
        return (await bot.ask(game.view(seat))).result

    assert without_waiting(answer()) == game.book.facts.order_named(order)


@pytest.mark.parametrize(
    "drawing", ["X X X", "X . .\n. . .\n. . ?", "O . .\n. . .\n. . .", "", "over, winner 7\n. . .\n. . .\n. . ."]
)
def test_what_is_no_board_is_refused(drawing: str) -> None:
    with pytest.raises(BadRecord):
        after(drawing)
