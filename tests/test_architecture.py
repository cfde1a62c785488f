"""The house keeps its order: a folder uses what stands above it, never what stands below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "botyard"

# Top to bottom (ARCHITECTURE.md). Folders that do not exist yet have their place already.
HOUSE = [
    "kernel",
    "games",
    "render",
    "rank",
    "jail",
    "match",
    "links",
    "contest",
    "sim",
    "testing",
    "client",
    "yard",
    "cli",
]

MODULES = sorted(SOURCE.rglob("*.py"))


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def floor(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if parts[0] == "botyard" and len(parts) > 1 and parts[1] in HOUSE else None


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_folder_uses_only_what_stands_above_it(module: Path) -> None:
    own = module.relative_to(SOURCE).parts[0]
    if own not in HOUSE:
        return  # the package's front door reaches everywhere
    below = [name for name in imports(module) if (used := floor(name)) and HOUSE.index(used) > HOUSE.index(own)]
    assert not below, f"{own} uses {below}"


def test_one_game_does_not_use_another() -> None:
    games = [folder for folder in (SOURCE / "games").iterdir() if (folder / "facts.py").exists()]
    for folder in games:
        for module in folder.rglob("*.py"):
            others = [name for name in imports(module) if any(f"games.{o.name}" in name for o in games if o != folder)]
            assert not others, f"{module} imports {others}"


def test_files_stay_small_enough_to_read() -> None:
    folders = [ROOT / name for name in ("src", "tests", "bench", "tools", "examples")]
    written = [path for folder in folders for path in folder.rglob("*.py")]
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in written}
    assert not {name: size for name, size in sizes.items() if size > 400}
