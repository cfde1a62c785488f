"""A storm over a contest: workers and the runner are killed at random, and faults of ours are drilled on the way."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from botyard.contest.messages import DRILL
from botyard.contest.reading import read_plan
from botyard.contest.store_file import StoreFile
from tests.contest.yard import bot_file, games_of, run_contest, table_of, write

LEAGUE = """
title = "In the storm"
game = "hive"
seed = 11
[settings]
max_turns = 30
[time]
reply_timeout_ms = 600000
[bots]
forager = "house:forager"
raider = "house:raider"
idler = "py:bots/idler/idler.py"
[format]
kind = "round_robin"
bouts = BOUTS
swap = "same_seed"
[run]
executor = EXECUTOR
attempts = 50
"""
IDLERS = Path("bots/idler")  # all that the idler sees
STORM = "storm"  # a file in there: as long as it lies there, games with the idler take their time
IDLER = f"""
import pathlib, time

def decide(view):
    if pathlib.Path(__file__).with_name({STORM!r}).exists():
        time.sleep(0.1)
    return 'guard N'
"""
LONGEST_S = 900.0
CONTEST_RUN = [sys.executable, "-c", "from botyard.cli import main; main()", "contest", "run", "--quiet"]


@dataclass
class Storm:
    """Strikes until enough has been killed, then lets the contest end."""

    folder: Path
    name: str  # of the contest file
    executor: str  # the lines of [run] that name it
    bouts: int
    strikes: int
    drill: int
    workers: Callable[[int], list[int]]  # the worker processes, given that of the runner
    seed: int = 1
    killed: dict[str, int] = field(default_factory=lambda: {"worker": 0, "runner": 0})

    def blow(self) -> None:
        path = self.prepare()
        dice, deadline = random.Random(self.seed), time.monotonic() + LONGEST_S
        with self.rising():
            while self._run(path, dice, deadline) != 0:
                pass
        assert sum(self.killed.values()) >= self.strikes, f"only {self.killed}"
        self.check(path)

    @contextlib.contextmanager
    def rising(self) -> Iterator[None]:
        (self.folder / IDLERS / STORM).touch()
        try:
            yield
        finally:
            self.abate()

    def abate(self) -> None:
        """Enough was struck: what is left is played quickly."""
        (self.folder / IDLERS / STORM).unlink(missing_ok=True)

    def prepare(self) -> Path:
        """Plays the contest of a calm day, unless that was done, and writes the file of the other."""
        bot_file(self.folder, "idler", IDLER)
        calm = read_plan(write(self.folder, self._text('"inline"'), "calm.toml"))
        if not calm.store_path.exists():
            run_contest(calm, seconds=LONGEST_S)
        return write(self.folder, self._text(self.executor), self.name)

    def check(self, path: Path) -> None:
        plan, calm = read_plan(path), read_plan(self.folder / "calm.toml")
        with StoreFile.open(plan.store_path) as store:
            counts, faults = store.counts(), {row.number: row.faults for row in store.rows()}
        assert counts.all == counts.done == 6 * self.bouts, "games asked = games recorded"
        assert all(faults[number] > 0 for number in range(self.drill, counts.all + 1, self.drill)), "drilled or lost"
        assert [number for number, *_ in games_of(plan)] == list(range(1, counts.all + 1)), "nothing twice"
        assert games_of(plan) == games_of(calm)
        assert table_of(plan) == table_of(calm)

    def _text(self, executor: str) -> str:
        return LEAGUE.replace("BOUTS", str(self.bouts)).replace("EXECUTOR", executor)

    def _run(self, path: Path, dice: random.Random, deadline: float) -> int:
        """One run of the command, struck at random moments while strikes are left."""
        with runner(path, self.drill) as process:
            while process.poll() is None:
                assert time.monotonic() < deadline, f"not over after {self.killed}"
                if sum(self.killed.values()) >= self.strikes:
                    self.abate()
                    return process.wait(LONGEST_S)
                time.sleep(dice.uniform(0.3, 1.5))
                self._strike(process, dice)
            return process.returncode

    def _strike(self, process: subprocess.Popen[bytes], dice: random.Random) -> None:
        workers = self.workers(process.pid)
        if not workers or process.poll() is not None:
            return  # it has not begun to play, or is over
        if dice.random() < 0.3:
            process.kill()
            process.wait(LONGEST_S)
            self.killed["runner"] += 1
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(dice.choice(workers), signal.SIGKILL)
            self.killed["worker"] += 1


@contextlib.contextmanager
def runner(path: Path, drill: int) -> Iterator[subprocess.Popen[bytes]]:
    """The command in a process of its own, at work where the contest lies; whatever becomes of the test, it ends."""
    command = [*CONTEST_RUN, str(path), "--resume", "--no-report"]
    environment = {**os.environ, DRILL: str(drill)}
    process = subprocess.Popen(
        command, env=environment, cwd=path.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        process.kill()
        _, said = process.communicate(timeout=LONGEST_S)
        if process.returncode not in (0, -9):
            sys.stderr.write(said.decode())


def children(parent: int, word: str) -> list[int]:
    """The child processes of a process whose command line has a word."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent and word in (stat.parent / "cmdline").read_text():
                found.append(int(stat.parent.name))
    return found


def living_in(folder: Path) -> list[str]:
    """Processes at work in a folder: number, state and command of each."""
    found = []
    for cwd in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if cwd.readlink() == folder:
                state = (cwd.parent / "stat").read_text().rpartition(")")[2].split()[0]
                command = (cwd.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found.append(f"{cwd.parent.name} {state} {command}")
    return found
