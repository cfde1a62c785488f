"""Copies of what people bring, made so that a caged user can read them: the regular files of a bot and nothing else."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from botyard.jail.contents import opened_files


def copy_bot(bot: Path, target: Path) -> None:
    """A copy of a bot's files that every user may read; links are no part of a bot."""
    target.mkdir(parents=True, exist_ok=True)
    for file, descriptor in opened_files(bot):
        copy = target / file.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.dup(descriptor), "rb") as reading, copy.open("wb") as writing:
            shutil.copyfileobj(reading, writing)
        copy.chmod(0o755 if file.executable else 0o644)
    open_to_all(target)


def open_to_all(target: Path) -> None:
    for where, _, _ in os.walk(target):
        Path(where).chmod(0o755)


def readable_by_all(folder: Path) -> bool:
    """Whether a user of no group can enter a folder and read what lies in it, as far as a look at it tells."""
    if folder.stat().st_mode & 0o005 != 0o005:
        return False
    for path in folder.iterdir():
        about = path.lstat()
        wanted = 0o005 if stat.S_ISDIR(about.st_mode) else 0o004
        if not stat.S_ISLNK(about.st_mode) and about.st_mode & wanted != wanted:
            return False
    return True
