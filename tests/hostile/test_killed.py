"""The runner is killed or interrupted at some moment: no bot outlives it, whatever held the bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from botyard.jail.cgroups import PREFIX, cgroup_parents, sweep
from tests.conftest import need
from tests.hostile.catalogue import HERE
from tests.links.yard import children
from tests.waiting import PATIENCE_S, ending, wait_until

# The name of its process, which can be read from outside the cage, says how often it was asked.
BOT = """
import os, signal, sys, time
sys.path.insert(0, os.path.dirname(__file__))
from wire import *
if os.fork() == 0:  # whoever is left alone does not go by itself
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)
begin()
for line in questions():
    open("/proc/self/comm", "w").write(f"asked {turn()}")
    time.sleep(0.05)
    say(good(line))
"""
LATER = "in the middle of the game"
MOMENTS = {"when they start": 0, "when they are first asked": 1, LATER: 12}


def processes_of(folder: Path) -> dict[int, str]:
    """Processes whose command line names the folder, and what they are called; also those in cages, seen from here."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(folder) in (entry / "cmdline").read_bytes().decode("utf-8", "replace"):
                found[int(entry.name)] = (entry / "comm").read_text().strip()
        except OSError:
            continue
    return found


@contextmanager
def playing(folder: Path, game: str, options: list[str], moment: str) -> Iterator[subprocess.Popen[str]]:
    """A runner of two bots that have got as far as a moment."""
    (folder / "bot.py").write_text(BOT)
    (folder / "wire.py").write_text((HERE / "wire.py").read_text())
    botyard = str(Path(sys.executable).parent / "botyard")
    bot = f"cmd:{sys.executable} -B {folder / 'bot.py'}"
    command = [botyard, "play", game, bot, bot, "--seed", "4", *options]
    environment = {**os.environ, "BOTYARD_RULES": "interpreted"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)  # type: ignore[call-overload]
    with ending(process) as runner:

        def got_there() -> bool:
            assert runner.poll() is None, runner.communicate(timeout=PATIENCE_S)
            if MOMENTS[moment] == 0:
                return len(children(runner.pid)) >= 2
            return f"asked {MOMENTS[moment]}" in processes_of(folder).values()

        wait_until(got_there, lambda: processes_of(folder))
        yield runner


def check_nobody_is_left(folder: Path) -> None:
    wait_until(lambda: not processes_of(folder), lambda: f"left running: {processes_of(folder)}")


def check_groups_can_be_swept(runner: int) -> None:
    """As the next runner does; the kernel may take a moment to let go of the dead."""

    def left() -> list[Path]:
        for parent in cgroup_parents().values():
            sweep(parent)
        return [group for parent in cgroup_parents().values() for group in parent.glob(f"{PREFIX}{runner}-*")]

    wait_until(lambda: not left(), left)


@pytest.mark.parametrize("options", [[], ["--freeze"], ["--open"]], ids=["caged", "frozen", "open"])
@pytest.mark.parametrize(
    ("game", "moment"), [*zip(["hackman", "hive", "hackman"], MOMENTS, strict=True), ("hive", LATER)]
)
def test_a_killed_runner_takes_its_bots_along(tmp_path: Path, game: str, moment: str, options: list[str]) -> None:
    need("bwrap")
    with playing(tmp_path, game, options, moment) as runner:
        runner.kill()
        runner.communicate(timeout=PATIENCE_S)
    check_nobody_is_left(tmp_path)
    check_groups_can_be_swept(runner.pid)


@pytest.mark.parametrize("moment", ["when they start", LATER])
@pytest.mark.parametrize("options", [[], ["--open"]], ids=["caged", "open"])
def test_an_interrupted_runner_ends_its_bots_and_says_nothing(tmp_path: Path, moment: str, options: list[str]) -> None:
    need("bwrap")
    with playing(tmp_path, "hackman", options, moment) as runner:
        runner.send_signal(signal.SIGINT)
        _, errors = runner.communicate(timeout=PATIENCE_S)
    assert runner.returncode == 130, errors
    assert "Traceback" not in errors
    check_nobody_is_left(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".pyc") == ["bot.py", "wire.py"]
