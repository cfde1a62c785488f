"""How fast contests run. `PYTHONPATH=src:. python bench/contest.py [house] [programs] [store] [report] [check]`

house     a contest of house bots against the same games in a plain batch      bar: at least 0.5 of its rate
programs  two workers against one, each on a core of its own                   bar: at least 1.7 times
store     what asking, leasing and recording cost                              bar: below 2 ms a game
report    a contest with 100,000 recorded games                                bar: under 10 s and 500 MB
check     `contest check` of a class's 25 submissions, first with everything to build and then with all of it built

Prints one JSON object per figure.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.contest.school import LATE, hand_in, source

from botyard.contest.messages import GameReport
from botyard.contest.opening import open_store
from botyard.contest.plan import Plan
from botyard.contest.reading import read_plan
from botyard.contest.report import write_report
from botyard.contest.roots import derive_seed, fresh_root
from botyard.contest.runner import News, run_contest
from botyard.contest.store_file import StoreFile
from botyard.kernel.cache import usable_home
from botyard.kernel.devices import core_count
from botyard.match.series import play_house

HOUSE_GAMES = 20_000
PROGRAM_GAMES = 24
STORE_GAMES = 20_000
REPORT_GAMES = 100_000

LEAGUE = """
title = "Bench"
game = "hive"
seed = 1
[settings]
random_seats = false
max_turns = TURNS
[time]
reply_timeout_ms = 600000
[bots]
BOTS
[format]
kind = "round_robin"
bouts = GAMES
"""
HOUSE = 'forager = "house:forager"\nraider = "house:raider"'
PROGRAMS = 'one = "py:busy.py"\ntwo = "py:busy.py"'
BUSY = """
def decide(view):
    for _ in range(20000):
        pass
    return 'guard N'
"""


def plan_in(folder: str, games: int, bots: str, turns: int, name: str = "bench.toml") -> Plan:
    path = Path(folder) / name
    text = LEAGUE.replace("BOTS", bots).replace("GAMES", str(games)).replace("TURNS", str(turns))
    path.write_text(text)
    return read_plan(path)


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def house(folder: str) -> dict[str, Any]:
    plan = plan_in(folder, HOUSE_GAMES, HOUSE, 0)
    root = fresh_root()
    seeds = [derive_seed(root, str(number)) for number in range(HOUSE_GAMES)]
    bots = ["forager", "raider"]
    list(play_house(plan.book, plan.settings, bots, seeds[:64]))  # loads what is compiled
    batch = HOUSE_GAMES / timed(lambda: list(play_house(plan.book, plan.settings, bots, seeds)))
    contest = HOUSE_GAMES / timed(lambda: asyncio.run(run_contest(plan, anew=True)))
    return {"games": HOUSE_GAMES, "batch_per_s": batch, "contest_per_s": contest, "share": contest / batch}


def programs(folder: str) -> dict[str, Any]:
    """Games per second from the first recorded game to the last: the start of the workers is left out."""
    (Path(folder) / "busy.py").write_text(BUSY)
    rates = {}
    for workers in (1, 2):
        plan = plan_in(folder, PROGRAM_GAMES, PROGRAMS, 1000, f"workers{workers}.toml")
        seen: list[tuple[float, int]] = []

        def watch(news: News, seen: list[tuple[float, int]] = seen) -> None:
            if not seen or news.done > seen[-1][1]:
                seen.append((time.perf_counter(), news.done))

        chosen = replace(plan, running=replace(plan.running, workers=workers))
        asyncio.run(run_contest(chosen, anew=True, watch=watch))
        (first, before), (last, after) = next(one for one in seen if one[1]), seen[-1]
        rates[workers] = (after - before) / (last - first)
    figures = {"games": PROGRAM_GAMES, "one_per_s": rates[1], "two_per_s": rates[2]}
    return {**figures, "times_faster": rates[2] / rates[1]}


def fill(plan: Plan, games: int, share: int) -> StoreFile:
    """A store with so many games, recorded in shares as a run does."""
    store = open_store(plan, anew=True)
    store.hold()
    wave = plan.open_course().wave()
    store.ask(1, wave, [derive_seed(store.root, pairing.chance) for pairing in wave])
    for first in range(0, games, share):
        numbers = range(first + 1, min(first + share, games) + 1)
        store.lease(numbers, "worker 1")
        reports = []
        for number in numbers:
            result = ("{0}:17>{1}:12", "{1}:20>{0}:11", "{0}:9={1}:9")[number * 7919 % 17 % 3]
            reports.append(GameReport(number, result.format(*wave[number - 1].bots)))
        store.record(reports)
    return store


def store(folder: str) -> dict[str, Any]:
    plan = plan_in(folder, STORE_GAMES, HOUSE, 0, "store.toml")
    costs = {}
    for share in (1, 256):
        games = STORE_GAMES if share > 1 else STORE_GAMES // 10
        small = plan_in(folder, games, HOUSE, 0, f"store{share}.toml")
        costs[share] = timed(lambda small=small, games=games, share=share: fill(small, games, share).close())  # type: ignore[misc]
        costs[share] = costs[share] / games * 1000
    return {"games": STORE_GAMES, "ms_one_by_one": costs[1], "ms_in_shares": costs[256], "title": plan.title}


def report(folder: str) -> dict[str, Any]:
    plan = plan_in(folder, REPORT_GAMES, HOUSE, 0, "report.toml")
    fill(plan, REPORT_GAMES, 256).close()
    answer = subprocess.run(
        [sys.executable, __file__, "report-inside", str(plan.path)], capture_output=True, text=True, check=True
    )
    return {"games": REPORT_GAMES, **json.loads(answer.stdout)}


def report_inside(path: str) -> dict[str, Any]:
    """In a process of its own, so that its memory is its own."""
    plan = read_plan(Path(path))
    with StoreFile.open(plan.store_path) as opened:
        seconds = timed(lambda: asyncio.run(write_report(plan, opened, plan.path.with_name("out"))))
    return {
        "seconds": seconds,
        "cpu_seconds": time.process_time(),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def check(folder: str) -> dict[str, Any]:
    """The command as a teacher types it, with the compiled rules at hand but no bot built."""
    hand_in(Path(folder) / "subs")
    (Path(folder) / "subs" / f"{LATE}.py").write_text(source("main.py"))
    submissions = sorted((Path(folder) / "subs").iterdir())
    home = Path(folder) / "cache"
    home.mkdir()
    (home / "rules").symlink_to(usable_home() / "rules")
    environment = {**os.environ, "BOTYARD_CACHE": str(home)}
    command = [sys.executable, "-c", "from botyard.cli import main; main()", "contest"]

    def run(*words: str) -> None:
        subprocess.run([*command, *words], cwd=folder, env=environment, capture_output=True, check=False)

    run("new", "hackman", "class.toml", "--bots", *(str(path) for path in submissions))
    figures = {"submissions": len(submissions)}
    return figures | {f"seconds_{when}": timed(lambda: run("check", "class.toml")) for when in ("unbuilt", "built")}


FIGURES = {"house": house, "programs": programs, "store": store, "report": report, "check": check}


def main(words: list[str]) -> None:
    if words[:1] == ["report-inside"]:
        print(json.dumps(report_inside(words[1])))
        return
    for name in words or FIGURES:
        with tempfile.TemporaryDirectory() as folder:
            figures = FIGURES[name](folder)
        load = os.getloadavg()[0]
        print(json.dumps({"figure": name, "cores": core_count(), "load": load, **figures}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
