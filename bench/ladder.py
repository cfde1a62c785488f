"""Whether the ladder's policy keeps its bars. `PYTHONPATH=src:. python bench/ladder.py [--quick] [--json]`

The field is fixed (`tests/rank/simulated_ladder.py`): 1,000 bots of known strength, five seeds, and the functions of
`botyard.rank.ladder` themselves. Random pairing runs on the same fields. Five experiments are made:

tau         how well the order by mu agrees with the true one, after 10 to 200 games a bot
newcomers   100 bots enter within half a day, when the others have played 60 games: how far from their rank they are
versions    100 bots get a version 2 logits stronger, in the same way
day         the most and the fewest games of a bot on a day of 60 games a bot, and with heavy tails on one of 400
small       30 bots, 40 seeds

Prints a table with every bar and whether it is met, and the curve of tau; with --json one JSON object instead. --quick
takes 200 bots and two seeds, to see that it runs: its figures say nothing about the bars. All of it takes ten minutes
on one core.
"""

from __future__ import annotations

import copy
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from tests.rank.simulated_ladder import (
    SPREAD,
    Chooser,
    SimulatedLadder,
    at_random,
    by_policy,
    heavy_strengths,
    normal_strengths,
)

CHOOSERS: dict[str, Chooser] = {"random": at_random, "policy": by_policy}
CURVE = (*range(10, 110, 10), *range(120, 220, 20))
DAY, LONG_DAY = 60, 400
NEWCOMERS = {10: 0.20, 20: 0.15, 40: 0.10}  # within what part of the field after so many pairs
STRONGER, RENEWED_PAIRS, RENEWED_WITHIN = 2.0, 25, 0.15

Count = Callable[[str], None]


@dataclass(frozen=True)
class Size:
    """How large the experiments are."""

    bots: int = 1000
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    changed: int = 100  # newcomers, and new versions
    small_seeds: int = 40


@dataclass(frozen=True)
class Bar:
    """One line of the table."""

    what: str
    random: str
    policy: str
    bar: str
    met: bool


Figures = dict[str, dict[str, list[float]]]  # by experiment and chooser, a figure for each seed or case


def run_to(ladder: SimulatedLadder, games: int) -> None:
    """Runs a ladder until its bots have played so many games on average."""
    while ladder.closed < len(ladder.strength) * games / 4:
        ladder.step()


def measure(size: Size, count: Count) -> Figures:
    figures: Figures = defaultdict(lambda: defaultdict(list))
    for name, chooser in CHOOSERS.items():
        for seed in size.seeds:
            count(f"{name}, seed {seed}: tau")
            ladder = SimulatedLadder(normal_strengths(size.bots, np.random.default_rng(seed)), seed, chooser)
            at_sixty = ladder
            for games in CURVE:
                run_to(ladder, games)
                figures[f"tau {games}"][name].append(ladder.tau())
                if games == DAY:
                    figures["day"][name].append(ladder.uneven())
                    at_sixty = copy.deepcopy(ladder)
            count(f"{name}, seed {seed}: newcomers")
            for what, held in newcomers(copy.deepcopy(at_sixty), size):
                figures[what][name].append(held)
            count(f"{name}, seed {seed}: versions")
            figures["version"][name] += versions(at_sixty, size)
            count(f"{name}, seed {seed}: a long day")
            heavy = heavy_strengths(size.bots, np.random.default_rng(seed))
            ladder = SimulatedLadder(heavy, seed, chooser, LONG_DAY)
            run_to(ladder, LONG_DAY)
            figures["long day"][name].append(ladder.uneven())
        count(f"{name}: small ladders")
        for seed in range(size.small_seeds):
            ladder = SimulatedLadder(normal_strengths(30, np.random.default_rng(1000 + seed)), seed, chooser)
            run_to(ladder, 60)
            figures["small"][name].append(ladder.tau())
    return figures


def newcomers(ladder: SimulatedLadder, size: Size) -> Iterator[tuple[str, float]]:
    """Has bots enter one by one, and gives whether each is near its true rank after so many pairs."""
    strengths = iter(ladder.dice.normal(0, SPREAD, size.changed).tolist())
    seen: dict[str, int] = {}
    done = 0
    for bots in over_half_a_day(ladder, size.changed):
        if bots is None:
            seen |= dict.fromkeys(ladder.enter([next(strengths)]), 0)
            continue
        for bot in bots:
            pairs = ladder.entry(bot).pairs
            if bot in seen and pairs > seen[bot]:
                seen[bot] = pairs
                if pairs in NEWCOMERS:
                    yield f"newcomer {pairs}", float(ladder.misplaced(bot) <= NEWCOMERS[pairs])
                done += pairs == max(NEWCOMERS)
        if done == size.changed:
            return


def versions(ladder: SimulatedLadder, size: Size) -> Iterator[float]:
    """Gives bots stronger versions one by one, and says whether each is near its new rank after some pairs."""
    chosen = iter(ladder.dice.choice(list(ladder.strength), size.changed, replace=False).tolist())
    renewed: set[str] = set()
    done: set[str] = set()
    for bots in over_half_a_day(ladder, size.changed):
        if bots is None:
            bot = next(chosen)
            ladder.renew(bot, STRONGER)
            renewed.add(bot)
            continue
        for bot in bots:
            if bot in renewed - done and ladder.entry(bot).version_pairs == RENEWED_PAIRS:
                yield float(ladder.misplaced(bot) <= RENEWED_WITHIN)
                done.add(bot)
        if len(done) == size.changed:
            return


def over_half_a_day(ladder: SimulatedLadder, changes: int) -> Iterator[tuple[str, str] | None]:
    """Runs a ladder without end. Gives the bots of each pair that closes, and evenly over half a day None, whenever a
    change is to be made."""
    between = len(ladder.strength) * DAY / 4 / 2 / changes
    began, made = ladder.closed, 0
    while True:
        if made < changes and ladder.closed - began >= made * between:
            made += 1
            yield None
        yield ladder.step()


def mean_of(values: list[float]) -> float:
    return sum(values) / len(values)


BARS = [
    ("tau after 20 games a bot", "tau 20", "each ≥", 0.68),
    ("tau after 60 games a bot", "tau 60", "each ≥", 0.815),
    ("tau after 100 games a bot", "tau 100", "each ≥", 0.85),
    ("(1 - tau) / (1 - tau of random) after 60", "ratio", "mean ≤", 0.95),
    ("newcomers within 20% after 10 pairs", "newcomer 10", "mean ≥", 0.87),
    ("newcomers within 15% after 20 pairs", "newcomer 20", "mean ≥", 0.87),
    ("newcomers within 10% after 40 pairs", "newcomer 40", "mean ≥", 0.84),
    ("versions 2 logits stronger within 15% after 25 pairs", "version", "mean ≥", 0.89),
    ("max/min games of a day, 60 a bot", "day", "each ≤", 2.0),
    ("max/min games of a day, 400 a bot, heavy tails", "long day", "each ≤", 2.0),
    ("30 bots: tau after 60 games", "small", "mean ≥", 0.82),
]
MET: dict[str, Callable[[list[float], float], bool]] = {
    "each ≥": lambda values, bound: min(values) >= bound,
    "each ≤": lambda values, bound: max(values) <= bound,
    "mean ≥": lambda values, bound: mean_of(values) >= bound,
    "mean ≤": lambda values, bound: mean_of(values) <= bound,
}


def bars(figures: Figures) -> list[Bar]:
    taus = figures["tau 60"]
    for name in CHOOSERS:
        figures["ratio"][name] = [
            (1 - own) / (1 - random) for own, random in zip(taus[name], taus["random"], strict=True)
        ]
    rows = []
    for what, key, kind, bound in BARS:
        random, policy = figures[key]["random"], figures[key]["policy"]
        rows.append(Bar(what, told(random), told(policy), f"{kind} {bound}", MET[kind](policy, bound)))
    return rows


def told(values: list[float]) -> str:
    """The mean, its standard error, and the range; of yes and no only the first two."""
    mean, error = mean_of(values), float(np.std(values, ddof=1)) / len(values) ** 0.5
    if set(values) <= {0.0, 1.0}:
        return f"{mean:.3f} ± {error:.3f}"
    return f"{mean:.3f} ({min(values):.3f} … {max(values):.3f})"


@contextmanager
def progress(steps: int) -> Iterator[Count]:
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("", total=steps, completed=-1)
        yield lambda what: shown.update(task, advance=1, description=what)


def main(quick: bool, as_json: bool) -> None:
    size = Size(bots=200, seeds=(1, 2), changed=20, small_seeds=4) if quick else Size()
    with progress(len(CHOOSERS) * (4 * len(size.seeds) + 1)) as count:
        figures = measure(size, count)
    rows = bars(figures)
    curve = {games: {name: mean_of(figures[f"tau {games}"][name]) for name in CHOOSERS} for games in CURVE}
    if as_json:
        print(json.dumps({"bars": [asdict(row) for row in rows], "curve": curve, "figures": figures}))
        return
    print("| | random | policy | bar | met |\n|---|---|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.random} | {row.policy} | {row.bar} | {'yes' if row.met else 'NO'} |")
    print("\n| games a bot | " + " | ".join(str(games) for games in curve) + " |\n|" + "---|" * (len(curve) + 1))
    for name in CHOOSERS:
        print(f"| tau, {name} | " + " | ".join(f"{curve[games][name]:.3f}" for games in curve) + " |")


if __name__ == "__main__":
    main("--quick" in sys.argv, "--json" in sys.argv)
