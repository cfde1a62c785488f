"""Every game is a vector environment of Stable-Baselines3, and its learners learn from it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor

import botyard
from botyard.games import GAMES
from botyard.sim.gymnasium import BotyardEnv, BotyardVectorEnv
from botyard.sim.sb3 import BotyardVecEnv, SensesExtractor

HORIZON = 12  # ticks after which a game is truncated
FIRST = next(iter(GAMES))


def allowed_orders(env: Any) -> Any:
    return get_action_masks(env).argmax(axis=1)


def test_every_game_passes_the_check_of_stable_baselines(game: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Your observation .* has an unconventional shape")  # codes are no picture
        check_env(BotyardEnv(game, horizon=HORIZON), skip_render_check=True)


def test_games_are_those_of_the_vector_of_gymnasium(game: str) -> None:
    env = BotyardVecEnv(game, 3, horizon=HORIZON)
    env.seed(7)
    seen = env.reset()
    vector = BotyardVectorEnv(game, 3, autoreset_mode=AutoresetMode.SAME_STEP, horizon=HORIZON)
    other, _ = vector.reset(seed=7)
    ends = 0
    for _ in range(30):
        for name, array in seen.items():
            assert np.array_equal(array, other[name])
        orders = allowed_orders(env)
        seen, rewards, done, infos = env.step(orders)
        other, gains, terminated, truncated, told = vector.step(orders)
        assert np.array_equal(rewards, gains.astype(np.float32))
        assert np.array_equal(done, terminated | truncated)
        for i in np.flatnonzero(done):
            ends += 1
            assert infos[i]["TimeLimit.truncated"] == truncated[i]
            for name, array in infos[i]["terminal_observation"].items():
                assert np.array_equal(array, told["final_obs"][i][name])
    assert ends


def test_masks_come_in_one_call() -> None:
    env = BotyardVecEnv(FIRST, 4)
    env.reset()
    assert is_masking_supported(env)
    assert isinstance(env.env_method("action_masks"), np.ndarray)
    assert np.array_equal(get_action_masks(env), env.vector.drill.mask[:, 0] != 0)
    assert np.array_equal(env.env_method("action_masks", indices=[2])[0], env.vector.drill.mask[2, 0] != 0)


@pytest.mark.parametrize("extractor", [None, SensesExtractor])
def test_a_learner_learns_some_steps_of_every_game(game: str, extractor: Any) -> None:
    env = VecMonitor(VecCheckNan(BotyardVecEnv(game, 4, horizon=HORIZON), raise_exception=True))
    kwargs = {"net_arch": [16], **({} if extractor is None else {"features_extractor_class": extractor})}
    model = MaskablePPO("MultiInputPolicy", env, n_steps=32, batch_size=64, n_epochs=1, policy_kwargs=kwargs, seed=0)
    model.learn(256)
    assert model.num_timesteps == 256
    assert len(model.ep_info_buffer) > 0  # episodes were seen
    seen = env.reset()
    masks = get_action_masks(env)
    orders, _ = model.predict(seen, action_masks=masks)
    assert masks[np.arange(4), orders].all()


def test_pictures_are_those_of_the_games() -> None:
    env = BotyardVecEnv(FIRST, 2, render_mode="rgb_array")
    env.reset()
    assert [picture is not None and picture.ndim for picture in env.get_images()] == [3, 3]


def test_what_games_share_is_not_set_for_some_of_them() -> None:
    env = BotyardVecEnv(FIRST, 2)
    env.set_attr("reward_scale", 2.0)
    assert env.get_attr("reward_scale") == [2.0, 2.0]
    with pytest.raises(botyard.YardError, match="reward_scale of some games"):
        env.set_attr("reward_scale", 1.0, indices=[0])
