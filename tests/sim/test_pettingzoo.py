"""Every game is an environment of PettingZoo, parallel and in turns, and passes PettingZoo's own tests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import botyard
from botyard.games import GAMES, load
from botyard.kernel.settings import SEED_KEY
from botyard.sim.pettingzoo import env, parallel_env

FIRST = next(iter(GAMES))
MANY = "snakebattle"  # a game of many seats
HORIZON = 12  # ticks after which a game is truncated
CYCLES = 30

# What the tests remark about every environment whose observations are dictionaries, and about masks without orders,
# which agents have who are not asked.
REMARKS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    r"Action mask numpy array is all zeros \(no legal actions\)",
)


@contextmanager
def remarks_expected() -> Iterator[None]:
    with warnings.catch_warnings():
        for remark in REMARKS:
            warnings.filterwarnings("ignore", remark)
        yield


def test_every_game_passes_the_test_of_turns(game: str) -> None:
    with remarks_expected():
        api_test(env(game, horizon=HORIZON), num_cycles=CYCLES)


def test_every_game_passes_the_test_of_parallel_agents(game: str) -> None:
    with remarks_expected():
        parallel_api_test(parallel_env(game, horizon=HORIZON), num_cycles=CYCLES)


def test_the_same_seed_gives_the_same_game(game: str) -> None:
    seed_test(lambda: env(game, horizon=HORIZON), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel_env(game, horizon=HORIZON), num_cycles=CYCLES)


def test_both_ways_to_order_play_the_same_game(game: str) -> None:
    """Agents order in turns in one and at once in the other, and gain the same."""
    turns, parallel = env(game, horizon=HORIZON), parallel_env(game, horizon=HORIZON)
    turns.reset(seed=4)
    seen, _ = parallel.reset(seed=4)
    gained = dict.fromkeys(parallel.possible_agents, 0.0)
    while parallel.agents:
        orders = {}
        for agent in parallel.agents:
            may = np.flatnonzero(seen[agent]["action_mask"])
            orders[agent] = int(may[len(may) // 2]) if len(may) else 0
        for agent in [agent for agent in parallel.agents if parallel.table.info(agent)["asked"]]:
            assert turns.agent_selection == agent
            turns.step(orders[agent])
        seen, rewards, ends, cuts, _ = parallel.step(orders)
        for agent, reward in rewards.items():
            gained[agent] += reward
            assert turns.rewards[agent] == reward
            assert (turns.terminations[agent], turns.truncations[agent]) == (ends[agent], cuts[agent])
        assert np.array_equal(turns.state(), parallel.state())
    assert turns.table.ended


def test_agents_stay_to_the_end_and_then_learn_their_places() -> None:
    game = next(iter(GAMES))
    short = {name: value for name, value in load(game).samples.short.items() if name != SEED_KEY}
    parallel = parallel_env(game, settings=short)
    parallel.reset(seed=1)
    infos: dict[str, dict[str, object]] = {}
    while parallel.agents:
        assert parallel.agents == parallel.possible_agents
        *_, infos = parallel.step(dict.fromkeys(parallel.agents, 0))
    assert all("place" in info for info in infos.values())


@pytest.mark.parametrize("make", [env, parallel_env])
def test_an_environment_shows_its_game(make: type) -> None:
    shown = make(next(iter(GAMES)), render_mode="ansi")
    shown.reset(seed=0)
    assert "learner 1" in shown.render()


def test_house_bots_have_the_seats_that_no_agent_has() -> None:
    bot = next(iter(load(MANY).bots.HOUSE_BOTS))
    some = parallel_env(MANY, seats=5, learners=2, opponents=bot)
    assert some.possible_agents == ["player_0", "player_1"]
    assert env(MANY, seats=5, opponents=[bot, bot]).possible_agents == ["player_0", "player_1", "player_2"]
    some.reset(seed=1)
    assert some.table.drill.host(some.table.drill.turn).shape == (1, 2)


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ({"player_9": 0}, "unknown agent 'player_9': did you mean"),
        ({"player_0": 1.5}, "1.5 is not a number of an order: give a whole number"),
        ({"player_0": None}, "None is not a number of an order"),
        ({"player_0": 1 << 40}, "an order is 1099511627776"),
        ({"player_0": 1 << 70}, "an order is 1180591620717411303424"),
    ],
)
def test_what_is_no_order_is_refused(orders: dict[str, Any], told: str) -> None:
    table = parallel_env(FIRST)
    table.reset(seed=1)
    with pytest.raises(botyard.YardError, match=told):
        table.step(orders)


@pytest.mark.parametrize("order", [1.5, None, 1 << 70])
def test_what_is_no_order_is_refused_at_the_turn_of_the_agent_that_gave_it(order: Any) -> None:
    table = env(MANY)
    table.reset(seed=1)
    asked = table.agent_selection
    with pytest.raises(botyard.YardError, match="order"):
        table.step(order)
    assert table.agent_selection == asked
    table.step(0)
    assert table.agent_selection != asked


def test_a_seed_is_a_whole_number_as_everywhere() -> None:
    table = parallel_env(FIRST)
    with pytest.raises(botyard.YardError, match=r"1.5 is not a seed"):
        table.reset(seed=1.5)  # type: ignore[arg-type]
    table.reset(seed=-1)
    assert table.table.drill.position(0).seed == (1 << 64) - 1


@pytest.mark.parametrize("make", [env, parallel_env])
def test_what_an_environment_decides_itself_is_refused_by_name(make: Any) -> None:
    with pytest.raises(TypeError, match=r"n=3 for an environment: it always has n=1; .*Drill"):
        make(FIRST, n=3)
