"""Stable-Baselines3's interface: many games as one of its vector environments, with masks for sb3-contrib.

    env = VecMonitor(BotyardVecEnv(NAME, 256, opponents=["house bot's name"]))
    model = MaskablePPO("MultiInputPolicy", env, policy_kwargs={"features_extractor_class": SensesExtractor})
    model.learn(1_000_000)

Without sb3-contrib, PPO learns from the same environment, but also orders what is in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.errors import YardError
from botyard.kernel.rulebook import Rulebook
from botyard.sim.extras import extra
from botyard.sim.gymnasium import BotyardVectorEnv
from botyard.sim.spaces import Observation

with extra("research", __name__):
    import torch
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv

__all__ = ["BotyardVecEnv", "SensesExtractor"]

Indices = None | int | Sequence[int]

EMBEDDED = 8  # numbers that stand for the code of a cell inside the network


class BotyardVecEnv(VecEnv):
    """Plays many games in one call, as a vector environment of Stable-Baselines3.

    Finished games begin anew at once, as Stable-Baselines3 wants it; what was sensed last is
    `info["terminal_observation"]`, and `info["TimeLimit.truncated"]` says that the horizon ended the game, not the
    rules. All further arguments are those of `BotyardVectorEnv`.
    """

    def __init__(self, game: str | Rulebook, num_envs: int, **arguments: Any) -> None:
        self.vector = BotyardVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)

    def reset(self) -> Observation:
        """Begins all games; returns what is sensed in each."""
        given = None if all(seed is None for seed in self._seeds) else self._seeds
        seen, _ = self.vector.reset(seed=given)
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes an order for each game, which `step_wait` gives."""
        self._actions = actions

    def step_wait(self) -> tuple[Observation, NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
        """Gives the orders; returns what is sensed, rewards, which games ended, and an `info` for each."""
        seen, rewards, terminated, truncated, told = self.vector.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done):
            infos[i] = {"terminal_observation": told["final_obs"][i], "TimeLimit.truncated": bool(truncated[i])}
            if terminated[i]:
                infos[i]["place"] = int(told["final_info"]["place"][i])
        return seen, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """Closes the vector environment underneath."""
        self.vector.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a picture of every game, in the render mode `rgb_array`."""
        return self.vector.render() or ()

    # What Stable-Baselines3 asks of each environment

    def has_attr(self, attr_name: str) -> bool:
        """Returns whether the environments have an attribute."""
        return hasattr(self.vector, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns an attribute once for each game: all of them share it."""
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of all games; one of some games alone is refused."""
        if indices is not None:
            raise YardError(f"{attr_name} of some games alone", hint="all games of a drill share what they have")
        setattr(self.vector, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """Calls a method of the vector once: what it returns has one row for each game, such as the masks."""
        rows = getattr(self.vector, method_name)(*method_args, **method_kwargs)
        return rows if indices is None else [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:  # noqa: ARG002
        """Returns False for each game: none is wrapped by itself."""
        return [False for _ in self._get_indices(indices)]


class SensesExtractor(BaseFeaturesExtractor):
    """Reads what a learner senses: codes are embedded, because their order means nothing; numbers are scaled to
    their ranges. The mask is left out: the policy applies it itself.
    """

    def __init__(self, observation_space: spaces.Dict, features_dim: int = 128) -> None:
        super().__init__(observation_space, features_dim)
        cells, numbers = observation_space["codes"], observation_space["numbers"]
        assert isinstance(cells, spaces.Box)
        assert isinstance(numbers, spaces.Box)
        count = int(cells.high.max()) + 1
        self.embedding = torch.nn.Embedding(count, min(count, EMBEDDED))
        width = int(np.prod(cells.shape)) * min(count, EMBEDDED) + int(np.prod(numbers.shape))
        self.body = torch.nn.Sequential(torch.nn.Linear(width, features_dim), torch.nn.ReLU())
        lows, highs = numbers.low.astype(np.float32), numbers.high.astype(np.float32)
        self.register_buffer("lows", torch.from_numpy(lows))
        self.register_buffer("spans", torch.from_numpy(np.maximum(highs - lows, 1.0)))

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """Returns the features of a batch of observations."""
        cells = self.embedding(seen["codes"].long()).flatten(1)
        numbers = (seen["numbers"].float() - self.lows) / self.spans
        return self.body(torch.cat([cells, numbers], dim=1))
