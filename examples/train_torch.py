"""Trains a bot from nothing: PPO with masks against house bots and frozen copies of itself, in one readable file.

    python examples/train_torch.py --minutes 9 --folder runs/hive
    python examples/train_torch.py --minutes 9 --folder runs/hive --resume

Everything stays on one device: the games, the house bots and the network. `--device cpu` works, too, for a first try
(`--games 256 --steps 32 --batches 8 --minutes 1`), and so do other games, with fewer `--games` on larger boards. Needs
`pip install 'botyard[research]'`; on a GPU also `botyard[cuda]`. Ctrl-C keeps what was learned.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn

from botyard.games import load
from botyard.kernel.errors import UnknownName, YardError
from botyard.sim.drill import Drill
from botyard.sim.torch import Inputs, Recorded, TensorDrill, drawn

LEARNER, COPY = 0, 1  # entrants: the one that learns, and the one that a frozen copy plays in some games
FORBIDDEN = -1e9  # the logit of an order that is in vain
half_precision = functools.partial(torch.autocast, dtype=torch.bfloat16)


@dataclass
class Plan:
    """What is trained, and how."""

    game: Annotated[str, "a game of the yard"] = "hive"
    senses: Annotated[str, "a module of senses; empty: as is usual for the game, here and in the next two"] = ""
    piece: Annotated[str, "the number that tells which piece of a seat acts; without it a seat is one piece"] = ""
    foes: Annotated[str, "house bots and, if not alike, their shares of the games: NAME=SHARE,NAME=SHARE,…"] = ""
    league: Annotated[float, "share of the games against frozen copies"] = 0.1
    games: Annotated[int, "games at once"] = 262144
    steps: Annotated[int, "of each game between two updates"] = 64
    most_ticks: Annotated[int, "of a step, while the learner is out; 0: as many as it takes"] = 8
    width: Annotated[int, "units in both layers of the actor"] = 72
    critic_width: Annotated[int, "units in both layers of the critic"] = 128
    batches: Annotated[int, "into which the steps are split to learn from them"] = 64
    rate: Annotated[float, "of learning, at the beginning"] = 6e-4
    discount: Annotated[float, "from one turn of a piece to its next"] = 0.99
    trace: Annotated[float, "how far advantages look ahead: lambda of GAE"] = 0.95
    clip: Annotated[float, "how far one update may move a chance: epsilon of PPO"] = 0.2
    entropy: Annotated[float, "what variety counts, at the beginning"] = 0.004
    scale: Annotated[float, "of rewards"] = 0.05
    win: Annotated[float, "added for a first place, taken for any other"] = 2.0
    copies: Annotated[int, "frozen copies that are kept"] = 8
    freeze_every: Annotated[int, "so many updates"] = 60
    device: Annotated[str, "cpu or cuda"] = "cuda" if torch.cuda.is_available() else "cpu"
    seed: Annotated[int, "of games and weights"] = 1

    def __post_init__(self) -> None:
        """What is usual: a seat is one piece, senses what its game says, and meets all house bots alike."""
        if self.game == "hive":
            self.senses = self.senses or "botyard.games.hive.bots.learner.senses"
            self.piece, self.foes = self.piece or "bee", self.foes or "forager=5,raider=3,wanderer=1"
        self.foes = self.foes or ",".join(load(self.game).bots.HOUSE_BOTS)


# The network


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
        self.encoder = Inputs(drill.senses, drill.codes.shape[2:])
        self.first = nn.Linear(self.encoder.width, sum(self.widths))
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


# The games


class Field:
    """The games that are played: what both entrants sense, and what became of it."""

    def __init__(self, plan: Plan, games: int, seed: int, mode: Any = "same_step") -> None:
        given = {"n": games, "learners": 2, "senses": plan.senses or None, "device": plan.device, "seed": seed}
        self.tensors = TensorDrill(plan.game, autoreset=mode, most_ticks=plan.most_ticks, **given)
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
        self.advantages, self.returns = torch.zeros((2, *shape), device=plan.device)
        self.learned = torch.zeros(shape, dtype=torch.bool, device=plan.device)
        self.counts = torch.zeros((3, plan.games), device=plan.device)  # steps, games won, games decided

    def weigh(self, plan: Plan, pieces: int, owners: Tensor, last: Tensor) -> None:
        """Fills in advantages (GAE), returns, and which steps can be learned from.

        Every piece of a seat is led from one of its own turns to its next one: what the other pieces sense in between
        says little about it. `owners` are the pieces that act, and `last` is the value after the last step. A step
        whose piece does not act again is not learned from; the one before it looks at its value.
        """
        pending, value, gain, known = torch.zeros((4, pieces, plan.games), device=plan.device)
        value.scatter_(0, owners[-1:], last[None])
        known.scatter_(0, owners[-1:], self.asked[-1:].float())
        for t in reversed(range(plan.steps)):
            owner, on, asked = owners[t : t + 1], 1 - self.ended[t], self.asked[t]
            pending, value, gain = pending * on + self.rewards[t], value * on, gain * on
            known = torch.maximum(known, self.ended[t])
            then, before, sure = value.gather(0, owner), gain.gather(0, owner), known.gather(0, owner)
            now = pending.gather(0, owner) + plan.discount * (then + plan.trace * before) - self.values[t]
            self.advantages[t], self.learned[t] = now[0], (sure[0] > 0) & asked
            pending.scatter_(0, owner, pending.gather(0, owner).masked_fill(asked, 0.0))
            value.scatter_(0, owner, torch.where(asked, self.values[t], then))
            gain.scatter_(0, owner, torch.where(asked, now * sure, before))
            known.scatter_(0, owner, sure.masked_fill(asked, 1.0))
        torch.add(self.advantages, self.values, out=self.returns)

    def shuffled(self, least: int) -> Tensor:
        """Brings the advantages to one scale; returns the numbers of the steps to learn from, in any order."""
        chosen = self.learned.flatten().nonzero().squeeze(1)
        if len(chosen) < least:
            raise YardError(f"{len(chosen)} steps to learn from, a batch has {least}", hint="more --steps or --batches")
        spread, mean = torch.std_mean(self.advantages.flatten()[chosen])
        self.advantages.sub_(mean).div_(spread + 1e-8)
        return chosen[torch.randperm(len(chosen), device=chosen.device)]


class Trainer:
    """Plays and learns in turns."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        torch.manual_seed(plan.seed)
        self.field = Field(plan, plan.games, plan.seed)
        foes = {name: float(share or 1) for name, _, share in (one.partition("=") for one in plan.foes.split(","))}
        self.copies = self.field.seat(foes, plan.league)
        self.player, self.copy = (Player(self.field.drill, plan).to(plan.device) for _ in range(2))
        self.kept, self.fast = [self.weights()], plan.device != "cpu"
        self.rate, self.entropy = torch.tensor([plan.rate, plan.entropy], device=plan.device)
        parameters = self.player.parameters()
        self.optimizer = torch.optim.Adam(parameters, lr=self.rate, eps=1e-5, fused=True, capturable=self.fast)
        order = lambda *sensed: drawn(self.copy(*sensed)[0])  # noqa: E731
        parts: tuple[Callable[..., Any], ...] = (self.player.act, order, self.surprise)
        self.act, self.order, self.loss = (torch.compile(one, dynamic=False) if self.fast else one for one in parts)
        self.rollout = Rollout(plan, self.field)
        self.batch = torch.zeros(plan.games * plan.steps // plan.batches, dtype=torch.int64, device=plan.device)
        self.play_on, self.improve = (Recorded(one) if self.fast else one for one in (self.play, self.update))
        numbers = {one.name: one for one in self.field.drill.senses.NUMBERS}
        if plan.piece and plan.piece not in numbers:
            raise UnknownName("number for --piece", plan.piece, numbers)
        self.piece = list(numbers).index(plan.piece) if plan.piece else None
        self.pieces = numbers[plan.piece].high + 1 if plan.piece else 1
        self.updates, self.told = 0, ""
        self.curve = [{"seconds": 0.0, "steps": 0.0, "rate": 0.0, "won": 0.0, "decided": 0.0}]

    def weights(self) -> dict[str, Tensor]:
        return {name: one.detach().clone() for name, one in self.player.state_dict().items()}

    def freeze(self) -> None:
        """Keeps a copy of the player as it is now; the copies that are met change from time to time."""
        self.kept = [*self.kept, self.weights()][-self.plan.copies :]
        self.copy.load_state_dict(self.kept[int(torch.randint(len(self.kept), (1,)))])

    @torch.no_grad()
    def play(self) -> None:
        """Fills the rollout."""
        plan, field, kept = self.plan, self.field, self.rollout
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
            kept.counts += torch.stack([kept.asked[t], ahead == 1, ahead != 0])
        with half_precision(plan.device):
            last = self.act(*field.sensed(LEARNER))[2]
        kept.asked[plan.steps] = field.seen.turn[:, LEARNER]
        numbers = torch.cat([kept.numbers, field.seen.numbers[None, :, LEARNER]])
        owners = numbers[:, :, self.piece].long() if self.piece is not None else 0 * numbers[:, :, 0].long()
        kept.weigh(plan, self.pieces, owners, last)

    def learn(self, share: float) -> None:
        """One epoch over the rollout; `share` of the training is done."""
        self.rate.fill_(self.plan.rate * (1 - 0.95 * share))
        self.entropy.fill_(self.plan.entropy * (1 - 0.9 * share))
        shuffled = self.rollout.shuffled(size := len(self.batch))
        for number in range(len(shuffled) // size):
            self.batch.copy_(shuffled[number * size : (number + 1) * size])
            self.improve()

    def update(self) -> None:
        """Learns from one batch."""
        self.optimizer.zero_grad(set_to_none=True)
        self.loss().backward()
        nn.utils.clip_grad_norm_(self.player.parameters(), 0.5)
        self.optimizer.step()

    def surprise(self) -> Tensor:
        """The loss of PPO: of the policy, clipped, of the critic, and the entropy."""
        kept = self.rollout
        whole = (kept.cells, kept.numbers, kept.mask, kept.orders, kept.chances, kept.advantages, kept.returns)
        cells, numbers, mask, orders, chances, gain, returns = (one.flatten(0, 1)[self.batch] for one in whole)
        with half_precision(self.plan.device):
            logits, values = self.player(cells, numbers, mask)
        logs = torch.log_softmax(logits, 1)
        ratio = (logs.gather(1, orders[:, None]).squeeze(1) - chances).exp()
        policy = -torch.min(ratio * gain, ratio.clamp(1 - self.plan.clip, 1 + self.plan.clip) * gain).mean()
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        return policy + 0.5 * (values - returns).pow(2).mean() - self.entropy * entropy

    def train(self, minutes: float, whole: float = 0.0) -> Iterator[float]:
        """Trains for some minutes, of `whole` in all runs if another is to follow; yields the share that is done."""
        began, spent = time.monotonic(), self.curve[-1]["seconds"]
        whole = 60 * whole or spent + 60 * minutes
        while (now := time.monotonic() - began) < 60 * minutes:
            if spent + now > self.curve[-1]["seconds"] + 10:
                self.note(spent + now)
            self.play_on()
            self.learn(min(1.0, (spent + now) / whole))
            self.updates += 1
            if self.updates % self.plan.freeze_every == 0:
                self.freeze()
            yield now / (60 * minutes)
        self.note(spent + time.monotonic() - began)
        yield 1.0

    def note(self, seconds: float) -> None:
        """Adds what happened since the last point to the curve; only house bots tell how strong the player is."""
        counts, last = self.rollout.counts, self.curve[-1]
        steps, won, decided = (float(one.sum()) for one in (counts[0], *counts[1:, self.copies :]))
        counts.zero_()
        point = {"seconds": seconds, "steps": last["steps"] + steps, "rate": steps / (seconds - last["seconds"])}
        point |= {"won": won / max(1.0, decided), "decided": decided}
        self.curve.append(point)
        self.told = f"{point['steps'] / 1e6:.1f} M steps, {point['rate'] / 1e6:.2f} M/s, {point['won']:.1%} won"

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        state = {"plan": asdict(self.plan), "player": self.player.state_dict(), "kept": self.kept, "curve": self.curve}
        state |= {"optimizer": self.optimizer.state_dict(), "updates": self.updates}
        torch.save(state, folder / "checkpoint.new")
        (folder / "checkpoint.new").replace(folder / "checkpoint.pt")  # whole, or as it was
        (folder / "curve.json").write_text(json.dumps(self.curve))
        (folder / "curve.svg").write_text(drawing(self.curve))

    def resume(self, folder: Path) -> None:
        state = torch.load(folder / "checkpoint.pt", map_location=self.plan.device, weights_only=True)
        for name in ("game", "senses", "piece", "width", "critic_width"):
            if (was := state["plan"][name]) != getattr(self.plan, name):
                raise YardError(f"{folder} has a player of another {name}", hint=f"--{name.replace('_', '-')} {was}")
        self.player.load_state_dict(state["player"])
        groups = self.optimizer.state_dict()["param_groups"]  # this run's rate, and not the last one's
        self.optimizer.load_state_dict({"state": state["optimizer"]["state"], "param_groups": groups})
        self.optimizer.param_groups[0]["lr"] = self.rate  # the tensor itself
        self.kept, self.updates, self.curve = (state[name] for name in ("kept", "updates", "curve"))
        self.copy.load_state_dict(self.kept[-1])


def drawing(curve: list[dict[str, float]]) -> str:
    """Returns the share of decided games that were won against house bots, over time, as SVG."""
    longest = curve[-1]["seconds"]
    told = [point for point in curve if point["decided"]]  # none ends in the first moments of a run
    dots = (f"{40 + 590 * point['seconds'] / longest:.1f},{210 - 190 * point['won']:.1f}" for point in told)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 240" font-family="sans-serif" font-size="12">
<path d="M40 20V210H630" fill="none" stroke="#888"/><text x="4" y="26">100 %</text><text x="16" y="210">0</text>
<text x="550" y="230">{longest / 60:.0f} minutes</text>
<polyline points="{" ".join(dots)}" fill="none" stroke="#b8860b" stroke-width="2"/></svg>
"""


@torch.no_grad()
def compared(plan: Plan, player: Player, foe: str, games: int) -> tuple[int, int, int]:
    """Returns games won, drawn and lost against a house bot, with the orders that the player likes best."""
    field = Field(plan, games, 900_000_000, "off")
    field.seat({foe: 1.0}, 0.0)
    for step in range(6000):
        with half_precision(plan.device):
            field.given[:, LEARNER] = player(*field.sensed(LEARNER))[0].argmax(1).int()
        field.tensors.step(field.given)
        if step % 100 == 99 and bool((field.ended != 0).all()):
            break
    ahead = field.ahead()[field.ended == 1]
    return int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum())


def read_arguments() -> tuple[Plan, argparse.Namespace]:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(usage="%(prog)s [options]", description=__doc__, formatter_class=shape)
    for field in fields(Plan):
        hint, flag = get_type_hints(Plan, include_extras=True)[field.name], f"--{field.name.replace('_', '-')}"
        words = f"{hint.__metadata__[0]} ({field.default or 'as is usual'})"
        parser.add_argument(flag, type=hint.__origin__, default=field.default, metavar="…", help=words)
    parser.add_argument("--minutes", type=float, default=9.0, help="how long this run is (9)")
    parser.add_argument("--whole", type=float, default=0.0, help="minutes of all runs, if another is to follow")
    parser.add_argument("--folder", type=Path, default=Path("runs/learner"), help="for checkpoint and curve")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    parser.add_argument("--trial", type=int, default=2048, help="games against each house bot at the end; 0: none")
    options = parser.parse_args()
    if options.resume != (options.folder / "checkpoint.pt").exists():
        told = "no checkpoint to resume from" if options.resume else "a checkpoint: --resume, or another --folder"
        parser.error(f"{options.folder} has {told}")
    return Plan(**{field.name: getattr(options, field.name) for field in fields(Plan)}), options


def main() -> None:
    plan, options = read_arguments()
    trainer = Trainer(plan)
    if options.resume:
        trainer.resume(options.folder)
    columns = (TextColumn("training"), BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns) as progress:
        bar = progress.add_task("", total=1.0, told="")
        try:
            for share in trainer.train(options.minutes, options.whole):
                progress.update(bar, completed=share, told=trainer.told)
        except KeyboardInterrupt:
            raise SystemExit(f"stopped; --folder {options.folder} --resume goes on") from None
        finally:
            trainer.save(options.folder)
        for foe in load(plan.game).bots.HOUSE_BOTS if options.trial else ():
            won, equal, lost = compared(plan, trainer.player, foe, options.trial)
            share = won / max(1, won + lost)
            progress.console.print(f"v {foe}: {won} won, {equal} drawn, {lost} lost: {share:.1%} of decided games")


if __name__ == "__main__":
    try:
        main()
    except YardError as error:
        raise SystemExit(str(error)) from None
