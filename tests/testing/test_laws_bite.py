"""The laws can fail: each notices a game that was broken for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from botyard.testing.laws import LAWS, LAWS_OF_ONE_FOLDER
from tests.testing.broken_games import BREAKS, SOUND
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[2]
NOT_BROKEN = {"the_protocol_of_the_house_tells_the_whole_view"}  # its sessions are ours: no game alone can break it


@cache
def noticed() -> dict[str, list[str]]:
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.testing.broken_games", folder]
        environment = {**os.environ, "BOTYARD_RULES": "interpreted"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("what", BREAKS)
def test_a_broken_game_is_noticed(what: str) -> None:
    assert BREAKS[what].law in noticed()[what]


def test_a_sound_game_breaks_no_law() -> None:
    assert noticed()[SOUND] == []


def test_every_law_of_a_game_has_been_broken() -> None:
    assert {law.__name__ for law in (*LAWS, *LAWS_OF_ONE_FOLDER)} == {row.law for row in BREAKS.values()} | NOT_BROKEN
