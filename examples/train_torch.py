"""Trains a bot from nothing: PPO with masks against house bots and frozen copies of itself, in one readable file.

    python examples/train_torch.py --minutes 9 --folder runs/hive
    python examples/train_torch.py --minutes 9 --folder runs/hive --resume

Everything stays on one device: the games, the house bots and the network. `--device cpu` works, too, for a first try
(`--games 256 --minutes 1`). Needs `pip install 'botyard[research]'`; on a GPU also `botyard[cuda]`.
"""

from __future__ import annotations

import argparse
import functools
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
from botyard.sim.torch import TensorDrill

LEARNER, COPY = 0, 1  # entrants: the one that learns, and the one that a frozen copy plays in some games
FORBIDDEN = -1e9  # the logit of an order that is in vain
half_precision = functools.partial(torch.autocast, dtype=torch.bfloat16)


@dataclass
class Plan:
    """What is trained, and how."""

    game: str = "hive"
    senses: str = "botyard.games.hive.bots.learner.senses"  # empty: the game's own
    piece: str = "bee"  # the number that tells which piece of a seat acts; without it a seat is one piece
    foes: str = "forager=5,raider=3,wanderer=1"  # house bots and their shares of the games
    league: float = 0.1  # share of the games against frozen copies
    games: int = 262144
    steps: int = 64  # of each game between two updates
    width: int = 72
    critic_width: int = 128
    batches: int = 64
    rate: float = 6e-4
    discount: float = 0.99  # from one turn of a piece to its next
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.004
    scale: float = 0.05  # of rewards
    win: float = 2.0  # added for a first place, taken for any other
    copies: int = 8  # frozen copies that are kept
    freeze_every: int = 60  # updates
    device: str = "cuda" if torch.cuda.is_available() else "cpu"
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


def layers(inputs: int, outputs: int, gain: float) -> nn.Sequential:
    made = nn.Sequential(nn.Linear(inputs, inputs), nn.ReLU(), nn.Linear(inputs, outputs))
    nn.init.orthogonal_(made[2].weight, gain)
    nn.init.zeros_(made[2].bias)
    return made


class Player(nn.Module):
    """The actor, which becomes the bot, and the critic, which only helps to train it.

    Their first layers lie side by side, because reading the inputs takes longer than the sums; they share nothing.
    """

    def __init__(self, drill: Drill, plan: Plan) -> None:
        super().__init__()
        self.widths = [plan.width, plan.critic_width]
        self.encoder = Encoder(drill)
        self.first = nn.Linear(self.encoder.inputs, sum(self.widths))
        self.actor = layers(plan.width, drill.mask.shape[2], 0.01)
        self.critic = layers(plan.critic_width, 1, 1.0)

    def forward(self, cells: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the logits of orders, and what the positions are worth."""
        actor, critic = self.first(self.encoder(cells, numbers)).relu().split(self.widths, 1)
        return self.actor(actor).float().masked_fill(~mask, FORBIDDEN), self.critic(critic).float().squeeze(1)

    def act(self, cells: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Draws orders; returns them with the logarithms of their chances, and what the positions are worth."""
        logits, values = self(cells, numbers, mask)
        orders = drawn(logits)
        return orders, torch.log_softmax(logits, 1).gather(1, orders[:, None]).squeeze(1), values

    def orders(self, cells: Tensor, numbers: Tensor, mask: Tensor, greedy: bool = False) -> Tensor:
        """Returns orders alone, drawn or the best ones."""
        logits = self(cells, numbers, mask)[0]
        return logits.argmax(1) if greedy else drawn(logits)


def drawn(logits: Tensor) -> Tensor:
    """Draws an order by its chance."""
    noise = -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))
    return (logits + noise).argmax(1)


# The games


class Field:
    """The games that are played: what both entrants sense, and what became of it."""

    def __init__(self, plan: Plan, games: int, seed: int, mode: Any = "same_step") -> None:
        senses = importlib.import_module(plan.senses) if plan.senses else None
        self.tensors = TensorDrill(
            plan.game, n=games, learners=2, senses=senses, device=plan.device, seed=seed, autoreset=mode
        )
        self.drill, self.seen, self.ended = self.tensors.drill, self.tensors.seen, self.tensors.ended
        self.given = torch.zeros((games, 2), dtype=torch.int32, device=plan.device)

    def seat(self, foes: dict[str, float], league: float) -> int:
        """Seats frozen copies in the first games and house bots in the others; returns how many copies play."""
        n, whole = self.drill.n, sum(foes.values())
        first = copies = int(n * league)
        for name, share in foes.items():
            last = min(n, first + math.ceil((n - copies) * share / whole))
            self.drill.oppose(COPY, name, np.arange(first, last))
            first = last
        self.tensors.reset(1_000_003 * n)
        return copies

    def sensed(self, who: int, upto: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
        return self.seen.codes[:upto, who], self.seen.numbers[:upto, who], self.seen.mask[:upto, who]

    def ahead(self) -> Tensor:
        """Returns by game whether the learner's place is better than its rival's (1), the same (0) or worse (-1)."""
        return (self.tensors.places[:, COPY] - self.tensors.places[:, LEARNER]).sign()


# PPO


class Rollout:
    """What was sensed, ordered and gained in the steps between two updates, by step and game."""

    def __init__(self, plan: Plan, field: Field) -> None:
        shape = (plan.steps, plan.games)
        self.cells, self.numbers, self.mask = (
            torch.zeros((plan.steps, *one.shape), dtype=one.dtype, device=plan.device) for one in field.sensed(LEARNER)
        )
        self.orders = torch.zeros(shape, dtype=torch.int64, device=plan.device)
        self.asked = torch.zeros((plan.steps + 1, plan.games), dtype=torch.bool, device=plan.device)  # after them, too
        self.chances, self.values, self.rewards, self.ended = torch.zeros((4, *shape), device=plan.device)

    def gains(self, plan: Plan, pieces: int, owners: Tensor, last: Tensor) -> list[Tensor]:
        """Returns advantages (GAE), returns, and which steps can be learned from.

        Every piece of a seat is led from one of its own turns to its next one: what the other pieces sense in between
        says little about it. `owners` are the pieces that act, and `last` is the value after the last step. A step
        whose piece does not act again is not learned from; the one before it looks at its value.
        """
        advantages, learned = torch.zeros_like(self.values), torch.zeros_like(self.values, dtype=torch.bool)
        pending, value, gain, known = torch.zeros((4, pieces, plan.games), device=plan.device)
        value.scatter_(0, owners[-1:], last[None])
        known.scatter_(0, owners[-1:], self.asked[-1:].float())
        for t in reversed(range(plan.steps)):
            owner, on, asked = owners[t : t + 1], 1 - self.ended[t], self.asked[t]
            pending, value, gain = pending * on + self.rewards[t], value * on, gain * on
            known = torch.maximum(known, self.ended[t])
            then, before, sure = value.gather(0, owner), gain.gather(0, owner), known.gather(0, owner)
            now = pending.gather(0, owner) + plan.discount * (then + plan.trace * before) - self.values[t]
            advantages[t], learned[t] = now[0], (sure[0] > 0) & asked
            pending.scatter_(0, owner, pending.gather(0, owner).masked_fill(asked, 0.0))
            value.scatter_(0, owner, torch.where(asked, self.values[t], then))
            gain.scatter_(0, owner, torch.where(asked, now * sure, before))
            known.scatter_(0, owner, sure.masked_fill(asked, 1.0))
        return [advantages.flatten(), (advantages + self.values).flatten(), learned.flatten()]


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
        self.rollout = Rollout(plan, self.field)
        told = {number.name: (at, number.high + 1) for at, number in enumerate(self.field.drill.senses.NUMBERS)}
        self.piece, self.pieces = told.get(plan.piece, (None, 1))
        self.updates, self.taken = 0, 0
        self.curve: list[dict[str, float]] = []

    def weights(self) -> dict[str, Tensor]:
        return {name: one.detach().clone() for name, one in self.player.state_dict().items()}

    def freeze(self) -> None:
        """Keeps a copy of the player as it is now; the copies that are met change from time to time."""
        self.kept = [*self.kept, self.weights()][-self.plan.copies :]
        self.copy.load_state_dict(self.kept[int(torch.randint(len(self.kept), (1,)))])

    @torch.no_grad()
    def play(self) -> tuple[list[Tensor], Tensor]:
        """Fills the rollout; returns what is to be learned from it, and the games won and decided."""
        plan, field, kept = self.plan, self.field, self.rollout
        went = torch.zeros(2, device=plan.device)
        for t in range(plan.steps):
            sensed = field.sensed(LEARNER)
            kept.cells[t], kept.numbers[t], kept.mask[t] = sensed
            kept.asked[t] = field.seen.turn[:, LEARNER]
            with half_precision(plan.device):
                kept.orders[t], kept.chances[t], kept.values[t] = self.act(*sensed)
                if self.copies:
                    field.given[: self.copies, COPY] = self.order(*field.sensed(COPY, self.copies)).int()
            field.given[:, LEARNER] = kept.orders[t]
            told = field.tensors.step(field.given)
            ahead = field.ahead() * told.terminated
            kept.ended[t] = told.ended.float()
            kept.rewards[t] = plan.scale * told.rewards[:, LEARNER] + plan.win * ahead
            went += torch.stack([(ahead[self.copies :] == 1).sum(), (ahead[self.copies :] != 0).sum()])
        with half_precision(plan.device):
            last = self.act(*field.sensed(LEARNER))[2]
        kept.asked[plan.steps] = field.seen.turn[:, LEARNER]
        numbers = torch.cat([kept.numbers, field.seen.numbers[None, :, LEARNER]])
        owners = numbers[:, :, self.piece].long() if self.piece is not None else 0 * numbers[:, :, 0].long()
        return kept.gains(plan, self.pieces, owners, last), went

    def learn(self, gains: list[Tensor], share: float) -> None:
        """One epoch over the rollout; `share` of the training is done."""
        plan = self.plan
        for group in self.optimizer.param_groups:
            group["lr"] = plan.rate * (1 - 0.95 * share)
        advantages, returns, learned = gains
        chosen = learned.nonzero().squeeze(1)
        spread, mean = torch.std_mean(advantages[chosen])
        advantages = (advantages - mean) / (spread + 1e-8)
        entropy_rate = torch.tensor(plan.entropy * (1 - 0.9 * share), device=plan.device)
        size = plan.games * plan.steps // plan.batches
        shuffled = chosen[torch.randperm(len(chosen), device=plan.device)]
        for number in range(len(shuffled) // size):
            loss = self.loss(shuffled[number * size : (number + 1) * size], advantages, returns, entropy_rate)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.player.parameters(), 0.5)
            self.optimizer.step()

    def surprise(self, these: Tensor, advantages: Tensor, returns: Tensor, entropy_rate: Tensor) -> Tensor:
        """The loss of PPO: of the policy, clipped, of the critic, and the entropy."""
        kept, gain = self.rollout, advantages[these]
        whole = (kept.cells, kept.numbers, kept.mask, kept.orders, kept.chances)
        cells, numbers, mask, orders, chances = (one.flatten(0, 1)[these] for one in whole)
        with half_precision(self.plan.device):
            logits, values = self.player(cells, numbers, mask)
        logs = torch.log_softmax(logits, 1)
        ratio = (logs.gather(1, orders[:, None]).squeeze(1) - chances).exp()
        policy = -torch.min(ratio * gain, ratio.clamp(1 - self.plan.clip, 1 + self.plan.clip) * gain).mean()
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        return policy + 0.5 * (values - returns[these]).pow(2).mean() - entropy_rate * entropy

    def train(self, minutes: float, whole: float) -> Iterator[float]:
        """Trains for some minutes; `whole` is how long all runs together are to be. Yields the share that is done."""
        began, spent = time.monotonic(), self.curve[-1]["seconds"] if self.curve else 0.0
        went, since, stepped = torch.zeros(2, device=self.plan.device), time.monotonic(), 0
        while (now := time.monotonic() - began) < 60 * minutes:
            share = min(1.0, (spent + now) / (60 * whole))
            gains, counted = self.play()
            self.learn(gains, share)
            went += counted
            self.updates += 1
            stepped += int(self.rollout.asked[:-1].sum())
            if self.updates % self.plan.freeze_every == 0:
                self.freeze()
            if time.monotonic() - since > 10:
                won, decided = (float(one) for one in went)
                self.taken += stepped
                point = {"seconds": spent + time.monotonic() - began, "steps": float(self.taken)}
                point |= {"won": won / max(1.0, decided), "rate": stepped / (time.monotonic() - since)}
                point["decided"] = decided
                self.curve.append(point)
                went, since, stepped = torch.zeros_like(went), time.monotonic(), 0
            yield now / (60 * minutes)

    def told(self) -> str:
        point = self.curve[-1] if self.curve else {"won": 0.0, "rate": 0.0, "steps": 0.0}
        return f"{point['steps'] / 1e6:.0f} M steps, {point['rate'] / 1e6:.2f} M/s, {point['won']:.1%} won"

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
    longest = max((point["seconds"] for point in curve), default=1.0)
    told = [point for point in curve if point["decided"]]  # none ends in the first moments of a run
    dots = ((40 + 590 * point["seconds"] / longest, 210 - 190 * point["won"]) for point in told)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 240" font-family="sans-serif" font-size="12">
<path d="M40 20V210H630" fill="none" stroke="#888"/><text x="4" y="26">100 %</text><text x="16" y="210">0</text>
<text x="550" y="230">{longest / 60:.0f} minutes</text>
<polyline points="{line}" fill="none" stroke="#b8860b" stroke-width="2"/></svg>
"""


@torch.no_grad()
def compared(plan: Plan, player: Player, foe: str, games: int) -> tuple[int, int, int]:
    """Returns games won, drawn and lost against a house bot, with the orders that the player likes best."""
    field = Field(plan, games, 900_000_000, "off")
    field.seat({foe: 1.0}, 0.0)
    for step in range(6000):
        with half_precision(plan.device):
            field.given[:, LEARNER] = player.orders(*field.sensed(LEARNER), greedy=True).int()
        field.tensors.step(field.given)
        if step % 100 == 99 and bool((field.ended != 0).all()):
            break
    ahead = field.ahead()[field.ended == 1]
    return int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum())


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
    trainer = Trainer(Plan(**options))
    if resume:
        trainer.resume(folder)
    columns = (TextColumn("training"), BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns) as progress:
        bar = progress.add_task("", total=1.0, told="")
        try:
            for share in trainer.train(minutes, whole or minutes):
                progress.update(bar, completed=share, told=trainer.told())
        finally:
            trainer.save(folder)
        for foe in load(trainer.plan.game).bots.HOUSE_BOTS:
            won, equal, lost = compared(trainer.plan, trainer.player, foe, trial)
            share = won / max(1, won + lost)
            progress.console.print(f"v {foe}: {won} won, {equal} drawn, {lost} lost: {share:.1%} of decided games")


if __name__ == "__main__":
    main()
