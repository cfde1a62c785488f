"""Folders drawn as text: `--- PATH` begins a file (`--- PATH*` one to execute), `--- PATH -> TARGET` is a link."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

MARK = "--- "


def drawn(folder: Path, text: str) -> Path:
    """Makes the folder that is drawn, and gives it back."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("\n" + dedent(text).lstrip()).split("\n" + MARK)[1:]:
        head, _, content = part.partition("\n")
        name, _, target = head.partition(" -> ")
        path = folder / name.removesuffix("*").strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        if target:
            path.symlink_to(target)
            continue
        path.write_text(content.rstrip("\n") + "\n" if content else "")
        if name.endswith("*"):
            path.chmod(0o755)
    return folder
