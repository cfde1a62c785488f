"""Fights: head on, into a body, with pills (specification 3.6)."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.layout import DOWN, RIGHT, UP, cell_at
from botyard.games.snakebattle.rules.body import push_head, shorten, take_off
from botyard.games.snakebattle.rules.events import die
from botyard.games.snakebattle.rules.picture import lay_snakes, lift_snakes
from botyard.games.snakebattle.scene.wording import logged
from botyard.kernel.rule import opened
from tests.games.snakebattle.table import HEAD_ON, Battle, after, face_to_face, game, log


def test_heads_that_swap_cells_fight_and_the_cut_comes_one_tick_later_example_9_1() -> None:
    battle = Battle(HEAD_ON, 2).play("", enemy=("up",))
    assert battle.board()[2:5] == ["☼  ╘════►☼", "☼       ˄☼", "☼      ×┘☼"]
    battle.play("down")
    assert battle.board()[2:5] == ["☼   ╘═══☺☼", "☼       │☼", "☼       ¤☼"]
    assert battle.board("enemy")[2:5] == ["☼   ×───☻☼", "☼       ║☼", "☼       ╙☼"]
    assert battle.events() == ["EAT[3]", "WIN"]
    assert battle.events("enemy") == ["DIE"]
    battle.play()
    assert battle.board()[2:5] == ["☼       ╓☼", "☼       ║☼", "☼       ▼☼"]


@pytest.mark.parametrize(
    ("hero", "enemy", "hero_events", "enemy_events", "cut"),
    [
        ("╘═══►", "<ö", ["EAT[2]", "WIN"], ["DIE"], 2),
        ("╘══►", "<ö", ["EAT[2]", "WIN"], ["DIE"], 2),
        ("╘═►", "<ö", ["DIE"], ["DIE"], 0),
        ("╘═►", "<─ö", ["DIE"], ["DIE"], 0),
        ("╘═♥", "<──ö", ["EAT[4]", "WIN"], ["DIE"], 0),
        ("╘════►", "♣ö", ["DIE"], ["EAT[6]", "WIN"], 0),
        ("╘════♥", "♣ö", ["EAT[2]", "WIN"], ["DIE"], 2),
        ("╘═►", "♦ö", [], [], 0),
        ("╘═♠", "<ö", [], [], 0),
    ],
)
def test_head_on(hero: str, enemy: str, hero_events: list[str], enemy_events: list[str], cut: int) -> None:
    battle = face_to_face(hero, enemy)
    assert (battle.events(), battle.events("enemy")) == (hero_events, enemy_events)
    assert battle.snake()["cut"] == cut


MEETING = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼        ☼
    ☼╘══► <ö ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼☼☼☼☼☼☼☼☼☼
"""


@pytest.mark.parametrize(
    ("hero", "enemy", "hero_events", "enemy_events", "cut"),
    [
        ({"fury": 2}, {}, ["EAT[2]", "WIN"], ["DIE"], 0),
        ({"fury": 1}, {}, ["EAT[2]", "WIN"], ["DIE"], 2),
        ({}, {"fury": 2}, ["DIE"], ["EAT[4]", "WIN"], 0),
        ({"fury": 1}, {"fury": 2}, ["DIE"], ["EAT[4]", "WIN"], 0),
        ({}, {"flying": 2}, [], [], 0),
        ({}, {"flying": 1}, ["EAT[2]", "WIN"], ["DIE"], 2),
    ],
)
def test_an_effect_works_while_its_counter_is_above_zero_after_the_move(
    hero: dict[str, int], enemy: dict[str, int], hero_events: list[str], enemy_events: list[str], cut: int
) -> None:
    battle = Battle(MEETING, 2)
    battle.on_set({"hero": hero, "enemy": enemy})
    battle.play()
    assert (battle.events(), battle.events("enemy")) == (hero_events, enemy_events)
    assert battle.snake()["cut"] == cut


def test_who_is_met_by_two_is_shortened_by_the_first_alone() -> None:
    match = game(THREE, 3, rounds_enabled=False)
    lay_straight(match, 0, (8, 7), 2, DOWN)
    lay_straight(match, 1, (8, 2), 3, UP)
    lay_straight(match, 2, (2, 5), 6, RIGHT)
    match.state.roster[:3] = [2, 0, 1]
    match.step_orders({})
    assert log(match) == {0: ["DIE"], 1: ["DIE"], 2: ["EAT[2]", "EAT[3]"]}
    assert match.state.snakes[2]["cut"] == 2


THREE = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼#       ☼
    ☼☼       ☼
    ☼#       ☼
    ☼☼       ☼
    ☼☼       ☼
    ☼☼       ☼
    ☼#       ☼
    ☼☼       ☼
    ☼☼☼☼☼☼☼☼☼☼
"""


def lay_straight(match: Game, seat: int, tail: tuple[int, int], length: int, direction: int) -> None:
    """Puts a snake somewhere else, all its cells in a line, ready to go on."""
    arena, state = (opened(array)[0] for array in match.arrays)
    lift_snakes(arena, state)
    take_off(arena, state, seat)
    cell = cell_at(match.arena, *tail)
    for _ in range(length):
        push_head(state, seat, cell, direction)
        cell += int(match.arena.delta[direction])
    snake = match.state.snakes[seat]
    snake["direction"], snake["alive"], snake["awake"] = direction, 1, 1
    lay_snakes(arena, state)


def test_the_first_in_the_list_is_dealt_with_first() -> None:
    battle = after("""
        ☼☼☼☼☼☼☼☼☼☼
        ☼    æ   ☼
        ☼    ˅   ☼
        ☼   ╘►   ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, players=2)  # fmt: skip
    assert logged(battle.field.game.state) == [(0, "DIE"), (1, "DIE")]


def test_a_body_over_a_foes_body_is_no_hit_once_the_flight_is_over() -> None:
    battle = Battle("""
        ☼☼☼☼☼☼☼☼☼☼
        ☼    æ   ☼
        ☼    │   ☼
        ☼    │   ☼
        ☼ ╘═►│   ☼
        ☼    ˅   ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, 2)  # fmt: skip
    battle.on_set({"hero": {"flying": 2}})
    battle.play("", "")
    assert (battle.events(), battle.events("enemy")) == ([], [])
    assert battle.snake()["alive"]


def test_sleepers_are_air() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.on_set({"enemy": {"active": False}})
    battle.play("down", "", "")
    assert battle.events() == []
    assert battle.snake()["alive"]


BODY_HIT = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼   ╓    ☼
    ☼   {}    ☼
    ☼ ×───{}  ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼☼☼☼☼☼☼☼☼☼
"""


def body_hit(hero: str, enemy: str, **settings: Any) -> Battle:
    return after(BODY_HIT.format(hero, enemy), "down", players=2, **settings)


def test_a_calm_head_dies_of_a_body() -> None:
    battle = body_hit("▼", ">")
    assert (battle.events(), battle.events("enemy")) == (["DIE"], ["EAT[2]", "WIN"])


def test_a_furious_head_bites_off_what_hangs_behind() -> None:
    battle = body_hit("♥", ">")
    assert (battle.events(), battle.events("enemy")) == (["EAT[2]"], [])
    assert battle.snake("enemy")["length"] == 3


def test_a_bitten_snake_grows_again_where_it_was_bitten() -> None:
    battle = after("""
        ☼☼☼☼☼☼☼☼☼☼
        ☼   ╓    ☼
        ☼   ♥    ☼
        ☼ ×───>○ ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, "down", players=2)  # fmt: skip
    assert (battle.events(), battle.events("enemy")) == (["EAT[2]", "EAT[1]"], ["APPLE"])
    assert battle.snake("enemy")["length"] == 3


def test_a_bite_needs_fury_that_lasts_into_the_move() -> None:
    for left, events in ((1, ["DIE"]), (2, ["EAT[2]"])):
        battle = Battle(BODY_HIT.format("▼", ">"), 2)
        battle.on_set({"hero": {"fury": left}})
        assert battle.play("down").events() == events


def test_fury_against_fury_is_as_if_both_were_calm_unless_the_program_has_its_way() -> None:
    assert body_hit("♥", "♣").events() == ["DIE"]
    assert body_hit("♥", "♣", fury_bites_fury=True).events() == ["EAT[2]"]


def test_a_flying_body_is_not_hit() -> None:
    assert body_hit("▼", "♦").events() == []


def test_a_head_on_a_neck_is_head_on_from_any_side() -> None:
    battle = after("""
        ☼☼☼☼☼☼☼☼☼☼
        ☼    ╓   ☼
        ☼    ▼   ☼
        ☼ ×──>   ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, "down", players=2)  # fmt: skip
    assert (battle.events(), battle.events("enemy")) == (["DIE"], ["EAT[2]", "WIN"])
    assert battle.snake("enemy")["cut"] == 2


def test_a_snake_of_two_cells_has_a_neck_too() -> None:
    battle = after("""
        ☼☼☼☼☼☼☼☼☼☼
        ☼    ╓   ☼
        ☼    ║   ☼
        ☼    ║   ☼
        ☼    ▼   ☼
        ☼   ×>   ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, "down", players=2)  # fmt: skip
    assert (battle.events(), battle.events("enemy")) == (["EAT[2]", "WIN"], ["DIE"])


GROWING = """
    ☼☼☼☼☼☼☼☼☼
    ☼       ☼
    ☼ ×>╓   ☼
    ☼   ║   ☼
    ☼   ▼   ☼
    ☼   ○   ☼
    ☼       ☼
    ☼       ☼
    ☼☼☼☼☼☼☼☼☼
"""


def test_a_tail_that_grows_back_kills_a_calm_head_example_9_2() -> None:
    battle = after(GROWING, players=2)
    assert battle.board()[2:6] == ["☼  ×☺   ☼", "☼   ║   ☼", "☼   ║   ☼", "☼   ▼   ☼"]
    assert battle.events() == ["APPLE", "EAT[2]", "WIN"]
    assert battle.events("enemy") == ["DIE"]


def test_a_tail_that_grows_back_is_bitten_by_a_furious_head_example_9_2() -> None:
    battle = after(GROWING.replace(">", "♣"), players=2)
    assert battle.board()[2:6] == ["☼  ×♣   ☼", "☼   ╓   ☼", "☼   ║   ☼", "☼   ▼   ☼"]
    assert (battle.events(), battle.events("enemy")) == (["APPLE"], ["EAT[1]"])


CUT_AND_STONE = """
    ☼☼☼☼☼☼☼☼☼☼☼☼☼
    ☼╘════►●<─ö ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼           ☼
    ☼☼☼☼☼☼☼☼☼☼☼☼☼
"""


@pytest.mark.parametrize(("strict", "cells"), [(True, "DIE"), (False, "DIE")])
def test_a_cut_that_leaves_nothing_kills_d6(strict: bool, cells: str) -> None:
    battle = after(CUT_AND_STONE, players=2, strict_min_length=strict)
    assert battle.events() == ["EAT[3]", "STONE", "WIN"]
    assert (battle.snake()["length"], battle.snake()["cut"]) == (3, 3)
    assert battle.play().events()[-1] == cells


@pytest.mark.parametrize(("strict", "alive", "length"), [(True, 0, 4), (False, 1, 1)])
def test_the_program_lets_a_lone_head_live_d6(strict: bool, alive: int, length: int) -> None:
    battle = after(CUT_AND_STONE.replace("☼╘════►●<─ö ☼", "☼╘═════►●<─ö☼"), players=2, strict_min_length=strict)
    assert (battle.snake()["length"], battle.snake()["cut"]) == (4, 3)
    battle.play("down")
    assert (battle.snake()["alive"], battle.snake()["length"]) == (alive, length)
    if alive:
        battle.play("right")
        assert battle.board()[2][9] == "►"
        assert battle.snake()["length"] == 1


def test_a_cut_of_one_cell_is_made_too() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.snake()["cut"] = 1
    assert battle.play().snake()["length"] == 5
    assert battle.snake()["cut"] == 0


def test_a_lone_head_has_no_neck_but_can_be_hit() -> None:
    battle = Battle("""
        ☼☼☼☼☼☼☼
        ☼╘► ˄ ☼
        ☼   ¤ ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """, 2, strict_min_length=False)  # fmt: skip
    battle.field.changed(battle.field.apply, shorten, 0, 1)
    assert battle.board()[1] == "☼ ► ˄ ☼"
    battle.play("", enemy=("left",))
    assert (battle.events(), battle.events("enemy")) == (["DIE"], ["DIE"])
    assert "☻" in battle.board()[1]


def test_the_dead_of_a_pass_still_strike_but_die_only_once() -> None:
    """Both heads run into the other's body in the same tick: the second finds its foe dead, and lives on."""
    battle = after("""
        ☼☼☼☼☼☼☼☼
        ☼╔═══╕ ☼
        ☼▼     ☼
        ☼ <──ö ☼
        ☼      ☼
        ☼      ☼
        ☼      ☼
        ☼☼☼☼☼☼☼☼
    """, "", players=2)  # fmt: skip
    assert battle.events("enemy") == ["DIE"]
    battle.field.changed(battle.field.apply, die, 1)
    assert battle.events("enemy") == ["DIE"]
