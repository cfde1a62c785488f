"""The rules of Hack-man, round by round. Numbers in names are those of the specification."""

from __future__ import annotations

import pytest

from botyard.kernel.facts import NO_ORDER
from tests.games.hackman.table import drawn, hackman, rings

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


def test_with_swaps_first_a_swap_with_a_bug_comes_before_one_with_the_opponent() -> None:
    bitten = hackman(rings("player 0: 5 snippets", r0c0="0", r0c1="<", r2c6="1"), collision_order="swap_first")
    assert bitten.play("right pass").scores == (1, 0)
    head = "player 0: 5 snippets, weapon\nplayer 1: 6 snippets"
    game = hackman(rings(head, r0c0="0", r0c1="1<"), collision_order="swap_first")
    assert game.play("right left").head()[1:] == ["player 0: 5 snippets", "player 1: 6 snippets"]


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
