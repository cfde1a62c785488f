"""After a storm of kills and faults of ours the table is that of a calm day."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.cli.contest.play import INTERRUPTED
from botyard.contest.executors import Done, Event, Lost, Signed
from botyard.contest.executors.cluster import RayCluster
from botyard.contest.messages import Job, Share
from botyard.contest.reading import read_plan
from tests.contest.chaos import CONTEST_RUN, LEAGUE, LONGEST_S, Storm, children, living_in, runner
from tests.contest.yard import bot_file, write
from tests.waiting import ending, finished, in_time, wait_until

SOAK = bool(os.environ.get("BOTYARD_SOAK"))  # `make soak`: 300 games and twelve kills, else a short storm
BOUTS, STRIKES, DRILL = (50, 12, 20) if SOAK else (3, 2, 6)


def spawned(runner: int) -> list[int]:
    return children(runner, "spawn_main")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the calm day is played once."""
    return tmp_path_factory.mktemp("storm")


def test_a_storm_over_local_workers(folder: Path) -> None:
    Storm(folder, "local.toml", '"local"\nworkers = 2', BOUTS, STRIKES, DRILL, spawned).blow()
    # workers whose runner was killed stop their bots and end
    wait_until(lambda: not living_in(folder), lambda: living_in(folder))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two machines, as far as Ray can tell."""
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    little = {"object_store_memory": 100 << 20}
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RAY_memory_monitor_refresh_ms", "0")  # what else fills this machine is no storm of ours
        cluster = cluster_utils.Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **little}
        )
        try:
            for _ in range(2):
                cluster.add_node(num_cpus=1, **little)
            yield cluster
        finally:
            cluster.shutdown()


def ray_workers(cluster: Any) -> list[int]:
    """The processes of the workers on all machines."""
    raylets = [node.all_processes["raylet"][0].process.pid for node in cluster.worker_nodes]
    return [process for raylet in raylets for process in children(raylet, "ray::RayWorker")]


def test_a_storm_over_a_ray_cluster_of_two_nodes(folder: Path, cluster: Any) -> None:
    executor = f'"ray"\naddress = "{cluster.address}"'
    Storm(folder, "ray.toml", executor, BOUTS, STRIKES, DRILL, lambda _: ray_workers(cluster)).blow()


def test_a_node_that_dies_loses_nothing(folder: Path, cluster: Any) -> None:
    executor = f'"ray"\naddress = "{cluster.address}"'
    storm = Storm(folder, "node.toml", executor, BOUTS, 0, DRILL, lambda _: [])
    path = storm.prepare()
    with storm.rising(), runner(path, DRILL) as process:
        wait_until(lambda: len(ray_workers(cluster)) >= 2 or process.poll() is not None)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
        storm.abate()
        assert process.wait(LONGEST_S) == 0
    storm.check(path)


ENDING = """
import signal, sys, time
from botyard.contest.executors.cluster import RayCluster

def end(*_):
    time.sleep(4)
    sys.exit(0)

signal.signal(signal.SIGTERM, end)
RayCluster(1, *sys.argv[1:])
print("joined", flush=True)
while True:
    signal.pause()
"""


@pytest.mark.long
@pytest.mark.parametrize("ours", [True, False])
def test_whoever_uses_a_cluster_has_its_own_time_to_end(cluster: Any, ours: bool) -> None:
    """Ray would abort it after three seconds."""
    command = [sys.executable, "-c", ENDING, *([] if ours else [cluster.address])]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        assert in_time(process.stdout.readline) == "joined\n"
        process.terminate()
        _, said = process.communicate(timeout=LONGEST_S)
    assert (process.returncode, said) == (0, "")


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A contest on a cluster of its own has begun; whatever becomes of it, nothing of the cluster is left."""
    text = LEAGUE.replace("py:bots/idler/idler.py", "house:wanderer")
    contest = write(tmp_path, text.replace("BOUTS", "1").replace("EXECUTOR", '"ray"\nworkers = 1'), "own.toml")
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as temporary:  # Ray needs a short name
        environment = {**os.environ, "TMPDIR": temporary}
        with ending(subprocess.Popen([*CONTEST_RUN, str(contest)], env=environment, cwd=tmp_path)) as process:
            wait_until(lambda: process.poll() is not None or any(Path(temporary).glob("by-ray-*")))
            yield process
        wait_until(lambda: not living_in(tmp_path), lambda: living_in(tmp_path))
        assert not list(Path(temporary).iterdir())


@pytest.mark.long
def test_a_contest_is_played_on_a_cluster_of_its_own(own_cluster: subprocess.Popen[bytes]) -> None:
    assert own_cluster.wait(LONGEST_S) == 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after_s", [0.0, 1.0, 2.0])
def test_a_cluster_is_stopped_while_it_starts(
    own_cluster: subprocess.Popen[bytes], after_s: float, number: signal.Signals
) -> None:
    time.sleep(after_s)  # one moment of many
    own_cluster.send_signal(number)
    assert own_cluster.wait(LONGEST_S) in (INTERRUPTED, 0)


SLOTH = """
import time

def decide(view):
    time.sleep(0.6)
    return 'guard N'
"""


def test_a_worker_that_takes_its_time_is_kept_and_one_that_hangs_is_replaced(
    folder: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game may take longer than a worker may be silent; a worker that says nothing for so long is not there."""
    monkeypatch.setattr("botyard.contest.executors.cluster.STALLED_S", 15.0)
    bot_file(folder, "sloth", SLOTH)
    text = LEAGUE.replace("idler", "sloth").replace("BOUTS", "1").replace("EXECUTOR", '"ray"')
    share = Share(read_plan(write(folder, text, "slow.toml")).brief, (Job(1, ("forager", "sloth"), 1, 2, 1),))
    executor = RayCluster(1, cluster.address)
    try:
        events = until(executor, Done, share)
        assert [type(event) for event in events if not isinstance(event, Signed)] == [Done]
        [process] = ray_workers(cluster)
        events = until(executor, Lost, share, lambda: os.kill(process, signal.SIGSTOP))
        assert "no sign of life" in str(events[-1])
        assert not executor.idle()
    finally:
        finished(executor.close())
    wait_until(lambda: state_of(process) in "XZ-", lambda: state_of(process))
    wait_until(lambda: not [one for one in living_in(folder) if "ray::" not in one], lambda: living_in(folder))


def state_of(process: int) -> str:
    """As the kernel names it; a dash where there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "-"


def until(executor: RayCluster, kind: type, share: Share, then: Callable[[], None] = lambda: None) -> list[Event]:
    """Has a share played, and what is heard of it up to an event of a kind."""
    deadline = time.monotonic() + 120
    while not executor.idle():
        assert finished(executor.wait(0.1)) == []
        assert time.monotonic() < deadline, "no worker"
    executor.start("worker 1", share)
    then()
    heard: list[Event] = []
    while not any(isinstance(event, kind) for event in heard):
        heard += finished(executor.wait(0.1))
        assert time.monotonic() < deadline, heard
    return heard
