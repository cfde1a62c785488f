"""What a learner of Snake Battle senses: the board around its head, and what it counted from board to board."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.layout import cell_at
from botyard.games.snakebattle.map.alphabet import APPLE, ENEMY, HORIZONTAL
from botyard.games.snakebattle.rules.picture import OWNER
from botyard.kernel.rule import INTERPRETED
from botyard.sim.drill import Drill
from tests.games.drawn import board
from tests.games.numbers import mask_of
from tests.games.sensed import Learner, gain_of, worth_of
from tests.games.snakebattle.table import ARENA, CLOCK, HEAD_ON, Battle, game, rows_of

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

SYMBOLS = ".☼#○●©®$" + "ofFz=~" + "<>^v" + "LRUD" + "!EYZ-,"

THINGS = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼  ○     ☼
    ☼ ╘════► ☼
    ☼      ● ☼
    ☼     ×─>☼
    ☼ $      ☼
    ☼     ©  ☼
    ☼   ®    ☼
    ☼        ☼
    ☼☼☼☼☼☼☼☼☼☼
"""


def field(drawing: str, players: int = 2, **changes: Any) -> Game:
    """A drawn field; changes are made to the hero's snake or, by `enemy`, to the other one."""
    battle = Battle(drawing, players)
    for name, values in {"enemy": changes.pop("enemy", {}), "hero": changes}.items():
        if values:
            battle.on_set({name: values})
    return battle.field.game  # type: ignore[no-any-return]


def test_the_board_lies_around_the_own_head_with_foes_by_how_a_fight_would_end() -> None:
    assert Learner(field(THINGS), 0).look().drawn(SYMBOLS) == board("""
        .......☼☼☼.
        ☼☼☼☼☼☼☼☼☼☼☼
        ☼☼☼☼☼☼☼☼☼☼☼
        ☼☼☼☼☼☼☼☼☼☼☼
        .○.....☼☼☼.
        ~====o.☼☼☼.
        .....●.☼☼☼.
        ....,->☼☼☼.
        $......☼☼☼.
        ....©..☼☼☼.
        ..®....☼☼☼.
    """)
    assert "R" in Learner(field(THINGS), 1).look().drawn(SYMBOLS)


def test_the_numbers_tell_of_the_own_snake_and_of_what_is_near() -> None:
    numbers = Learner(field(THINGS), 0).look().numbers
    told = ("awake", "facing", "length", "row", "col", "foes", "longest_foe")
    assert [numbers[name] for name in told] == [1, 1, 6, 2, 7, 1, 3]
    assert [numbers[f"apple_{where}"] for where in ("away", "south", "east")] == [5, 7, 4]
    away = {name: numbers[f"{name}_away"] for name in ("gold", "stone", "fury_pill", "flying_pill", "prey", "hunter")}
    assert away == {"gold": 8, "stone": 1, "fury_pill": 8, "flying_pill": 5, "prey": 3, "hunter": 127}


@pytest.mark.parametrize(
    ("hero", "enemy", "own", "foe"),
    [
        ({}, {}, "o", ">"),
        ({"fury": 5}, {}, "f", ">"),
        ({}, {"fury": 5}, "o", "E"),
        ({"fury": 5}, {"fury": 5}, "f", "!"),
        ({"flying": 5}, {"flying": 5}, "F", "Y"),
    ],
)
def test_heads_are_sensed_by_their_effects(hero: Any, enemy: Any, own: str, foe: str) -> None:
    drawn = Learner(field(HEAD_ON, enemy=enemy, **hero), 0).look().drawn(SYMBOLS)
    assert own in drawn
    assert foe in drawn


def test_sleeping_and_dead_snakes_are_told_from_others() -> None:
    match = game(ARENA, **CLOCK)
    learner = Learner(match, 0).look()
    assert learner.drawn(SYMBOLS).count("z") == 2
    assert learner.drawn(SYMBOLS).count("Z") == 2
    assert (learner.numbers["awake"], learner.numbers["facing"], learner.numbers["length"]) == (0, 4, 0)


def test_a_learner_that_does_not_see_its_head_stays_where_it_was() -> None:
    battle = Battle(HEAD_ON, 2).play("", enemy=("up",))
    learner = Learner(battle.field.game, 0).look()
    battle.play("down")  # the head is under the dead foe's body
    numbers = learner.look().numbers
    assert (numbers["awake"], numbers["row"], numbers["col"]) == (0, 2, 8)
    assert set(mask_of(battle.field.game, 0)[:10]) == {1}


STONES = """
    ☼☼☼☼☼☼☼☼☼
    ☼☼      ☼
    ☼#      ☼
    ☼☼╔═►●  ☼
    ☼☼║     ☼
    ☼☼╚═╕   ☼
    ☼☼      ☼
    ☼☼      ☼
    ☼☼☼☼☼☼☼☼☼
"""


def test_stones_are_counted_as_they_are_eaten_and_dropped_example_9_3() -> None:
    battle = Battle(STONES)
    learner, stones = Learner(battle.field.game, 0).look(), []
    for command in ("right", "up", "up,act", "left"):
        battle.play(command)
        stones.append(learner.look().numbers["stones"])
    assert stones == [1, 1, 0, 0]
    assert [int(battle.snake()["stones"]), learner.numbers["age"]] == [0, 0]


def test_a_flying_snake_takes_no_stone_and_a_new_one_carries_none() -> None:
    battle = Battle(STONES)
    battle.on_set({"hero": {"flying": 5}})
    learner = Learner(battle.field.game, 0).look()
    battle.play("right")
    assert (learner.look().numbers["stones"], learner.numbers["flying"]) == (0, 9)
    learner.memories["stones"] = 3
    battle.on_set({"hero": {"active": False, "flying": 0}})
    assert learner.look().numbers["stones"] == 0


# Orders that make sense, from the board alone

BENT = """
    ☼☼☼☼☼☼☼
    ☼     ☼
    ☼ ╔═► ☼
    ☼ ╚╕  ☼
    ☼     ☼
    ☼     ☼
    ☼☼☼☼☼☼☼
"""


def turns(match: Game) -> list[str]:
    return [order for order in match.orders(0) if " " not in order and order not in ("straight", "drop")]


@pytest.mark.parametrize("effect", [{}, {"fury": 3}, {"flying": 3}])
def test_the_way_back_is_known_by_the_head_or_by_the_neck(effect: dict[str, int]) -> None:
    assert turns(field(BENT, 1, **effect)) == ["right", "up", "down"]


def test_a_flying_head_over_its_own_body_does_not_tell_where_it_came_from() -> None:
    battle = Battle(THINGS, 2)
    battle.on_set({"hero": {"flying": 9}})
    battle.play("down", "left", "up")
    assert turns(battle.field.game) == ["left", "right", "up", "down"]


def test_what_lies_under_the_tail_is_not_known_but_what_the_map_says_is() -> None:
    match = field(BENT, 1)
    before = mask_of(match, 0)
    match.state.ground[cell_at(match.arena, 3, 3)] = APPLE
    assert mask_of(match, 0) == before
    assert "drop" in match.orders(0)
    match.arena.ground[cell_at(match.arena, 2, 3)] = 2  # a start cell to the left of the tail
    assert "drop" not in match.orders(0)
    match.state.picture[4, 4] = 2 * OWNER + ENEMY + HORIZONTAL  # another snake lies over the tail
    assert "drop" in match.orders(0)


# Rewards


def test_points_cells_and_those_left_behind_are_worth_something() -> None:
    match = field(HEAD_ON)
    match.state.snakes[0]["score"] = 7
    assert (worth_of(match, 0), worth_of(match, 1)) == (10 * 7 + 4 * 4, 4 * 1)
    match.state.snakes[1]["alive"] = 0
    assert worth_of(match, 1) == 0
    match.state.over = 1
    assert (worth_of(match, 0), worth_of(match, 1)) == (10 * 7 + 50, 0)


def test_a_death_has_a_price_whoever_has_no_points() -> None:
    battle = Battle(HEAD_ON, 2).play("", enemy=("up",))
    assert (gain_of(battle.field.game, 0), gain_of(battle.field.game, 1)) == (0, 0)
    battle.play("down")
    assert (gain_of(battle.field.game, 0), gain_of(battle.field.game, 1)) == (0, -50)


def test_a_learner_pays_for_a_death_although_its_next_choice_is_in_the_next_round() -> None:
    settings = {"level_map": "\n".join(rows_of(ARENA)), "rounds_players_per_room": 2, "rounds_time": 6, **CLOCK}
    drill = Drill("snakebattle", settings, opponents=["original"])
    assert drill.numbers[0, 0, 0] == 1  # it is awake
    straight, up = 0, 3
    drill.step([straight])
    assert drill.rewards[0, 0] == 0
    drill.step([up])
    drill.step([up])
    assert (drill.rewards[0, 0], drill.numbers[0, 0, 0]) == (-50, 1)
