"""Breaks the code one place at a time and lists the mutants no test notices: `make mutants [AREAS="hive rank …"]`.

An area is the rules of a game or one folder of the house; kernel, rank and rules are tried in full, of the others a
sample is drawn by a seed that is printed. A mutant is a copy of the package with one change, which the area's tests run
against in a forked child that has the imports behind it already; programs they start find the copy, too. Rules run
interpreted. Tests that call the changed function come first, and among them those that are quick or have noticed many
mutants; where there are such tests, and they are not a game's, no others are run. A test that takes far longer than
usual has noticed something too: a game that never ends. A mutant that survives is a missing test, unless
`survivors.toml` says why it does not matter.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from judging import Habit, judged, learn
from mutations import Mutant, mutants

if TYPE_CHECKING:
    from rich.progress import Progress

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "botyard"
TESTS = ROOT / "tests"
SURVIVORS = Path(__file__).parent / "survivors.toml"
IN_FULL = ("kernel", "rank")
SAMPLED = ("match", "links", "contest", "jail")
SAMPLE = 150  # mutants of each of these


@dataclass(frozen=True)
class Area:
    """Sources that are broken, and the tests that are to notice."""

    name: str
    sources: list[Path]
    tests: list[str]
    sample: int = 0  # 0: all of its mutants
    is_game: bool = False


def areas() -> list[Area]:
    from botyard.games import OWN_GAMES

    found = [area_of_game(game) for game in OWN_GAMES]
    found += [Area(folder, sources_of(folder), tests_of(folder)) for folder in IN_FULL]
    found += [Area(folder, sources_of(folder), tests_of(folder), SAMPLE) for folder in SAMPLED]
    for name in [name for name in sys.modules if name.partition(".")[0] == "botyard"]:
        del sys.modules[name]  # each child imports a copy
    return found


def area_of_game(game: str) -> Area:
    """The rules of a game: rules.py, or the package of that name."""
    folder = SOURCE / "games" / game
    package = folder / "rules"
    sources = sorted(package.glob("*.py")) if package.is_dir() else [folder / "rules.py"]
    golden = f"{TESTS / 'games' / 'test_registry.py'}::test_the_golden_playthrough_comes_out_the_same[{game}]"
    return Area(game, sources, [golden, str(TESTS / "games" / game)], is_game=True)


def sources_of(folder: str) -> list[Path]:
    """What runs on a GPU alone cannot be judged here."""
    return sorted(path for path in (SOURCE / folder).rglob("*.py") if not path.name.startswith("cuda"))


def tests_of(folder: str) -> list[str]:
    """The folder's own tests, but for those that storm about for minutes."""
    return [str(TESTS / folder), f"--ignore={TESTS / folder / 'test_chaos.py'}"]


def explained(area: str) -> Counter[tuple[str, str]]:
    """Survivors that do not matter, by line and change; one row explains one mutant."""
    rows = tomllib.loads(SURVIVORS.read_text())["survivor"]
    return Counter((row["line"], row["change"]) for row in rows if row["area"] == area)


def drawn(every: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """A sample in the order of the sources; all of them if the size is 0 or larger than that."""
    if not 0 < size < len(every):
        return every
    return sorted(random.Random(seed).sample(every, size), key=lambda mutant: mutant.number)


def check(
    area: Area, todo: Sequence[Mutant], habits: dict[str, Habit], chosen: argparse.Namespace, bar: Progress
) -> tuple[int, Counter[tuple[str, str]]]:
    """Tells the survivors that nothing explains: how many they are, and the explanations that were not needed."""
    known, left, undone = explained(area.name), 0, {mutant.number for mutant in todo}
    task = bar.add_task(area.name, total=len(todo))

    def wanted(mutant: Mutant) -> dict[str, Habit]:
        meeting = {test: habit for test, habit in habits.items() if habit.meets(mutant)}
        if chosen.quick:
            return {test: habit for test, habit in meeting.items() if habit.is_quick}
        return meeting if meeting and not area.is_game else habits

    try:
        for mutant, survives in judged(area.tests, todo, wanted, chosen.jobs):
            undone.remove(mutant.number)
            bar.update(task, advance=1, refresh=True)
            if survives and known[mutant.text, mutant.change] > 0:
                known[mutant.text, mutant.change] -= 1
            elif survives:
                left += 1
                place = mutant.path.relative_to(SOURCE)
                tell(f"{place}:{mutant.line} ({mutant.number}): {mutant.change}\n    {mutant.text}", bar)
    except KeyboardInterrupt:
        tell(f"{area.name}: stopped; go on with make mutants AREAS={area.name} FROM={min(undone)}", bar)
        raise
    tell(f"{area.name}: {len(todo)} mutants tried, {left} survivors unexplained", bar)
    return left, +known


def tell(text: str, bar: Progress) -> None:
    """Prints a finding, which may go to a file while the bar stays on the terminal."""
    bar.stop()
    print(text, flush=True)
    bar.start()


def progress_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    errors = Console(stderr=True)
    # refreshed by hand: a fork would cut a refreshing thread off, maybe while it holds a lock
    return Progress(
        *columns, console=errors, disable=not errors.is_terminal, transient=True, auto_refresh=False,
        redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip


def options() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("areas", nargs="*", help="games and folders; all of them by default")
    words.add_argument("--only", default="", metavar="TEXT", help="only mutants whose line contains this text")
    words.add_argument("--from", default=1, type=int, metavar="NUMBER", dest="first", help="skip those before it")
    words.add_argument("--sample", type=int, metavar="N", help="so many mutants of each area; 0: all of them")
    words.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="draws the samples")
    words.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="mutants at a time")
    words.add_argument(
        "--quick", action="store_true", help="quick tests of the function alone: lists more than survive"
    )
    return words.parse_args()


def main() -> int:
    chosen = options()
    os.environ["BOTYARD_RULES"] = "interpreted"
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    import hypothesis.strategies  # noqa: F401 - imported once, for all children
    import numpy  # noqa: F401
    import pytest  # noqa: F401

    every_area = {area.name: area for area in areas()}
    if unknown := set(chosen.areas) - set(every_area):
        print(f"no area {', '.join(sorted(unknown))}; there are {', '.join(every_area)}")
        return 2
    left, bar = 0, progress_bar()
    for area in [every_area[name] for name in chosen.areas] or every_area.values():
        every = list(mutants(area.name, area.sources))
        size = area.sample if chosen.sample is None else chosen.sample
        some = drawn(every, size, chosen.seed)
        todo = [mutant for mutant in some if chosen.only in mutant.text and mutant.number >= chosen.first]
        by_chance = f", drawn by --seed {chosen.seed}" if len(some) < len(every) else ""
        print(f"{area.name}: {len(todo)} of {len(every)} mutants{by_chance}", flush=True)
        habits = learn(area.tests)
        if habits is None:
            print(f"{area.name}: none of its tests passes without any mutant; mend them first")
            return 2
        with bar:
            unexplained, unneeded = check(area, todo, habits, chosen, bar)
        left += unexplained
        for line, change in unneeded if len(todo) == len(every) else ():
            left += 1
            print(f"{area.name}: survivors.toml explains {change}, but no such mutant survives\n    {line}")
    return 1 if left else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
