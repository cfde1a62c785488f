"""The wheel: an installed Botyard offers the same starters as a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from botyard.jail.bot_files import files_of
from botyard.starters import MADE, all_starters

ROOT = Path(__file__).parents[2]


def test_the_wheel_carries_every_file_of_every_starter_and_nothing_that_was_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("botyard/starters/")}
    wanted = {
        f"botyard/starters/{starter.folder.name}/{file.path}"
        for starter in all_starters()
        for file in files_of(starter.folder)
        if file.path.parts[0] not in MADE
    }
    assert packed == {"botyard/starters/__init__.py"} | wanted
