"""Who sits where, what appears, who comes and goes (specification 2.5, 3.8, 4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.layout import cell_at
from botyard.kernel.rule import opened
from tests.games.numbers import mask_of, places_of
from tests.games.snakebattle.table import ARENA, CLOCK, game, log

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
    assert not match.state.snakes[absent[0]]["awake"]
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


def spawned(draws: list[tuple[int, int]], level: str, players: int = 2) -> Game:
    """A field after one moving tick with these dice."""
    match = game(level, players, rounds_enabled=False)
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


LIMITS = [("®", 42, 6, 2), ("©", 32, 5, 2), ("$", 21, 7, 4), ("●", 11, 4, 5), ("○", 9, 3, 20)]


@pytest.mark.parametrize(("glyph", "face", "kind", "most"), LIMITS)
def test_the_field_holds_so_many_of_a_kind_and_no_more(glyph: str, face: int, kind: int, most: int) -> None:
    """Two players, so m is 2, on a field ten cells wide; four apples and a stone keep others from being topped up."""
    top = ["☼" * 10, "☼#       ☼", "☼☼       ☼", "☼#       ☼", "☼☼       ☼"]
    others = "○○○○●".replace(glyph, "")
    for there in (most - 1, most):
        lying = (glyph * there + others).ljust(28)
        rows = [f"☼☼{lying[at : at + 7]}☼" for at in range(0, 28, 7)]
        match = spawned([(50, face), (10, 4), (10, 5)], "\n".join([*top, *rows, "☼" * 10]))
        assert match.state.counts[kind] == most


@pytest.mark.parametrize(("glyph", "face", "kind"), [("$", 21, 7), ("○", 49, 3)])
def test_for_one_player_there_is_less(glyph: str, face: int, kind: int) -> None:
    """One player, so m is 1: two of gold, and apples are topped up to two."""
    for there in (1, 2):
        level = STOCKED.replace("○○", "  ").replace("● ☼", f"●{glyph}☼")
        level = level.replace("☼☼     ☼", f"☼☼{glyph * (there - 1):3}{'' if glyph == '○' else '○○':2}☼", 1)
        match = spawned([(50, face), (8, 4), (8, 2)], level, players=1)
        assert match.state.counts[kind] == 2


def test_apples_are_topped_up_while_there_are_fewer_than_two_m() -> None:
    match = spawned([(50, 49), (8, 4), (8, 3)], STOCKED.replace("○○", " ○", 1))
    assert match.state.ground[cell_at(match.arena, 4, 3)] == 3


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


def test_a_lone_player_plays_a_round_to_its_end_but_no_countdown_clarification_10() -> None:
    match = room(2)
    match.step_orders({})
    match.change("leave", 1)
    match.step_orders({})
    assert match.state.countdown == 1
    started = room(2)
    started.step_orders({})
    started.step_orders({})
    started.change("leave", 1)
    head = int(started.state.snakes[0]["head"])
    started.step_orders({})
    assert int(started.state.snakes[0]["head"]) == head + 1


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
    assert match.state.filled == 1
    match.change("leave", 0)
    match.step_orders({})
    assert match.state.countdown == 1


def test_a_room_that_takes_nobody_any_more_waits_for_nobody_d8() -> None:
    """Where a leaver counts as a player of the room for good, it counts for its being full, too (clarification 10)."""
    match = room(2, wait_full_room=True, seats_reopen=False)
    match.change("leave", 0)
    match.step_orders({})
    assert match.state.countdown == 2
    match.change("join", 2)
    match.change("join", 0)
    assert match.asked == (1, 2)  # three have come: that was the last of them
    match.step_orders({})
    assert match.state.countdown == 1
    reopened = room(2, wait_full_room=True)
    reopened.change("leave", 0)
    reopened.change("join", 2)
    reopened.step_orders({})
    assert reopened.state.countdown == 2


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
    lonely = room(2)
    for orders in ({}, {}, {}, {}, {0: 10}):  # the last makes seat 0 begin anew, asleep
        lonely.step_orders(orders)
    lonely.change("leave", 0)
    assert log(lonely) == {}


def test_what_a_tick_said_is_forgotten_when_somebody_comes_or_goes() -> None:
    match = room(2)
    match.step_orders({})
    assert log(match) == {seat: ["[.1.]"] for seat in (0, 1)}
    joined = match.copy()
    joined.change("join", 2)
    assert log(joined) == {}
    match.change("leave", 1)
    assert log(match) == {}


def test_without_rounds_nobody_wins_because_another_leaves() -> None:
    match = game(ARENA, 2, played_as="room", rounds_enabled=False)
    for seat in range(2):
        match.change("join", seat)
    for _ in range(3):
        match.step_orders({})
    match.change("leave", 0)
    assert log(match) == {0: ["DIE"]}


@pytest.mark.parametrize("ticks", [1, 4])
def test_nothing_is_left_of_who_leaves_but_the_points(ticks: int) -> None:
    match = room(2)
    for _ in range(ticks):
        match.step_orders({})
    snake = match.state.snakes[0]
    for field in ("cut", "stones", "flying", "fury", "turn", "suicide"):
        snake[field] = 1
    snake["score"] = 25
    match.change("leave", 0)
    assert log(match) == ({} if ticks == 1 else {0: ["DIE"], 1: ["WIN"]})
    assert match.scores[0] == (25 if ticks == 1 else 15)


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


@pytest.mark.parametrize("what", ["join", "leave", "forfeit"])
@pytest.mark.parametrize("seat", [-1, 3])
def test_there_are_no_seats_beside_those_of_the_room(what: str, seat: int) -> None:
    match = room(2)
    before = match.bytes()
    arenas, states = (opened(array) for array in match.arrays)
    getattr(match.book.loops, f"{what}_at")(arenas, states, seat)
    assert match.bytes() == before


def test_who_takes_a_seat_begins_without_points() -> None:
    match = room(2)
    match.state.snakes[1]["score"], match.state.snakes[1]["leaving"] = 30, 1
    match.change("leave", 1)
    match.change("join", 1)
    assert (match.scores[1], match.state.snakes[1]["leaving"]) == (0, 0)


def test_who_dies_or_survives_the_last_round_leaves_the_room() -> None:
    match = room(2, rounds_per_match=1, rounds_time=6)
    for _ in range(3):
        match.step_orders({})
    match.step_orders({0: 10})
    assert match.asked == (1,)
    survivor = match.state.snakes[1]
    while survivor["alive"]:
        match.step_orders({1: 0})
    assert survivor["leaving"] == 1
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
    assert places_of(match) == [1, 2, 0]
    assert log(match) == {}


# What can be done


def test_orders_lists_what_can_do_something() -> None:
    match = game(ARENA, **CLOCK)
    assert match.orders(0) == ["straight"]
    for _ in range(3):
        match.step_orders({})
    assert match.orders(0) == ["straight", "right", "up", "down"]  # the tail lies on a start cell
    match.step_orders({})
    assert match.orders(0) == ["straight", "right", "up", "down"]  # and now right of it
    match.step_orders({})
    moves = ["straight", "right", "up", "down"]
    assert match.orders(0) == [*moves, "drop", "right drop", "up drop", "down drop"]  # no board shows stones carried
    assert set(mask_of(match, 0)) == {0, 1}


def test_bots_sit_in_the_order_they_came() -> None:
    match = game(ARENA)
    assert [match.entrant(seat) for seat in range(2)] == [0, 1]
