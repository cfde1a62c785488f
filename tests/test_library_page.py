"""The reference of the library is what the sources and the games say, and leaves nothing out."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.games import OWN_GAMES, load
from botyard.kernel.records import told_fields
from botyard.sim.drill import Drill

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
TOOL = ROOT / "tools/library_page.py"
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

CLASSES = [kind for kind in (getattr(botyard, name) for name in botyard.__all__) if isinstance(kind, type)]
ADAPTERS = [path for path in sorted((ROOT / "src/botyard/sim").glob("*.py")) if "\n__all__ = " in path.read_text()]


def section(title: str) -> str:
    """What stands below a heading, up to the next one that is as high."""
    marks = re.search(rf"^(#+) {re.escape(title)}$", PAGE, re.MULTILINE)
    assert marks, f"docs/library.md has no heading {title}"
    rest = PAGE[marks.end() :]
    following = re.search(rf"^#{{1,{len(marks[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def own_members(kind: type) -> set[str]:
    """The public attributes and methods that our own classes give to one, as Python sees them."""
    ours = [one for one in kind.__mro__ if one.__module__.startswith("botyard.")]
    names = {name for one in ours for name in [*vars(one), *inspect.get_annotations(one)]}
    return {name for name in names if not name.startswith("_") and not name.isupper()}


def test_the_page_is_the_one_that_sources_and_games_make(tmp_path: Path) -> None:
    subprocess.run([sys.executable, TOOL, tmp_path / "library.md"], check=True, timeout=60)
    made = (tmp_path / "library.md").read_text(encoding="utf-8")
    assert made == PAGE, "`make library` writes it anew"


def test_every_public_name_of_the_package_has_its_section() -> None:
    assert all(section(f"`botyard.{name}`").strip() for name in botyard.__all__)


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.stem)
def test_every_public_name_for_learners_has_its_section(adapter: Path) -> None:
    below = section(f"`botyard.sim.{adapter.stem}`")
    for node in ast.parse(adapter.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            assert all(f"\n#### `{name}`\n" in below for name in ast.literal_eval(node.value))


def test_all_that_learners_import_says_what_is_public() -> None:
    assert [path.stem for path in ADAPTERS] == ["drill", "gymnasium", "pettingzoo", "sb3", "torch"]


@pytest.mark.parametrize("kind", [*CLASSES, Drill], ids=lambda kind: str(kind.__name__))
def test_every_attribute_and_method_has_its_sentence(kind: type) -> None:
    below = section("`Drill`" if kind is Drill else f"`botyard.{kind.__name__}`")
    told = set(re.findall(r"^\| `(\w+)` \|", below, re.MULTILINE))
    told |= set(re.findall(r"^- `(?:\w+\.)?(\w+)\(.*\\\n  [A-Z]", below, re.MULTILINE))
    told |= set(re.findall(r"`(\w+): ", below))
    assert own_members(kind) <= told


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_game_has_all_its_fields_orders_settings_and_bots(name: str) -> None:
    book = load(name)
    below = section(book.facts.title)
    fields = told_fields(book.layouts(book.settings()).view)
    words = [*fields, *book.facts.orders, *vars(book.settings()), *book.settings.PRESETS, *book.bots.HOUSE_BOTS]
    assert not [word for word in words if f"`{word}`" not in below]
    assert all(sentence in below for sentence in book.bots.HOUSE_BOTS.values())


def test_links_within_the_page_lead_to_its_headings() -> None:
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(PAGE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors


def names_tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(TOOL.parent))
    return importlib.import_module("library_names")


def test_a_method_without_a_docstring_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    names = names_tool(monkeypatch)
    source = names.ModuleSource("shed", 'class Shed:\n    """Holds tools."""\n    def open(self): ...\n')
    with pytest.raises(LookupError, match=r"Shed\.open has no docstring"):
        list(names.methods(source, source.defined("Shed")))


def test_a_long_signature_is_broken_between_its_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    names = names_tool(monkeypatch)
    call = "f(" + ", ".join(f"parameter_{i}: tuple[int, str] = (1, 2)" for i in range(6)) + ") -> int"
    first, *rows, last = names.in_rows(call).splitlines()
    assert (first, last) == ("f(", ") -> int")
    assert max(map(len, rows)) <= names.LINE
    assert " ".join(row.strip() for row in rows) == call.removeprefix("f(").removesuffix(") -> int")
