"""`botyard warm` compiles games in processes of their own: what they tell, and what becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from botyard.cli import warm
from botyard.kernel.errors import OurFault
from botyard.kernel.rulebook import LOOP_GROUPS, Rulebook
from tests.links.yard import children
from tests.waiting import PATIENCE_S, RUN_S, ending, wait_until

BOTYARD = Path(sys.executable).parent / "botyard"


def test_every_group_of_every_game_is_told() -> None:
    games = ["hive", "hackman", "battlebots"]
    told = list(warm.compiled_by_processes(games, partial(warm.compiled_groups, drills=True), 2))
    groups = (*LOOP_GROUPS, "drills")
    assert sorted(told) == sorted((game, group) for game in games for group in groups)


def test_a_cache_that_cannot_be_is_told_without_a_traceback(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.write_text("no folder")
    words = [str(BOTYARD), "warm", "hive", "hackman"]
    # no temporary files either: what is left is a limit on the size of any file
    script = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *words]
    environment = {**os.environ, "BOTYARD_CACHE": str(closed), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S)
    assert done.returncode == 2, done.stderr
    assert "no writable folder was found" in done.stderr
    assert "Traceback" not in done.stderr


def compile_endlessly(book: Rulebook) -> Iterator[str]:
    yield "table"
    while True:
        signal.pause()


def test_a_process_that_dies_is_our_fault_and_ends_the_others() -> None:
    told = warm.compiled_by_processes(["hive", "hackman"], compile_endlessly, 2)
    assert sorted([next(told), next(told)]) == [("hackman", "table"), ("hive", "table")]
    victim, other = (process for process in active_children() if process.name.startswith("SpawnProcess"))
    victim.kill()
    with pytest.raises(OurFault, match=r"failed \(exit status -9\): run `botyard warm h\w+`"):
        list(told)
    assert not other.is_alive()


def test_interrupting_ends_every_process(tmp_path: Path) -> None:
    environment = {**os.environ, "BOTYARD_CACHE": str(tmp_path)}
    command = [str(BOTYARD), "warm", "--quiet"]
    with ending(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)) as warming:
        wait_until(lambda: any(name.endswith(".lock") for _, _, names in os.walk(tmp_path) for name in names))
        started = children(warming.pid)
        warming.send_signal(signal.SIGINT)
        _, errors = warming.communicate(timeout=PATIENCE_S)
    assert warming.returncode == 130
    assert "Traceback" not in errors
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]
