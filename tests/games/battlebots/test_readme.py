"""The page for bot authors tells the truth: its example text and its example bot are tried out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from botyard.games.battlebots.wire import arena_text
from tests.games.battlebots.table import fresh
from tests.games.battlebots.test_bots import answer
from tests.waiting import PATIENCE_S

PAGE = Path(__file__).parents[3] / "src" / "botyard" / "games" / "battlebots" / "README.md"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    return found[1]


def test_the_example_text_is_a_real_one() -> None:
    assert block("") == arena_text(fresh().play("B SE / M N").view(0))


def test_the_example_bot_is_the_hugger() -> None:
    game = fresh().play("B SE / M N")
    for _ in range(4):
        text = arena_text(game.view(0))
        ran = subprocess.run(
            [sys.executable, "-c", block("python"), text],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
        assert ran.stdout.strip() == answer("hugger", game)
        game.play(f"{ran.stdout.strip()} / NW")


def test_the_page_names_every_house_bot() -> None:
    for bot in fresh().book.bots.HOUSE_BOTS:
        assert f"| `{bot}` |" in PAGE.read_text()
