"""A yard on a Ray cluster of two machines, one of which dies: everything is recorded once, and nothing is shared."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.executors.cluster import RayCluster
from botyard.contest.executors.local import Local
from botyard.jail.limits import Level
from botyard.yard.data.tables import CLOSED, DONE, ENDED, FAULT, LEASED, MATCH, MATCH_TASK, PAIR, TASK, VOID, WORKER
from botyard.yard.keeping.verify import verify
from botyard.yard.work.hands_here import CALLED, HandsHere
from botyard.yard.work.workers import told_languages
from tests.contest.test_chaos import cluster, ray_workers  # noqa: F401  one is a fixture
from tests.waiting import bounded, finished
from tests.yard.league import League
from tests.yard.test_steward import open_yard, playing, serving
from tests.yard.test_yard_chaos import SOAK, YardStorm

LONGEST_S = 300.0


async def in_the_end(happened: Callable[[], Any]) -> None:
    """A machine of Ray takes its time to come."""
    async with bounded(LONGEST_S, "it did not happen"):
        while not happened():
            await asyncio.sleep(0.1)


@pytest.mark.long
def test_a_machine_that_dies_loses_nothing_of_a_ladder(tmp_path: Path, cluster: Any) -> None:  # noqa: F811
    yard = open_yard(f"sqlite:///{tmp_path / 'yard.db'}", tmp_path)
    league = League(yard)
    playing(league, "Ant")

    def closed() -> int:
        return sum(pair.state == CLOSED for pair in league.rows(PAIR))

    def hire() -> HandsHere:
        return HandsHere(RayCluster(0, cluster.address, Level.CAGED, languages=True), Local(1, CALLED))

    async def play() -> None:
        async with serving(yard, hire, sampled=2) as steward:
            await in_the_end(lambda: closed() and steward.samples.compared)
            with yard.database.reading() as connection:
                told = told_languages(connection)
            assert [one.name for one in told[0] if not one.trouble and one.name == "python"] == ["python"]
            await in_the_end(lambda: len(steward.load.running))
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
            before = closed()
            await in_the_end(lambda: closed() >= before + 3)

    finished(play(), 3 * LONGEST_S)
    matches = league.rows(MATCH)
    assert not [match.reason for match in matches if match.state == VOID]
    done = [match.id for match in matches if match.state == DONE]
    ended = [task.match for task in league.rows(TASK) if task.kind == MATCH_TASK and task.state == ENDED]
    assert sorted(ended) == sorted(done)
    otherwise = [fault.reason for fault in league.rows(FAULT) if fault.match is not None]
    assert not otherwise, "no match goes otherwise elsewhere"
    assert {worker.name for worker in league.rows(WORKER)} >= {"worker 1", "worker 2", f"{CALLED} 1"}
    assert verify(yard).troubles == []


class RayStorm(YardStorm):
    """The same with workers on a cluster, a machine of which dies in the middle."""

    games, strikes, workers = (500, 50, 2) if SOAK else (10, 4, 2)

    def __init__(self, cluster: Any, above: Path) -> None:  # noqa: F811
        self.cluster, self.machines = cluster, len(cluster.worker_nodes)
        self.running = f'executor = "ray"\naddress = "{cluster.address}"\n'
        super().__init__(None, above)

    def worker_processes(self, process: subprocess.Popen[bytes]) -> list[int]:
        return ray_workers(self.cluster)

    def strike(self, process: subprocess.Popen[bytes]) -> None:
        if sum(self.killed.values()) == self.strikes // 2 and len(self.cluster.worker_nodes) == self.machines:
            self.await_games(process)
            self.cluster.remove_node(next(iter(self.cluster.worker_nodes)), allow_graceful=False)
        super().strike(process)


@pytest.mark.long
def test_a_storm_over_a_yard_on_a_cluster(tmp_path: Path, cluster: Any) -> None:  # noqa: F811
    for _ in range(2 - len(cluster.worker_nodes)):
        cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
    storm = RayStorm(cluster, tmp_path)
    storm.blow()
    assert verify(storm.yard).troubles == []
    assert storm.count(TASK, LEASED) == 0
    assert storm.count(MATCH, VOID) == 0
    assert storm.killed["server"] >= 2
    assert storm.killed["worker"] >= 2
    storm.check_nothing_left()
