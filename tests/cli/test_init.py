"""`botyard init`: a bot to begin with, and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import Run, run

__all__ = ["run"]


def test_a_starter_is_written_and_the_next_commands_are_named(run: Run, tmp_path: Path) -> None:
    done = run("init", "hackman", "--language", "python", "my bot")
    assert done.status == 0
    assert "wrote my bot: README.md botyard.toml main.py" in done.out
    assert "botyard check 'my bot'" in done.out
    assert "botyard play hackman 'dir:my bot' house:wanderer --watch" in done.out
    assert (tmp_path / "my bot" / "main.py").is_file()


def test_the_starters_are_listed(run: Run) -> None:
    assert "c go lua python" in run("init", "--list").out
    assert {"game": "hive", "language": "c"} in run("init", "--list", "--json").json
    assert {row["game"] for row in run("init", "hive", "--list", "--json").json} == {"hive"}
    assert run("init", "hvie", "--list").status == 2


def test_what_was_written_can_be_read_by_programs(run: Run) -> None:
    assert run("init", "hive", "-l", "c", "bee", "--json").json == {
        "game": "hive",
        "language": "c",
        "folder": "bee",
        "files": ["Makefile", "README.md", "agent.c", "botyard.toml"],
    }


def test_a_folder_with_something_in_it_is_refused(run: Run) -> None:
    assert run("init", "hive", "bee").status == 0
    done = run("init", "hive", "bee")
    assert done.status == 2
    assert "bee is not empty" in done.err


def test_a_language_may_be_called_by_another_of_its_names(run: Run) -> None:
    assert run("init", "hackman", "-l", "JS", "bot", "--json").json["language"] == "javascript"
    assert "did you mean 'javascript'" in run("init", "hackman", "-l", "javascirpt", "bot").err


@pytest.mark.parametrize("words", [(), ("hive",)])
def test_init_says_what_it_needs(run: Run, words: tuple[str, ...]) -> None:
    done = run("init", *words)
    assert done.status == 2
    assert "botyard init GAME --language python mybot" in done.err


def test_a_program_that_is_not_here_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("init", "hackman", "-l", "java", "bot")
    assert done.status == 0
    assert "javac is not installed here" in done.err
    assert "java is not installed here" in done.err
