"""The runner is killed or interrupted at some moment: no bot outlives it, whatever held the bot."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from botyard.jail.cgroups import PREFIX, cgroup_parents, sweep
from tests.conftest import need
from tests.hostile.catalogue import HERE
from tests.links.yard import children

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
    time.sleep(0.05)
    say(good(line))
"""
MOMENTS_S = [random.Random(number).uniform(0, 1.5) for number in range(4)]  # from the first breath to mid-game
DEADLINE_S = 60.0


def processes_of(folder: Path) -> list[int]:
    """Processes whose command line names the folder; those in cages are seen from here as well."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(folder) in (entry / "cmdline").read_bytes().decode("utf-8", "replace"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def start(folder: Path, game: str, options: list[str]) -> subprocess.Popen[str]:
    (folder / "bot.py").write_text(BOT)
    (folder / "wire.py").write_text((HERE / "wire.py").read_text())
    botyard = str(Path(sys.executable).parent / "botyard")
    bot = f"cmd:{sys.executable} -B {folder / 'bot.py'}"
    return subprocess.Popen(
        [botyard, "play", game, bot, bot, "--seed", "4", *options], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "BOTYARD_RULES": "interpreted"},
    )  # fmt: skip


def wait_for_bots(runner: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while len(children(runner.pid)) < 2:
        assert runner.poll() is None, runner.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def nobody_is_left(folder: Path) -> bool:
    deadline = time.monotonic() + DEADLINE_S
    while left := processes_of(folder):
        if time.monotonic() > deadline:
            pytest.fail(f"left running: {left}")
        time.sleep(0.02)
    return True


def groups_can_be_swept(runner: int) -> bool:
    """As the next runner does; the kernel may take a moment to let go of the dead."""
    deadline = time.monotonic() + DEADLINE_S
    for parent in cgroup_parents().values():
        while list(parent.glob(f"{PREFIX}{runner}-*")):
            assert time.monotonic() < deadline
            sweep(parent)
            time.sleep(0.02)
    return True


@pytest.mark.parametrize("options", [[], ["--freeze"], ["--open"]], ids=["caged", "frozen", "open"])
@pytest.mark.parametrize(("game", "moment_s"), list(zip(["hackman", "hive"] * 2, MOMENTS_S, strict=True)))
def test_a_killed_runner_takes_its_bots_along(tmp_path: Path, game: str, moment_s: float, options: list[str]) -> None:
    need("bwrap")
    runner = start(tmp_path, game, options)
    wait_for_bots(runner)
    time.sleep(moment_s)
    assert processes_of(tmp_path)
    runner.kill()
    runner.communicate(timeout=DEADLINE_S)
    assert nobody_is_left(tmp_path)
    assert groups_can_be_swept(runner.pid)


@pytest.mark.parametrize("moment_s", MOMENTS_S[:2])
@pytest.mark.parametrize("options", [[], ["--open"]], ids=["caged", "open"])
def test_an_interrupted_runner_ends_its_bots_and_says_nothing(
    tmp_path: Path, moment_s: float, options: list[str]
) -> None:
    need("bwrap")
    runner = start(tmp_path, "hackman", options)
    wait_for_bots(runner)
    time.sleep(moment_s)
    runner.send_signal(signal.SIGINT)
    _, errors = runner.communicate(timeout=DEADLINE_S)
    assert runner.returncode == 130, errors
    assert "Traceback" not in errors
    assert nobody_is_left(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".pyc") == ["bot.py", "wire.py"]
