"""Folders that are written for somebody to begin with: a starter, or a game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from botyard.kernel.errors import YardError


def fill_new_folder(target: Path, contents: Mapping[str, bytes]) -> None:
    """Writes files, by their paths below a folder that is new or empty: nothing is ever written over."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise YardError(f"{target} is not empty", hint="name a new folder: nothing is ever written over")
        for path, content in contents.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(content)
    except OSError as error:
        raise YardError(f"cannot write {target}", hint=error.strerror or str(error)) from None
