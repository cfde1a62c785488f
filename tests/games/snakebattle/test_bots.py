"""The house bots of Snake Battle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.facts import FACTS
from botyard.games.snakebattle.rules.body import shorten
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.rule import INTERPRETED, opened
from botyard.match.series import play_house
from tests.games.snakebattle.table import BOOK, Battle


class Bot:
    """A house bot that is asked on drawn boards."""

    def __init__(self, name: str) -> None:
        self._number = BOOK.bot_number(name)
        self._memories = np.zeros(1, BOOK.layouts(SnakebattleSettings()).memory)
        BOOK.loops.wake_at(opened(self._memories), 7, 0)

    def order(self, game: Game, seat: int = 0) -> str:
        views = game.view(seat).array
        number = BOOK.loops.decide_at(self._number, opened(game.arrays[0]), opened(views), opened(self._memories))
        return FACTS.orders[int(number)]

    def on(self, drawing: str, players: int = 1, **effects: Any) -> str:
        battle = Battle(drawing, players)
        if effects:
            battle.on_set({"hero": effects})
        return self.order(battle.field.game)


def board(*rows: str) -> str:
    """A field of nine by nine; the rows are its upper part."""
    lines = [f"☼{row:7}☼" for row in rows]
    return "\n".join(["☼" * 9, *lines, *["☼       ☼"] * (7 - len(lines)), "☼" * 9])


@pytest.mark.parametrize("bot", ["original", "greedy", "fighter"])
@pytest.mark.parametrize("food", "○$®©")
def test_every_bot_goes_for_food(bot: str, food: str) -> None:
    assert Bot(bot).on(board("", "╘►", "", "", f" {food}")).split()[0] == "down"


@pytest.mark.parametrize("bot", ["original", "greedy", "fighter"])
def test_every_bot_goes_around_a_wall_even_up_and_back(bot: str) -> None:
    assert Bot(bot).on(board("  ╓", "  ▼", "  ☼", "  ○")).split()[0] in ("left", "right")
    assert Bot(bot).on(board("○", "", "╘►")).split()[0] == "up"
    assert Bot(bot).on(board("", "○   ◄╕")).split()[0] == "left"


@pytest.mark.parametrize("bot", ["original", "greedy", "fighter"])
def test_of_food_that_is_equally_far_the_first_on_the_board_is_taken(bot: str) -> None:
    """The search comes to the right one first, and goes on as long as another could be as good."""
    assert Bot(bot).on(board("", "  ○", "", " ╘► ○")).split()[0] == "up"


def test_the_fighter_goes_farther_for_gold() -> None:
    assert Bot("fighter").on(board("  $", "", "", " ╘► ○")).split()[0] == "up"
    assert Bot("greedy").on(board("  $", "", "", " ╘► ○")).split()[0] == "right"


@pytest.mark.parametrize("bot", ["greedy", "fighter"])
def test_a_sleeper_waits(bot: str) -> None:
    assert Bot(bot).on(board("╘►"), active=False) == "straight"
    assert Bot("original").on(board("╘►"), active=False) == "right"


def test_the_original_drops_stones_on_even_cells_and_goes_right_when_at_a_loss() -> None:
    assert Bot("original").on(board(" ╘►")) == "right"
    assert Bot("original").on(board("", "", "  ╘►")) == "right"
    assert Bot("original").on(board("", " ╘═►")) == "right drop"


def test_the_original_is_careless_now_and_then() -> None:
    """A stone in its way is minded three times out of four."""
    bot = Bot("original")
    orders = [bot.on(board("╘► ●○", "☼☼☼☼☼", "☼☼☼☼☼☼☼")) for _ in range(10 if INTERPRETED else 30)]
    assert len(set(orders)) == 1
    shut_in = [bot.on(board("☼☼☼", "╘►●○", "☼☼☼☼☼☼☼")) for _ in range(4 if INTERPRETED else 12)]
    assert set(shut_in) == {"right drop"}


@pytest.mark.parametrize("bot", ["greedy", "fighter"])
def test_stones_walls_and_snakes_are_not_walked_into(bot: str) -> None:
    assert Bot(bot).on(board("", "╘►●○")) in ("up", "down")
    assert Bot(bot).on(board("   æ", "╘► │", "   ˅", "", "", "", "☼☼☼☼☼☼☼"), 2) in ("up", "down", "right")
    assert Bot(bot).on(board("", "", " ╘═►☼")) in ("up", "down")


@pytest.mark.parametrize("bot", ["greedy", "fighter"])
def test_a_snake_that_is_shut_in_bites_itself_or_eats_a_stone(bot: str) -> None:
    assert Bot(bot).on(board("╔═══╕", "╚═►☼", "☼☼☼☼")) == "up"
    assert Bot(bot).on(board("☼☼☼☼☼☼", "╘═══►●", "☼☼☼☼☼☼")) == "right"
    assert Bot(bot).on(board("☼☼☼☼", "╘═►☼", "☼☼☼☼")) == "straight"


@pytest.mark.parametrize("bot", ["greedy", "fighter"])
def test_the_cell_a_foe_may_enter_is_left_alone(bot: str) -> None:
    assert Bot(bot).on(board("", "", "╘═►○<─ö"), 2).split()[0] in ("up", "down")


@pytest.mark.parametrize("bot", ["greedy", "fighter"])
def test_a_risky_way_is_better_than_none(bot: str) -> None:
    assert Bot(bot).on(board("☼☼☼☼☼☼", "╘═► <ö", "☼☼☼☼☼☼"), 2) == "right"


def test_the_fighter_measures_before_a_head_on() -> None:
    longer = board("", "", "╘══► <ö")
    assert Bot("fighter").on(longer, 2) == "right"
    equal = board("", "", " ╘► <ö")
    assert Bot("fighter").on(equal, 2) in ("up", "down")


def test_the_fighter_bites_while_it_is_furious_and_not_when_that_ends() -> None:
    drawing = board("  æ", "  │", "╘♥│", "  │", "☼☼│", "☼☼│", "☼☼˅")
    assert Bot("fighter").on(drawing, 2).split()[0] == "right"
    bot = Bot("fighter")
    for _ in range(9):
        bot.on(board("╘♥"))
    assert bot.on(drawing, 2).split()[0] != "right"


def test_the_fighter_does_not_bite_a_furious_body_unless_the_program_has_its_way() -> None:
    drawing = board("  æ", "  │", "  │", "╘♥│", "  │", "  │", "  ♣")
    assert Bot("fighter").on(drawing, 2).split()[0] != "right"
    battle = Battle(drawing, 2, fury_bites_fury=True)
    assert Bot("fighter").order(battle.field.game).split()[0] == "right"


def test_the_fighter_flies_over_what_it_could_not_pass() -> None:
    assert Bot("fighter").on(board("☼☼☼☼☼☼", "╘♠●│○☼", "☼☼☼☼☼☼").replace("│", "●")) == "right"
    assert Bot("fighter").on(board("   æ", "╘♠ │○", "   ˅"), 2).split()[0] == "right"
    assert Bot("fighter").on(board("", "", "╘═► ♦ö○"), 2).split()[0] == "right"


def test_the_fighter_leaves_stones_to_those_who_follow() -> None:
    drawing = board("", "○   ◄╕", "", "    ˄", "    ¤")
    assert Bot("fighter").on(drawing, 2) == "left drop"


def test_a_hidden_head_is_waited_for() -> None:
    battle = Battle(board("", "╘►"), 1)
    battle.on_do({"hero": ["act(0)"]})
    for bot in ("greedy", "fighter"):
        assert Bot(bot).order(battle.field.game) == "straight"


def test_bots_find_their_way_on_a_field_without_walls() -> None:
    for bot in ("original", "greedy", "fighter"):
        assert Bot(bot).on("╘►  ○\n    ☼\n    ☼\n    ☼\n    ☼").split()[0] == "right"


def test_a_way_into_a_dead_end_is_not_gone() -> None:
    drawing = board("☼☼☼☼☼☼☼", "╔═══► ○", "║☼☼☼ ☼☼", "║", "╚═══╕")
    assert Bot("greedy").on(drawing) == "right"
    assert Bot("fighter").on(drawing) == "down"


def test_the_fighter_follows_every_bend_of_a_foe() -> None:
    bends = board("┌─┐┌─┐", "│ └┘ │", "└──┐ │", "╘♥ │ │", "   ˅ └ö")
    assert Bot("fighter").on(bends, 2).split()[0] in ("up", "right", "down")
    others = board(" ┌──┐", " │×┐│", " └┐││", "╘♥└┘˅")
    assert Bot("fighter").on(others, 2).split()[0] in ("up", "right", "down")


def test_a_lone_furious_head_is_taken_to_look_right() -> None:
    battle = Battle(board("", "╘♥", "", "  ×>"), 2, strict_min_length=False)
    battle.field.changed(battle.field.apply, shorten, 0, 1)
    assert Bot("fighter").order(battle.field.game).split()[0] in ("up", "right", "down", "straight")


def test_parts_that_lie_beside_a_furious_head_do_not_confuse_it() -> None:
    assert Bot("fighter").on(board("", "╔══╕", "║♥", "╚╝○")) == "right"


def test_a_tail_outside_of_the_field_ends_the_measuring() -> None:
    assert Bot("fighter").on("#  ○☼\n    ☼\n    ☼\n    ☼\n    ☼") == "right"


def test_the_fighter_does_not_run_after_what_it_cannot_reach_in_time() -> None:
    bot = Bot("fighter")
    for _ in range(8):
        bot.on(board("╘♥"))
    assert bot.on(board("     æ", "     │", "     │", "     ˅", "╘♥", "", "○"), 2).split()[0] == "down"


def points(bots: tuple[str, str], games: int) -> tuple[int, int]:
    """How many games each of two bots won, with both seatings."""
    won = [0, 0]
    settings = SnakebattleSettings().seated(2)
    for order in ((0, 1), (1, 0)):
        seated = [bots[at] for at in order]
        for result in play_house(BOOK, settings, seated, range(games // 2)):
            assert not result.void
            if result.winner is not None:
                won[order[result.winner]] += 1
    return won[0], won[1]


@pytest.mark.skipif(INTERPRETED, reason="whole matches need the compiler")
@pytest.mark.parametrize("bots", [("greedy", "original"), ("fighter", "greedy"), ("fighter", "original")])
def test_the_stronger_bot_clearly_wins(bots: tuple[str, str]) -> None:
    better, worse = points(bots, 48)
    assert better > 2 * worse
