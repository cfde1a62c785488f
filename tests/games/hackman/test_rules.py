"""The rules of Hack-man, round by round. Numbers in names are those of the specification."""

from __future__ import annotations

import numpy as np
import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman.layout import MOST_BUGS
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import opened
from tests.games.hackman.table import CHASES, ROAMS, Drawn, bare, drawn, hackman

# Two rings that share their middle, over a server room of one cell with one gate.
RINGS = """
    .  .  .  .  .  .  .
    .  x  x  .  x  x  .
    .  .  .  .  .  .  .
    x  x  x  g  x  x  x
    x  x  x  s  x  x  x
"""


def rings(head: str = "", /, **pieces: str) -> str:
    """The two rings with something on cells named by row and column: r0c3="C<"."""
    rows = [line.split() for line in RINGS.strip().splitlines()]
    for place, what in pieces.items():
        row, col = map(int, place.removeprefix("r").split("c"))
        rows[row][col] = rows[row][col].removeprefix(".") + what
    return "\n".join([*head.strip().splitlines(), *(" ".join(row) for row in rows)])


# Players' moves (3.2)


def test_both_players_move_at_once() -> None:
    game = hackman(rings(r0c0="0", r0c6="1"))
    assert game.play("right down").board() == drawn(rings(r0c1="0", r1c6="1"))


@pytest.mark.parametrize("order", ["up", "left"])
def test_the_edge_stops_a_player(order: str) -> None:
    game = hackman(rings(r0c0="0", r0c6="1"))
    assert game.play(f"{order} pass").board() == drawn(rings(r0c0="0", r0c6="1"))


def test_a_wall_stops_a_player() -> None:
    assert hackman(rings(r0c1="0", r0c6="1")).play("down pass").board() == drawn(rings(r0c1="0", r0c6="1"))


def test_the_gate_is_closed_to_players() -> None:
    assert hackman(rings(r2c3="0", r0c6="1")).play("down pass").board() == drawn(rings(r2c3="0", r0c6="1"))


@pytest.mark.parametrize("order", [NO_ORDER, 4, 5, -7, 1 << 30])
def test_any_other_order_stays(order: int) -> None:
    game = hackman(rings(r0c0="0", r0c6="1"))
    game.step_orders({0: order, 1: 2})
    assert game.board() == drawn(rings(r0c0="0", r0c5="1"))


def test_players_change_places_or_meet_without_harm() -> None:
    assert hackman(rings(r0c0="0", r0c1="1")).play("right left").board() == drawn(rings(r0c0="1", r0c1="0"))
    assert hackman(rings(r0c0="0", r0c2="1")).play("right left").board() == drawn(rings(r0c1="01"))


def test_who_is_paralysed_stays_and_counts_down() -> None:
    game = hackman(rings("player 0: 5 snippets, paralysed 2", r0c0="0", r0c6="1"))
    assert game.asked == (0, 1)
    assert game.play("right pass", "right pass").board() == drawn(rings(r0c0="0", r0c6="1"))
    assert game.play("right pass").board() == drawn(rings(r0c1="0", r0c6="1"))


def test_a_hit_paralyses_for_the_next_round() -> None:
    game = hackman(rings("player 0: 0 snippets, weapon\nplayer 1: 9 snippets", r0c0="0", r0c1="1"))
    game.play("right left", draws=[(15, 0), (14, 0), (13, 0), (12, 0)])
    assert game.view(0).paralysed.tolist() == [0, 1]
    assert game.play("pass left", "pass left").state.cells.tolist() == [1, 0]  # blocked by paralysis, then by the edge
    assert game.view(0).paralysed.tolist() == [0, 0]


# Bugs' moves (3.3)


def test_a_bug_leaves_the_server_room_by_the_gate() -> None:
    game = hackman(rings(r4c3="<", r0c0="0", r0c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r3c3="^", r0c0="0", r0c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r2c3="^", r0c0="0", r0c6="1"))


def test_bugs_take_these_ways_out_of_the_default_room() -> None:
    plan = HackmanSettings().plan
    ways = {}
    for cell in (7 * 20 + 8, 7 * 20 + 11):
        way = [cell]
        while way[-1] in plan.closed:
            way.append(plan.neighbours[way[-1]][plan.way_out[way[-1]]])
        ways[plan.place(cell)] = [plan.place(one) for one in way[1:]]
    assert ways == {"(8,7)": ["(9,7)", "(9,6)", "(9,5)"], "(11,7)": ["(10,7)", "(10,6)", "(10,5)"]}


def test_a_spawn_point_with_one_neighbour_uses_it_even_if_that_is_a_spawn_point() -> None:
    game = hackman("""
        0 . . . 1
        . x g x .
        . x s x .
        . x s< x .
        . . x . .
    """, map_check=False)  # fmt: skip
    assert game.play("pass pass").state.bugs[0] == 2 * 5 + 2


def test_a_bug_in_a_corridor_goes_on_without_a_draw() -> None:
    assert hackman(rings(r0c1=">", r1c0="0", r1c6="1")).play("pass pass").board() == drawn(
        rings(r0c2=">", r1c0="0", r1c6="1")
    )


def test_a_bug_follows_a_bend() -> None:
    game = hackman(rings(r0c0="<", r2c2="0", r1c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r1c0="v", r2c2="0", r1c6="1"))


def test_a_bug_turns_round_in_a_dead_end() -> None:
    game = hackman("""
        < . . g s
        x x . x x
        0 . . . 1
    """)
    assert game.play("pass pass").board() == drawn("""
        . > . g s
        x x . x x
        0 . . . 1
    """)


def test_a_dead_end_behind_the_gate_leads_back_in_10_6() -> None:
    game = hackman("""
        ^ . 0 . 1
        g x . x .
        s x . . .
    """, map_check=False)  # fmt: skip
    # The only room beside the bug is to the right; from there it may not come back, but it may go on.
    assert game.play("pass pass").state.headings[0] == 3
    stuck = hackman("""
        ^ x 0 . 1
        g x . x .
        s x . . .
    """, map_check=False)  # fmt: skip
    assert stuck.play("pass pass").board() == drawn("""
        . x 0 . 1
        gv x . x .
        s x . . .
    """)


def test_a_bug_that_is_walled_in_stays_and_keeps_its_direction_10_6() -> None:
    game = hackman("""
        s> x 0 . 1
        x x . . .
    """, map_check=False)  # fmt: skip
    before = game.board()
    assert game.play("pass pass").board() == before


def test_a_bug_at_a_junction_may_roam_in_the_order_up_down_left_right() -> None:
    places = []
    for value in range(2):
        game = hackman(rings(r0c3="^", r2c0="0", r2c6="1"))
        game.play("pass pass", draws=[*ROAMS, (2, value)])
        places.append(divmod(int(game.state.bugs[0]), 7))
    assert places == [(0, 2), (0, 4)]
    game = hackman(rings(r2c3="<", r2c0="0", r2c6="1"))
    assert divmod(int(game.play("pass pass", draws=[*ROAMS, (2, 0)]).state.bugs[0]), 7) == (1, 3)


def test_a_chasing_bug_takes_the_way_to_the_nearest_player() -> None:
    game = hackman(rings(r0c3="^", r0c0="0", r0c5="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r0c0="0", r0c5="1"))


def test_a_tie_goes_to_player_0() -> None:
    game = hackman(rings(r0c3="^", r0c1="0", r0c5="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c2="<", r0c1="0", r0c5="1"))
    game = hackman(rings(r0c3="^", r0c1="1", r0c5="0"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r0c1="1", r0c5="0"))


def test_bugs_see_where_the_players_have_gone() -> None:
    game = hackman(rings(r0c3="^", r0c0="0", r0c6="1"))
    assert game.play("down left", draws=CHASES).board() == drawn(rings(r0c4=">", r1c0="0", r0c5="1"))


def test_a_chase_of_one_step_is_dropped_and_no_other_player_chased() -> None:
    game = hackman(rings(r0c3="^", r0c2="0", r0c6="1"))
    game.play("pass pass", draws=[*CHASES, (2, 1)])
    assert game.board() == drawn(rings(r0c4=">", r0c2="0", r0c6="1"))


def test_bugs_can_be_made_to_step_on_a_neighbour() -> None:
    game = hackman(rings("player 0: 4 snippets", r0c3="^", r0c2="0", r0c6="1"), chase_min_path=1)
    game.play("pass pass", draws=CHASES)
    assert game.scores == (0, 0)
    assert game.state.bug_count == 0


@pytest.mark.parametrize("min_path", [1, 2])
def test_a_bug_on_the_cell_of_a_player_does_not_chase_him(min_path: int) -> None:
    game = hackman(rings("player 0: 9 snippets", r0c3="^", r1c3="0", r2c6="1"), chase_min_path=min_path)
    game.play("up pass", draws=[*CHASES, (2, 0)])  # the bug is above; the player comes, the bug moves on
    assert game.board() == drawn(rings(r0c3="0", r0c2="<", r2c6="1"))


def test_a_player_straight_behind_is_no_prey() -> None:
    game = hackman(rings(r0c3="^", r1c3="01"))
    game.play("pass pass", draws=[*CHASES, (2, 0)])
    assert game.board() == drawn(rings(r0c2="<", r1c3="01"))


def test_the_cell_behind_is_shut_on_the_whole_way() -> None:
    # Player 1 is two steps away through the cell behind the bug, and farther around the ring.
    game = hackman(rings(r0c3="^", r1c3="0", r2c3="1"))
    game.play("pass pass", draws=CHASES)
    assert game.board() == drawn(rings(r0c2="<", r1c3="0", r2c3="1"))


def test_player_1_is_chased_if_there_is_no_way_to_player_0() -> None:
    game = hackman(rings(r0c3="^", r1c3="0", r0c6="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r1c3="0", r0c6="1"))


def test_a_bug_that_came_from_nowhere_has_no_cell_shut_behind_it() -> None:
    game = hackman(rings(r0c3="v", r2c3="0", r0c6="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r1c3="v", r2c3="0", r0c6="1"))


def real(chance: float) -> list[tuple[int, int]]:
    bits = int(chance * (1 << 53))
    return [(1 << 26, bits >> 27), (1 << 27, bits & ((1 << 27) - 1))]


@pytest.mark.parametrize(("rounds", "chance"), [(0, 0.2), (100, 0.2 + 100 * 0.004), (199, 0.2 + 199 * 0.004)])
def test_the_chance_to_chase_grows_and_includes_its_bound(rounds: int, chance: float) -> None:
    head = f"round {rounds}, collected 0, next bug 1"
    drawing = rings(head, r0c3="^", r0c0="0", r0c6="1")
    feeds = [(14, 0)] if rounds == 199 else []  # round 200 is divisible by 8
    just = Drawn.drawn("hackman", drawing)
    just.play("pass pass", draws=[*real(chance), *feeds])
    above = real(chance)
    above[1] = (1 << 27, above[1][1] + 1)
    Drawn.drawn("hackman", drawing).play("pass pass", draws=[*above, (2, 0), *feeds])


def test_bugs_of_the_set_up_grow_with_the_length_of_the_game_3_8() -> None:
    settings = HackmanSettings(max_rounds=80, initial_enemy_count=1)
    assert settings.chase_chance(41, True) == pytest.approx(0.2 + 40 * 0.01)
    assert settings.chase_chance(41, False) == pytest.approx(0.2 + 40 * 0.004)
    head = "round 40, collected 0, next bug 2\nplayer 0: 0 snippets\nplayer 1: 0 snippets\nbugs: "
    chance = real(0.5)  # between the two
    first = hackman(rings(head + "0", r0c3="^", r0c0="0", r0c6="1"), max_rounds=80, initial_enemy_count=1)
    first.play("pass pass", draws=chance)
    later = hackman(rings(head + "1", r0c3="^", r0c0="0", r0c6="1"), max_rounds=80, initial_enemy_count=1)
    later.play("pass pass", draws=[*chance, (2, 0)])


def test_a_given_growth_is_for_all_bugs_and_chances_stay_between_0_and_1() -> None:
    settings = HackmanSettings(chase_growth="0.5", max_rounds=80)
    assert [settings.chase_chance(at, of_set_up) for at in (2, 9) for of_set_up in (True, False)] == [0.7, 0.7, 1, 1]
    assert HackmanSettings(chase_growth="-1").chase_chance(5, False) == 0


# Pick-ups (3.4)


def test_a_snippet_is_picked_up_with_a_draw_for_one() -> None:
    game = hackman(rings(r0c0="0", r0c1="C", r0c6="1"))
    assert game.play("right pass", draws=[(1, 0)]).board() == drawn(rings(r0c1="0", r0c6="1"))
    assert game.head() == ["round 1, collected 1", "player 0: 1 snippet", "player 1: 0 snippets"]


@pytest.mark.parametrize("taker", [0, 1])
def test_a_contested_snippet_goes_to_either(taker: int) -> None:
    game = hackman(rings(r0c0="0", r0c1="C", r0c2="1"))
    game.play("right left", draws=[(2, taker)])
    assert game.scores == ((1, 0), (0, 1))[taker]
    assert game.state.collected == 1


def test_both_players_pick_up_at_different_places() -> None:
    game = hackman(rings(r0c0="0", r0c1="C", r0c5="W", r0c6="1"))
    game.play("right left", draws=[(1, 0), (1, 0)])
    assert game.head()[1:] == ["player 0: 1 snippet", "player 1: 0 snippets, weapon"]


def test_a_second_weapon_is_lost() -> None:
    game = hackman(rings("player 0: 0 snippets, weapon", r0c0="0", r0c1="W", r0c6="1"))
    game.play("right pass", draws=[(1, 0)])
    assert game.state.armed.tolist() == [1, 0]
    assert game.state.weapon_count == 0


def test_a_contested_weapon_can_be_used_at_once_example_5() -> None:
    game = hackman(rings("player 0: 9 snippets\nplayer 1: 9 snippets", r0c0="0", r0c1="W", r0c2="1"))
    game.play("right left", draws=[(2, 1), (16, 0), (15, 0), (14, 0), (13, 0)])
    assert game.head()[1:] == ["player 0: 5 snippets, paralysed 1", "player 1: 9 snippets"]


def test_bugs_pick_nothing_up() -> None:
    game = hackman(rings(r0c1=">", r0c2="C", r2c0="0", r2c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r0c2="C>", r2c0="0", r2c6="1"))


# Collisions (3.5, 3.6)


def test_a_swap_with_a_bug_costs_four_after_the_pick_up_example_1() -> None:
    game = hackman(rings("player 0: 3 snippets", r0c0="0", r0c1="C<", r2c6="1"))
    game.play("right pass", draws=[(1, 0)])
    assert game.head() == ["round 1, collected 1, next bug 1", "player 0: 0 snippets", "player 1: 0 snippets"]
    assert not game.over


def test_a_bug_on_the_same_cell_costs_four() -> None:
    game = hackman(rings("player 0: 5 snippets", r0c0="0", r0c2="<", r2c6="1"))
    assert game.play("right pass").scores == (1, 0)
    assert game.state.bug_count == 0


def test_a_weapon_is_spent_on_a_bug() -> None:
    game = hackman(rings("player 0: 5 snippets, weapon", r0c0="0", r0c1="<", r2c6="1"))
    game.play("right pass")
    assert game.head() == ["round 1, collected 0, next bug 1", "player 0: 5 snippets", "player 1: 0 snippets"]


def test_one_weapon_and_two_bugs_example_8() -> None:
    game = hackman(rings("player 0: 5 snippets, weapon", r0c0="0", r0c1="<", r0c2="<", r2c6="1"))
    game.play("right pass")
    assert game.head()[1] == "player 0: 1 snippet"
    assert game.state.bug_count == 0


def test_one_bug_hits_both_players_example_7() -> None:
    head = "player 0: 5 snippets, weapon\nplayer 1: 5 snippets"
    game = hackman(rings(head, r0c0="01", r0c1="<"))
    # Player 0 hits nobody: his weapon went to the bug.
    assert game.play("right right").head()[1:] == ["player 0: 5 snippets", "player 1: 1 snippet"]


def test_the_bugs_that_are_left_keep_their_order_and_ids() -> None:
    head = "player 0: 9 snippets\nbugs: 2 7 4"
    game = hackman(rings(head, r0c0="0", r0c1="<", r0c5=">", r2c1=">", r2c6="1"))
    game.play("right pass")
    assert game.board() == drawn(rings(r0c1="0", r0c6=">", r2c2=">", r2c6="1"))
    assert game.state.bug_ids[:3].tolist() == [4, 7, 0]


def test_the_bug_takes_the_weapon_before_the_opponent_is_met_example_2() -> None:
    drawing = rings("player 0: 5 snippets, weapon\nplayer 1: 6 snippets", r0c0="0", r0c1="1", r0c2="<")
    assert hackman(drawing).play("right left").head()[1:] == ["player 0: 5 snippets", "player 1: 6 snippets"]


def test_swaps_can_be_made_to_come_first() -> None:
    drawing = rings("player 0: 5 snippets, weapon\nplayer 1: 6 snippets", r0c0="0", r0c1="1", r0c2="<")
    game = hackman(drawing, collision_order="swap_first")
    game.play("right left", draws=[(15, 0), (14, 0), (13, 0), (12, 0)])
    assert game.head()[1:] == ["player 0: 1 snippet", "player 1: 2 snippets, paralysed 1"]


def test_with_swaps_first_a_shared_cell_is_still_a_hit_and_bugs_still_come_before_it() -> None:
    head = "player 0: 5 snippets, weapon\nplayer 1: 6 snippets"
    game = hackman(rings(head, r0c0="0", r0c2="1"), collision_order="swap_first")
    game.play("right left", draws=[(16, 0), (15, 0), (14, 0), (13, 0)])
    assert game.head()[1:] == ["player 0: 5 snippets", "player 1: 2 snippets, paralysed 1"]
    bitten = hackman(rings(head, r0c0="0", r0c1="1", r0c2="<"), collision_order="swap_first")
    assert bitten.play("right pass").head()[1:] == ["player 0: 5 snippets", "player 1: 2 snippets"]


def test_the_players_are_met_on_one_cell_too() -> None:
    game = hackman(rings("player 1: 3 snippets, weapon\nplayer 0: 4 snippets", r0c0="0", r0c2="1"))
    game.play("right left", draws=[(16, 0), (15, 0), (14, 0), (13, 0)])
    assert game.head()[1:] == ["player 0: 0 snippets, paralysed 1", "player 1: 3 snippets"]
    assert not game.over


def test_the_unarmed_do_not_hit_each_other() -> None:
    game = hackman(rings("player 0: 3 snippets\nplayer 1: 3 snippets", r0c0="0", r0c1="1"))
    assert game.play("right left").scores == (3, 3)


def test_being_hit_does_not_disarm_and_both_may_hit_example_3() -> None:
    game = hackman(rings("player 0: 2 snippets, weapon\nplayer 1: 9 snippets, weapon", r0c0="0", r0c1="1"))
    game.play("right left", draws=[(bound, 0) for bound in range(15, 7, -1)])
    assert game.head() == [
        "round 1, collected 0, over, winner 1",
        "player 0: 0 snippets, paralysed 1, out",
        "player 1: 5 snippets, paralysed 1",
    ]
    assert game.state.snippet_count == 8


def test_hits_add_up() -> None:
    game = hackman(
        rings("player 0: 0 snippets, weapon\nplayer 1: 9 snippets, paralysed 4", r0c0="0", r0c1="1"),
        weapon_paralysis_duration=3, weapon_snippet_loss=1,
    )  # fmt: skip
    assert game.play("right pass", draws=[(16, 0)]).head()[2] == "player 1: 8 snippets, paralysed 6"


def test_amounts_below_zero_can_be_shown_10_7() -> None:
    drawing = rings("player 0: 3 snippets", r0c0="0", r0c1="<", r0c2="<", r2c6="1")
    game = hackman(drawing, clamp_snippets=False)
    game.play("right pass")
    assert game.head()[1] == "player 0: -5 snippets, out"
    assert (game.over, game.outcome and game.outcome.winner) == (True, 1)


# The end (4)


def test_who_cannot_pay_is_out_whatever_the_numbers() -> None:
    game = hackman(rings("player 0: 3 snippets", r0c0="0", r0c1="<", r2c6="1"))
    game.play("right pass")
    assert game.scores == (0, 0)
    assert game.outcome is not None
    assert game.outcome.winner == 1
    other = hackman(rings("player 1: 3 snippets", r0c0="1", r0c1="<", r2c6="0"))
    assert (outcome := other.play("pass right").outcome) is not None
    assert outcome.winner == 0


def test_if_both_are_out_it_is_a_draw_example_9() -> None:
    game = hackman(rings("player 0: 3 snippets, weapon\nplayer 1: 3 snippets, weapon", r0c0="0", r0c2="1"))
    game.play("right left", draws=[(bound, 0) for bound in range(16, 8, -1)])
    assert game.outcome is not None
    assert game.outcome.draw
    assert game.over


@pytest.mark.parametrize(("scores", "groups"), [((2, 1), ((0,), (1,))), ((1, 2), ((1,), (0,))), ((0, 0), ((0, 1),))])
def test_after_the_last_round_more_snippets_win(scores: tuple[int, int], groups: tuple[tuple[int, ...], ...]) -> None:
    head = f"round 48, collected 0\nplayer 0: {scores[0]} snippets\nplayer 1: {scores[1]} snippets"
    game = hackman(rings(head, r0c0="0", r0c6="1"), max_rounds=49)
    game.play("pass pass")
    assert game.outcome is not None
    assert game.outcome.groups == groups


def test_stepping_a_finished_game_changes_nothing() -> None:
    game = hackman(rings("round 48, collected 0", r0c0="0", r0c6="1"), max_rounds=49).play("pass pass")
    before = game.bytes()
    game.step_orders({0: 3, 1: 1})
    game.change("forfeit", 0)
    assert game.bytes() == before
    assert game.asked == ()


def test_who_gives_up_stands_still_and_may_win() -> None:
    game = hackman(rings("player 0: 3 snippets", r0c0="0", r0c6="1"), max_rounds=2)
    game.change("forfeit", 0)
    assert game.asked == (1,)
    game.step_orders({0: 3, 1: 2})
    assert game.board() == drawn(rings(r0c0="0", r0c5="1"))
    game.step_orders({1: 2})
    assert game.outcome is not None
    assert game.outcome.winner == 0


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


def test_more_bugs_than_the_record_holds_are_a_fault_of_ours() -> None:
    settings = HackmanSettings(initial_enemy_count=1000, enemy_spawn_rate=1, enemy_spawn_count=1000)
    game = Game(load("hackman"), settings, 1)
    game.state.snippet_count, game.state.snippets[0] = 1, game.state.cells[0]
    game.step_orders({})
    assert game.state.bug_count == 2000
    game.state.snippet_count, game.state.snippets[0] = 1, game.state.cells[0]
    game.step_orders({})
    assert game.fault
    assert game.state.bug_count == MOST_BUGS


# Set-up (2)


def test_a_game_starts_with_two_snippets_on_154_empty_cells() -> None:
    game = botyard.new("hackman", seed=1)
    state = game.state
    assert state.cells.tolist() == [7 * 20 + 2, 7 * 20 + 17]
    assert (state.snippet_count, state.weapon_count, state.bug_count, state.collected) == (2, 0, 0, 0)
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


# What is said about a game


def test_open_ways_are_allowed_and_everything_to_the_paralysed() -> None:
    game = hackman(rings("player 1: 0 snippets, paralysed 1", r0c0="0", r0c6="1"))
    assert game.orders(0) == ["down", "right", "pass"]
    assert game.orders(1) == ["up", "down", "left", "right", "pass"]


def test_a_view_shows_bugs_row_by_row_and_forgets_what_has_gone() -> None:
    game = hackman(rings("bugs: 9 3", r0c4=">", r2c1="<", r0c0="0", r2c6="1"))
    view = game.view(0)
    assert view.bugs[:3].tolist() == [4, 15, 0]
    assert (view.round_number, view.player, view.width, view.height) == (1, 0, 7, 5)
    assert game.state.bugs[:2].tolist() == [15, 4]


def test_a_view_that_is_used_again_holds_nothing_old() -> None:
    game = botyard.Batch("hackman", bare(map_snippet_count=9, map_weapon_count=5, initial_enemy_count=4), 1)
    full = game.host(game.views).copy()
    assert full["snippet_count"].tolist() == [[9, 9]]
    state = game.host(game.states)
    state["snippet_count"] = state["weapon_count"] = state["bug_count"] = 0
    for field in ("snippets", "weapons", "bugs", "bug_ids", "headings"):
        state[field] = 0
    game.step([[4, 4]])
    shown = game.host(game.views)
    assert not shown["snippets"].any()
    assert not shown["weapons"].any()
    assert not shown["bugs"].any()


def stray_orders(drawing: str) -> set[int]:
    """All the steps player 0 takes in random play."""
    game, book = hackman(drawing), load("hackman")
    orders, found = np.zeros((1, 2), np.int32), set()
    for salt in range(60):
        assert book.loops.stray_orders(*map(opened, game.arrays), 0, opened(orders), salt) == 2
        found.add(int(orders[0, 0]))
    return found


def test_a_stray_step_is_open_and_avoids_bugs() -> None:
    assert stray_orders(rings(r0c3="0", r0c6="1")) == {1, 2, 3}
    assert stray_orders(rings(r0c3="0", r0c4=">", r0c6="1")) == {1, 2}
    assert stray_orders(rings(r0c1="0", r0c0=">", r0c2=">", r0c6="1")) == {2, 3}


def test_a_view_has_no_board() -> None:
    rules = load("hackman").rules
    assert rules.board_shape(None) == (0, 0)
    rules.paint(None, None, 0, None, 0, 0)
