"""Optional members stand in base classes: whoever looks one up by its name switches a rule off with a typo."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "botyard"

ALLOWED = {
    ("contest/store.py", "orig"),
    ("jail/location.py", "errno"),
    ("jail/location.py", "strerror"),
    ("kernel/bounded.py", "strerror"),  # of an error that may be one of several kinds
    ("cli/warm.py", "submodule_search_locations"),  # of a module's spec, which may be none
    ("kernel/cache.py", "__botyard_folder__"),
    ("kernel/cache.py", "__botyard_rule__"),  # marks of ours on a function of anybody
    ("kernel/cuda.py", "_ary"),
    ("kernel/cuda.py", "__cuda_array_interface__"),
    ("kernel/orders.py", "__cuda_array_interface__"),  # arrays of other libraries
    ("match/in_process.py", "__name__"),  # any callable is a bot, and some have a name
}
"""Lookups on things that are not ours, by module and member."""

UNSETTLED = (
    "kernel/loops.py",
    "kernel/rulebook.py",
    "kernel/settings.py",
    "contest/",
    "games/golden.py",
    "testing/",
    "jail/programs/",
)
"""Where rules and settings of games are still looked up by name, and programs that run without this package."""


def lookups(module: Path) -> list[tuple[str, str]]:
    """The members that a module looks up by a name it spells out."""
    name = str(module.relative_to(SOURCE))
    return [
        (name, str(node.args[1].value))
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
        and isinstance(node.args[1], ast.Constant)
    ]


def test_nothing_of_ours_is_looked_up_by_its_name() -> None:
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if "starters" not in path.parts]
    found = {lookup for module in modules for lookup in lookups(module)}
    assert {(where, what) for where, what in found - ALLOWED if not where.startswith(UNSETTLED)} == set()
