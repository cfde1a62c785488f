"""Trains a bot from nothing: PPO with masks against house bots and frozen copies of itself, in one readable file.

    python examples/train_torch.py --minutes 9 --folder runs/hive
    python examples/train_torch.py --minutes 9 --folder runs/hive --resume

Everything stays on one device: the games, the house bots and the network. `--device cpu` works, too, for a first try
(`--games 256 --minutes 1`). Needs `pip install 'botyard[research]'`; on a GPU also `botyard[cuda]`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn

from botyard.games import load
from botyard.sim.drill import Drill

LEARNER, COPY = 0, 1  # entrants: the one that learns, and the one that a frozen copy plays in some games
FORBIDDEN = -1e9  # the logit of an order that is in vain


@dataclass
class Plan:
    """What is trained, and how."""

    game: str = "hive"
    senses: str = "botyard.games.hive.bots.learner.senses"  # empty: the game's own
    foes: str = "forager=5,raider=3,wanderer=1"  # house bots and their shares of the games
    league: float = 0.15  # share of the games against frozen copies
    games: int = 131072
    steps: int = 32  # of each game between two updates
    width: int = 64
    critic_width: int = 128
    batches: int = 16
    rate: float = 6e-4
    discount: float = 0.998
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.004
    scale: float = 0.05  # of rewards
    win: float = 2.0  # added for a first place, taken for any other
    copies: int = 8  # frozen copies that are kept
    freeze_every: int = 250  # updates
    device: str = "cuda"
    seed: int = 1


# The network


class Encoder(nn.Module):
    """Makes inputs of what is sensed: for every cell one for each code, for every number one for each value."""

    def __init__(self, drill: Drill) -> None:
        super().__init__()
        rows, cols = drill.codes.shape[2:]
        codes, ranges = len(drill.senses.CODES), [number.high - number.low + 1 for number in drill.senses.NUMBERS]
        lows = torch.tensor([number.low for number in drill.senses.NUMBERS])
        self.inputs = rows * cols * codes + sum(ranges)
        self.register_buffer("codes", torch.arange(codes, dtype=torch.uint8), persistent=False)
        owner = torch.cat([torch.full((size,), at) for at, size in enumerate(ranges)])
        value = torch.cat([torch.arange(size) + lows[at] for at, size in enumerate(ranges)])
        self.register_buffer("owner", owner, persistent=False)
        self.register_buffer("value", value.to(torch.int16), persistent=False)

    def forward(self, cells: Tensor, numbers: Tensor) -> Tensor:
        seen = cells.flatten(1).unsqueeze(2) == self.codes
        told = numbers[:, self.owner] == self.value
        return torch.cat([seen.flatten(1), told], 1).to(torch.bfloat16)


def layers(inputs: int, width: int, outputs: int, gain: float) -> nn.Sequential:
    made = nn.Sequential(
        nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
    )
    nn.init.orthogonal_(made[4].weight, gain)
    nn.init.zeros_(made[4].bias)
    return made


class Player(nn.Module):
    """The actor, which becomes the bot, and the critic, which only helps to train it."""

    def __init__(self, drill: Drill, plan: Plan) -> None:
        super().__init__()
        self.encoder = Encoder(drill)
        orders = drill.mask.shape[2]
        self.actor = layers(self.encoder.inputs, plan.width, orders, 0.01)
        self.critic = layers(self.encoder.inputs, plan.critic_width, 1, 1.0)

    def forward(self, cells: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        inputs = self.encoder(cells, numbers)
        return self.actor(inputs).float().masked_fill(~mask, FORBIDDEN), self.critic(inputs).float().squeeze(1)

    def act(self, cells: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Draws orders; returns them with the logarithms of their chances, and what the positions are worth."""
        logits, values = self(cells, numbers, mask)
        orders = drawn(logits)
        return orders, torch.log_softmax(logits, 1).gather(1, orders[:, None]).squeeze(1), values

    def orders(self, cells: Tensor, numbers: Tensor, mask: Tensor, greedy: bool = False) -> Tensor:
        """Returns orders alone, drawn or the best ones."""
        logits = self.actor(self.encoder(cells, numbers)).float().masked_fill(~mask, FORBIDDEN)
        return logits.argmax(1) if greedy else drawn(logits)


def half_precision(device: str) -> Any:
    return torch.autocast(device, torch.bfloat16)


def drawn(logits: Tensor) -> Tensor:
    """Draws an order by its chance."""
    noise = -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))
    return (logits + noise).argmax(1)


# The games


def tensor(array: Any, device: str) -> Tensor:
    """Returns an array of a drill as a tensor over the same memory."""
    return torch.from_numpy(array) if device == "cpu" else torch.as_tensor(array, device=device)


class Field:
    """The games that are played, as tensors: what both entrants sense, and what became of it."""

    def __init__(self, plan: Plan, games: int, seed: int, mode: Any = "same_step") -> None:
        senses = importlib.import_module(plan.senses) if plan.senses else None
        self.drill = Drill(plan.game, n=games, learners=2, senses=senses, device=plan.device, seed=seed, autoreset=mode)
        told = self.drill
        self.cells, self.numbers = tensor(told.codes, plan.device), tensor(told.numbers, plan.device)
        self.mask, self.turn = tensor(told.mask, plan.device), tensor(told.turn, plan.device)
        self.rewards, self.ended = tensor(told.rewards, plan.device), tensor(told.ended, plan.device)
        self.places = tensor(told.places, plan.device)
        self.given = torch.zeros((games, 2), dtype=torch.int32, device=plan.device)

    def seat(self, foes: dict[str, float], league: float) -> int:
        """Seats frozen copies in the first games and house bots in the others; returns how many copies play."""
        n = self.drill.n
        first = copies = int(n * league)
        whole = sum(foes.values())
        for name, share in foes.items():
            last = min(n, first + math.ceil((n - copies) * share / whole))
            chosen = np.zeros(n, np.uint8)
            chosen[first:last] = 1
            self.drill.oppose(COPY, name, chosen)
            first = last
        self.drill.reset(self.drill_seed())
        return copies

    def drill_seed(self) -> int:
        return 1_000_003 * (1 + self.drill.n)

    def sensed(self, who: int, upto: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
        return self.cells[:upto, who], self.numbers[:upto, who], self.mask[:upto, who] != 0

    def step(self) -> None:
        self.drill.step(self.given if self.drill.device != "cpu" else self.given.numpy())


# PPO


@dataclass
class Rollout:
    """What was sensed, ordered and gained in the steps between two updates."""

    cells: Tensor
    numbers: Tensor
    mask: Tensor
    orders: Tensor
    chances: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor
    asked: Tensor

    @classmethod
    def empty(cls, plan: Plan, field: Field) -> Rollout:
        shape, at = (plan.steps, plan.games), {"device": plan.device}
        cells, numbers, mask = field.sensed(LEARNER)
        floats = [torch.zeros(shape, **at) for _ in range(4)]
        return cls(
            torch.zeros((plan.steps, *cells.shape), dtype=cells.dtype, **at),
            torch.zeros((plan.steps, *numbers.shape), dtype=numbers.dtype, **at),
            torch.zeros((plan.steps, *mask.shape), dtype=torch.bool, **at),
            torch.zeros(shape, dtype=torch.int64, **at),
            *floats,
            torch.zeros(shape, dtype=torch.bool, **at),
        )

    def gains(self, last: Tensor, plan: Plan) -> tuple[Tensor, Tensor]:
        """Returns advantages and returns (GAE). Where the learner was not asked, rewards belong to its last order."""
        advantages = torch.zeros_like(self.values)
        pending, value, gain = torch.zeros_like(last), last, torch.zeros_like(last)
        for t in reversed(range(plan.steps)):
            on = 1 - self.ended[t]
            pending, value, gain = self.rewards[t] + on * pending, on * value, on * gain
            error = pending + plan.discount * value - self.values[t]
            now = error + plan.discount * plan.trace * gain
            advantages[t] = torch.where(self.asked[t], now, 0.0)
            gain, value = torch.where(self.asked[t], now, gain), torch.where(self.asked[t], self.values[t], value)
            pending = torch.where(self.asked[t], 0.0, pending)
        return advantages, advantages + self.values


class Trainer:
    """Plays and learns in turns."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        torch.manual_seed(plan.seed)
        self.field = Field(plan, plan.games, plan.seed)
        foes = {name: float(share) for name, share in (one.split("=") for one in plan.foes.split(","))}
        self.copies = self.field.seat(foes, plan.league)
        self.player = Player(self.field.drill, plan).to(plan.device)
        self.copy = Player(self.field.drill, plan).to(plan.device)
        self.kept = [self.weights()]
        self.fast = plan.device != "cpu"
        self.optimizer = torch.optim.Adam(self.player.parameters(), lr=plan.rate, eps=1e-5, fused=self.fast)
        self.act, self.order, self.loss = (
            torch.compile(one, dynamic=False) if self.fast else one
            for one in (self.player.act, self.copy.orders, self.surprise)
        )
        self.rollout = Rollout.empty(plan, self.field)
        self.updates, self.taken = 0, 0
        self.curve: list[dict[str, float]] = []

    def weights(self) -> dict[str, Tensor]:
        return {name: one.detach().clone() for name, one in self.player.state_dict().items()}

    def freeze(self) -> None:
        """Keeps a copy of the player as it is now; the copies that are met change from time to time."""
        self.kept = [*self.kept, self.weights()][-self.plan.copies :]
        self.copy.load_state_dict(self.kept[int(torch.randint(len(self.kept), (1,)))])

    @torch.no_grad()
    def play(self) -> tuple[Tensor, Tensor]:
        """Fills the rollout; returns the value of where it stops, and the games won and ended."""
        plan, field, kept = self.plan, self.field, self.rollout
        went = torch.zeros(2, device=plan.device)
        for t in range(plan.steps):
            sensed = field.sensed(LEARNER)
            kept.cells[t], kept.numbers[t], kept.mask[t] = sensed
            kept.asked[t] = field.turn[:, LEARNER] != 0
            with half_precision(plan.device):
                kept.orders[t], kept.chances[t], kept.values[t] = self.act(*sensed)
                if self.copies:
                    field.given[: self.copies, COPY] = self.order(*field.sensed(COPY, self.copies)).int()
            field.given[:, LEARNER] = kept.orders[t]
            field.step()
            over = field.ended == 1
            first = field.places[:, LEARNER] < field.places[:, COPY]
            last = field.places[:, LEARNER] > field.places[:, COPY]
            kept.ended[t] = (field.ended != 0).float()
            kept.rewards[t] = plan.scale * field.rewards[:, LEARNER]
            kept.rewards[t] += plan.win * over * (first.float() - last.float())
            went += torch.stack([(over & first)[self.copies :].sum(), (over & (first | last))[self.copies :].sum()])
        with half_precision(plan.device):
            return self.act(*field.sensed(LEARNER))[2], went

    def learn(self, last: Tensor, share: float) -> None:
        """One epoch over the rollout; `share` of the training is done."""
        plan, kept = self.plan, self.rollout
        for group in self.optimizer.param_groups:
            group["lr"] = plan.rate * (1 - 0.95 * share)
        advantages, returns = kept.gains(last, plan)
        asked = kept.asked.flatten()
        chosen = asked.nonzero().squeeze(1) if self.copies else torch.arange(len(asked), device=plan.device)
        gains = advantages.flatten()[chosen]
        mean, spread = gains.mean(), gains.std() + 1e-8
        flat = [one.flatten(0, 1) for one in (kept.cells, kept.numbers, kept.mask, kept.orders, kept.chances)]
        shuffled = chosen[torch.randperm(len(chosen), device=plan.device)]
        size = len(asked) // (plan.batches + 1) if self.copies else len(asked) // plan.batches
        for number in range(len(shuffled) // size):
            these = shuffled[number * size : (number + 1) * size]
            gain = (advantages.flatten()[these] - mean) / spread
            rate = torch.tensor(plan.entropy * (1 - 0.9 * share), device=plan.device)
            loss = self.loss(*(one[these] for one in flat), gain, returns.flatten()[these], rate)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.player.parameters(), 0.5)
            self.optimizer.step()

    def surprise(
        self, cells: Tensor, numbers: Tensor, mask: Tensor, orders: Tensor, chances: Tensor, gain: Tensor,
        returns: Tensor, entropy_rate: Tensor,
    ) -> Tensor:  # fmt: skip
        """The loss of PPO: of the policy, clipped, of the critic, and the entropy."""
        with half_precision(self.plan.device):
            logits, values = self.player(cells, numbers, mask)
        logs = torch.log_softmax(logits, 1)
        ratio = (logs.gather(1, orders[:, None]).squeeze(1) - chances).exp()
        policy = -torch.min(ratio * gain, ratio.clamp(1 - self.plan.clip, 1 + self.plan.clip) * gain).mean()
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        return policy + 0.5 * (values - returns).pow(2).mean() - entropy_rate * entropy

    def train(self, minutes: float, whole: float) -> Iterator[float]:
        """Trains for some minutes; `whole` is how long all runs together are to be. Yields the share that is done."""
        began, spent = time.monotonic(), self.curve[-1]["seconds"] if self.curve else 0.0
        went, since, stepped = torch.zeros(2, device=self.plan.device), time.monotonic(), 0
        while (now := time.monotonic() - began) < 60 * minutes:
            share = min(1.0, (spent + now) / (60 * whole))
            last, counted = self.play()
            self.learn(last, share)
            went += counted
            self.updates += 1
            stepped += int(self.rollout.asked.sum()) if self.copies else self.plan.games * self.plan.steps
            if self.updates % self.plan.freeze_every == 0:
                self.freeze()
            if time.monotonic() - since > 10:
                won, ended = (float(one) for one in went)
                self.taken += stepped
                point = {"seconds": spent + time.monotonic() - began, "steps": float(self.taken)}
                point |= {"won": won / max(1.0, ended), "rate": stepped / (time.monotonic() - since)}
                self.curve.append(point)
                went, since, stepped = torch.zeros_like(went), time.monotonic(), 0
            yield now / (60 * minutes)

    # Checkpoints

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        state = {
            "plan": asdict(self.plan), "player": self.player.state_dict(), "optimizer": self.optimizer.state_dict(),
            "kept": self.kept, "updates": self.updates, "taken": self.taken, "curve": self.curve,
        }  # fmt: skip
        torch.save(state, folder / "checkpoint.new")
        (folder / "checkpoint.new").replace(folder / "checkpoint.pt")  # whole, or as it was
        (folder / "curve.json").write_text(json.dumps(self.curve))
        (folder / "curve.svg").write_text(drawing(self.curve))

    def resume(self, folder: Path) -> None:
        state = torch.load(folder / "checkpoint.pt", map_location=self.plan.device, weights_only=True)
        self.player.load_state_dict(state["player"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.kept, self.updates, self.taken, self.curve = (state[n] for n in ("kept", "updates", "taken", "curve"))
        self.copy.load_state_dict(self.kept[-1])


def drawing(curve: list[dict[str, float]]) -> str:
    """Returns the share of decided games that were won against house bots, over time, as SVG."""
    width, height = 640, 240
    longest = max((point["seconds"] for point in curve), default=1.0)
    line = " ".join(
        f"{40 + (width - 50) * point['seconds'] / longest:.1f},{height - 30 - (height - 50) * point['won']:.1f}"
        for point in curve
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<path d="M40 20V{height - 30}H{width - 10}" fill="none" stroke="#888"/>'
        f'<text x="4" y="26">100 %</text><text x="16" y="{height - 30}">0</text>'
        f'<text x="{width - 90}" y="{height - 10}">{longest / 60:.0f} minutes</text>'
        f'<polyline points="{line}" fill="none" stroke="#b8860b" stroke-width="2"/></svg>\n'
    )


# Trying it out


@torch.no_grad()
def compared(plan: Plan, player: Player, foe: str, games: int, greedy: bool) -> tuple[int, int, int]:
    """Returns games won, drawn and lost against a house bot."""
    field = Field(plan, games, 900_000_000, "off")
    field.seat({foe: 1.0}, 0.0)
    field.drill.reset(900_000_000)
    for step in range(6000):
        with half_precision(plan.device):
            field.given[:, LEARNER] = player.orders(*field.sensed(LEARNER), greedy=greedy).int()
        field.step()
        if step % 100 == 99 and bool((field.ended != 0).all()):
            break
    over, mine, theirs = field.ended == 1, field.places[:, LEARNER], field.places[:, COPY]
    return (
        int((over & (mine < theirs)).sum()),
        int((over & (mine == theirs)).sum()),
        int((over & (mine > theirs)).sum()),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in asdict(Plan()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"({value})")
    parser.add_argument("--minutes", type=float, default=9.0, help="how long this run is")
    parser.add_argument("--whole", type=float, default=0.0, help="how long all runs together are to be")
    parser.add_argument("--folder", type=Path, default=Path("runs/learner"))
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    parser.add_argument("--trial", type=int, default=2048, help="games against each house bot at the end")
    options = vars(parser.parse_args())
    minutes, whole, folder, resume, trial = (options.pop(n) for n in ("minutes", "whole", "folder", "resume", "trial"))
    plan = Plan(**options)
    trainer = Trainer(plan)
    if resume:
        trainer.resume(folder)
    columns = (TextColumn("training"), BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns) as progress:
        bar = progress.add_task("", total=1.0, told="")
        for share in trainer.train(minutes, whole or minutes):
            point = trainer.curve[-1] if trainer.curve else {"won": 0.0, "rate": 0.0, "steps": 0.0}
            told = f"{point['steps'] / 1e6:.0f} M steps, {point['rate'] / 1e6:.2f} M/s, {point['won']:.1%} won"
            progress.update(bar, completed=share, told=told)
    trainer.save(folder)
    for foe in load(plan.game).bots.HOUSE_BOTS:
        for greedy in (True, False):
            won, equal, lost = compared(plan, trainer.player, foe, trial, greedy)
            how = "best orders" if greedy else "orders drawn"
            print(f"{foe:10} {how}: {won} won, {equal} drawn, {lost} lost: {won / max(1, won + lost):.1%} of decided")


if __name__ == "__main__":
    main()
