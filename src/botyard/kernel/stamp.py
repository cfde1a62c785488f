"""A stamp is a short hash that changes whenever compiled rules would come out differently.

Compiled rules depend on their sources, on the versions of Python, Numba and llvmlite, and on the processor. Each game
has a stamp of its own, over the kernel and the game's folder, so that an edit in one game leaves the others compiled.
A game may live in any package: its folder is the one that holds `facts.py`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

KERNEL = Path(__file__).resolve().parent
EDGES = ("wire", "files", "contest", "samples", "starters")  # the parts of a game that hold no rules


@cache
def stamp(folder: Path) -> str:
    """Returns the stamp of the rules in a folder, usually a game's; the kernel's sources are part of every stamp."""
    digest = hashlib.sha256("\n".join(toolchain()).encode())
    for source, name in [*sources(KERNEL), *(sources(folder) if folder != KERNEL else ())]:
        digest.update(name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def toolchain() -> tuple[str, ...]:
    """Returns what compiled code depends on beside its sources. Numba compiles for the processor that it runs on."""
    import llvmlite
    import numba
    from llvmlite import binding as untyped

    binding: Any = untyped
    config: Any = numba.config  # users may name another processor here
    name = config.CPU_NAME or binding.get_host_cpu_name()
    features = config.CPU_FEATURES or binding.get_host_cpu_features().flatten()
    return sys.version, numba.__version__, llvmlite.__version__, name, features


def sources(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yields the files below a folder that may hold rules or what they use, each with its relative name."""
    for source in sorted([*folder.rglob("*.py"), *folder.rglob("*.bin")]):  # weights become part of compiled rules
        below = source.relative_to(folder)
        if folder == KERNEL or below.with_suffix("").parts[0] not in EDGES:
            yield source, str(below)


def home_of(function: Callable[..., Any]) -> Path:
    """Returns the folder whose stamp holds for a rule: that of its game, or its own if it belongs to no game."""
    package = sys.modules.get(function.__globals__.get("__package__") or "")
    return game_folder(Path(package.__path__[0]) if package else Path(function.__code__.co_filename).parent)


def game_folder(folder: Path) -> Path:
    """Returns the folder of the game that a folder belongs to, or the folder itself if there is none."""
    start = folder.resolve()
    return next((around for around in packages_around(start) if (around / "facts.py").exists()), start)


def packages_around(folder: Path) -> Iterator[Path]:
    """Yields a folder and those above it, as long as they are packages."""
    while (folder / "__init__.py").exists():
        yield folder
        folder = folder.parent
