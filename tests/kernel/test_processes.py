"""A process is known by its number and its birth."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from botyard.kernel.processes import started
from tests.waiting import ending, in_time


def test_a_process_has_one_birth_and_no_other_has_the_same_number_and_birth() -> None:
    assert started(os.getpid()) == started(os.getpid()) != ""
    assert started(2**22 + 1) == ""


def test_a_birth_is_told_in_ticks_since_the_machine_was_started() -> None:
    with ending(subprocess.Popen(["cat"], stdin=subprocess.PIPE)) as child:
        born_s = int(started(child.pid)) / os.sysconf("SC_CLK_TCK")
        assert born_s == pytest.approx(time.clock_gettime(time.CLOCK_BOOTTIME), abs=60)


def test_who_has_ended_and_is_still_listed_was_never_born() -> None:
    with ending(subprocess.Popen(["true"], stdin=subprocess.DEVNULL)) as child:
        in_time(lambda: os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT))
        assert started(child.pid) == ""
