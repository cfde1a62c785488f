"""The promise: a game is one folder, small, and needs a row nowhere else. The sixth game holds it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from botyard.games import load
from tests.conftest import HERE, SIXTH_GAME
from tests.games_of_others.counting import code_lines, lines_of_code
from tests.waiting import PATIENCE_S

ROOT = HERE.parent
MENTIONS = (  # besides the tests that are about games of others, and pages that tell of it
    "tests/games_of_others/", "tests/conftest.py", "tests/games/test_others.py", "tests/cli/test_init_game.py",
    "tests/cli/test_games_of_others.py",
    "pyproject.toml", "docs/", "CHANGELOG.md", "ARCHITECTURE.md", "src/botyard/games/others.py",
    "src/botyard/testing/laws.py",
)  # fmt: skip


def test_a_game_needs_at_most_300_lines_of_code() -> None:
    assert 100 < code_lines(SIXTH_GAME / "src") <= 300


def test_one_house_bot_and_one_preset_are_enough_and_an_original_is_not_needed() -> None:
    book = load("tictactoe")
    assert len(book.bots.HOUSE_BOTS) == 1
    assert list(book.settings.PRESETS) == ["document"]
    assert not book.has_part("files")


def test_nothing_knows_the_sixth_game_by_name() -> None:
    words = ["git", "grep", "-il", "tictactoe"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    if done.returncode > 1:
        pytest.skip("no checkout of git")
    assert [path for path in done.stdout.split() if not path.startswith(MENTIONS)] == []


def test_lines_are_counted_without_comments_and_docstrings() -> None:
    head = ['"""A page.', "", 'Of text."""', "", "x = 1  # one", "# a comment", "y = [", "    2,", "]"]
    body = ["def f():", '    """Says."""', '    return """a', 'b"""']
    text = "\n".join([*head, *body])
    assert sorted(lines_of_code(text)) == [5, 7, 8, 9, 10, 12, 13]


def test_every_part_of_the_package_is_counted(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.py").write_text("a = 1\nb = 2\n")
    (tmp_path / "facts.py").write_text('"""Facts."""\n')
    assert code_lines(tmp_path) == 2
