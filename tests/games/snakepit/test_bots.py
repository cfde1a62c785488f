"""The house bots of Snakepit: what they do, and that the better ones win."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.snakepit.bots.search import LAST_SEARCH
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import INTERPRETED, opened
from botyard.match.series import play_house
from tests.games.snakepit.table import DrawnPit, snakepit

GAMES = 1 if INTERPRETED else 36
SIDE = 9 if INTERPRETED else 16  # interpreted rules are for coverage, compiled ones for strength


class Seated:
    """A house bot that follows a game from one seat."""

    def __init__(self, name: str, game: Game, seat: int = 0) -> None:
        self.book, self.game, self.seat = game.book, game, seat
        self.number = game.book.bot_number(name)
        self.memories = np.zeros(1, game.book.layouts(game.settings).memory)
        self.book.loops.wake_at(opened(self.memories), 1, seat)

    def decide(self) -> int:
        arenas, view = opened(self.game.arrays[0]), opened(self.game.view(self.seat).array)
        return int(self.book.loops.decide_at(self.number, arenas, view, opened(self.memories)))

    def chart(self) -> str:
        width, height = int(self.game.arena.real_width), int(self.game.arena.real_height)
        rows = self.memories["owner"][0, :height, :width]
        return "\n".join(" ".join(".abcdefgh"[owner] for owner in row) for row in rows)


def at_start(drawing: str, **settings: Any) -> DrawnPit:
    """A drawing of upright snakes in their first tick."""
    game = snakepit(drawing, **settings)
    game.arena.body_cells = int(game.state.snakes[0]["length"])
    return game


# Beeline (6.7)


def test_beeline_believes_to_start_at_10_10() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1, rand_start_pellet=False)
    assert Seated("beeline", game).decide() == 0  # the pellet is at (30, 30)


@pytest.mark.parametrize(
    ("drawing", "order"),
    [
        (". . . .\n. a A .\n. . . *", 0),
        (". . * .\n. . A .\n. . a .", 2),
        (". A a .\n. . . .\n* . . .", 1),
        (". A a .\n. . . .\n. * . .", 3),
    ],
)
def test_beeline_goes_sideways_first_then_up_or_down(drawing: str, order: int) -> None:
    game = snakepit("tick 3, hunger 3\n" + lines_for(drawing) + drawing)
    assert Seated("beeline", game).decide() == order


def lines_for(drawing: str) -> str:
    return str(snakepit(drawing)).splitlines()[1] + "\n"


def test_beeline_says_nothing_where_it_believes_to_stand_on_the_pellet() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1, width=20, height=20, rand_start_pellet=False)
    assert Seated("beeline", game).decide() == NO_ORDER


# Careful


def test_careful_goes_round_a_body_to_the_pellet() -> None:
    game = at_start(". . . .\nA B . *\na b . .\n. . . .")
    assert Seated("careful", game).decide() == 2


def test_careful_does_not_enter_a_dead_end() -> None:
    game = at_start(". . . . .\n. A * . .\n. a . . .\n. . . . B\n. . . . b")
    assert Seated("careful", game).decide() == 0
    bot = Seated("careful", game)
    for x, y in ((3, 1), (4, 2), (3, 3)):
        bot.memories["owner"][0, y - 1, x - 1] = 2
    assert bot.decide() in (1, 2)


def test_careful_keeps_a_chart_of_all_bodies() -> None:
    game = at_start(". . . . .\nA . B . .\na . b . .\na . b . *")
    bot = Seated("careful", game)
    bot.decide()
    assert bot.chart() == ". . . . .\na . b . .\na . b . .\na . b . ."
    game.play(A="u", B="r")
    bot.decide()
    assert bot.chart() == "a . . . .\na . b b .\na . b . .\n. . . . ."
    assert bot.memories["length"][0] == 3


def test_a_chart_ends_where_the_board_does() -> None:
    game = botyard.new("snakepit", seed=2, snakes=1, width=6, height=6, initial_len=9, clean_start=False)
    bot = Seated("careful", game)
    bot.decide()
    x, y = (int(game.state.snakes[0][key]) for key in ("head_x", "head_y"))
    assert bot.memories["owner"].sum() == bot.memories["owner"][0, y - 1 : 6, x - 1].sum() == 7 - y
    assert bot.memories["length"][0] == 10


def test_careful_is_no_longer_when_a_rival_grows() -> None:
    game = at_start(". . . . .\nA . B * .\na . b . .\n. . . . .")
    bot = Seated("careful", game)
    bot.decide()
    game.play(A="u", B="r", pellet=(5, 4))
    bot.decide()
    assert bot.memories["length"][0] == 2
    assert bot.chart() == "a . . . .\na . b b .\n. . b . .\n. . . . ."


def test_careful_notices_that_it_grows_and_that_others_die() -> None:
    drawing = "A * . . .\na B . . C\na b . . c\n. b . . c"
    for preserve in (False, True):
        game = at_start(drawing, preserve_dead=preserve)
        bot = Seated("careful", game)
        bot.decide()
        game.play(A="r", B="d", C="u", pellet=(5, 4))
        bot.decide()
        assert bot.memories["length"][0] == 4
        assert ("b" in bot.chart()) == preserve
        game.play(A="r", C="l")
        bot.decide()


def test_careful_avoids_a_cell_that_a_rival_may_enter_too() -> None:
    game = at_start(". . . . .\nA . B . .\na . b . .\n. . . . .")
    assert Seated("careful", game).decide() == 2  # between the two heads anybody might go


def test_careful_with_nowhere_to_go_still_answers() -> None:
    game = at_start("A B\na b")
    assert Seated("careful", game).decide() == 0


def test_a_search_begins_anew_when_its_numbers_run_out() -> None:
    game = at_start(". . . .\nA . . *\na . . .\n. . . .")
    bot = Seated("careful", game)
    bot.memories["search"] = LAST_SEARCH
    bot.memories["seen"] = LAST_SEARCH
    assert bot.decide() == 0
    assert bot.memories["search"][0] < 10


# Aggressor


def test_aggressor_gets_in_the_way() -> None:
    rows = ["......", "......", ".A....", ".a....", "......", "....B.", "....b.", "*....."]
    game = at_start("\n".join(rows))
    bot = Seated("aggressor", game)
    bot.decide()
    game.play(A="u", B="u")
    assert bot.decide() == 0  # towards (5, 2), three cells before B's head


def test_aggressor_eats_when_nobody_is_near() -> None:
    game = at_start("A" + " ." * 18 + " B\na" + " ." * 18 + " b\n*" + " ." * 19)
    bot = Seated("aggressor", game)
    bot.decide()
    game.play(A="r", B="l")
    assert bot.decide() == 3


def test_aggressor_goes_for_the_pellet_where_there_is_no_cell_before_the_rival() -> None:
    game = at_start(". . . .\nA . B .\na . b .\n. . . .\n* . . .")
    bot = Seated("aggressor", game)
    bot.decide()
    game.play(A="r", B="u")
    assert bot.decide() == 3  # B's head is at the wall


# Strength


def wins(*bots: str, **settings: Any) -> Counter[str]:
    book = load("snakepit")
    chosen = SnakepitSettings(snakes=len(bots), width=SIDE, height=SIDE, **settings)
    counted: Counter[str] = Counter()
    for result in play_house(book, chosen, bots, range(GAMES)):
        assert not result.void
        counted["draw" if result.winner is None else bots[result.winner]] += 1
    return counted


@pytest.mark.parametrize(
    ("strong", "weak"), [("careful", "beeline"), ("aggressor", "beeline"), ("aggressor", "careful")]
)
def test_the_stronger_bot_wins_from_either_seat(strong: str, weak: str) -> None:
    total = wins(strong, weak) + wins(weak, strong)
    assert sum(total.values()) == 2 * GAMES
    if not INTERPRETED:
        assert total[strong] >= 2 * GAMES * 2 // 3
        assert total[strong] > 3 * total[weak]


def test_careful_lives_long_alone() -> None:
    book = load("snakepit")
    chosen = SnakepitSettings(snakes=1, width=9, height=9, tick_timeout=8 if INTERPRETED else 500)
    points = [result.scores[0] for result in play_house(book, chosen, ["careful"], range(GAMES))]
    blind = [result.scores[0] for result in play_house(book, chosen, ["beeline"], range(GAMES))]
    assert sum(points) > 2 * sum(blind) or INTERPRETED
