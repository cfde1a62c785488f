"""Makes the learner's `weights.bin` of a checkpoint of `examples/train_torch.py`: `python tools/ship_learner.py FOLDER`

The actor is brought to whole numbers on positions that it meets against the house bots. Told is in how many other
positions it chooses as before.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from botyard.games import load
from botyard.games.hive.bots.learner import net, senses
from botyard.sim.drill import Drill
from botyard.sim.torch import Inputs

Weights = dict[str, NDArray[Any]]

GAMES, STEPS, EVERY = 128, 600, 5
LARGEST = 127


def actor_of(folder: Path) -> list[NDArray[np.float64]]:
    """Returns weights and biases of the actor's three layers, inputs first."""
    loaded = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    plan, state = loaded["plan"], loaded["player"]
    if (plan["senses"], plan["width"]) != (senses.__name__, net.WIDTH):
        raise SystemExit(f"{folder} has a player of {plan['senses'] or plan['game']} with {plan['width']} units, "
                         f"and the learner takes one of {senses.__name__} with {net.WIDTH}")  # fmt: skip
    found = [state["first.weight"][: net.WIDTH], state["first.bias"][: net.WIDTH]]
    found += [state[f"actor.{at}.{what}"] for at in (0, 2) for what in ("weight", "bias")]
    return [one.double().numpy().T for one in found]


def inputs_of(codes: NDArray[Any], numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Returns what is sensed as zeros and ones: for every cell one for each code, for every number for each value."""
    sensed = torch.from_numpy(codes), torch.from_numpy(numbers)
    made: NDArray[np.float64] = Inputs(senses, codes.shape[1:])(*sensed).double().numpy()
    return made


def layers(actor: list[NDArray[np.float64]], inputs: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    first = np.maximum(inputs @ actor[0] + actor[1], 0)
    second = np.maximum(first @ actor[2] + actor[3], 0)
    return [first, second, second @ actor[4] + actor[5]]


def played(actor: list[NDArray[np.float64]], seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Returns inputs and masks of positions that the actor meets."""
    bots = [name for name in load("hive").bots.HOUSE_BOTS if name != "learner"]  # its weights are about to change
    drill = Drill("hive", n=GAMES, senses=senses, seed=seed)
    for at, bot in enumerate(bots):
        drill.oppose(1, bot, np.arange(at, GAMES, len(bots)))
    drill.reset(seed)
    met: list[tuple[Any, Any]] = []
    for step in range(STEPS):
        inputs, mask = inputs_of(drill.codes[:, 0], drill.numbers[:, 0]), drill.mask[:, 0] != 0
        if step % EVERY == 0:
            met.append((inputs, mask))
        drill.step(np.where(mask, layers(actor, inputs)[2], -np.inf).argmax(1).astype(np.int32))
    return np.concatenate([one for one, _ in met]), np.concatenate([one for _, one in met])


def in_whole_numbers(actor: list[NDArray[np.float64]], inputs: NDArray[np.float64]) -> Weights:
    """Returns the actor with weights of eight bits; each unit has a scale of its own."""
    first, second, _ = layers(actor, inputs)
    lights = [np.maximum(np.quantile(layer, 0.9995, axis=0), 1e-6) / net.BRIGHTEST for layer in (first, second)]
    scaled = [actor[0], actor[2] * lights[0][:, None], actor[4] * lights[1][:, None]]
    made: Weights = {}
    steps = [np.maximum(np.abs(layer).max(axis=0), 1e-9) / LARGEST for layer in scaled]
    likings = steps[2] / steps[2].max() * (1 << 20)
    scales = [*(steps[at] / lights[at] * (1 << net.SHIFT) for at in range(2)), likings]
    for name, layer, step, bias, scale in zip(
        ("first", "second", "third"), scaled, steps, (actor[1], actor[3], actor[5]), scales, strict=True
    ):
        made[name] = np.rint(layer / step).astype(np.int8)
        made[f"{name}_bias"] = np.rint(bias / step).astype(np.int32)
        made[f"{name}_scale"] = np.rint(np.minimum(scale, np.iinfo(np.int32).max)).astype(np.int32)
    return made


def choices(made: Weights, inputs: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns what the network in whole numbers chooses, as the rule computes it."""
    whole = {name: array.astype(np.int64) for name, array in made.items()}
    light = inputs.astype(np.int64)
    for name in ("first", "second"):
        total = light @ whole[name] + whole[f"{name}_bias"]
        light = np.clip((total * whole[f"{name}_scale"]) >> net.SHIFT, 0, net.BRIGHTEST)
    liked = (light @ whole["third"] + whole["third_bias"]) * whole["third_scale"]
    best: NDArray[np.int64] = np.where(mask, liked, np.iinfo(np.int64).min).argmax(1)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the training left its checkpoint.pt")
    folder: Path = parser.parse_args().folder
    if not (folder / "checkpoint.pt").exists():
        parser.error(f"{folder} has no checkpoint.pt: give the --folder of a training")
    actor = actor_of(folder)
    made = in_whole_numbers(actor, played(actor, 1)[0])
    inputs, mask = played(actor, 1000)
    before = np.where(mask, layers(actor, inputs)[2], -np.inf).argmax(1)
    same = (choices(made, inputs, mask) == before).mean()
    raw = b"".join(np.ascontiguousarray(made[name], kind).tobytes() for name, (kind, _) in net.SHAPES.items())
    net.FILE.write_bytes(raw)
    print(f"{net.FILE}: {len(raw)} bytes; {same:.2%} of {len(before)} choices are the same")


if __name__ == "__main__":
    main()
