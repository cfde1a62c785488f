"""The report of a small contest, byte for byte as it is kept in `tests/contest/golden`.

`BOTYARD_GOLDEN=write` writes the files anew; the difference is the review.
"""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from botyard.contest.report import write_report
from botyard.contest.store_file import StoreFile
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.contest.yard import QUICK, plan_of, run_contest, write
from tests.waiting import finished

run = test_commands.run  # the fixture

GOLDEN = Path(__file__).parent / "golden"
FILES = ("report.json", "report.md", "standings.csv", "cross.csv", "games.csv", "lost.csv", "pairs.csv", "main.html")

RAIDER = '{ bot = "house:raider", name = "Räuber & Co", guest = true }'
DECIDED = (  # long enough for somebody to win
    QUICK.replace("max_turns = 20", "max_turns = 300")
    .replace("seed = 7", "seed = 7\nguests_leave = 0")
    .replace('"house:raider"', RAIDER)
)

# A program's figures, which differ from run to run: taken down by hand.
VERDICTS = {"forager": {"OK": 17, "LATE": 2, "INVALID": 1}, "raider": {"OK": 20}}
LOST = {
    "forager": {
        "LATE": {"count": 2, "tick": 17, "reason": "the answer took 512 ms", "remedy": "think less"},
        "INVALID": {
            "count": 1,
            "tick": 19,
            "reason": "no such order: <b>fly</b>",
            "remedy": "write an order that exists",
        },
    }
}
TIMING = {"forager": [20, 431.25, 97.125], "raider": [20, 12.5, 1.0625]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest that was played, with figures as of programs in two of its games, and its report."""
    folder = tmp_path_factory.mktemp("golden")
    plan = plan_of(folder, DECIDED)
    run_contest(plan)
    with sqlite3.connect(plan.store_path) as connection:
        figures = (json.dumps(VERDICTS), json.dumps(TIMING), json.dumps(LOST))
        connection.execute(
            "UPDATE games SET verdicts = ?, timing = ?, lost = ?, ticks = 20 * number WHERE number IN (5, 6)", figures
        )
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, folder / "report"))
    page = (folder / "report" / "report.html").read_text()
    main = page.partition("<main>")[2].partition("</main>")[0]
    (folder / "report" / "main.html").write_text(main.lstrip())
    return folder


@pytest.mark.parametrize("name", FILES)
def test_a_report_is_the_golden_one(folder: Path, name: str) -> None:
    told = (folder / "report" / name).read_text()
    if os.environ.get("BOTYARD_GOLDEN") == "write":
        (GOLDEN / name).write_text(told)
    assert told == (GOLDEN / name).read_text()


@pytest.mark.parametrize("command", ["report", "status"])
def test_the_json_of_a_command_is_the_golden_one(folder: Path, command: str, run: Run) -> None:
    told = run("contest", command, str(write(folder, DECIDED)), "--json").out
    path = GOLDEN / ("report.json" if command == "report" else "status.json")
    if os.environ.get("BOTYARD_GOLDEN") == "write":
        path.write_text(told)
    assert told == path.read_text()
