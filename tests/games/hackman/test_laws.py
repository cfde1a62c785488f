"""What holds in every game of Hack-man, whatever is ordered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman.layout import validate
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import field_text, open_session
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault
from tests.games.hackman.table import hackman, plan_of

SEEDS = st.integers(0, 2**64 - 1)
ORDERS = st.lists(st.tuples(st.integers(-1, 5), st.integers(-1, 5)), min_size=1, max_size=60)
RULES = st.fixed_dictionaries(
    {},
    optional={
        "player_snippet_count": st.integers(0, 20),
        "map_snippet_count": st.integers(0, 40),
        "map_weapon_count": st.integers(0, 40),
        "initial_enemy_count": st.integers(0, 12),
        "snippet_spawn_rate": st.integers(1, 4),
        "enemy_spawn_rate": st.integers(2, 5),
        "weapon_spawn_rate": st.integers(5, 8),
        "collision_order": st.sampled_from(["kind_first", "swap_first"]),
        "clamp_snippets": st.booleans(),
        "max_rounds": st.integers(1, 70),
    },
)

DENSE = """
    0 . . . . . 1
    . x . x . x .
    . . . . . . .
    x . x g x . x
    x . x s x . x
    x . . . . . x
"""


def dense(seed: int, **settings: Any) -> Game:
    """A game on a small map, where everybody meets everybody."""
    fitting = hackman(DENSE, **settings).settings
    return Game(load("hackman"), fitting, seed)


def rounds(game: Game, orders: list[tuple[int, int]]) -> Iterator[Game]:
    for first, second in orders:
        if game.over:
            return
        game.step_orders({0: first, 1: second})
        yield game


@given(SEEDS, RULES, ORDERS)
@examples(max_examples=40)
def test_every_state_is_valid_and_nothing_goes_wrong(seed: int, rules: dict[str, Any], orders: Any) -> None:
    game = dense(seed, **rules)
    for _ in rounds(game, orders):
        validate(game.arena, game.state)
        assert not game.fault


@given(SEEDS, ORDERS)
@examples(max_examples=30)
def test_the_same_seed_and_orders_give_the_same_bytes(seed: int, orders: Any) -> None:
    one, two = dense(seed), dense(seed)
    for _ in rounds(one, orders):
        pass
    for _ in rounds(two, orders):
        pass
    assert one.bytes() == two.bytes()


@given(SEEDS, RULES, ORDERS)
@examples(max_examples=30)
def test_drawings_and_bytes_lead_back(seed: int, rules: dict[str, Any], orders: Any) -> None:
    game = dense(seed, **rules)
    for _ in rounds(game, orders):
        pass
    twin = Game.drawn("hackman", str(game), game.settings)
    twin.state.chance = game.state.chance
    assert bytes(twin._raw) == bytes(game._raw)
    assert Game.from_bytes(game.bytes()) == game


@given(SEEDS, RULES, ORDERS)
@examples(max_examples=30)
def test_the_collected_total_never_goes_down(seed: int, rules: dict[str, Any], orders: Any) -> None:
    game, last = dense(seed, **rules), 0
    for _ in rounds(game, orders):
        assert last <= game.state.collected <= last + 2
        last = int(game.state.collected)


@given(SEEDS, RULES, ORDERS)
@examples(max_examples=30)
def test_players_move_one_step_at_most_and_never_into_the_server_room(seed: int, rules: Any, orders: Any) -> None:
    game = dense(seed, **rules)
    before = game.state.cells.tolist()
    plan = plan_of(game)
    for _ in rounds(game, orders):
        for was, now in zip(before, game.state.cells.tolist(), strict=True):
            assert now == was or now in plan.neighbours[was]
            assert now not in plan.closed
        before = game.state.cells.tolist()


@given(SEEDS, ORDERS)
@examples(max_examples=30)
def test_every_bug_makes_one_step_a_round_and_never_goes_back_in(seed: int, orders: Any) -> None:
    game = dense(seed, initial_enemy_count=8)
    plan = plan_of(game)
    was = dict(zip(game.state.bug_ids[:8].tolist(), game.state.bugs[:8].tolist(), strict=True))
    for _ in rounds(game, orders):
        count = int(game.state.bug_count)
        now = dict(zip(game.state.bug_ids[:count].tolist(), game.state.bugs[:count].tolist(), strict=True))
        for bug in now.keys() & was.keys():
            assert now[bug] in plan.neighbours[was[bug]]
            assert was[bug] in plan.closed or now[bug] not in plan.closed
        was = now


@given(SEEDS, RULES, ORDERS)
@examples(max_examples=30)
def test_a_view_is_the_same_for_both_and_tells_the_field(seed: int, rules: dict[str, Any], orders: Any) -> None:
    game = dense(seed, **rules)
    for _ in rounds(game, orders):
        if not game.over:
            views = [game.view(seat).array.copy() for seat in (0, 1)]
            assert views[0]["player"] == 0
            views[1]["player"] = 0
            assert np.array_equal(views[0], views[1])
            assert field_text(plan_of(game), game.view(0)) == field_text(plan_of(game), game.state)


@given(SEEDS, ORDERS)
@examples(max_examples=30)
def test_an_order_that_is_none_is_like_standing_still(seed: int, orders: Any) -> None:
    one, two = dense(seed, initial_enemy_count=3), dense(seed, initial_enemy_count=3)
    for first, _ in orders:
        one.step_orders({0: first, 1: NO_ORDER})
        two.step_orders({0: first, 1: 4})
    assert one.bytes() == two.bytes()


@given(st.lists(st.binary(max_size=30), max_size=20), st.sampled_from(["document", "program"]))
def test_a_session_never_raises_on_what_a_bot_sends(chunks: list[bytes], preset: str) -> None:
    session = open_session(HackmanSettings.read({}, preset), 0)
    for chunk in chunks:
        early = session.unasked(chunk[::-1])
        assert early == b"" or early.endswith(b"\n")
        result = session.receive(chunk)
        assert result is None or isinstance(result, Fault) or 0 <= result <= 4
        session.took(len(chunk) * 100, 4 if result is None else result)
        assert 0 <= session.move_ms <= 10_000
