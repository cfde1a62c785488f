"""The rules of Snake Battle, tick by tick. Numbers in names are those of the specification."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.layout import STEPS_PER_WORD, cell_at
from botyard.games.snakebattle.rules.body import push_tail, shorten
from botyard.games.snakebattle.rules.events import die, tell
from botyard.games.snakebattle.wording import logged
from tests.games.snakebattle.table import Battle, game

OPEN = """
    ☼☼☼☼☼☼☼
    ☼     ☼
    ☼     ☼
    ☼╘═►  ☼
    ☼     ☼
    ☼     ☼
    ☼☼☼☼☼☼☼
"""


def after(drawing: str, *commands: str, players: int = 1, enemy: tuple[str, ...] = (), **settings: Any) -> Battle:
    return Battle(drawing, players, **settings).play(*commands, enemy=enemy)


# Moves (3.5)


def test_a_snake_without_an_order_goes_straight_on() -> None:
    assert after(OPEN, "").shows("""
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼     ☼
        ☼ ╘═► ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """)


@pytest.mark.parametrize(
    ("command", "row", "col", "glyph"), [("up", 2, 3, "▲"), ("down", 4, 3, "▼"), ("left", 3, 4, "►")]
)
def test_a_snake_turns_but_never_back(command: str, row: int, col: int, glyph: str) -> None:
    assert after(OPEN, command).board()[row][col] == glyph


def test_the_last_direction_of_an_answer_counts_and_an_opposite_one_is_lost() -> None:
    assert after(OPEN, "up,down").board()[4][3] == "▼"
    assert after(OPEN, "up,left").board()[3][4] == "►"
    assert after(OPEN, "left", "").board()[3][5] == "►"


def test_a_remembered_direction_waits_for_a_move_clarification_6() -> None:
    battle = Battle(OPEN)
    battle.on_do({"hero": ["up"]})
    battle.on_do({"hero": ["hello"]})
    battle.on_tick(1)
    assert battle.board()[2][3] == "▲"


def test_moving_onto_the_own_tail_is_harmless() -> None:
    assert after("""
        ☼☼☼☼☼
        ☼╔╕ ☼
        ☼▼  ☼
        ☼   ☼
        ☼☼☼☼☼
    """, "right", "up", "left").snake()["length"] == 3  # fmt: skip
    ring = after("""
        ☼☼☼☼☼
        ☼╔╗ ☼
        ☼▼╙ ☼
        ☼   ☼
        ☼☼☼☼☼
    """, "right")  # fmt: skip
    assert ring.snake()["length"] == 4
    assert ring.board()[2][1:3] == "╚►"


def test_a_self_bite_costs_the_cells_behind_it() -> None:
    bitten = after("""
        ☼☼☼☼☼☼☼
        ☼╔═══╕☼
        ☼╚═►  ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """, "up")  # fmt: skip
    assert bitten.shows("""
        ☼☼☼☼☼☼☼
        ☼╔╕▲  ☼
        ☼╚═╝  ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """)
    assert bitten.events() == []


def test_a_flying_snake_crosses_itself_without_loss_and_its_folds_come_undone() -> None:
    battle = Battle("""
        ☼☼☼☼☼☼☼
        ☼╔═══╕☼
        ☼╚═♠  ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """)
    battle.play("up")
    assert battle.snake()["length"] == 8
    assert battle.snake()["folds"] == 1
    battle.play("left", "down", "right", "down")
    assert battle.snake()["folds"] > 0
    battle.play("", "left", "left")
    assert battle.snake()["folds"] == 0
    assert battle.snake()["length"] == 8


def test_a_wall_kills_and_so_does_a_start_cell() -> None:
    assert after(OPEN, "", "", "").events() == ["DIE"]
    assert after(OPEN.replace("►  ☼", "► #☼"), "", "").events() == ["DIE"]
    dead = after(OPEN, "", "", "")
    assert dead.board()[3] == "☼   ╘═☻"
    assert not dead.snake()["alive"]


def test_the_edge_of_a_field_without_walls_kills_too() -> None:
    battle = after("╘►  ☼\n    ☼\n    ☼\n    ☼\n    ☼", "up")
    assert battle.events() == ["DIE"]
    assert battle.board()[0] == " ╙  ☼"


# Stones (3.2, 3.7, example 9.3)

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


def test_stones_example_9_3() -> None:
    battle = after(STONES, "right")
    assert battle.board()[3] == "☼☼╘══►  ☼"
    assert battle.events() == ["STONE"]
    assert battle.snake()["stones"] == 1
    battle.play("up,act")
    assert battle.board()[2:4] == ["☼#   ▲  ☼", "☼☼●╘═╝  ☼"]
    assert battle.snake()["stones"] == 0
    battle.play("act,left")
    assert battle.board()[2:4] == ["☼#  ◄╗  ☼", "☼☼● ╘╝  ☼"]


def test_a_short_snake_dies_of_a_stone() -> None:
    battle = after(OPEN.replace("►  ☼", "►● ☼"))
    assert battle.events() == ["DIE"]
    assert battle.field.game.state.counts[4] == 0


def test_a_furious_snake_carries_a_stone_away_unhurt() -> None:
    battle = after(OPEN.replace("►  ☼", "♥● ☼"))
    assert battle.events() == ["STONE"]
    assert battle.snake()["length"] == 3
    assert battle.snake()["stones"] == 1


def test_a_flying_snake_passes_over_a_stone() -> None:
    battle = after(OPEN.replace("►  ☼", "♠● ☼"), "", "")
    assert battle.events() == []
    assert battle.board()[3] == "☼  ╘═♠☼"
    battle.play("up", "", "")
    assert battle.board()[3][4] == "●"


def test_a_stone_is_not_dropped_right_of_a_start_cell() -> None:
    battle = Battle("""
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼#╘═► ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """)
    battle.on_set({"hero": {"stones": 2}})
    assert battle.play("act").snake()["stones"] == 2
    battle.play("act,up")
    assert battle.snake()["stones"] == 1
    assert battle.board()[2][3] == "●"


def test_a_stone_is_not_dropped_on_an_object_or_under_another_snake() -> None:
    battle = Battle(OPEN)
    battle.on_set({"hero": {"stones": 1}})
    battle.on_put({"apple": [1, 3]})
    assert battle.play("act").snake()["stones"] == 1
    crossed = Battle("""
        ☼☼☼☼☼☼☼
        ☼  ×♦ ☼
        ☼╘═►  ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """, 2)  # fmt: skip
    crossed.on_set({"hero": {"stones": 1}})
    assert crossed.play("act").snake()["stones"] == 0


def test_two_acts_drop_one_stone() -> None:
    battle = Battle(OPEN)
    battle.on_set({"hero": {"stones": 2}})
    battle.on_do({"hero": ["act", "act"]})
    assert battle.snake()["stones"] == 1


# Suicide (3.3)


def test_suicide_leaves_apples_where_nobody_is_seated_anew() -> None:
    battle = Battle(OPEN)
    battle.on_do({"hero": ["act(0)"]})
    assert battle.board()[3] == "☼╘═☻  ☼"
    battle.on_do({"hero": ["act(0)"]})
    assert battle.events() == ["DIE"]
    battle.on_tick(1)
    assert battle.board()[3] == "☼○○○  ☼"


def test_a_sleeper_killed_by_itself_is_cleared_after_it_was_woken_clarification_5() -> None:
    battle = Battle(OPEN, rounds_time_before_start=2)
    battle.on_set({"hero": {"active": False}})
    battle.on_do({"hero": ["up", "act(0)"]})
    assert battle.board()[3] == "☼~═☻  ☼"
    battle.on_tick(1)
    assert battle.board()[3] == "☼~═☻  ☼"
    battle.on_tick(1)
    assert battle.board()[3] == "☼╘═☻  ☼"
    battle.on_tick(1)
    assert battle.board()[3] == "☼○○○  ☼"


def test_the_sleeping_and_the_dead_obey_nothing_else() -> None:
    battle = Battle(OPEN)
    battle.on_set({"hero": {"active": False, "stones": 1}})
    battle.play("up,act")
    assert battle.board()[3] == "☼~═&  ☼"
    assert battle.snake()["stones"] == 1
    assert battle.snake()["turn"] == 0


# Food (3.7)


def test_an_apple_lets_the_tail_stand_still() -> None:
    battle = after(OPEN.replace("►  ☼", "►○ ☼"))
    assert battle.board()[3] == "☼╘══► ☼"
    assert battle.events() == ["APPLE"]
    assert battle.snake()["score"] == 1


def test_gold_is_ten_points() -> None:
    battle = after(OPEN.replace("►  ☼", "►$ ☼"))
    assert battle.events() == ["GOLD"]
    assert battle.snake()["score"] == 10


@pytest.mark.parametrize(
    ("pill", "event", "effect", "glyph"), [("©", "FLYING", "flying", "♠"), ("®", "FURY", "fury", "♥")]
)
def test_a_pill_works_for_ten_boards(pill: str, event: str, effect: str, glyph: str) -> None:
    battle = Battle("☼" * 15 + "\n" + f"☼╘►{pill}          ☼\n" + ("☼             ☼\n" * 12) + "☼" * 15)
    battle.play()
    assert battle.events() == [effect.upper()]
    for left in range(10, 0, -1):
        assert battle.snake()[effect] == left
        assert glyph in battle.board()[1]
        battle.play()
    assert battle.snake()[effect] == 0
    assert glyph not in battle.board()[1]


def test_effects_add_up_and_flying_is_seen_first() -> None:
    battle = after(OPEN.replace("╘═►  ☼", "╘♥©® ☼"), "", "")
    assert (battle.snake()["flying"], battle.snake()["fury"]) == (9, 18)
    assert "♠" in battle.board()[3]


# Fights (3.6)

HEAD_ON = """
    ☼☼☼☼☼☼☼☼☼☼
    ☼        ☼
    ☼ ╘════► ☼
    ☼        ☼
    ☼     ×─>☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼        ☼
    ☼☼☼☼☼☼☼☼☼☼
"""


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


def face_to_face(hero: str, enemy: str, **settings: Any) -> Battle:
    """Two snakes in one row whose heads meet on the cell between them."""
    width = len(hero) + len(enemy) + 5
    line = f"☼ {hero} {enemy} ☼"
    blank = "☼" + " " * (width - 2) + "☼"
    return after("\n".join(["☼" * width, line, *[blank] * (width - 3), "☼" * width]), players=2, **settings)


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


def test_sleepers_are_air() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.on_set({"enemy": {"active": False}})
    battle.play("down", "", "")
    assert battle.events() == []
    assert battle.snake()["alive"]


def body_hit(hero: str, enemy: str, **settings: Any) -> Battle:
    return after(f"""
        ☼☼☼☼☼☼☼☼☼☼
        ☼   ╓    ☼
        ☼   {hero}    ☼
        ☼ ×───{enemy}  ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼        ☼
        ☼☼☼☼☼☼☼☼☼☼
    """, "down", players=2, **settings)  # fmt: skip


def test_a_calm_head_dies_of_a_body() -> None:
    battle = body_hit("▼", ">")
    assert (battle.events(), battle.events("enemy")) == (["DIE"], ["EAT[2]", "WIN"])


def test_a_furious_head_bites_off_what_hangs_behind() -> None:
    battle = body_hit("♥", ">")
    assert (battle.events(), battle.events("enemy")) == (["EAT[2]"], [])
    assert battle.snake("enemy")["length"] == 3


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


# What is drawn (2.3)


def test_the_sleeping_have_glyphs_of_their_own() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.on_set({"hero": {"active": False}, "enemy": {"active": False}})
    assert battle.board()[2] == "☼ ~════& ☼"
    assert battle.board()[4] == "☼     *─ø☼"


def test_of_two_dead_heads_the_shorter_snakes_is_seen() -> None:
    assert "☻" in face_to_face("╘►", "<─ö").board()[1]
    assert "☺" in face_to_face("╘═►", "<ö").board()[1]


def test_a_flying_snake_is_drawn_above_a_shorter_one() -> None:
    battle = face_to_face("╘════►", "♦──ö")
    assert "♦" in battle.board()[1]
    battle = face_to_face("╘══♠", "<ö")
    assert "♠" in battle.board()[1]


# The field as a match (3.4, 4)

ARENA = """
    ☼☼☼☼☼☼☼
    ☼#    ☼
    ☼☼    ☼
    ☼#    ☼
    ☼☼    ☼
    ☼☼    ☼
    ☼☼☼☼☼☼☼
"""
CLOCK = {"rounds_time_before_start": 2, "rounds_min_ticks_for_win": 2}


def log(match: Game) -> dict[int, list[str]]:
    told: dict[int, list[str]] = {}
    for seat, text in logged(match.state):
        told.setdefault(seat, []).append(text)
    return told


def test_a_round_example_9_4() -> None:
    match = game(ARENA, **CLOCK)
    a, b = sorted(range(2), key=lambda seat: int(match.state.snakes[seat]["head"]))  # A is on the upper start cell
    match.step_orders({})
    assert log(match) == {seat: ["[.1.]"] for seat in (0, 1)}
    match.step_orders({})
    assert log(match) == {seat: ["START", "[Round 1]"] for seat in (0, 1)}
    match.step_orders({})
    assert log(match) == {}
    match.step_orders({a: 3})
    assert log(match) == {a: ["DIE"], b: ["WIN"]}
    assert match.scores[b] == 50
    match.step_orders({b: 4})
    assert not match.state.snakes[a]["awake"]
    assert match.state.winner_left == 1
    match.step_orders({})
    assert match.state.countdown == 2
    assert not match.state.snakes[b]["awake"]
    match.step_orders({})
    assert log(match)[0] == ["[.1.]"]
    match.step_orders({})
    assert log(match)[0] == ["START", "[Round 2]"]


def test_the_longest_win_when_time_is_up_and_the_others_are_told() -> None:
    match = game(
        ARENA.replace("☼#    ☼", "☼# ○  ☼", 1), rounds_time=4, rounds_time_before_start=1, rounds_min_ticks_for_win=1
    )
    for _ in range(5):
        match.step_orders({})
    assert log(match) == {0: ["WIN"], 1: ["[Time is over]"]}
    assert match.state.countdown == 1
    assert not match.state.snakes["awake"].any()


def test_a_round_that_was_too_short_has_no_winner() -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=40)
    for _ in range(3):
        match.step_orders({})
    assert log(match) == {}
    match.step_orders({})
    assert log(match) == {seat: ["[Time is over]"] for seat in (0, 1)}
    assert not match.state.snakes["awake"].any()


def test_equal_lengths_win_together_at_the_end_of_time() -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=1)
    for _ in range(4):
        match.step_orders({})
    assert log(match) == {seat: ["WIN"] for seat in (0, 1)}


def test_a_match_is_over_with_the_tick_that_ends_its_last_round_clarification_11() -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=1, rounds_per_match=2)
    ticks = 0
    while not match.over:
        match.step_orders({})
        ticks += 1
    assert ticks == 8
    assert match.scores == (100, 100)
    assert match.outcome is not None
    assert match.outcome.draw
    assert match.asked == ()
    before = match.bytes()
    match.step_orders({0: 1, 1: 12})
    for what in ("join", "leave", "forfeit"):
        match.change(what, 0)
    assert match.bytes() == before


def test_a_running_winner_counter_can_end_the_next_round_4_1() -> None:
    """The survivor dies while the counter for it runs; it goes on in the next round."""
    match = game(
        ARENA, rounds_time=30, rounds_time_before_start=1, rounds_time_for_winner=6, rounds_min_ticks_for_win=1
    )
    match.step_orders({})
    match.step_orders({0: 12})
    match.step_orders({})
    assert match.state.winner_left == 5
    match.step_orders({1: 12})
    starts = 0
    while match.state.countdown != 1 or starts == 0:
        match.step_orders({})
        starts += any("START" in texts for texts in log(match).values())
    assert match.state.snakes["awake"][:2].all()


def test_without_rounds_snakes_are_awake_at_once_and_the_match_ends_by_its_clock() -> None:
    match = game(ARENA, preset="program", rounds_enabled=False, rounds_time=4, rounds_per_match=2)
    assert match.state.snakes["awake"][:2].all()
    for _ in range(8):
        assert not match.over
        match.step_orders({0: 10})
    assert match.over
    assert "START" not in log(match).get(0, [])


def test_the_safety_stop_ends_a_match_in_the_midst_of_a_round() -> None:
    match = game(ARENA, max_ticks=3)
    for _ in range(3):
        match.step_orders({})
    assert match.over


def test_a_suicide_is_seated_anew_in_the_same_tick_and_leaves_no_apples() -> None:
    match = game(ARENA, **CLOCK)
    for _ in range(3):
        match.step_orders({})
    match.step_orders({0: 10})
    assert match.state.snakes[0]["alive"]
    assert not match.state.snakes[0]["awake"]
    assert match.state.counts[3] <= 1
    assert log(match)[0] == ["DIE"]
    assert "WIN" not in log(match).get(1, [])


@pytest.mark.parametrize("order", [-1, -2, 20, 2**31 - 1, -(2**31)])
def test_an_order_that_does_not_exist_does_nothing(order: int) -> None:
    match, twin = game(ARENA, **CLOCK), game(ARENA, **CLOCK)
    for _ in range(4):
        match.step_orders({0: order, 1: order})
        twin.step_orders({0: 0, 1: 0})
    assert match.bytes() == twin.bytes()


# Seating (2.5)


def test_a_start_cell_is_drawn_ten_times_then_the_first_free_one_is_taken() -> None:
    match = game(ARENA, 2)
    match.feed([(2, 0), *[(2, 0)] * 10])
    match.arena.chance_kind = 2
    match.begin()
    assert match.draws_fit
    heads = [int(snake["head"]) for snake in match.state.snakes[:2]]
    assert heads == [cell_at(match.arena, 1, 5), cell_at(match.arena, 1, 3)]


def test_a_player_without_a_free_start_cell_has_no_snake_clarification_9() -> None:
    match = game(ARENA, 3, **CLOCK)
    absent = [seat for seat in range(3) if match.state.snakes[seat]["length"] == 0]
    assert len(absent) == 1
    assert match.asked == (0, 1, 2)
    match.step_orders({})
    match.step_orders({})
    assert log(match)[absent[0]] == ["START", "[Round 1]"]
    for _ in range(3):
        match.step_orders({})
    assert match.state.snakes[absent[0]]["length"] == 2  # the others have moved away


def test_a_map_without_start_cells_has_no_snakes() -> None:
    match = game(ARENA.replace("#", "☼"), 2)
    assert not match.state.snakes["length"].any()


def test_seating_moves_a_player_to_the_end_of_the_list() -> None:
    match = game(ARENA, **CLOCK)
    for _ in range(3):
        match.step_orders({})
    match.step_orders({0: 10})
    assert match.state.roster[:2].tolist() == [1, 0]
    assert match.state.register[:2].tolist() == [0, 1]


# Spawning (3.8)


def spawned(draws: list[tuple[int, int]], level: str) -> Game:
    """A field after one moving tick with these dice."""
    match = game(level, 2, rounds_enabled=False)
    match.feed(draws)
    match.step_orders({})
    assert match.draws_fit
    return match


STOCKED = """
    ☼☼☼☼☼☼☼☼
    ☼#   ○○☼
    ☼☼   ○○☼
    ☼#     ☼
    ☼☼     ☼
    ☼☼     ☼
    ☼☼   ● ☼
    ☼☼☼☼☼☼☼☼
"""


@pytest.mark.parametrize(("face", "kind"), [(42, 6), (32, 5), (21, 7), (11, 4), (9, 3), (0, 3), (10, 0), (49, 0)])
def test_the_die_says_what_appears(face: int, kind: int) -> None:
    match = spawned([(50, face), (8, 4), (8, 3)], STOCKED)
    assert match.state.ground[cell_at(match.arena, 4, 3)] == kind


def test_apples_and_a_stone_are_topped_up() -> None:
    match = spawned([(50, 49), (8, 4), (8, 3)], STOCKED.replace("○○", "  "))
    assert match.state.ground[cell_at(match.arena, 4, 3)] == 3
    match = spawned([(50, 49), (8, 4), (8, 3)], STOCKED.replace("●", " "))
    assert match.state.ground[cell_at(match.arena, 4, 3)] == 4


def test_a_stone_refused_right_of_a_start_cell_makes_room_for_an_apple() -> None:
    level = STOCKED.replace("●", "#").replace("○○", "  ")
    match = spawned([(50, 11), (8, 6), (8, 1)], level)
    assert match.state.ground[cell_at(match.arena, 6, 1)] == 3


def test_the_search_for_a_free_cell_gives_up_after_a_hundred_failures() -> None:
    match = spawned([(50, 0), *[(8, 0), (8, 0)] * 101], STOCKED)
    assert match.state.counts[3] == 4


def test_an_object_may_appear_under_a_tail() -> None:
    match = game(STOCKED, 1, rounds_enabled=False)
    match.step_orders({})
    match.step_orders({})
    snake = match.state.snakes[0]
    x = 2
    y = 6 if int(snake["head"]) < cell_at(match.arena, 0, 5) else 4
    match.feed([(50, 0), (8, x + 1), (8, y)])
    match.step_orders({})
    assert match.draws_fit
    assert match.state.ground[cell_at(match.arena, x + 1, y)] == 3
    assert int(snake["tail"]) == cell_at(match.arena, x + 1, y)


# Points (4.4)


@pytest.mark.parametrize(
    ("fury", "penalty", "points", "left"), [(0, False, -1, 9), (5, False, -1, 10), (5, True, -1, 9), (5, False, 5, 15)]
)
def test_a_stone_in_fury_costs_nothing_unless_the_program_has_its_way_d4(
    fury: int, penalty: bool, points: int, left: int
) -> None:
    battle = Battle(OPEN, fury_stone_penalty=penalty, stone_score=points)
    battle.on_set({"hero": {"fury": fury}})
    battle.on_score({"hero": 10})
    battle.on_score_event({"hero": "STONE"})
    assert battle.snake()["score"] == left


def test_a_score_never_falls_below_zero() -> None:
    battle = after(OPEN, "", "", "")
    assert battle.events() == ["DIE"]
    assert battle.snake()["score"] == 0


# Coming and going (4.3)


def room(players: int, **settings: Any) -> Game:
    match = game(ARENA, 3, played_as="room", **CLOCK, **settings)
    for seat in range(players):
        match.change("join", seat)
    return match


def test_a_room_is_empty_at_first_and_waits_for_two_d8() -> None:
    match = room(1)
    assert match.asked == (0,)
    match.step_orders({})
    assert match.state.countdown == 2
    match.change("join", 1)
    match.step_orders({})
    assert match.state.countdown == 1


def test_a_room_without_rounds_ticks_with_one_player() -> None:
    match = game(ARENA, 2, played_as="room", rounds_enabled=False)
    match.change("join", 1)
    head = int(match.state.snakes[1]["head"])
    match.step_orders({})
    assert int(match.state.snakes[1]["head"]) == head + 1


def test_a_full_room_is_waited_for_in_the_programs_way_d8() -> None:
    match = room(2, wait_full_room=True)
    match.step_orders({})
    assert match.state.countdown == 2
    match.change("join", 2)
    match.change("leave", 0)
    match.step_orders({})
    assert match.state.countdown == 1


def test_a_leaver_dies_and_the_last_one_left_wins_at_once() -> None:
    match = room(2)
    for _ in range(4):
        match.step_orders({})
    match.change("leave", 0)
    assert log(match) == {0: ["DIE"], 1: ["WIN"]}
    assert match.asked == (1,)
    for _ in range(12):
        match.step_orders({1: 0})
    assert match.state.countdown == 2  # the clock waits for somebody


def test_a_sleeper_leaves_quietly() -> None:
    match = room(2)
    match.change("leave", 0)
    assert log(match) == {}


def test_a_seat_can_be_taken_again_unless_the_program_has_its_way() -> None:
    match = room(3)
    match.change("leave", 0)
    match.change("join", 0)
    assert match.asked == (0, 1, 2)
    assert match.state.register[:3].tolist() == [1, 2, 0]
    strict = room(3, seats_reopen=False)
    strict.change("leave", 0)
    strict.change("join", 0)
    assert strict.asked == (1, 2)


def test_joining_a_taken_seat_and_leaving_an_empty_one_do_nothing() -> None:
    match = room(1)
    before = match.bytes()
    match.change("join", 0)
    match.change("leave", 1)
    assert match.bytes() == before


def test_who_dies_or_survives_the_last_round_leaves_the_room() -> None:
    match = room(2, rounds_per_match=1, rounds_time=6)
    for _ in range(3):
        match.step_orders({})
    match.step_orders({0: 10})
    assert match.asked == (1,)
    survivor = match.state.snakes[1]
    while survivor["alive"]:
        match.step_orders({1: 0})
    assert survivor["leaving"]
    match.step_orders({})
    assert survivor["here"] == 0


def test_who_forfeits_comes_last_and_a_lone_player_has_won() -> None:
    match = game(ARENA, 3, **CLOCK)
    match.state.snakes[0]["score"] = 99
    match.change("forfeit", 0)
    assert match.asked == (1, 2)
    match.change("forfeit", 1)
    assert match.outcome is not None
    assert match.outcome.groups == ((2,), (0,), (1,))


# Limits


def test_a_snake_that_outgrows_its_record_is_our_own_fault() -> None:
    battle = Battle(OPEN.replace("►  ☼", "►○ ☼"))
    battle.snake()["length"] = STEPS_PER_WORD * len(battle.snake()["steps"])
    battle.field.apply(push_tail, 0, int(battle.snake()["tail"]) - 1)
    assert battle.field.game.fault


def test_a_log_that_overflows_is_our_own_fault() -> None:
    battle = Battle(OPEN)
    for _ in range(len(battle.field.game.state.log) + 1):
        battle.field.apply(tell, 0, 2, 0)
    assert battle.field.game.fault


# What can be done


def test_orders_lists_what_can_do_something() -> None:
    match = game(ARENA, **CLOCK)
    assert match.orders(0) == ["straight"]
    for _ in range(3):
        match.step_orders({})
    assert match.orders(0) == ["straight", "right", "up", "down"]
    match.state.snakes[0]["stones"] = 1
    assert match.orders(0) == ["straight", "right", "up", "down"]  # the tail lies on a start cell
    for _ in range(2):
        match.step_orders({})
    assert "right drop" in match.orders(0)


def test_bots_sit_in_the_order_they_came() -> None:
    match = game(ARENA)
    assert [match.entrant(seat) for seat in range(2)] == [0, 1]
