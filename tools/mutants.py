"""Breaks the rules of games one at a time and lists the mutants no test notices: `make mutants [GAMES="hive …"]`.

Rules run interpreted, each mutant in a forked child that has the imports behind it already, with the game's own tests
until the first failure. Tests that call the changed function come first, and among them those that are quick or have
noticed many mutants. A test that takes far longer than usual has noticed something too: a game that never ends. A
mutant that survives is a missing test, unless `survivors.toml` says why it does not matter.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import mmap
import os
import pickle
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest
    from rich.progress import Progress

os.environ["BOTYARD_RULES"] = "interpreted"

ROOT = Path(__file__).parents[1]
SURVIVORS = Path(__file__).parent / "survivors.toml"
OURS = ("botyard", "tests", "__")  # what depends on the rules is imported anew with every mutant
PATIENCE = 10  # times the processor seconds a test usually takes
PATIENCE_S = 3  # on top of that
SURVIVES = (0, 5)  # exit statuses of pytest: all tests passed, or there was none
QUICK_S = 0.5  # processor seconds of a test that is not slow
NOTE_BYTES = 4096  # shared with a child, which writes there what test it is at
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
    number: int  # among the mutants of its game, from 1
    module: str
    path: Path
    function: str
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
    number = 0
    for path in sources(game):
        text = path.read_text()
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for at in range(len(places(ast.parse(text)))):
            tree = ast.parse(text)
            node, change, function = places(tree)[at]
            line, number = getattr(node, "lineno", 0), number + 1
            said = apply(node, change)
            shown = text.splitlines()[line - 1].strip()
            yield Mutant(game, number, module, path, function, line, shown, said, ast.unparse(tree))


def places(tree: ast.Module) -> list[tuple[ast.AST, str, str]]:
    """Every place that can be changed, with the kind of change and the function it is in."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [(node, change, function.name) for function in functions for node, change in changes(function)]


def changes(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(ast.Module(function.body, [])):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            yield node, "compare"
        elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
            yield node, "arithmetic"
        elif isinstance(node, ast.BoolOp):
            yield node, "logic"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not"
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, "number"
        elif isinstance(node, (ast.If, ast.For, ast.While)):
            yield from ((child, "drop") for child in [*node.body, *node.orelse] if droppable(child))
    yield from ((child, "drop") for child in function.body if droppable(child))


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


@dataclass
class Habit:
    """What a test does without any change."""

    seconds: float  # of processor time
    calls: set[tuple[str, str]]  # functions of rules: path and name

    def meets(self, mutant: Mutant) -> bool:
        return (str(mutant.path), mutant.function) in self.calls

    def tells_quickly(self, mutant: Mutant) -> bool:
        return self.seconds < QUICK_S and self.meets(mutant)


class Watch:
    """A pytest plugin that learns the habits of all tests."""

    def __init__(self) -> None:
        self.habits: dict[str, Habit] = {}
        self._began, self._codes = 0.0, set[CodeType]()

    def pytest_runtest_logstart(self) -> None:
        self._began = time.process_time()
        self._codes.clear()
        sys.settrace(self._called)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        sys.settrace(None)
        calls = {(code.co_filename, code.co_name) for code in self._codes if "/rules" in code.co_filename}
        self.habits[nodeid] = Habit(time.process_time() - self._began, calls)

    def _called(self, frame: FrameType, event: str, arg: object) -> None:
        self._codes.add(frame.f_code)


class Hurry:
    """A pytest plugin: tests that may tell soon come first, and one that takes far too long ends the process."""

    def __init__(self, mutant: Mutant, habits: dict[str, Habit], noticed: Counter[str], note: mmap.mmap) -> None:
        self._mutant, self._habits, self._noticed, self._note = mutant, habits, noticed, note
        signal.setitimer(signal.ITIMER_VIRTUAL, COLLECTING_S)

    def pytest_configure(self) -> None:
        """Nobody reads what a law fails with: it need not be made small."""
        from hypothesis import Phase, settings

        settings.register_profile("mutants", settings.get_profile("botyard"), phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [test for test in items if test.nodeid in self._habits]
        items.sort(key=self._promise)

    def _promise(self, test: pytest.Item) -> tuple[bool, float]:
        habit = self._habits[test.nodeid]
        return not habit.meets(self._mutant), habit.seconds / (1 + self._noticed[test.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._note[:] = nodeid.encode().ljust(NOTE_BYTES, b"\0")[:NOTE_BYTES]
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S + PATIENCE * self._habits[nodeid].seconds)


def judged(todo: Sequence[Mutant], habits: dict[str, Habit], quick: bool) -> Iterator[tuple[Mutant, bool]]:
    """Every mutant with whether it survives the game's tests; as many children at a time as there are cores."""
    waiting, running, noticed = list(reversed(todo)), dict[int, tuple[Mutant, mmap.mmap]](), Counter[str]()
    try:
        while waiting or running:
            while waiting and len(running) < len(os.sched_getaffinity(0)):
                mutant, note = waiting.pop(), mmap.mmap(-1, NOTE_BYTES)
                wanted = {test: habit for test, habit in habits.items() if not quick or habit.tells_quickly(mutant)}
                child = os.fork()
                if child == 0:
                    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is for the parent to tell about
                    os._exit(judge(mutant, Hurry(mutant, wanted, noticed, note)))
                running[child] = mutant, note
            child, status = os.wait()
            mutant, note = running.pop(child)
            survives = os.waitstatus_to_exitcode(status) in SURVIVES
            if not survives:
                noticed[note[:].rstrip(b"\0").decode()] += 1
            yield mutant, survives
    finally:
        for child in running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def learn(game: str) -> dict[str, Habit] | None:
    """The habits of the game's tests; None if they do not pass. What they import is imported here as well."""
    first = sources(game)[0]
    plain = replace(next(mutants(game)), source=ast.unparse(ast.parse(first.read_text())))
    with tempfile.TemporaryFile() as report:
        child = os.fork()
        if child == 0:
            watch = Watch()
            status = judge(plain, watch)
            pickle.dump((watch.habits, [name for name in sys.modules if not name.startswith(OURS)]), report)
            report.flush()
            os._exit(status)
        _, status = os.waitpid(child, 0)
        if status:
            return None
        report.seek(0)
        habits, modules = pickle.load(report)
    for name in modules:
        with contextlib.suppress(ImportError):  # a module of some name that its package made up
            importlib.import_module(name)
    return dict(habits)


def judge(mutant: Mutant, plugin: Watch | Hurry) -> int:
    """The exit status of the game's tests with this mutant for a rule module."""
    import pytest

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.meta_path.insert(0, Changed(mutant))
    folder = ROOT / "tests" / "games"
    golden = f"{folder / 'test_registry.py'}::test_the_golden_playthrough_comes_out_the_same[{mutant.game}]"
    # plain asserts: nobody reads the messages, and rewriting them takes longer than most mutants live
    words = ["-x", "-q", "--assert=plain", *(f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "cov"))]
    return int(pytest.main([*words, golden, str(folder / mutant.game)], [plugin]))


def explained(game: str) -> Counter[tuple[str, str]]:
    """Survivors that do not matter, by line and change; one row explains one mutant."""
    rows = tomllib.loads(SURVIVORS.read_text())["survivor"]
    return Counter((row["line"], row["change"]) for row in rows if row["game"] == game)


def check(
    game: str, todo: Sequence[Mutant], habits: dict[str, Habit], quick: bool, bar: Progress
) -> tuple[int, Counter[tuple[str, str]]]:
    """Tells the survivors that nothing explains: how many they are, and the explanations that were not needed."""
    known, left, undone = explained(game), 0, {mutant.number for mutant in todo}
    task = bar.add_task(game, total=len(todo))
    try:
        for mutant, survives in judged(todo, habits, quick):
            undone.remove(mutant.number)
            bar.update(task, advance=1, refresh=True)
            if survives and known[mutant.text, mutant.change] > 0:
                known[mutant.text, mutant.change] -= 1
            elif survives:
                left += 1
                tell(f"{mutant.module}:{mutant.line}: {mutant.change}\n    {mutant.text}", bar)
    except KeyboardInterrupt:
        tell(f"{game}: stopped; go on with make mutants GAMES={game} FROM={min(undone)}", bar)
        raise
    tell(f"{game}: {len(todo)} mutants tried, {left} survivors unexplained", bar)
    return left, +known


def tell(text: str, bar: Progress) -> None:
    """Prints a finding, which may go to a file while the bar stays on the terminal."""
    bar.stop()
    print(text, flush=True)
    bar.start()


def progress_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    errors = Console(stderr=True)
    # refreshed by hand: a fork would cut a refreshing thread off, maybe while it holds a lock
    return Progress(
        *columns, console=errors, disable=not errors.is_terminal, transient=True, auto_refresh=False,
        redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("games", nargs="*", help="all of them by default")
    words.add_argument("--only", default="", metavar="TEXT", help="only mutants whose line contains this text")
    words.add_argument("--from", default=1, type=int, metavar="NUMBER", dest="first", help="skip those before it")
    words.add_argument(
        "--quick", action="store_true", help="quick tests of the function alone: lists more than survive"
    )
    chosen = words.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    import hypothesis.strategies  # noqa: F401 - imported once, for all children
    import numpy  # noqa: F401
    import pytest  # noqa: F401

    from botyard.games import GAMES

    left, bar = 0, progress_bar()
    for game in chosen.games or GAMES:
        every = list(mutants(game))
        todo = [mutant for mutant in every if chosen.only in mutant.text and mutant.number >= chosen.first]
        habits = learn(game)
        if habits is None:
            print(f"{game}: its tests fail without any mutant; mend them first")
            return 2
        with bar:
            unexplained, unneeded = check(game, todo, habits, chosen.quick, bar)
        left += unexplained
        for line, change in unneeded if len(todo) == len(every) else ():
            left += 1
            print(f"{game}: survivors.toml explains {change}, but no such mutant survives\n    {line}")
    return 1 if left else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
