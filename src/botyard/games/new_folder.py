"""Writing the folders that an author starts from: a new bot or a new game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from botyard.kernel.errors import YardError


def fill_new_folder(target: Path, contents: Mapping[str, bytes]) -> None:
    """Writes files, given by their paths inside the folder, which must be new or empty: nothing is overwritten."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise YardError(f"{target} is not empty", hint="name a new folder; existing files are never overwritten")
        for path, content in contents.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(content)
    except OSError as error:
        raise YardError(f"cannot write {target}", hint=error.strerror or str(error)) from None
