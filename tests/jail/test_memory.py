"""The memory of a tree of processes."""

from __future__ import annotations

import os
import subprocess
import sys

from botyard.jail.memory import tree_bytes
from tests.waiting import ending, in_time

NOBODY = 2**22 + 1  # no process has so large a number
HELD = 50_000_000
HOLDING = f"import sys; held = b'x' * {HELD}; print('held', flush=True); sys.stdin.read()"


def test_a_process_that_has_ended_has_no_memory() -> None:
    assert tree_bytes(NOBODY) == 0


def test_what_a_child_holds_counts_for_whoever_started_it() -> None:
    before = tree_bytes(os.getpid())
    command = [sys.executable, "-c", HOLDING]
    with ending(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)) as child:
        assert child.stdout is not None
        assert in_time(child.stdout.readline) == b"held\n"
        assert HELD < tree_bytes(child.pid) < 3 * HELD
        assert tree_bytes(os.getpid()) > before + HELD // 2
