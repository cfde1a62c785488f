"""Stamps: what makes compiled rules come out differently, and what does not."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.games import GAMES, load
from botyard.kernel import stamp as stamps
from botyard.kernel.chance import mixed
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.stamp import EDGES, KERNEL, home_of, sources, stamp, toolchain
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[2]
RULE_PARTS = ("layout", "rules", "bots")  # the parts of a game that are compiled, or make what is


def fresh_stamp(folder: Path) -> str:
    return stamp.__wrapped__(folder)


def new_game(folder: Path) -> Path:
    """The folder of a game of somebody else, in a package of its own."""
    (folder / "rules").mkdir(parents=True)
    for name in ("__init__", "facts", "scene", "rules/__init__", "rules/moves"):
        (folder / f"{name}.py").write_text("def rule():\n    pass\n")
    return folder


def test_an_edit_of_a_rule_changes_the_stamp_of_its_game_only(tmp_path: Path) -> None:
    chess, draughts = new_game(tmp_path / "chess"), new_game(tmp_path / "draughts")
    before = fresh_stamp(chess), fresh_stamp(draughts)
    (chess / "rules" / "moves.py").write_text("changed = True")
    assert fresh_stamp(chess) != before[0]
    assert fresh_stamp(draughts) == before[1]


def test_another_name_of_a_source_changes_the_stamp(tmp_path: Path) -> None:
    chess = new_game(tmp_path / "chess")
    before = fresh_stamp(chess)
    (chess / "rules" / "moves.py").rename(chess / "rules" / "steps.py")
    assert fresh_stamp(chess) != before


def test_an_edit_of_the_kernel_changes_every_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, chess = tmp_path / "kernel", new_game(tmp_path / "chess")
    shutil.copytree(KERNEL, kernel, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(stamps, "KERNEL", kernel)
    before = fresh_stamp(chess), fresh_stamp(kernel)
    (kernel / "chance.py").write_text("changed = True")
    assert fresh_stamp(chess) != before[0]
    assert fresh_stamp(kernel) != before[1]


def test_the_parts_that_speak_to_the_outside_do_not_count(tmp_path: Path) -> None:
    chess = new_game(tmp_path / "chess")
    before = fresh_stamp(chess)
    (chess / "files.py").write_text("changed = True")
    (chess / "wire").mkdir()
    (chess / "wire" / "lines.py").write_text("changed = True")
    assert fresh_stamp(chess) == before


def test_the_part_with_the_pictures_counts(tmp_path: Path) -> None:
    chess = new_game(tmp_path / "chess")
    before = fresh_stamp(chess)
    (chess / "scene.py").write_text("changed = True")
    assert fresh_stamp(chess) != before


@pytest.mark.parametrize("at", range(5), ids=["Python", "Numba", "llvmlite", "processor", "features"])
def test_another_machine_or_another_version_changes_the_stamp(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fresh_stamp(tmp_path)
    other = (*toolchain()[:at], "another", *toolchain()[at + 1 :])
    monkeypatch.setattr(stamps, "toolchain", lambda: other)
    assert fresh_stamp(tmp_path) != before


def test_the_processor_is_known_by_its_name_and_by_what_it_can_do() -> None:
    *_, name, features = toolchain()
    assert name
    assert features.count(",") > 10


def test_the_processor_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.config.CPU_NAME", "generic")
    monkeypatch.setattr("numba.config.CPU_FEATURES", "+sse2")
    assert toolchain.__wrapped__()[3:] == ("generic", "+sse2")


GAME = "import botyard; botyard.new('hive', seed=1).step('move NE')"


@pytest.mark.skipif(INTERPRETED, reason="compiles in processes of its own, whatever is done in this one")
def test_on_another_processor_rules_are_compiled_anew_and_that_is_said(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_", "NUMBA_", "COV"))}
    told = []
    for processor in ("x86-64-v2", "x86-64-v2", "x86-64-v3"):
        environment = {**clean, "BOTYARD_CACHE": str(tmp_path), "NUMBA_CPU_NAME": processor}
        command = [sys.executable, "-c", GAME]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=RUN_S)
        told.append("Compiling the rules of hive" in done.stderr)
    assert told == [True, False, True]


def imported(source: Path) -> Iterator[str]:
    """The modules and the names in them that a source imports when it is loaded or run."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def source_of(package: str, folder: Path, name: str) -> Path | None:
    """The file below a folder that a dotted name means, or a name in it."""
    below = name.removeprefix(f"{package}.").split(".") if name.startswith(f"{package}.") else None
    while below:
        for path in (folder.joinpath(*below).with_suffix(".py"), folder.joinpath(*below, "__init__.py")):
            if path.exists():
                return path
        below.pop()
    return None


def reached(game: str) -> tuple[set[Path], set[str]]:
    """Every source of a game that its rules import, one through another, and everything of ours beside."""
    book = load(game)
    waiting = [
        source for part in RULE_PARTS if (source := source_of(book.package, book.folder, f"{book.package}.{part}"))
    ]
    seen: set[Path] = set()
    outside: set[str] = set()
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        for name in imported(source):
            if inner := source_of(book.package, book.folder, name):
                waiting.append(inner)
            elif name.startswith("botyard.") and not name.startswith("botyard.kernel."):
                outside.add(name)
    return seen, outside


def test_rules_import_nothing_that_their_stamp_leaves_out(game: str) -> None:
    seen, outside = reached(game)
    counted = {source for source, _ in sources(load(game).folder)}
    assert len(seen) >= len(RULE_PARTS)
    assert not outside
    assert not {str(source) for source in seen - counted}


def test_the_kernel_imports_nothing_but_itself() -> None:
    ours = {name for source, _ in sources(KERNEL) for name in imported(source) if name.startswith("botyard.")}
    assert not {name for name in ours if not name.startswith("botyard.kernel")}


def test_no_rule_hides_in_the_parts_that_do_not_count() -> None:
    for game in GAMES:
        folder = load(game).folder
        left_out = {*folder.rglob("*.py")} - {source for source, _ in sources(folder)}
        assert {path.relative_to(folder).with_suffix("").parts[0] for path in left_out} <= set(EDGES)
        assert not [path for path in left_out if "@rule" in path.read_text()]


def test_a_rule_is_at_home_in_the_folder_of_its_game() -> None:
    for game in GAMES:
        book = load(game)
        for rule in (book.rules.step, book.bots.decide, book.loops.step_at):
            assert home_of(getattr(rule, "py_func", rule)) == book.folder


def test_a_rule_without_a_game_is_at_home_where_it_lies(tmp_path: Path) -> None:
    assert home_of(new_game) == Path(__file__).parent
    alone: dict[str, Any] = {}
    exec(compile("def mine(): pass", str(tmp_path / "mine.py"), "exec"), alone)
    assert home_of(alone["mine"]) == tmp_path.resolve()
    assert home_of(getattr(mixed, "py_func", mixed)) == KERNEL
