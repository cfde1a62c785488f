"""Breaks the rules of games one at a time and lists the mutants no test notices: `make mutants [GAMES="hive …"]`.

Rules run interpreted, each mutant in a forked child that has the imports behind it already, with the game's own tests
until the first failure. A test that takes far longer than usual has noticed something too: a game that never ends. A
mutant that survives is a missing test, unless `survivors.toml` says why it does not matter.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

os.environ["BOTYARD_RULES"] = "interpreted"

ROOT = Path(__file__).parents[1]
SURVIVORS = Path(__file__).parent / "survivors.toml"
LATE = ("test_laws.py", "test_bots.py", "test_files.py")  # tests that take long come after those that tell quickly
PATIENCE = 10  # times the processor seconds a test usually takes
PATIENCE_S = 3  # on top of that
COLLECTING_S = 20  # processor seconds until the first test; some tests play a game to know their cases

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one rule source."""

    game: str
    module: str
    path: Path
    line: int
    text: str  # the line as it stands
    change: str
    source: str  # the whole changed module


def sources(game: str) -> list[Path]:
    """The rule sources of a game: rules.py, or the package of that name."""
    folder = ROOT / "src" / "botyard" / "games" / game
    package = folder / "rules"
    return sorted(package.glob("*.py")) if package.is_dir() else [folder / "rules.py"]


def mutants(game: str) -> Iterator[Mutant]:
    for path in sources(game):
        text = path.read_text()
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for at in range(len(places(ast.parse(text)))):
            tree = ast.parse(text)
            node, change = places(tree)[at]
            line = getattr(node, "lineno", 0)
            said = apply(node, change)
            yield Mutant(game, module, path, line, text.splitlines()[line - 1].strip(), said, ast.unparse(tree))


def places(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """Every place that can be changed, with the kind of change."""
    found: list[tuple[ast.AST, str]] = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(ast.Module(function.body, [])):
            if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
                found.append((node, "compare"))
            elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
                found.append((node, "arithmetic"))
            elif isinstance(node, ast.BoolOp):
                found.append((node, "logic"))
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                found.append((node, "not"))
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                found.append((node, "number"))
            elif isinstance(node, (ast.If, ast.For, ast.While)):
                found.extend((child, "drop") for child in [*node.body, *node.orelse] if droppable(child))
        found.extend((child, "drop") for child in function.body if droppable(child))
    return found


def droppable(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)  # a docstring is no rule
    return isinstance(node, (ast.Assign, ast.AugAssign)) and isinstance(target_of(node), (ast.Attribute, ast.Subscript))


def target_of(node: ast.Assign | ast.AugAssign) -> ast.expr:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


def apply(node: ast.AST, change: str) -> str:
    """Changes the node in place and says how."""
    before = ast.unparse(node)
    if change == "compare":
        assert isinstance(node, ast.Compare)
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif change == "arithmetic":
        assert isinstance(node, (ast.BinOp, ast.AugAssign))
        node.op = ARITHMETIC[type(node.op)]()
    elif change == "logic":
        assert isinstance(node, ast.BoolOp)
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif change == "not":
        assert isinstance(node, ast.UnaryOp)
        node.op = ast.UAdd()
    elif change == "number":
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, int)
        node.value += 1
    else:
        dropped = ast.parse("0").body[0]
        node.__class__, node.__dict__ = type(dropped), {**node.__dict__, **dropped.__dict__}
        return f"without {before}"
    return f"{before} → {ast.unparse(node)}"


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed source when the rule module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:  # fmt: skip  # noqa: E501
        if name != self._mutant.module:
            return None
        source = self._mutant.path
        package = source.name == "__init__.py"
        found = importlib.util.spec_from_loader(name, self, origin=str(source), is_package=package)
        if found is not None and package:
            found.submodule_search_locations = [str(source.parent)]
        return found

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._mutant.source, str(self._mutant.path), "exec"), module.__dict__)


class Patience:
    """A pytest plugin that ends the process when a test takes far longer than it usually does."""

    def __init__(self, usual: dict[str, float]) -> None:
        self._usual, self.taken, self._began = usual, dict[str, float](), 0.0
        signal.setitimer(signal.ITIMER_VIRTUAL, COLLECTING_S)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._began = time.process_time()
        limit = PATIENCE_S + PATIENCE * self._usual.get(nodeid, 0) if self._usual else 0
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.taken[nodeid] = time.process_time() - self._began


def survivors(todo: Sequence[Mutant], usual: dict[str, float]) -> Iterator[Mutant]:
    """The mutants with which the game's tests pass; as many children at a time as there are cores."""
    waiting, running = list(reversed(todo)), dict[int, Mutant]()
    while waiting or running:
        while waiting and len(running) < len(os.sched_getaffinity(0)):
            mutant = waiting.pop()
            child = os.fork()
            if child == 0:
                os._exit(judge(mutant, Patience(usual)))
            running[child] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        if os.waitstatus_to_exitcode(status) == 0:
            yield mutant


def usual_seconds(game: str) -> dict[str, float] | None:
    """What each test takes without any change; None if they do not pass."""
    first = sources(game)[0]
    plain = replace(next(mutants(game)), source=ast.unparse(ast.parse(first.read_text())))
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        child = os.fork()
        if child == 0:
            patience = Patience({})
            status = judge(plain, patience)
            Path(report.name).write_text(json.dumps(patience.taken))
            os._exit(status)
        _, status = os.waitpid(child, 0)
        return None if status else {str(test): float(took) for test, took in json.load(report).items()}


def judge(mutant: Mutant, patience: Patience) -> int:
    """The exit status of the game's tests with this mutant for a rule module."""
    import pytest

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.meta_path.insert(0, Changed(mutant))
    folder = ROOT / "tests" / "games"
    golden = f"{folder / 'test_registry.py'}::test_the_golden_playthrough_comes_out_the_same[{mutant.game}]"
    tests = sorted((folder / mutant.game).glob("test_*.py"), key=lambda path: (path.name in LATE, path.name))
    # plain asserts: nobody reads the messages, and rewriting them takes longer than most mutants live
    words = ["-x", "-q", "--assert=plain", *(f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "cov"))]
    return int(pytest.main([*words, golden, *map(str, tests)], [patience]))


def explained() -> set[tuple[str, str, str]]:
    if not SURVIVORS.exists():
        return set()
    rows = tomllib.loads(SURVIVORS.read_text()).get("survivor", [])
    return {(row["game"], row["line"], row["change"]) for row in rows}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("games", nargs="*", help="all of them by default")
    words.add_argument("--only", default="", help="only mutants whose line contains this text")
    chosen = words.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    import hypothesis.strategies  # noqa: F401 - imported once, for all children
    import numpy  # noqa: F401
    import pytest  # noqa: F401

    from botyard.games import GAMES

    known, left = explained(), 0
    for game in chosen.games or GAMES:
        todo = [mutant for mutant in mutants(game) if chosen.only in mutant.text]
        usual = usual_seconds(game)
        if usual is None:
            print(f"{game}: its tests fail without any mutant; mend them first")
            return 2
        for mutant in survivors(todo, usual):
            if (game, mutant.text, mutant.change) not in known:
                left += 1
                print(f"{mutant.module}:{mutant.line}: {mutant.change}\n    {mutant.text}", flush=True)
        print(f"{game}: {len(todo)} mutants tried", flush=True)
    print(f"{left} unexplained survivors")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
