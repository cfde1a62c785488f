"""Small contests for the tests: house bots on a board that is over in a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from botyard.contest import runner
from botyard.contest.identity import Identity
from botyard.contest.messages import GameReport, Job, Share
from botyard.contest.opening import Agree
from botyard.contest.plan import Plan
from botyard.contest.reading import read_plan
from botyard.contest.report import report_folder
from botyard.contest.roots import read_root
from botyard.contest.runner import News, Watcher
from botyard.contest.store_file import StoreFile
from botyard.contest.worker import Worker
from botyard.rank.formats import Course
from tests.waiting import finished

IDLER = "def decide(view):\n    return 'guard N'\n"
PATIENT = "[time]\nreply_timeout_ms = 60000\n"  # a busy machine must not make a bot late

QUICK = """
title = "A quick league"
game = "hive"
seed = 7

[settings]
max_turns = 20

[bots]
forager = "house:forager"
raider = "house:raider"
wanderer = "house:wanderer"

[format]
kind = "round_robin"
bouts = 2
swap = "same_seed"

[run]
executor = "inline"
"""


def bot_file(folder: Path, name: str, source: str = IDLER) -> str:
    """A bot of one file, in a folder of its own as every bot of a contest must be; named as in the contest file."""
    home = folder / "bots" / name
    home.mkdir(parents=True, exist_ok=True)
    (home / f"{name}.py").write_text(source)
    return f"bots/{name}/{name}.py"


def write(folder: Path, text: str = QUICK, name: str = "league.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def plan_of(folder: Path, text: str = QUICK) -> Plan:
    return read_plan(write(folder, text))


def run_contest(
    plan: Plan,
    *,
    anew: bool = False,
    agree: Agree = lambda amendment: True,
    watch: Watcher = lambda news: None,
    seconds: float | None = None,
) -> tuple[Course, News]:
    """The contest from its first game to its last."""
    return finished(runner.run_contest(plan, anew=anew, agree=agree, watch=watch), seconds)


def new_store(path: Path, seed: int = 7) -> StoreFile:
    """A store of no contest in particular."""
    return StoreFile.create(path, Identity({"seed": seed}, {}), read_root(seed), {})


def play_jobs(plan: Plan, *jobs: Job) -> list[GameReport]:
    """Games of a contest, as a worker plays them that has just begun."""
    return finished(Worker().play(Share(plan.brief, jobs)))


def table_of(plan: Plan) -> list[dict[str, Any]]:
    """The final standings from the store alone."""
    from botyard.contest.summary import summarize
    from botyard.contest.summary_json import standings_values

    with StoreFile.open(plan.store_path) as store:
        summary = summarize(plan, store)
    assert summary.finished
    rows: list[dict[str, Any]] = standings_values(summary.standings)["rows"]
    return rows


def games_of(plan: Plan) -> list[tuple[int, tuple[str, ...], int, str]]:
    """Every recorded game: number, bots, seed, result."""
    with StoreFile.open(plan.store_path) as store:
        return [(row.number, row.pairing.bots, row.seed, str(row.result)) for row in store.rows()]


__all__ = ["QUICK", "games_of", "plan_of", "report_folder", "run_contest", "table_of", "write"]
