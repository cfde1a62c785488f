"""Runs tests against one mutant after another, each in a forked child, soonest the tests that may tell."""

from __future__ import annotations

import contextlib
import importlib
import mmap
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

import pytest
from mutations import Mutant

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / "src"
OURS = ("botyard", "tests", "__")  # what depends on the mutant is imported anew with every one
PATIENCE = 10  # times the seconds a test usually takes
PATIENCE_S = 3  # of processor time, on top of that
STANDSTILL_S = 20  # of the clock, on top of that: a test may wait for somebody who never comes
SURVIVES = (0, 5)  # exit statuses of pytest: all tests passed, or there was none
QUICK_S = 0.5  # processor seconds of a test that is not slow
NOTE_BYTES = 4096  # shared with a child, which writes there what test it is at
COLLECTING_S = 20  # processor seconds until the first test; some tests play a game to know their cases

Wanted = Callable[[Mutant], "dict[str, Habit]"]


@dataclass
class Habit:
    """What a test does without any change."""

    processor_s: float
    clock_s: float
    calls: set[tuple[str, str]]  # functions of ours: path and name
    fixtures_s: float  # processor seconds of its fixtures, which may have been set up for a test before it

    @property
    def is_quick(self) -> bool:
        return self.processor_s < QUICK_S

    def meets(self, mutant: Mutant) -> bool:
        return (str(mutant.path), mutant.function) in self.calls


class Watch:
    """A pytest plugin that learns the habits of all tests.

    What a shared fixture called, such as a game that several tests look at, belongs to each test that uses it. Tests
    take longer while they are watched, and some fail for it.
    """

    def __init__(self) -> None:
        self.habits: dict[str, Habit] = {}
        self.failing: set[str] = set()
        self._processor, self._clock, self._codes = 0.0, 0.0, set[CodeType]()
        self._fixtures: dict[str, tuple[set[CodeType], float]] = {}  # by name, as it was set up last
        self._fixtures_s = 0.0

    def pytest_runtest_logstart(self) -> None:
        self._processor, self._clock = time.process_time(), time.monotonic()
        self._codes.clear()
        self._fixtures_s = 0.0
        threading.settrace(self._called)  # what may take long is done in threads
        sys.settrace(self._called)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        before, self._codes, began = self._codes, set(), time.process_time()
        try:
            return (yield)
        finally:
            self._fixtures[fixturedef.argname] = self._codes, time.process_time() - began
            self._codes = before | self._codes

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        for name in getattr(item, "fixturenames", ()):
            codes, seconds = self._fixtures.get(name, (set(), 0.0))
            self._codes |= codes
            self._fixtures_s += seconds

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failing.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        sys.settrace(None)
        threading.settrace(None)
        ours = f"{PACKAGES}/"
        codes = self._codes.copy()  # a thread that lives on may add to it
        calls = {(code.co_filename, code.co_name) for code in codes if code.co_filename.startswith(ours)}
        processor_s, clock_s = time.process_time() - self._processor, time.monotonic() - self._clock
        self.habits[nodeid] = Habit(processor_s, clock_s, calls, self._fixtures_s)

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
        return not habit.meets(self._mutant), habit.clock_s / (1 + self._noticed[test.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._note[:] = nodeid.encode().ljust(NOTE_BYTES, b"\0")[:NOTE_BYTES]
        habit = self._habits[nodeid]
        # Of the fixtures the learnt time is enough: while habits are learnt everything takes several times as long.
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S + PATIENCE * habit.processor_s + habit.fixtures_s)
        signal.setitimer(signal.ITIMER_REAL, STANDSTILL_S + PATIENCE * (habit.clock_s + habit.fixtures_s))


@contextlib.contextmanager
def workshop() -> Iterator[Path]:
    """A folder for a mutant and all that its tests write; bots of other users find their way through it."""
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101
        yield Path(folder)


def lay_out(mutant: Mutant, folder: Path) -> None:
    """A copy of the package with the mutant in it. All else are links to the files themselves."""
    shutil.copytree(PACKAGES, folder / "src", copy_function=link_or_copy)
    changed = folder / "src" / mutant.path.relative_to(PACKAGES)
    changed.unlink()
    changed.write_text(mutant.source)


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


@dataclass
class Trial:
    """A child that runs the tests against one mutant."""

    mutant: Mutant
    note: mmap.mmap
    place: contextlib.AbstractContextManager[Path]

    def test(self) -> str:
        """The test it was at when it ended."""
        return self.note[:].rstrip(b"\0").decode()


def judged(tests: list[str], todo: Sequence[Mutant], wanted: Wanted, jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Every mutant with whether it survives the tests; so many children at a time."""
    waiting, running, noticed = list(reversed(todo)), dict[int, Trial](), Counter[str]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                child, trial = start_trial(tests, waiting.pop(), wanted, noticed)
                running[child] = trial
            child, status = os.wait()
            if child not in running:
                continue
            trial = running.pop(child)
            clear_up(child, trial)
            survives = os.waitstatus_to_exitcode(status) in SURVIVES
            if not survives:
                noticed[trial.test()] += 1
            yield trial.mutant, survives
    finally:
        for child, trial in running.items():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            clear_up(child, trial)


def start_trial(tests: list[str], mutant: Mutant, wanted: Wanted, noticed: Counter[str]) -> tuple[int, Trial]:
    note, place = mmap.mmap(-1, NOTE_BYTES), workshop()
    folder = place.__enter__()
    child = os.fork()
    if child == 0:
        os.setsid()  # so that what a killed test leaves running can be found
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is for the parent to tell about
        lay_out(mutant, folder)
        habits = wanted(mutant)
        os._exit(run_tests(files_of(habits) or tests, folder, Hurry(mutant, habits, noticed, note)))
    return child, Trial(mutant, note, place)


def files_of(habits: dict[str, Habit]) -> list[str]:
    """The files that these tests are in; loading others may take longer than most mutants live."""
    return sorted({test.partition("::")[0] for test in habits})


def clear_up(child: int, trial: Trial) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    trial.place.__exit__(None, None, None)


def learn(tests: list[str]) -> dict[str, Habit] | None:
    """The habits of the tests that pass; None if none does. What they import is imported here as well."""
    with tempfile.TemporaryFile() as report, workshop() as folder:
        child = os.fork()
        if child == 0:
            watch = Watch()
            status = run_tests(tests, folder, watch)
            modules = [name for name in sys.modules if not name.startswith(OURS)]
            pickle.dump((watch.habits, watch.failing, modules), report)
            report.flush()
            os._exit(0 if watch.failing else status)
        _, status = os.waitpid(child, 0)
        if status:
            return None
        report.seek(0)
        habits, failing, modules = pickle.load(report)
    for test in sorted(failing):
        print(f"left out, because it fails without any mutant: {test}", flush=True)
        habits.pop(test, None)
    for name in modules:
        with contextlib.suppress(ImportError):  # a module of some name that its package made up
            importlib.import_module(name)
    return dict(habits) or None


def run_tests(tests: list[str], folder: Path, plugin: Watch | Hurry) -> int:
    """The exit status of the tests, here and in what they start, against the copy in a folder if there is one."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if (folder / "src").exists():
        sys.path.insert(0, str(folder / "src"))
        os.environ["PYTHONPATH"] = str(folder / "src")
    # plain asserts: nobody reads the messages, and rewriting them takes longer than most mutants live
    without = (f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "cov"))
    words = ["-q", "--assert=plain", "--timeout=0", f"--basetemp={folder / 'tmp'}", *without]
    until = ["-x"] if isinstance(plugin, Hurry) else []  # one test that notices a mutant is enough
    return int(pytest.main([*words, *until, *tests], [plugin]))
