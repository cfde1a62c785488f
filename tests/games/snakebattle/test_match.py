"""The field as a match: clock, rounds, points (specification 3.4 and 4)."""

from __future__ import annotations

import pytest

from botyard.games.snakebattle.rules.events import die
from tests.games.snakebattle.table import ARENA, CLOCK, HEAD_ON, OPEN, Battle, after, game, log

# The field as a match (3.4, 4)


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


@pytest.mark.parametrize(("least", "told"), [(2, "WIN"), (3, "[Time is over]")])
def test_at_the_end_of_time_a_round_must_have_been_longer_than_the_least_4_1(least: int, told: str) -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=least)
    for _ in range(4):
        match.step_orders({})
    assert log(match) == {seat: [told] for seat in (0, 1)}


def test_a_dead_snake_does_not_keep_others_from_being_reset_at_the_end_of_time() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.field.changed(battle.field.apply, die, 0)
    battle.field.game.state.round_left = 1
    assert not battle.play().snake("enemy")["awake"]


def test_the_clock_of_a_round_is_idle_after_its_end() -> None:
    match = game(ARENA, rounds_time=2, rounds_time_before_start=2, rounds_min_ticks_for_win=1)
    left = []
    for _ in range(5):
        match.step_orders({})
        left.append(int(match.state.round_left))
    assert left == [-1, 2, 1, 0, -1]


def test_equal_lengths_win_together_at_the_end_of_time() -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=1)
    for _ in range(4):
        match.step_orders({})
    assert log(match) == {seat: ["WIN"] for seat in (0, 1)}


def test_at_the_end_of_time_the_sleeping_neither_win_nor_are_told() -> None:
    three = ARENA.replace("☼☼    ☼\n    ☼☼    ☼\n", "☼☼    ☼\n    ☼#    ☼\n")
    match = game(three, 3, rounds_time=4, rounds_time_before_start=1, rounds_min_ticks_for_win=1)
    match.step_orders({})
    match.step_orders({0: 10})
    assert log(match) == {0: ["DIE"]}
    for _ in range(3):
        assert match.state.snakes["awake"][:3].tolist() == [0, 1, 1]
        match.step_orders({})
    assert log(match) == {seat: ["WIN"] for seat in (1, 2)}


def test_a_match_is_over_with_the_tick_that_ends_its_last_round_clarification_11() -> None:
    match = game(ARENA, rounds_time=3, rounds_time_before_start=1, rounds_min_ticks_for_win=1, rounds_per_match=2)
    ticks = 0
    while not match.over:
        match.step_orders({})
        ticks += 1
    assert ticks == 8
    assert log(match) == {seat: ["WIN"] for seat in (0, 1)}
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


@pytest.mark.parametrize("ticks", [1, 3])
def test_the_safety_stop_ends_a_match_in_the_midst_of_a_round(ticks: int) -> None:
    match = game(ARENA, max_ticks=ticks)
    for _ in range(ticks):
        assert not match.over
        match.step_orders({})
    assert match.state.over == 1


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


@pytest.mark.parametrize("order", [-1, -2, 20, 23, 2**31 - 1, -(2**31)])
def test_an_order_that_does_not_exist_does_nothing(order: int) -> None:
    match, twin = game(ARENA, **CLOCK), game(ARENA, **CLOCK)
    for _ in range(4):
        match.step_orders({0: order, 1: order})
        twin.step_orders({0: 0, 1: 0})
    assert match.bytes() == twin.bytes()


# Points (4.4)


@pytest.mark.parametrize(
    ("fury", "penalty", "points", "left"), [(0, False, -1, 9), (1, False, -1, 10), (5, True, -1, 9), (5, False, 5, 15)]
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
