"""`botyard contest new --bots`: what is handed in gives no orders, and what cannot be read is not written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from botyard.kernel import bounded
from tests.cli import test_commands
from tests.cli.test_commands import Run

run = test_commands.run  # the fixture


def test_a_submission_that_is_called_like_an_option_gives_no_order(run: Run, tmp_path: Path) -> None:
    for name in ("--force", "--format=swiss", "-rf.py", "anna.py"):
        (tmp_path / name).write_text("print('up')\n")
    (tmp_path / "league.toml").write_text("mine")
    words = ("contest", "new", "hackman", "league.toml", "--bots", "--force", "--format=swiss", "-rf.py", "anna.py")
    assert run(*words).status == 2
    assert (tmp_path / "league.toml").read_text() == "mine"
    (tmp_path / "league.toml").unlink()
    assert run(*words).status == 0
    assert {"dir:--force", "dir:--format=swiss", "dir:-rf.py", "dir:anna.py"} <= set(
        re.findall(r'"(dir:.*?)"', (tmp_path / "league.toml").read_text())
    )


def test_no_contest_file_is_written_that_is_too_large_to_be_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "anna.py").write_text("print('up')\n")
    monkeypatch.setattr(bounded, "TOML_MAX", 100)
    done = run("contest", "new", "hackman", "--bots", "anna.py")
    assert done.status == 2
    assert 'newcomers = "dir:subs/*"' in done.err
    assert not (tmp_path / "contest.toml").exists()


def test_bots_without_a_bot_are_a_mistake_and_no_contest_of_house_bots(run: Run, tmp_path: Path) -> None:
    for words in (("--bots",), ("--bots", "--force")):
        done = run("contest", "new", "hackman", *words)
        assert done.status == 2
        assert "--bots" in done.err
    assert not list(tmp_path.iterdir())
