"""Trains a learner against a house bot with Stable-Baselines3, in about a minute on a CPU, and prints its curve.

pip install 'botyard[research]'
python examples/train_sb3.py    # Hive Arena on a small board, against its weakest house bot
python examples/train_sb3.py --opponent forager --steps 20000000 --save forager.zip
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from botyard.sim.sb3 import BotyardVecEnv, SensesExtractor

GAME = "hive"
# A small board and short games: a minute has thousands of them.
SETTINGS = {"rows": 7, "cols": 10, "bees_per_player": 1, "flowers_min": 10, "flowers_max": 14, "max_turns": 120}
POINT = 20  # the game's rewards are in twentieths of a point
PARTS = 12  # of the curve


class Curve(BaseCallback):
    """Moves a bar while the learner learns, and keeps how its games ended: when, with which return, lost or not."""

    def __init__(self, steps: int, console: Console) -> None:
        super().__init__()
        self.steps = steps
        self.games: list[tuple[int, float, bool]] = []
        bar = TextColumn("learning"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn()
        self.progress = Progress(*bar, console=console)
        self.task = self.progress.add_task("learning", total=steps, told="")

    def _on_training_start(self) -> None:
        self.progress.start()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:  # written by VecMonitor
                self.games.append((self.num_timesteps, info["episode"]["r"], info.get("place") == 1))
        last = self.games[-200:]
        told = f"{sum(gain for _, gain, _ in last) / len(last):6.1f} points a game" if last else ""
        self.progress.update(self.task, completed=self.num_timesteps, told=told)
        return True

    def _on_training_end(self) -> None:
        self.progress.stop()

    def print(self, console: Console) -> None:
        """Prints what games brought on average, part by part of the training."""
        console.print("      steps   games  not lost  points a game")
        means = []
        for part in range(PARTS):
            first, last = self.steps * part // PARTS, self.steps * (part + 1) // PARTS
            games = [(gain, kept) for when, gain, kept in self.games if first < when <= last]
            if games:
                gain, kept = (sum(values) / len(games) for values in zip(*games, strict=True))
                means.append((last, len(games), kept, gain))
        low, high = (some((gain for *_, gain in means), default=0.0) for some in (min, max))
        for last, count, kept, gain in means:
            bar = "█" * round(1 + 30 * (gain - low) / max(high - low, 1e-9))
            console.print(f"{last:11,} {count:7} {kept:9.0%} {gain:7.1f} [green]{bar}[/]")


def read_arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="wanderer", help="a house bot")
    parser.add_argument("--steps", type=int, default=700_000, help="orders to give in all")
    parser.add_argument("--games", type=int, default=256, help="games at once")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="a file for what was learned")
    return parser.parse_args()


def main() -> None:
    wanted, console = read_arguments(), Console()
    torch.set_num_threads(max(1, torch.get_num_threads() // 2))  # the other cores play
    games = BotyardVecEnv(GAME, wanted.games, settings=SETTINGS, opponents=[wanted.opponent], reward_scale=1 / POINT)
    model = MaskablePPO(
        "MultiInputPolicy",
        VecMonitor(games),
        learning_rate=1e-3,
        n_steps=64,
        batch_size=2048,
        n_epochs=3,
        gamma=0.97,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": SensesExtractor, "net_arch": [64]},
        seed=wanted.seed,
    )
    curve = Curve(wanted.steps, console)
    model.learn(wanted.steps, callback=curve)
    curve.print(console)
    if wanted.save:
        model.save(wanted.save)


if __name__ == "__main__":
    main()
