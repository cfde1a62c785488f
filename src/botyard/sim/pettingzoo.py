"""PettingZoo's interface: every player of a game is an agent, all at once (`parallel_env`) or in turns (`env`).

    parallel_env("name")                                                  # every seat is an agent
    parallel_env("name", seats=5, learners=3, opponents="house bot's name")  # house bots have the others

Both serve every game. Where players move one after another, those of the parallel environment who are not asked have a
mask without orders, and what they order means nothing; where they move at once, the turns of `env` only collect their
orders. An agent stays until the game ends, even if nothing is left to do for it: it may come back in another round.
`player_k` is the one that came k-th, whichever seat the game gives it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games import load
from botyard.kernel.arrays import ORDER
from botyard.kernel.errors import UnknownName
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.loop_modes import RUNNING, TERMINATED, TRUNCATED
from botyard.kernel.orders import check_range
from botyard.kernel.restarts import whole
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS
from botyard.sim.drill import bot_names
from botyard.sim.environments import drawn_seed, drill_with
from botyard.sim.extras import extra
from botyard.sim.shown_games import FRAMES_PER_S, RENDER_MODES, DrillScreen
from botyard.sim.spaces import MASK, mask_space, orders_space, sensed_spaces

with extra("pettingzoo", __name__):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

__all__ = ["BotyardAECEnv", "BotyardParallelEnv", "env", "parallel_env"]

Seen = dict[str, Any]
"""What an agent is given: `observation`, with codes and numbers, and `action_mask`."""


DECIDED: dict[str, Any] = {"n": 1, "most_ticks": 0, "autoreset": "off"}
"""What the environments decide themselves among the arguments of a drill."""


class LearnersTable:
    """One game in which every player learns, or all but some house bots: what both environments share."""

    def __init__(
        self, game: str | Rulebook, render_mode: str | None, reward_scale: float, drill: dict[str, Any]
    ) -> None:
        book = load(game) if isinstance(game, str) else game
        if "learners" not in drill:  # the settings say how many seats there are, and the drill reads them
            seats = drill_with(book, drill, **DECIDED).seats
            drill = {**drill, "learners": seats - len(bot_names(drill.get("opponents", ())))}
        self.drill = drill_with(book, drill, **DECIDED)
        self.agents = [f"player_{k}" for k in range(self.drill.learners)]
        self.lanes = {agent: lane for lane, agent in enumerate(self.agents)}
        self.metadata = {
            "name": f"botyard_{book.facts.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": FRAMES_PER_S,
            "is_parallelizable": True,
        }
        sensed = spaces.Dict(sensed_spaces(self.drill))
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict({"observation": sensed, "action_mask": mask_space(self.drill)}) for agent in self.agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: orders_space(self.drill) for agent in self.agents}
        self.screen = DrillScreen(self.drill, render_mode)
        self._dice, self._scale = np.random.default_rng(), reward_scale

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begins a game, with this seed as `botyard.new` takes it, or in the position that the options name."""
        if seed is not None:
            seed = whole(seed)
            self._dice = np.random.default_rng(seed % (1 << SEED_BITS))
        self.drill.reset(drawn_seed(self._dice) if seed is None else seed)
        if options and "position" in options:
            self.drill.put(0, options["position"])

    def step(self, orders: dict[str, int]) -> None:
        given = np.full((1, len(self.agents)), NO_ORDER, ORDER)
        for agent, order in orders.items():
            if agent not in self.lanes:
                raise UnknownName("agent", str(agent), self.lanes)
            given[0, self.lanes[agent]] = checked_order(order)
        self.drill.step(given)

    def seen(self, agent: str) -> Seen:
        drill, lane = self.drill, self.lanes[agent]
        sensed = {"codes": drill.codes, "numbers": drill.numbers}
        return {
            "observation": {name: drill.host(array)[0, lane].copy() for name, array in sensed.items()},
            "action_mask": drill.host(drill.mask)[0, lane].astype(MASK),
        }

    def reward(self, agent: str) -> float:
        return float(self.drill.host(self.drill.rewards)[0, self.lanes[agent]]) * self._scale

    def info(self, agent: str) -> dict[str, Any]:
        """Returns whether an agent is asked and, at the end of the game, its place, 1 for the first."""
        drill, lane = self.drill, self.lanes[agent]
        told = {"asked": bool(drill.host(drill.turn)[0, lane])}
        return {**told, "place": int(drill.host(drill.places)[0, lane])} if self.ended == TERMINATED else told

    @property
    def ended(self) -> int:
        return int(self.drill.host(self.drill.ended)[0])

    @property
    def asked(self) -> list[str]:
        turn = self.drill.host(self.drill.turn)[0]
        return [agent for agent in self.agents if turn[self.lanes[agent]]]

    def state(self) -> NDArray[np.uint8]:
        """Returns the whole position as bytes, hidden things and chance included."""
        return np.frombuffer(self.drill.position(0).arrays[1].tobytes(), np.uint8)


def checked_order(given: Any) -> int:
    """Returns an order that an agent gave, at once: errors should name the agent's own step."""
    order = whole(given, "number of an order")
    check_range(np.array([order], object))  # of any size, as Python's own numbers
    return order


class BotyardParallelEnv(ParallelEnv[str, Seen, int]):
    """Lets all agents order at once.

    `info["asked"]` says whether an agent is asked, and `info["place"]` its place in a game that terminated, 1 for the
    first. `reset` takes a position to begin with as an option: `options={"position": game}`.
    """

    def __init__(
        self, game: str | Rulebook, *, render_mode: str | None = None, reward_scale: float = 1.0, **drill: Any
    ) -> None:
        self.table = LearnersTable(game, render_mode, reward_scale, drill)
        self.metadata, self.render_mode = self.table.metadata, render_mode
        self.possible_agents, self.agents = list(self.table.agents), list(self.table.agents)
        self.observation_spaces, self.action_spaces = self.table.observation_spaces, self.table.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of what an agent is given."""
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of its orders."""
        return self.table.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begins a game; returns what each agent is given, and its `info`."""
        self.table.reset(seed, options)
        self.agents = list(self.possible_agents)
        self._show()
        return self._of_all(self.table.seen), self._of_all(self.table.info)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Gives orders; returns, each by agent: what it is given, reward, terminated, truncated and `info`."""
        table = self.table
        table.step(actions)
        self._show()
        ended = table.ended
        told = (
            self._of_all(table.seen),
            self._of_all(table.reward),
            dict.fromkeys(self.agents, ended == TERMINATED),
            dict.fromkeys(self.agents, ended == TRUNCATED),
            self._of_all(table.info),
        )
        if ended != RUNNING:
            self.agents = []
        return told

    def _of_all(self, tell: Any) -> dict[str, Any]:
        return {agent: tell(agent) for agent in self.agents}

    def state(self) -> NDArray[np.uint8]:
        """Returns the whole position as bytes, hidden things and chance included."""
        return self.table.state()

    def render(self) -> Any:
        """Returns the board as text or pixels; in the mode `human` it is shown in the terminal."""
        return self.table.screen.rendered()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class BotyardAECEnv(AECEnv[str, Seen, int | None]):
    """Lets agents order one after another, in the order they came; the game goes on when all who are asked have.

    `infos` and the options of `reset` are those of `BotyardParallelEnv`.
    """

    def __init__(
        self, game: str | Rulebook, *, render_mode: str | None = None, reward_scale: float = 1.0, **drill: Any
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.table = LearnersTable(game, render_mode, reward_scale, drill)
        self.metadata, self.render_mode = self.table.metadata, render_mode
        self.possible_agents, self.agents = list(self.table.agents), list(self.table.agents)
        self.observation_spaces, self.action_spaces = self.table.observation_spaces, self.table.action_spaces
        self._orders: dict[str, int] = {}
        self._waiting: list[str] = []  # those who are asked and have not ordered yet

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of what an agent is given."""
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of its orders."""
        return self.table.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, and selects the first agent that is asked."""
        self.table.reset(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._take_stock()
        self._show()

    def step(self, action: int | None) -> None:
        """Gives an order of the selected agent, None if it is done; selects the next one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if agent in self._waiting:  # nobody waits in a game that is over before anybody can order
            self._orders[agent] = checked_order(action)
            self._waiting.remove(agent)
        self._cumulative_rewards[agent] = 0.0
        if self._waiting:
            self._clear_rewards()
            self.agent_selection = self._waiting[0]
        else:
            self.table.step(self._orders)
            self.rewards = {agent: self.table.reward(agent) for agent in self.agents}
            self._take_stock()
            self._show()
        self._accumulate_rewards()

    def _take_stock(self) -> None:
        """Asks the table who is to order now, and whether the game is over: then every agent steps once more."""
        ended = self.table.ended
        self._orders, self._waiting = {}, self.table.asked if ended == RUNNING else []
        self.terminations = dict.fromkeys(self.agents, ended == TERMINATED)
        self.truncations = dict.fromkeys(self.agents, ended == TRUNCATED)
        self.infos = {agent: self.table.info(agent) for agent in self.agents}
        self.agent_selection = self._waiting[0] if self._waiting else self.agents[0]

    def observe(self, agent: str) -> Seen:
        """Returns what an agent is given now."""
        return self.table.seen(agent)

    def state(self) -> NDArray[np.uint8]:
        """Returns the whole position as bytes, hidden things and chance included."""
        return self.table.state()

    def render(self) -> Any:
        """Returns the board as text or pixels; in the mode `human` it is shown in the terminal."""
        return self.table.screen.rendered()

    def close(self) -> None:
        """Does nothing: a drill holds memory alone."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


parallel_env = BotyardParallelEnv
"""Another name for `BotyardParallelEnv`, the one that PettingZoo's own games have."""

env = BotyardAECEnv
"""Another name for `BotyardAECEnv`, the one that PettingZoo's own games have."""
