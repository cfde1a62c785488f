"""`botyard play` and `botyard compare` with a bot that cannot start: an error before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.contest.yard import QUICK, games_of, plan_of, run_contest
from tests.links.test_starts import lay_bots

run = test_commands.run  # the fixture

GAMES = {"hive": "forager", "hackman": "hunter", "battlebots": "nop", "snakebattle": "greedy", "snakepit": "careful"}


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    lay_bots(tmp_path)
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF, but not really")
    broken.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("cmd:./nobody", "there is no program './nobody'"),
        ("dir:script", "there is no file 'gone.py'"),
        ("py:bot.py:wrong", "the file has no function 'wrong'; it has decide"),
        ("cmd:./broken", "it cannot be executed"),
        ("json:./broken", "it cannot be executed"),
    ],
)
def test_nobody_wins_against_a_bot_that_cannot_start(run: Run, bots: Path, game: str, bot: str, told: str) -> None:
    before = set(bots.iterdir())
    done = run("play", game, f"house:{GAMES[game]}", bot, "--quiet")
    assert done.status == 2
    assert " cannot start: " in done.err
    assert told in done.err.replace("\n", " ")
    assert done.out == ""
    assert {path for path in bots.iterdir() if path.name != "__pycache__"} == before


def test_a_series_is_not_played_either(run: Run, bots: Path) -> None:
    done = run("play", "hive", "py:bot.py:wrong", "house:forager", "--games", "3", "--json")
    assert done.status == 2
    assert done.out == ""


def test_a_bot_that_ends_before_it_comes_is_quoted(run: Run, bots: Path) -> None:
    (bots / "ends.py").write_text("print('no such map')\nimport nothing_of_that_name\n")
    done = run("play", "hive", "cmd:python3 ends.py", "house:forager", "--quiet")
    assert done.status == 2
    assert "ends cannot start: CRASHED" in done.err
    assert "No module named 'nothing_of_that_name'" in done.err
    assert "botyard check hive BOT" in done.err


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("hive", "cmd:./nobody"), ("hive", "json:./nobody"), ("hive", "dir:missing"), ("hive", "dir:script"),
        ("hive", "py:bot.py:wrong"), ("hackman", "cmd:./broken"), ("battlebots", "cmd:./broken"),
    ],
)  # fmt: skip
def test_nothing_is_compared_with_a_bot_that_cannot_start(run: Run, bots: Path, game: str, bot: str) -> None:
    rival = f"house:{GAMES[game]}"
    done = run("compare", game, rival, bot, "--quiet", "--executor", "inline", "--store", "kept")
    assert done.status == 2
    assert "1 of 2 bots cannot play" in done.err
    assert done.out == ""
    assert not (bots / "kept.store").exists()


def test_in_a_contest_it_forfeits_or_stops_the_contest(run: Run, bots: Path) -> None:
    text = QUICK.replace("house:raider", "py:bots/late/late.py:wrong").replace("bouts = 2", "bouts = 1")
    (bots / "bots" / "late").mkdir(parents=True)
    (bots / "bots" / "late" / "late.py").write_text("def decide(view):\n    return 0\n")
    (bots / "league.toml").write_text('on_unbuilt = "stop"\n' + text)
    done = run("contest", "run", "league.toml", "--quiet")
    assert done.status == 2
    assert "the file has no function 'wrong'" in done.err
    assert not (bots / "league.store").exists()
    plan = plan_of(bots, text)
    run_contest(plan)
    lost = [result for _, names, _, result in games_of(plan) if "raider" in names]
    assert len(lost) == 4
    assert all("raider!" in result for result in lost)
