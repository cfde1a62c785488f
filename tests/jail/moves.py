"""Moves of a Python bot: forked from a fork server, or each in a fresh one."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from botyard.jail.fork_server import ForkServer, NoForkServer
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.script import script_of
from botyard.jail.supervised import PASSED_ON
from botyard.jail.toolchains import INTERPRETER
from tests.waiting import PATIENCE_S, finished, soon

ROOT = Path(__file__).parents[2]
PYTHON = str(INTERPRETER)
TEXT = "..........\n.Y........\nY hp=10\n"

Told = tuple[int, bytes, str]  # status as subprocess counts it, output, words


async def make_moves(launch: Launch, count: int) -> list[Told]:
    script = script_of(launch)
    assert script is not None
    try:
        fork_server = await ForkServer.start(launch, script)
    except NoForkServer as reason:
        if trouble := obstacle(Level.CAGED):
            pytest.skip(f"{trouble}; {reason}")  # without namespaces there is nothing to test
        raise
    told = []
    try:
        for _ in range(count):
            move = fork_server.begin(TEXT.encode())
            output = b""
            while chunk := await soon(move.receive()):
                output += chunk
            fault = await move.judge()
            ending = fault.reason.rpartition(" ")[2] if fault else "0"
            status = -signal.Signals[ending].value if ending.startswith("SIG") else int(ending)
            told.append((status, output, move.said()))
            move.close()
    finally:
        await fork_server.stop()
    return told


def forked(command: Sequence[str], folder: Path, count: int = 1, level: Level = Level.OPEN) -> list[Told]:
    shows = {folder: folder} if level is Level.CAGED else {}
    return finished(make_moves(Launch(tuple(command), folder, level, Limits(), shows, callers=True), count))


def fresh(command: Sequence[str], folder: Path) -> Told:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    ran = subprocess.run(
        [*command, TEXT],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return ran.returncode, ran.stdout, ran.stderr.decode()
