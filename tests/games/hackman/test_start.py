"""The start of a game, and what appears later (specification 2 and 3.7)."""

from __future__ import annotations

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman.layout import MOST_BUGS
from botyard.games.hackman.settings import HackmanSettings
from tests.games.hackman.table import drawn, hackman, rings

# Set-up (2)


def test_a_game_starts_with_two_snippets_on_154_empty_cells() -> None:
    game = botyard.new("hackman", seed=1)
    state = game.state
    assert state.cells.tolist() == [7 * 20 + 2, 7 * 20 + 17]
    assert (state.snippet_count, state.weapon_count, state.bug_count, state.collected) == (2, 0, 0, 0)
    assert state.winner == -1
    assert state.chance.counter == 2
    assert game.arena.room_count == 156


def test_the_set_up_can_hold_more_and_the_map_has_items_of_its_own() -> None:
    layout = list(HackmanSettings().field_layout)
    layout[0], layout[2] = "C", "W"
    game = botyard.new(
        "hackman", seed=1, field_layout="".join(layout), map_weapon_count=3, initial_enemy_count=2,
        player_snippet_count=7,
    )  # fmt: skip
    state = game.state
    assert (state.snippet_count, state.weapon_count, state.bug_count) == (3, 4, 2)
    assert state.snippets[0] == 0
    assert state.weapons[0] == 1
    assert game.scores == (7, 7)
    assert state.bug_ids[:2].tolist() == [0, 1]
    assert state.chance.counter == 2 + 3 + 2 * 2


# Spawning (3.7)


def test_a_bug_comes_with_every_fifth_snippet() -> None:
    game = hackman(rings("round 1, collected 4", r0c0="0", r0c1="C", r2c6="1"))
    game.play("right pass", draws=[(1, 0), (1, 0), (4, 2)])
    assert game.board() == drawn(rings(r0c1="0", r2c6="1", r4c3="<"))


def test_a_delay_is_taken_off_the_total_before_dividing() -> None:
    settings = {"enemy_spawn_delay": 3, "enemy_spawn_rate": 2, "enemy_spawn_count": 2}
    early = hackman(rings("round 1, collected 3", r0c0="0", r0c1="C", r2c6="1"), **settings)
    assert early.play("right pass", draws=[(1, 0)]).state.bug_count == 0
    due = hackman(rings("round 1, collected 4", r0c0="0", r0c1="C", r2c6="1"), **settings)
    assert due.play("right pass", draws=[(1, 0), *[(1, 0), (4, 0)] * 2]).state.bug_ids[:2].tolist() == [0, 1]


def test_ids_are_never_used_again() -> None:
    game = hackman(rings("round 1, collected 4, next bug 6", r0c0="0", r0c1="C", r2c6="1"))
    game.play("right pass", draws=[(1, 0), (1, 0), (4, 0)])
    assert game.state.bug_ids[0] == 6
    assert game.state.next_bug == 7


def test_a_snippet_comes_in_every_eighth_round() -> None:
    game = hackman(rings("round 7, collected 0", r0c0="0", r0c6="1"))
    assert game.play("pass pass", draws=[(15, 0)]).board() == drawn(rings(r0c0="0", r0c1="C", r0c6="1"))


def test_all_three_spawns_come_in_order_example_4() -> None:
    game = hackman(rings("round 7, collected 39, next bug 7", r0c0="0", r0c1="C", r0c2="1"))
    game.play("right left", draws=[(2, 0), (1, 0), (4, 0), (16, 15), (15, 0)])
    assert game.board() == drawn(rings(r0c0="W", r0c1="01", r2c6="C", r4c3="^"))


def test_a_cell_is_empty_without_walls_items_players_bugs_and_closed_cells_2_4() -> None:
    pieces = {"r0c0": "0", "r0c1": "C", "r0c2": "W", "r0c4": ">", "r2c6": "1"}
    game = hackman(rings("round 7, collected 0", **pieces))
    game.play("pass pass", draws=[(12, 11)])  # 17 rooms; the bug has gone from (4,0) to (5,0)
    assert game.board() == drawn(rings(r0c0="0", r0c1="C", r0c2="W", r0c5=">", r2c5="C", r2c6="1"))


def test_without_an_empty_cell_nothing_is_placed_and_nothing_drawn() -> None:
    head = "round 7, collected 15, next bug 3"
    drawing = "C0 C C g s\nC x x x x\nC C C 1 C"
    game = hackman(f"{head}\n{drawing}", weapon_spawn_rate=2)
    # A snippet and a weapon are due; the only cells without an item are those the players stand on.
    game.play("pass pass", draws=[(1, 0)])
    assert game.state.weapon_count == 0
    assert game.state.snippet_count == 7


def test_spawning_is_done_in_the_last_round_too_unless_it_is_switched_off() -> None:
    drawing = rings("round 7, collected 0", r0c0="0", r0c6="1")
    assert hackman(drawing, max_rounds=8).play("pass pass", draws=[(15, 0)]).state.snippet_count == 1
    assert hackman(drawing, max_rounds=8, spawn_after_end=False).play("pass pass").state.snippet_count == 0


def test_there_are_never_more_bugs_than_the_record_holds_and_the_game_goes_on() -> None:
    settings = HackmanSettings(initial_enemy_count=1000, enemy_spawn_rate=1, enemy_spawn_count=1000)
    game = Game(load("hackman"), settings, 1)
    game.state.snippet_count, game.state.snippets[0] = 1, game.state.cells[0]
    game.step_orders({})
    assert game.state.bug_count == 2000
    game.state.snippet_count, game.state.snippets[0] = 1, game.state.cells[0]
    game.step_orders({})
    assert game.state.bug_count == MOST_BUGS
    game.state.snippet_count, game.state.snippets[0] = 1, game.state.cells[0]
    game.step_orders({})
    assert not game.fault
    assert game.state.bug_count <= MOST_BUGS
