"""The wheel: an installed Botyard offers the same starters and the same game to begin with as a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from botyard.cli.init_game import TEMPLATE, template_files
from botyard.games import OWN_GAMES
from botyard.games.starters import all_starters
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[1]
NEW_GAME = "botyard/cli/new_game/"


def test_the_wheel_carries_every_file_of_every_starter_and_nothing_that_was_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=RUN_S)
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if "/starters/" in name and not name.startswith(NEW_GAME)}
    wanted = {
        f"botyard/games/{starter.game}/starters/{starter.language}/{path}"
        for starter in all_starters()
        if starter.game in OWN_GAMES
        for path in starter.files
    }
    assert packed == wanted
    template = {f"{NEW_GAME}{path.relative_to(TEMPLATE)}" for path in template_files()}
    assert {name for name in names if name.startswith(NEW_GAME)} == template
