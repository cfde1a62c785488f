"""The wheel: an installed Botyard offers the same starters as a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from botyard.games.starters import all_starters

ROOT = Path(__file__).parents[1]


def test_the_wheel_carries_every_file_of_every_starter_and_nothing_that_was_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if "/starters/" in name}
    wanted = {
        f"botyard/games/{starter.game}/starters/{starter.language}/{path}"
        for starter in all_starters()
        for path in starter.files
    }
    assert packed == wanted
