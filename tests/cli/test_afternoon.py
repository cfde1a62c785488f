"""A teacher's afternoon: 25 submissions, four of them broken, one late, one mended, one withdrawn, and a power cut."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.opening import open_played
from botyard.contest.schema import DONE
from tests.cli.test_commands import Run, run
from tests.contest.school import BROKEN, LATE, hand_in, source
from tests.waiting import ending, wait_until

__all__ = ["run"]  # a fixture

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "contest"]


def edit(file: Path, pattern: str, text: str) -> None:
    before = file.read_text()
    after = re.sub(pattern, text, before, count=1, flags=re.M)
    assert after != before, f"nothing to edit: {pattern}"
    file.write_text(after)


def played(folder: Path) -> dict[tuple[str, ...], tuple[str, Any]]:
    """The recorded games by bots and number within their match: results, and times that no second game would have."""
    with open_played(folder / "league.toml") as contest:
        return {
            (*row.pairing.bots, str(row.pairing.game)): (str(row.result), row.timing)
            for row in contest.store.rows()
            if row.state == DONE
        }


def begun(folder: Path, games: int) -> bool:
    return (folder / "league.store").exists() and len(played(folder)) >= games


@pytest.mark.parametrize("kind", ["gauntlet", pytest.param("round_robin", marks=pytest.mark.long)])
def test_an_afternoon_ends_in_the_table_one_expects(run: Run, tmp_path: Path, kind: str) -> None:
    hand_in(tmp_path / "subs")
    submissions = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "subs").iterdir())

    made = run("contest", "new", "hackman", "league.toml", "--format", kind, "--bots", *submissions)
    assert made.status == 0, made.err
    assert re.search(r"^anna-2 +anna \(2\)", made.out, re.M)  # another Anna
    assert "Liste" in made.out  # told of, though it is no bot
    file = tmp_path / "league.toml"
    edit(file, r"^\[settings\]", "[settings]\nmax_rounds = 4")
    edit(file, r"^#? ?bouts = \d+", "bouts = 1")
    edit(file, r'^#? ?swap = "\w+"', 'swap = "none"')
    edit(file, r"^# seed = 7", "seed = 7")
    if kind == "gauntlet":
        edit(file, r'^executor = "local"', 'executor = "inline"')  # there are no workers to start

    checked = run("contest", "check", "league.toml", "--no-sample", "--json")
    assert checked.status == 1
    table = {check["name"]: check for check in checked.json["checks"]}
    assert {name for name, check in table.items() if not (check["built"] and check["plays"])} == set(BROKEN)
    assert all(table[name]["mistake"] and table[name]["remedy"] for name in BROKEN)
    assert len({check["language"] for check in table.values()} - {""}) == 8

    command = [*COMMAND, "run", "league.toml", "--quiet", "--no-report"]
    with ending(subprocess.Popen(command, cwd=tmp_path, start_new_session=True)) as running:
        wait_until(lambda: begun(tmp_path, 5))
        os.killpg(running.pid, signal.SIGKILL)  # the power cut
    before = played(tmp_path)

    (tmp_path / "subs" / f"{LATE}.py").write_text(source("main.py", "down"))
    edit(file, r"^rosa = .*\n", f'zoe = {{ bot = "dir:subs/{LATE}.py", name = "{LATE}" }}\n')  # Rosa has left
    (tmp_path / "subs" / "Nina" / "main.c").write_text(source("main.c", "up"))
    (tmp_path / "subs" / "Anna" / "README.md").write_text("# Anna\n\nI changed nothing but this page.\n")

    refused = run("contest", "run", "league.toml", "--quiet")
    dropped = {game for game in before if {"nina", "rosa"} & set(game)}
    assert refused.status == (2 if dropped else 0), refused.err
    ended = run("contest", "run", "league.toml", "--quiet", "--yes")
    assert ended.status == 0, ended.err
    after = played(tmp_path)
    staying = before.keys() - dropped
    assert len(staying) >= 3
    assert {game: after[game] for game in staying} == {game: before[game] for game in staying}  # not played twice
    assert not any("rosa" in game for game in after)

    bots = 24
    assert len(after) == (bots - 1 if kind == "gauntlet" else bots * (bots - 1) // 2)
    status = run("contest", "status", "league.toml", "--json").json
    assert status["state"] == "finished"
    rows = {row["bot"]: row for row in status["standings"]["rows"]}
    assert len(rows) == bots
    assert "rosa" not in rows
    if kind == "gauntlet":
        assert re.fullmatch(r"Ada took [\d.]+ of 23 points", status["standings"]["verdict"])
    assert rows["quirin"]["losses"] == rows["quirin"]["games"]  # it could not be unpacked, and forfeits
    assert after[next(game for game in after if "nina" in game)][1]["nina"][0] > 0  # it was mended, and was asked

    check_report(tmp_path, status["standings"], after)
    if kind == "round_robin":  # every game once more, so not in every run of the tests
        (tmp_path / "league.store").unlink()
        assert run("contest", "run", "league.toml", "--quiet").status == 0
        again = run("contest", "status", "league.toml", "--json").json
        assert again["standings"] == status["standings"]  # as if it had been so from the start


def check_report(folder: Path, standings: dict[str, Any], games: dict[tuple[str, ...], Any]) -> None:
    """Holds the report against the table and the games: every number in it leads to them, and mistakes to remedies."""
    report = json.loads((folder / "league-report" / "report.json").read_text())
    assert report["standings"] == standings
    assert report["names"]["anna-2"] == "anna (2)"
    numbers = sorted(number for pair in report["pairs"] for number in pair["games"])
    assert len(numbers) == len(set(numbers)) == len(games)
    bots = report["bots"]
    otto = bots["otto"]["lost"]["GARBLED"]
    assert "'debug x=3'" in otto["reason"]
    assert (otto["count"], otto["game"] in numbers) == (bots["otto"]["verdicts"]["GARBLED"], True)
    assert bots["pia"]["lost"]["CRASHED"]["remedy"]
    assert "zip" in bots["quirin"]["lost"]["UNBUILT"]["reason"]
    assert set(bots["nina"]["verdicts"]) == {"OK"}  # it was mended
    page = (folder / "league-report" / "report.html").read_text()
    anchors, links = set(re.findall(r'id="([^"]+)"', page)), set(re.findall(r'href="#([^"]+)"', page))
    assert links <= anchors
    assert {f"pair-{':'.join(sorted(pair['bots']))}" for pair in report["pairs"]} <= links
    for sheet in ("standings", "cross", "games", "pairs", "lost"):
        assert (folder / "league-report" / f"{sheet}.csv").exists()
