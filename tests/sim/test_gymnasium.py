"""Every game is an environment of Gymnasium, alone and as a vector, and passes Gymnasium's own checks."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import botyard
from botyard.games import GAMES
from botyard.sim.gymnasium import BotyardEnv, BotyardVectorEnv, env_id
from botyard.sim.shown_games import RENDER_MODES

HORIZON = 12  # ticks after which a game is truncated
STEPS = 40

FIRST = next(iter(GAMES))


@pytest.fixture(params=AutoresetMode, ids=lambda mode: str(mode.value))
def mode(request: pytest.FixtureRequest) -> AutoresetMode:
    assert isinstance(request.param, AutoresetMode)
    return request.param


def orders_for(mask: np.ndarray[Any, Any], step: int) -> np.ndarray[Any, Any]:
    """Returns one order for each game that its mask allows, another one from step to step."""
    ways = [np.flatnonzero(row) if row.any() else np.zeros(1, int) for row in mask]
    return np.array([may[(7 * step + game) % len(may)] for game, may in enumerate(ways)])


def same(
    one: dict[str, Any], other: dict[str, Any], names: tuple[str, ...] = ("codes", "numbers", "action_mask")
) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in names)


def test_every_game_passes_the_check_of_gymnasium(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(env_id(game), horizon=HORIZON, disable_env_checker=True)
    check_env(env.unwrapped)  # it shows the game in all modes, too, and any warning of it is an error here
    assert "learner" in capsys.readouterr().out


def test_a_game_is_found_by_the_module_in_its_id() -> None:
    program = f"import gymnasium; print(gymnasium.make('botyard.sim.gymnasium:{env_id(FIRST)}').unwrapped)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert "BotyardEnv" in told.stdout


def test_gymnasium_makes_games_and_vectors_of_them(game: str) -> None:
    """With the wrappers that Gymnasium puts around what it makes, which check every call."""
    env = gymnasium.make(env_id(game), horizon=HORIZON)
    seen, _ = env.reset(seed=1)
    vector = gymnasium.make_vec(env_id(game), num_envs=2, horizon=HORIZON)
    together, _ = vector.reset(seed=1)
    assert isinstance(vector, BotyardVectorEnv)
    for step in range(2):  # no game is over so soon
        orders = orders_for(together["action_mask"], step)
        seen, reward, *_ = env.step(orders[0])
        together, rewards, *_ = vector.step(orders)
        assert reward == rewards[0]
        assert same(seen, {name: array[0] for name, array in together.items()}, ("codes", "numbers"))


def test_the_package_itself_imports_nothing_of_it() -> None:
    program = "import sys, botyard; botyard.Batch; print({'gymnasium', 'pettingzoo', 'torch'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert told.stdout.strip() == "set()"


def test_a_missing_package_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "botyard.sim.spaces")
    with pytest.raises(botyard.YardError, match=r"needs the package gymnasium.*\n?.*botyard\[gymnasium\]"):
        importlib.import_module("botyard.sim.spaces")


def test_a_vector_plays_the_games_that_single_environments_play(game: str, mode: AutoresetMode) -> None:
    """Up to the first end of each game: what comes after it is the mode's."""
    vector = BotyardVectorEnv(game, 3, autoreset_mode=mode, horizon=HORIZON, reward_scale=0.5)
    singles = [BotyardEnv(game, horizon=HORIZON, reward_scale=0.5) for _ in range(3)]
    seen, _ = vector.reset(seed=11)
    going = {i: single.reset(seed=11 + i)[0] for i, single in enumerate(singles)}
    for step in range(STEPS):
        assert vector.observation_space.contains(seen)
        for i, alone in going.items():
            assert same({name: array[i] for name, array in seen.items()}, alone)
        orders = orders_for(seen["action_mask"], step)
        seen, rewards, terminated, truncated, info = vector.step(orders)
        for i in list(going):
            alone, *told, _ = singles[i].step(orders[i])
            assert told == [rewards[i], terminated[i], truncated[i]]
            going[i] = alone
            if terminated[i] or truncated[i]:
                del going[i]
                if mode == AutoresetMode.SAME_STEP:
                    assert same(info["final_obs"][i], alone, ("codes", "numbers"))
                    assert vector.single_observation_space.contains(info["final_obs"][i])
    assert not going


def test_the_step_after_the_end_begins_a_game_without_a_reward(game: str) -> None:
    vector = BotyardVectorEnv(game, 2, horizon=HORIZON)
    seen, _ = vector.reset(seed=1)
    ended, begun = np.zeros(2, bool), 0
    for step in range(STEPS):
        seen, rewards, terminated, truncated, _ = vector.step(orders_for(seen["action_mask"], step))
        assert not (ended & (terminated | truncated)).any()
        assert (rewards[ended] == 0).all()
        begun += int(ended.sum())
        ended = terminated | truncated
    assert begun >= 2
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_a_reset_mask_begins_the_marked_games_and_leaves_the_others(game: str) -> None:
    vector = BotyardVectorEnv(game, 3, autoreset_mode=AutoresetMode.DISABLED, horizon=HORIZON)
    seen, _ = vector.reset(seed=5)
    first = {name: array[1].copy() for name, array in seen.items()}
    for step in range(3):
        seen, *_ = vector.step(orders_for(seen["action_mask"], step))
    again, _ = vector.reset(seed=5, options={"reset_mask": np.array([False, True, False])})
    assert same({name: array[1] for name, array in again.items()}, first)
    for other in (0, 2):
        assert all(np.array_equal(again[name][other], seen[name][other]) for name in seen)


@pytest.mark.parametrize("mask", [[True, False], np.ones(3, bool), np.zeros(2, bool), np.ones(2, int)])
def test_a_reset_mask_that_marks_nothing_is_refused(mask: Any) -> None:
    with pytest.raises(botyard.YardError, match="reset_mask"):
        BotyardVectorEnv(FIRST, 2).reset(options={"reset_mask": mask})


def test_a_vector_takes_seeds_of_numpy_and_refuses_what_is_none() -> None:
    vector = BotyardVectorEnv(FIRST, 2)
    first, _ = vector.reset(seed=5)
    for seed in (np.int64(5), [5, 6], np.array([5, 6])):
        again, _ = vector.reset(seed=seed)  # type: ignore[arg-type]
        assert all(np.array_equal(again[name], first[name]) for name in first)
    with pytest.raises(botyard.YardError, match=r"1.5 is not a seed"):
        vector.reset(seed=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [BotyardEnv, BotyardVectorEnv])
def test_what_an_environment_decides_itself_is_refused_by_name(make: Any) -> None:
    with pytest.raises(TypeError, match=r"learners=2 for an environment: it always has learners=1; .*Drill"):
        make(FIRST, learners=2)


def test_games_that_ended_stay_ended_where_nothing_begins_them_anew() -> None:
    vector = BotyardVectorEnv(FIRST, 2, autoreset_mode=AutoresetMode.DISABLED, horizon=1)
    seen, _ = vector.reset(seed=3)
    for step in range(3):
        seen, rewards, _, truncated, _ = vector.step(orders_for(seen["action_mask"], step))
        assert truncated.all()
    assert not rewards.any()


def test_resets_without_a_seed_go_on_from_the_last_one() -> None:
    """The same seed gives the same games after it, and these differ from each other."""
    trials = []
    for _ in range(2):
        vector = BotyardVectorEnv(FIRST, 2)
        vector.reset(seed=9)
        trials.append([vector.reset()[0]["codes"] for _ in range(3)])
    assert all(np.array_equal(one, other) for one, other in zip(*trials, strict=True))
    seeds = [vector.drill.position(0).seed for _ in range(2) if vector.reset()]
    assert seeds[0] != seeds[1]


def test_observations_are_copies_unless_the_memory_itself_is_wanted() -> None:
    for copied in (True, False):
        vector = BotyardVectorEnv(FIRST, 4, copy=copied)
        seen, _ = vector.reset(seed=0)
        held = (vector.drill.codes, vector.drill.numbers, vector.drill.mask)
        shared = [np.shares_memory(array, own) for array, own in zip(seen.values(), held, strict=True)]
        assert shared == [not copied] * 3


def test_statistics_of_gymnasium_count_the_episodes() -> None:
    vector = RecordEpisodeStatistics(BotyardVectorEnv(FIRST, 2, horizon=HORIZON))
    seen, _ = vector.reset(seed=1)
    lengths = []
    for step in range(STEPS):
        seen, *_, info = vector.step(orders_for(seen["action_mask"], step))
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert lengths
    assert max(lengths) <= HORIZON


def test_a_game_begins_in_the_position_that_it_is_given(game: str) -> None:
    env = BotyardEnv(game)
    env.reset(seed=2)
    for step in range(3):
        env.step(orders_for(env.action_masks()[None], step)[0])
    position = env.drill.position(0)
    env.reset(seed=8, options={"position": position})
    assert env.drill.position(0).arrays[1].tobytes() == position.arrays[1].tobytes()


def test_a_game_of_the_vector_has_the_seed_of_the_library() -> None:
    vector = BotyardVectorEnv(FIRST, 2)
    vector.reset(seed=21)
    assert vector.drill.position(1).seed == botyard.new(FIRST, seed=22).seed


def test_all_games_of_a_vector_are_rendered() -> None:
    vector = BotyardVectorEnv(FIRST, 2, render_mode="rgb_array")
    vector.reset(seed=0)
    pictures = vector.render()
    assert pictures is not None
    assert [picture.ndim for picture in pictures] == [3, 3]
    with pytest.raises(botyard.YardError, match="render mode"):
        BotyardEnv(FIRST, render_mode="postcard")


@pytest.mark.parametrize("mode", [None, *RENDER_MODES])
def test_a_copy_goes_on_by_itself_whichever_way_it_is_shown(mode: str | None, capsys: Any) -> None:
    env = BotyardEnv(FIRST, render_mode=mode)
    env.reset(seed=3)
    env.render()
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset(seed=4)
        twin.render()
        assert env.drill.position(0).seed == 3
