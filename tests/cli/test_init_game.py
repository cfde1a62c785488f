"""`botyard init-game`: a game to begin with, whose own tests pass at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import Run, run
from tests.waiting import RUN_S

__all__ = ["run"]


def test_a_game_is_written_and_the_next_commands_are_named(run: Run, tmp_path: Path) -> None:
    done = run("init-game", "tiny_treasure")
    assert done.status == 0
    assert "wrote botyard-tiny_treasure: 16 files" in done.out
    for command in ("cd botyard-tiny_treasure", "pip install -e", "pytest", "botyard play tiny_treasure house:"):
        assert command in done.out
    package = tmp_path / "botyard-tiny_treasure" / "src" / "botyard_tiny_treasure"
    assert 'title="Tiny treasure"' in (package / "facts.py").read_text()
    assert "class TinyTreasureSettings(Settings)" in (package / "settings.py").read_text()


def test_nothing_of_the_templates_own_name_is_left(run: Run, tmp_path: Path) -> None:
    assert run("init-game", "treasure", "mine").status == 0
    for path in (tmp_path / "mine").rglob("*"):
        assert "newgame" not in path.name
        assert path.is_dir() or "new game" not in path.read_text().lower().replace("newgame", "new game")


def test_what_was_written_can_be_read_by_programs(run: Run, tmp_path: Path) -> None:
    told = run("init-game", "treasure", "mine", "--json").json
    assert (told["game"], told["folder"]) == ("treasure", "mine")
    assert "src/botyard_treasure/rules.py" in told["files"]
    assert all((tmp_path / "mine" / path).is_file() for path in told["files"])


def test_an_installed_game_passes_its_tests_at_once(run: Run, tmp_path: Path) -> None:
    assert run("init-game", "treasure", "mine").status == 0
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", "site"]
    subprocess.run([*pip, "./mine"], cwd=tmp_path, check=True, timeout=RUN_S)
    around = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment = {**around, "PYTHONPATH": str(tmp_path / "site")}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = run_there(tests, tmp_path / "mine", environment)
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
    play = [sys.executable, "-c", "from botyard.cli import main; main()", "play", "treasure"]
    words = ["house:gatherer", "house:gatherer", "--seed", "1", "--json"]
    played = run_there([*play, *words], tmp_path, environment)
    assert played.returncode == 0, played.stderr


def run_there(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S
    )


@pytest.mark.parametrize("name", ["Treasure", "tic-tac", "1st", "", "a_", "x" * 32, "täuschung"])
def test_a_name_that_no_game_can_have_is_refused(run: Run, name: str) -> None:
    done = run("init-game", "--", name)
    assert done.status == 2
    assert "no game can be called" in done.err


@pytest.mark.parametrize(("name", "package"), [("hive", "botyard.games.hive"), ("tictactoe", "botyard_tictactoe")])
def test_a_name_that_is_taken_is_refused(run: Run, name: str, package: str) -> None:
    done = run("init-game", name)
    assert done.status == 2
    assert f"there already is a game '{name}', in {package}" in done.err


def test_a_folder_with_something_in_it_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = run("init-game", "treasure", ".")
    assert done.status == 2
    assert "is not empty" in done.err
    assert "cannot write notes.txt" in run("init-game", "treasure", "notes.txt").err
