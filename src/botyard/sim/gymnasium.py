"""Gymnasium's interface: one learner against house bots, in one game (`BotyardEnv`) or in many (`BotyardVectorEnv`).

Importing this module registers every game with Gymnasium, so each of these makes an environment of the game NAME, whose
id has its first letter in upper case:

    gymnasium.make("botyard.sim.gymnasium:botyard/Name-v0", opponents=["house bot's name"])

    import botyard.sim.gymnasium
    gymnasium.make("botyard/Name-v0")
    gymnasium.make_vec("botyard/Name-v0", num_envs=4096)

What else is given goes to the `Drill` underneath: settings, opponents, horizon, device and so on. A seed is that of
`botyard.new`: game i of a vector has seed + i.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from botyard.games import GAMES
from botyard.games.stepped import Autoreset
from botyard.kernel.errors import YardError
from botyard.kernel.loop_modes import RUNNING, TERMINATED, TRUNCATED
from botyard.kernel.restarts import whole
from botyard.kernel.rulebook import Rulebook
from botyard.sim.drill import Drill
from botyard.sim.environments import drawn_seed, drill_with
from botyard.sim.extras import extra
from botyard.sim.shown_games import FRAMES_PER_S, RENDER_MODES, DrillScreen
from botyard.sim.spaces import MASK, Observation, observation_space, orders_space

with extra("gymnasium", __name__):
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "off",
}

LEARNER_LANE = 0  # the only learner of each game
RESET_MASK = "reset_mask"

__all__ = ["BotyardEnv", "BotyardVectorEnv", "env_id", "register_all"]

Seeds = int | Sequence[int | None] | None


def env_id(game: str) -> str:
    """Returns the id under which a game is registered."""
    return f"botyard/{game.capitalize()}-v0"


def register_all() -> None:
    """Registers every game that is not registered yet, those of other packages too."""
    for game in GAMES:
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(
                env_id(game),
                entry_point=f"{__name__}:BotyardEnv",
                vector_entry_point=f"{__name__}:BotyardVectorEnv",
                kwargs={"game": game},
            )


class BotyardEnv(gymnasium.Env[Observation, np.integer[Any]]):
    """Plays one game, as an environment of Gymnasium.

    `reset` takes a position to begin with as an option: `options={"position": game}`. `info["place"]` is the learner's
    place in a game that terminated, 1 for the first. `render_mode` is `human` (in the terminal), `ansi` (text) or
    `rgb_array` (pixels); rewards are multiplied by `reward_scale`.
    """

    drill: Drill  # the drill underneath
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_PER_S}  # noqa: RUF012 - as the base class

    def __init__(
        self, game: str | Rulebook, *, render_mode: str | None = None, reward_scale: float = 1.0, **drill: Any
    ) -> None:
        self.render_mode, self.reward_scale = render_mode, reward_scale
        self.drill = drill_with(game, drill, n=1, learners=1, most_ticks=0, autoreset="off")
        self.observation_space = observation_space(self.drill)  # type: ignore[assignment]  # Space is invariant
        self.action_space = orders_space(self.drill)
        self._screen = DrillScreen(self.drill, render_mode)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game; returns what is sensed, and an empty `info`."""
        super().reset(seed=seed)
        self.drill.reset(drawn_seed(self.np_random) if seed is None else seed)
        if options and "position" in options:
            self.drill.put(0, options["position"])
        self._show()
        return self._observed(), {}

    def step(self, action: np.integer[Any] | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Gives an order; returns what is sensed, the reward, terminated, truncated and `info`."""
        drill = self.drill
        drill.step(np.array([action]))
        ended = drill.host(drill.ended)[0]
        reward = float(drill.host(drill.rewards)[0, LEARNER_LANE]) * self.reward_scale
        info = {"place": int(drill.host(drill.places)[0, LEARNER_LANE])} if ended == TERMINATED else {}
        self._show()
        return self._observed(), reward, bool(ended == TERMINATED), bool(ended == TRUNCATED), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which orders are not in vain, under the name that sb3-contrib calls."""
        return cast("NDArray[np.bool_]", self.drill.host(self.drill.mask)[0, LEARNER_LANE] != 0)

    def render(self) -> Any:
        """Returns the board as text or pixels; in the mode `human` it is shown in the terminal."""
        return self._screen.rendered()

    def _show(self) -> None:
        if self.render_mode == "human":
            self._screen.rendered()

    def _observed(self) -> Observation:
        return {name: array[0].copy() for name, array in sensed_arrays(self.drill).items()}


class BotyardVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Plays many games in one call, as a vector environment of Gymnasium.

    All modes of `AutoresetMode` are there, and `reset` takes `options={"reset_mask": …}` in each. A game that ended and
    is not begun anew (DISABLED) stays as it is. `info["place"]` is the learner's place in games that terminated, 1 for
    the first. With `copy=False` observations and rewards are the memory of the drill: the next step writes over them.
    """

    drill: Drill  # the drill underneath

    def __init__(
        self,
        game: str | Rulebook,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        reward_scale: float = 1.0,
        copy: bool = True,
        **drill: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        self.drill = drill_with(game, drill, n=num_envs, learners=1, most_ticks=0, autoreset=MODES[mode])
        self.num_envs, self.render_mode, self.reward_scale, self.copy = num_envs, render_mode, reward_scale, copy
        self.metadata = {**BotyardEnv.metadata, "autoreset_mode": mode}
        self.single_observation_space, self.single_action_space = (
            observation_space(self.drill),
            orders_space(self.drill),
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._screen = DrillScreen(self.drill, render_mode)
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._rewards = np.zeros(num_envs)

    def reset(
        self,
        *,
        seed: Seeds = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all games, or those of the mask; returns what is sensed in each, and an empty `info`."""
        one = None if seed is None or isinstance(seed, Sequence | np.ndarray) else whole(seed)
        super().reset(seed=one)
        chosen = checked_reset_mask((options or {}).get(RESET_MASK), self.num_envs)
        self.drill.reset(self._seeds(seed) if one is None else one, chosen)
        return self._observed(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Gives an order to each game; returns what is sensed, rewards, terminated, truncated and `info`."""
        drill = self.drill
        drill.step(actions)
        ended = drill.host(drill.ended)
        rewards = self._rewards if not self.copy else np.empty(self.num_envs)
        np.multiply(drill.host(drill.rewards)[:, LEARNER_LANE], self.reward_scale, out=rewards)
        info = self._told(ended) if ended.any() else {}
        return self._observed(), rewards, ended == TERMINATED, ended == TRUNCATED, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which orders are not in vain, of all games."""
        return cast("NDArray[np.bool_]", self.drill.host(self.drill.mask)[:, LEARNER_LANE] != 0)

    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture of every game, as text or pixels; in the mode `human` they are shown in the terminal."""
        pictures = tuple(self._screen.rendered(i) for i in range(self.num_envs))
        return None if self.render_mode in (None, "human") else pictures

    def _seeds(self, seed: Any) -> Any:
        """Returns a seed that all count up from, or one for each game; those that are not given are drawn."""
        if seed is None:
            return drawn_seed(self.np_random)
        return [drawn_seed(self.np_random) if one is None else one for one in seed]

    def _observed(self) -> Observation:
        seen = sensed_arrays(self.drill)
        return {name: array.copy() for name, array in seen.items()} if self.copy else seen

    def _told(self, ended: NDArray[Any]) -> dict[str, Any]:
        """Returns what is said of games that ended; if the next ones have begun already, also what was sensed last."""
        drill = self.drill
        done, terminated = ended != RUNNING, ended == TERMINATED
        places = drill.host(drill.places)[:, LEARNER_LANE]
        info = {"place": np.where(terminated, places, 0), "_place": terminated}
        if not self._same_step:
            return info
        return {
            "final_obs": self._final_observations(done),
            "_final_obs": done,
            "final_info": info,
            "_final_info": done,
        }

    def _final_observations(self, done: NDArray[np.bool_]) -> NDArray[Any]:
        """Returns an observation for each game that ended, as an array of objects, as Gymnasium's own vectors do."""
        drill, finals = self.drill, np.full(self.num_envs, None, object)
        codes, numbers = drill.host(drill.final_codes), drill.host(drill.final_numbers)
        nothing = np.zeros(drill.mask.shape[2], MASK)
        for i in np.flatnonzero(done):
            seen = {"codes": codes[i, LEARNER_LANE].copy(), "numbers": numbers[i, LEARNER_LANE].copy()}
            finals[i] = {**seen, "action_mask": nothing.copy()}
        return finals


def sensed_arrays(drill: Drill) -> Observation:
    """Returns what the learners of all games are given now: on the CPU the memory of the drill itself."""
    return {
        "codes": drill.host(drill.codes)[:, LEARNER_LANE],
        "numbers": drill.host(drill.numbers)[:, LEARNER_LANE],
        "action_mask": drill.host(drill.mask)[:, LEARNER_LANE].view(MASK),
    }


def checked_reset_mask(mask: Any, num_envs: int) -> NDArray[np.bool_] | None:
    """Returns which games begin anew, None for all; refuses what Gymnasium's own vectors refuse."""
    if mask is None:
        return None
    fits = isinstance(mask, np.ndarray) and mask.shape == (num_envs,) and mask.dtype == np.bool_
    if not fits or not mask.any():
        hint = f"give a NumPy array of {num_envs} booleans, at least one of them true"
        raise YardError(f"options[{RESET_MASK!r}] marks no games", hint=hint)
    return cast("NDArray[np.bool_]", mask)


register_all()
