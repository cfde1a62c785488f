"""Where no cage can be had: the command says so before it plays, and nothing falls back by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.jail import levels
from tests.cli.test_commands import Run, run
from tests.contest.yard import IDLER, QUICK, bot_file, write

__all__ = ["run"]  # the fixture

BOTS = ("py:bots/mine/mine.py", "cmd:python3 bots/mine/mine.py", "json:python3 bots/mine/mine.py", "dir:bots/mine")


@pytest.fixture
def no_cage(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("botyard.jail.levels.shutil.which", lambda name: None)
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    levels.obstacle.cache_clear()
    levels.strictest.cache_clear()


@pytest.mark.parametrize("bot", BOTS)
def test_root_is_told_what_limited_means_and_must_say_it(
    run: Run, no_cage: None, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot_file(Path(), "mine")
    monkeypatch.setattr(levels, "can_change_user", lambda: True)
    for words in (["play", "hive", bot, "house:raider"], ["check", bot, "--game", "hive"]):
        done = run(*words)
        assert done.status == 2
        assert "bots cannot be caged here: bubblewrap is not installed: install the package bubblewrap" in done.err
        assert "can read every file that all users can read" in done.err
        assert "--limited" in done.err
    assert not Path("replays").exists()


def test_anybody_else_is_refused(run: Run, no_cage: None, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_file(Path(), "mine")
    monkeypatch.setattr(levels, "can_change_user", lambda: False)
    done = run("play", "hive", BOTS[0], "house:raider")
    assert done.status == 2
    assert "cannot be caged" in done.err
    assert "--limited" not in done.err
    limited = run("play", "hive", BOTS[0], "house:raider", "--limited")
    assert limited.status == 2
    assert "only root can start a bot as another user" in limited.err


def test_a_contest_is_refused_before_it_begins(run: Run, no_cage: None) -> None:
    bot = bot_file(Path(), "mine")
    path = write(Path(), QUICK.replace("house:raider", f"py:{bot}"))
    done = run("contest", "run", str(path))
    assert done.status == 2
    assert "bots cannot be caged here" in done.err
    assert not path.with_suffix(".store").exists()


@pytest.mark.parametrize("level", ["open", "limited"])
def test_the_screen_says_that_bots_are_not_caged(run: Run, level: str) -> None:
    if level == "limited" and os.geteuid() != 0:
        pytest.skip("only root can start a bot as another user")
    Path("mine.sh").write_text("exit 0\n")
    played = run("play", "hive", "cmd:sh mine.sh", "house:raider", f"--{level}", "--quiet")
    assert played.err.startswith(f"{level}: ")
    text = QUICK.replace("house:raider", "cmd:sh other/mine.sh").replace("bouts = 2", "bouts = 1")
    Path("other").mkdir()
    Path("other/mine.sh").write_text("exit 0\n")
    path = write(Path(), text.replace("[run]", f'[cage]\nlevel = "{level}"\n[run]'))
    contest = run("contest", "run", str(path), "--quiet", "--no-report")
    assert contest.err.startswith(f"{level}: ")
    plain = write(Path(), QUICK.replace("[run]", f'[cage]\nlevel = "{level}"\n[run]'), "house.toml")
    assert f"{level}: " not in run("contest", "run", str(plain), "--quiet", "--no-report").err


def test_a_caged_function_says_so(run: Run) -> None:
    Path("mine.py").write_text(IDLER)
    quick = ("--set", "max_turns=6", "--set", "reply_timeout_ms=60000", "--json")
    assert '"caged"' in run("play", "hive", "py:mine.py", "house:raider", *quick).out
    assert '"open",\n    "open"' in run("play", "hive", "py:mine.py", "house:raider", *quick, "--open").out
