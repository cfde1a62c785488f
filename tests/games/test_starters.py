"""Starters: every game has one, they explain themselves, and they are written without harm. That they play well is
shown in tests/links/test_starters.py."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from botyard.games import GAMES, load
from botyard.games.starters import Starter, all_starters, starter_for, write_starter
from botyard.jail.manifest import manifest_of
from botyard.kernel.errors import YardError


def test_every_game_can_be_begun_in_python_and_two_in_every_other_language() -> None:
    languages = Counter(starter.language for starter in all_starters())
    assert {starter.game for starter in all_starters() if starter.language == "python"} == set(GAMES)
    assert all(languages[language] >= 2 for language in ("javascript", "java", "c", "go", "lua"))


def test_a_starter_explains_itself(starter: Starter, tmp_path: Path) -> None:
    files = write_starter(starter, tmp_path / "mine")
    assert {"README.md", "botyard.toml"} < set(files)
    manifest = manifest_of(tmp_path / "mine")
    assert (manifest.name, manifest.game, manifest.language) == ("mine", starter.game, starter.language)
    readme = (tmp_path / "mine" / "README.md").read_text()
    assert load(starter.game).facts.title in readme.splitlines()[0]
    assert f"botyard play {starter.game} dir:. house:" in readme
    assert re.findall(r"house:(\w+)", readme)[0] in load(starter.game).bots.HOUSE_BOTS


def test_a_starter_is_never_written_over_anything(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(YardError, match="is not empty"):
        write_starter(starter_for("hive", "c"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(YardError, match="cannot write"):
        write_starter(starter_for("hive", "c"), tmp_path / "notes.txt")


def test_what_was_built_where_it_lies_is_not_copied(tmp_path: Path) -> None:
    folder = tmp_path / "source"
    write_starter(starter_for("hive", "c"), folder)
    (folder / "agent").write_text("a program")
    (folder / "build").mkdir()
    (folder / "build" / "Main.class").write_text("a class")
    (folder / "parts" / "__pycache__").mkdir(parents=True)
    (folder / "parts" / "__pycache__" / "part.pyc").write_text("a module")
    assert write_starter(Starter("hive", "c", folder), tmp_path / "mine") == [
        "Makefile",
        "README.md",
        "agent.c",
        "botyard.toml",
    ]


def test_a_starter_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(YardError, match="there is no starter for hive in lua: hive has starters in c, python"):
        starter_for("hive", "lua")
    with pytest.raises(YardError, match="did you mean 'hive'"):
        starter_for("hives", "c")
