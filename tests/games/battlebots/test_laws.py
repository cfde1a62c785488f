"""Laws of BattleBots: what holds in every bout, whatever the bots do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botyard
from botyard.games.battlebots.facts import FACTS
from botyard.games.battlebots.layout import MISSILES, PULSE, validate
from botyard.games.battlebots.wire import arena_text
from botyard.games.game import Game
from tests.games.battlebots.table import DrawnBout, battle, fresh

ORDERS = st.integers(-2, len(FACTS.orders) + 2)
ROUNDS = st.lists(st.tuples(ORDERS, ORDERS), max_size=60)
RULES: list[dict[str, Any]] = [
    {"preset": "document"},
    {"preset": "program"},
    {"preset": "document", "walk_into_projectile_hits": True, "width": 4, "height": 5},
    {"preset": "program", "show_mines": True, "width": 4, "height": 4, "start_hp": 50},
]
VARIANTS = st.sampled_from(RULES)


def bout(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> list[DrawnBout]:
    """The positions of a bout, from its start to where the rounds or the bout end."""
    game = fresh(**rules)
    positions = [game.copy()]
    for first, second in rounds:
        game.step_orders({0: first, 1: second})
        positions.append(game.copy())
    return positions


@given(VARIANTS, ROUNDS)
def test_every_position_is_one_that_can_be(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    for game in bout(rules, rounds):
        validate(game.arena, game.state)
        assert not game.fault


@given(VARIANTS, ROUNDS)
def test_hit_points_never_grow_and_who_is_down_stays_down(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    positions = bout(rules, rounds)
    for before, after in pairwise(positions):
        assert after.hp[0] <= before.hp[0]
        assert after.hp[1] <= before.hp[1]
        if before.over:
            assert after.bytes() == before.bytes()


@given(VARIANTS, ROUNDS)
def test_nobody_moves_in_the_rounds_after_a_pulse(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    positions = bout(rules, rounds)
    for before, after in pairwise(positions):
        if before.state.paralysed:
            assert after.state.bots.tolist() == before.state.bots.tolist()
    pulses = [at for at, orders in enumerate(rounds) if PULSE in orders and not positions[at].over]
    for at in pulses:
        assert positions[at + 1].state.paralysed == 2


@given(VARIANTS, ROUNDS)
def test_a_drawing_and_the_bytes_hold_the_whole_position(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    game = bout(rules, rounds)[-1]
    assert botyard.from_bytes(game.bytes()) == game
    again = Game.drawn("battlebots", str(game), game.settings)
    assert str(again) == str(game)
    again.state.chance = game.state.chance
    assert again.arrays[1].tobytes() == game.arrays[1].tobytes()


@given(VARIANTS, ROUNDS)
def test_both_bots_are_told_the_same(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    for game in bout(rules, rounds):
        if game.over:
            return
        first, second = (arena_text(game.view(seat)) for seat in (0, 1))
        swapped = second.translate(str.maketrans("XY", "YX")).splitlines()
        lines = first.splitlines()
        height = game.settings.height
        assert lines[:height] == swapped[:height]
        assert sorted(lines[height : height + 2]) == sorted(swapped[height : height + 2])
        assert lines[height + 2 :] == swapped[height + 2 :]
        assert "Y" in "".join(lines[:height])


@given(VARIANTS, ROUNDS)
def test_the_same_orders_make_the_same_bout(rules: dict[str, Any], rounds: list[tuple[int, int]]) -> None:
    assert bout(rules, rounds)[-1].bytes() == bout(rules, rounds)[-1].bytes()


# Room for shots. A shot that has flown k rounds and is still there has made k × speed steps in one direction, so it is
# k × speed squares from where it was launched. On a board whose longer side has n usable squares no two squares are
# more than n - 1 apart, so k × speed <= n - 1: after a round only shots of the last (n - 1) // speed rounds are left,
# the round itself included. A bot launches one shot a round at most, so these are 2 × ((n - 1) // speed) of both kinds
# together, and two more while those just launched have not flown. With speed >= 1 that is at most 2 × n, which is what
# `layout.slots` gives each kind.


@given(
    st.integers(1, 10), st.integers(2, 9), st.integers(1, 4), st.integers(0, 1),
    st.lists(st.tuples(st.integers(0, 31), st.integers(0, 31)), min_size=20, max_size=60),
)  # fmt: skip
def test_shots_always_find_room(width: int, height: int, speed: int, least: int, rounds: list[tuple[int, int]]) -> None:
    least = least if min(width, height) > 2 else 0
    inset = least
    if width == height == 2 * inset + 1:
        height += 1
    game = fresh(
        width=width, height=height, min_coordinate=least, start_inset=inset, bullet_speed=speed, missile_speed=speed,
        start_hp=10_000,
    )  # fmt: skip
    longest = max(width, height) - least
    for first, second in rounds:
        game.step_orders({0: first, 1: second})
        assert not game.fault
        assert game.state.shot_count.sum() <= 2 * ((longest - 1) // speed)


@pytest.mark.parametrize(("weapon", "kind"), [("B", 0), ("M", MISSILES)])
def test_the_room_for_shots_is_needed_to_the_last_slot(weapon: str, kind: int) -> None:
    """The law is sharp: two bots that shoot along the longest rows with the slowest shots fill every slot."""
    rows = ["1 . . . . . . . . .", "2 . . . . . . . . .", *[". . . . . . . . . ."] * 3]
    game = battle("\n".join(rows), bullet_speed=1, missile_speed=1, missile_wall_splash=False)
    for _ in range(30):
        game.play(f"{weapon} E / {weapon} E")
        assert not game.fault
    assert game.state.shot_count[kind] == 18  # and 20 slots held 18 and two new ones before they flew
    assert len(game.state.shots[kind]) == 20


@pytest.mark.parametrize("preset", ["document", "program"])
def test_mines_always_find_room(preset: str) -> None:
    """A mine goes only where none is, so a board full of mines has as many as squares, and no place for another."""
    squares = [(x, y) for y in range(10) for x in range(10)]
    lines = "\n".join(f"L x={x} y={y}" for x, y in squares)
    empty = ". . . . . . . . . .\n" * 8
    head = "round 5, hp 10/10, paralysed 2\n"
    game = battle(f"{head}1 . . . . . . . . .\n{empty}. . . . . . . . . 2\n{lines}", preset)
    assert game.state.mine_count == 100
    assert game.view(0).mines.tolist() == (game.state.mines.tolist() if preset == "document" else [[0, 0]] * 100)
    game.play("L E / L W", "L E / L NW")
    assert not game.fault
    assert game.state.mine_count <= 100
    validate(game.arena, game.state)
