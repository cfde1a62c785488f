"""The rules of Snake Battle, tick by tick. Numbers in names are those of the specification."""

from __future__ import annotations

import pytest

from botyard.games.snakebattle.layout import STEPS_PER_WORD
from botyard.games.snakebattle.layout.validity import validate
from botyard.games.snakebattle.rules.body import push_tail
from botyard.games.snakebattle.rules.events import tell
from tests.games.snakebattle.table import HEAD_ON, OPEN, Battle, after

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


def test_every_snake_bites_itself_and_not_only_the_first() -> None:
    bitten = after("""
        ☼☼☼☼☼☼☼
        ☼┌───ö☼
        ☼└─>  ☼
        ☼     ☼
        ☼╘►   ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """, "", players=2, enemy=("up",))  # fmt: skip
    assert bitten.board("enemy")[1:3] == ["☼╔╕▲  ☼", "☼╚═╝  ☼"]


COIL = """
    ☼☼☼☼☼☼☼☼☼☼☼☼
    ☼╘════════╗☼
    ☼╔════════╝☼
    ☼╚════════╗☼
    ☼◄════════╝☼
    ☼○         ☼
    ☼          ☼
    ☼          ☼
    ☼          ☼
    ☼          ☼
    ☼          ☼
    ☼☼☼☼☼☼☼☼☼☼☼☼
"""


def test_a_long_snake_grows_moves_and_bites_itself_like_a_short_one() -> None:
    battle = after(COIL, "down")
    assert battle.snake()["length"] == 41
    assert battle.board()[1:6] == [
        "☼╘════════╗☼",
        "☼╔════════╝☼",
        "☼╚════════╗☼",
        "☼╔════════╝☼",
        "☼▼         ☼",
    ]
    battle.play("right", "right")
    assert battle.board()[1] == "☼  ╘══════╗☼"
    battle.play("up")
    assert battle.board()[1:6] == ["☼          ☼", "☼          ☼", "☼          ☼", "☼╔╕▲       ☼", "☼╚═╝       ☼"]


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


def test_a_flying_snake_may_lie_with_its_head_on_its_own_tail() -> None:
    battle = Battle("""
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼ ╔═╗ ☼
        ☼ ╙ ♠ ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """)
    field = battle.field.game
    for command in ("left", "up", "right", "down", "left", "up"):
        battle.play(command)
        validate(field.arena, field.state)


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


@pytest.mark.parametrize(("cells", "events", "left"), [("╘══►", ["DIE"], 4), ("╘═══►", ["STONE"], 2)])
def test_a_stone_leaves_two_cells_or_kills(cells: str, events: list[str], left: int) -> None:
    field = f"☼☼☼☼☼☼☼☼☼\n☼       ☼\n☼{cells}●".ljust(28) + "☼\n" + "☼       ☼\n" * 5 + "☼☼☼☼☼☼☼☼☼"
    battle = after(field)
    assert battle.events() == events
    assert battle.snake()["length"] == left


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


def test_a_stone_is_dropped_under_the_own_tail_wherever_the_others_lie() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.on_set({"enemy": {"stones": 1}})
    assert battle.play("", enemy=("act",)).snake("enemy")["stones"] == 0


def test_a_stone_is_kept_as_long_as_nobody_says_act() -> None:
    battle = Battle(OPEN)
    battle.on_set({"hero": {"stones": 1}})
    assert battle.play("up").snake()["stones"] == 1


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
    assert (battle.snake()["died"], battle.snake()["suicide"]) == (1, 1)
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


@pytest.mark.parametrize(("glyph", "event"), [("○", "APPLE"), ("$", "GOLD"), ("©", "FLYING"), ("®", "FURY")])
def test_what_was_eaten_is_gone(glyph: str, event: str) -> None:
    battle = after(OPEN.replace("►  ☼", f"►{glyph} ☼"))
    assert battle.events() == [event]
    assert not battle.field.game.state.counts.any()
    assert glyph not in "".join(battle.play("up", "up").board())


def test_effects_add_up_and_flying_is_seen_first() -> None:
    battle = after(OPEN.replace("╘═►  ☼", "╘♥©® ☼"), "", "")
    assert (battle.snake()["flying"], battle.snake()["fury"]) == (9, 18)
    assert "♠" in battle.board()[3]


# Limits


def test_a_snake_that_fills_its_record_grows_no_further() -> None:
    battle = Battle(OPEN.replace("►  ☼", "►○ ☼"))
    battle.snake()["length"] = STEPS_PER_WORD * len(battle.snake()["steps"]) - 1
    longest = STEPS_PER_WORD * len(battle.snake()["steps"])
    for _ in range(2):
        battle.field.apply(push_tail, 0, int(battle.snake()["tail"]) - 1)
        assert battle.field.game.state.fault == 0
        assert battle.snake()["length"] == longest


def test_a_log_that_overflows_is_our_own_fault() -> None:
    battle = Battle(OPEN)
    for _ in range(len(battle.field.game.state.log) + 1):
        battle.field.apply(tell, 0, 2, 0)
    assert battle.field.game.state.fault == 1
