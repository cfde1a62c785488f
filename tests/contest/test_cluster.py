"""What Ray is asked for, without a cluster; `test_chaos.py` has one."""

from __future__ import annotations

import itertools
import signal
import stat
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from botyard.contest.executors import Event, Lost, Signed, cluster
from botyard.contest.executors.cluster import PATIENCE, SIGNS, RayCluster, end
from botyard.contest.executors.parcels import opened_work
from botyard.contest.messages import Share, Sign
from botyard.contest.runner import GivenUp
from botyard.contest.travelling import Travellers, TravellingBot
from botyard.contest.worker_facts import own_facts
from botyard.jail.canonical import Source
from botyard.jail.limits import Level
from botyard.kernel.errors import YardError
from tests.contest.yard import QUICK, plan_of, run_contest
from tests.waiting import PATIENCE_S, ending, finished, in_time


class Refusing:
    """Stands in for Ray, which takes ten seconds to start: notes how it is asked, and refuses."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}
        self.mode = 0

    def is_initialized(self) -> bool:
        return False

    def init(self, **told: Any) -> None:
        self.told = told
        if "_temp_dir" in told:
            self.mode = stat.S_IMODE(Path(told["_temp_dir"]).stat().st_mode)
        raise FileNotFoundError("no such thing")

    def shutdown(self) -> None:
        self.told["ended"] = True


HERE = {**own_facts("a machine", 77, languages=False), "machine": "ants"}
"""What a worker of this very installation tells."""


class Failing:
    """Stands in for a Ray whose every worker dies before it is there."""

    class exceptions:  # noqa: N801  as Ray has it
        class RayError(Exception):
            pass

    def __init__(self) -> None:
        self._hired = 0
        self.told: dict[str, Any] = {}

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **told: Any) -> Any:
        """What Ray makes of a class, of an actor and of its methods is asked for with the same word."""
        self.told = told
        return lambda _: SimpleNamespace(remote=self._hire)

    def _hire(self) -> Any:
        self._hired += 1
        return SimpleNamespace(
            ready=SimpleNamespace(remote=lambda languages, number=self._hired: f"call {number}"),
            play=SimpleNamespace(remote=lambda *told, number=self._hired: f"play {number}"),
            news=SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: "news")),
        )

    def wait(self, calls: list[str], num_returns: int, timeout: float) -> tuple[list[str], list[str]]:
        told = [call for call in calls if call != "news"]
        return told[:num_returns], [*told[num_returns:], "news"]

    def get(self, call: str) -> Any:
        raise self.exceptions.RayError(f"{call}:\nno module named botyard")

    def kill(self, process: object) -> None:
        pass


def heard(workers: RayCluster) -> list[Event]:
    return finished(workers.wait(0))


def test_a_cluster_on_which_no_worker_starts_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Failing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    given_up = RayCluster()
    for _ in range(PATIENCE):
        assert heard(given_up) == []
    with pytest.raises(YardError, match="no worker could be started on the Ray cluster") as told:
        heard(given_up)
    assert "no module named botyard" in told.value.hint


class Recovering(Failing):
    """Stands in for a Ray whose workers come now and then, and never play to the end."""

    def __init__(self) -> None:
        super().__init__()
        never = [False] * PATIENCE
        self._come = iter([*never, True, False, *never])

    def get(self, call: str) -> Any:
        return HERE if next(self._come) else super().get(call)


def test_a_cluster_on_which_a_worker_starts_at_last_has_all_our_patience_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "load_ray", Recovering)
    workers = RayCluster(workers=1)
    for _ in range(PATIENCE + 1):
        assert heard(workers) == []
    workers.start("worker 1", Share(plan_of(tmp_path).brief, ()))
    [lost] = heard(workers)
    assert isinstance(lost, Lost)
    for _ in range(PATIENCE):
        assert heard(workers) == []


def test_a_worker_has_a_core_to_itself_and_answers_while_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Failing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    RayCluster(workers=1)
    assert ray.told == {"num_cpus": 1, "max_restarts": 0, "concurrency_groups": {SIGNS: 1}}


SIGN = Sign(7, 5, {"forager": "guard N"})


class Hanging(Failing):
    """Stands in for a Ray whose workers come, and never finish what they are given."""

    greeting: Any = HERE

    util = SimpleNamespace(
        scheduling_strategies=SimpleNamespace(NodeAffinitySchedulingStrategy=lambda machine, soft: machine)
    )

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[tuple[str, int]] = []
        self._calls = itertools.count()
        self.sent: list[bytes] = []
        self.given: list[Any] = []
        self.news: list[Any] = []

    def remote(self, scheduling_strategy: str = "", **_: Any) -> Any:
        def ending(process: int) -> str:
            self.ended.append((scheduling_strategy, process))
            return "end"

        process = SimpleNamespace(
            ready=SimpleNamespace(remote=lambda languages: f"ready {next(self._calls)}"),
            play=SimpleNamespace(remote=self._play),
            news=SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: f"news {next(self._calls)}")),
        )
        return lambda what: SimpleNamespace(remote=ending if what is end else lambda: process)

    def wait(self, calls: list[str], num_returns: int = 1, timeout: float = 0) -> tuple[list[str], list[str]]:
        told = [call for call in calls if not call.startswith("play") and (not call.startswith("news") or self.news)]
        return told, [call for call in calls if call not in told]

    def get(self, call: str) -> Any:
        return self.news.pop() if call.startswith("news") else self.greeting

    def put(self, content: bytes) -> str:
        self.sent.append(content)
        return f"reference {len(self.sent)}"

    def _play(self, *given: Any) -> str:
        self.given.append(given)
        return f"play {len(self.given)}"


def test_a_worker_that_hangs_is_ended_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would let it keep its room for a while."""
    ray = Hanging()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    workers = RayCluster(workers=1)
    heard(workers)
    workers.start("worker 1", Share(plan_of(tmp_path).brief, ()))
    assert heard(workers) == []
    monkeypatch.setattr(cluster, "STALLED_S", -1.0)
    [lost] = heard(workers)
    assert isinstance(lost, Lost)
    assert ray.ended == [("a machine", 77)]


def test_neither_signs_of_earlier_work_nor_none_are_signs_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News are answered beside the game, also by a worker whose game stands still."""
    ray = Hanging()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    workers = RayCluster(workers=1)
    heard(workers)
    workers.start("worker 1", Share(plan_of(tmp_path).brief, ()))
    ray.news = [[], [(0, SIGN)], [(1, SIGN), (1, SIGN)]]
    assert [event for _ in range(4) for event in heard(workers)] == 2 * [Signed("worker 1", SIGN)]
    monkeypatch.setattr(cluster, "STALLED_S", -1.0)
    ray.news = [[]]
    assert [type(event) for event in heard(workers)] == [Lost]


def test_only_a_worker_of_ray_is_ended() -> None:
    """Its number may be somebody else's by the time that it is told."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    with (
        ending(subprocess.Popen(["cat"], **pipes)) as other,  # type: ignore[call-overload]
        ending(subprocess.Popen(["ray::RayWorker"], executable="cat", **pipes)) as worker,  # type: ignore[call-overload]
    ):
        for process in (other, worker):
            assert process.stdin
            assert process.stdout
            process.stdin.write(b"here\n")
            assert in_time(process.stdout.readline) == b"here\n"  # it has its name by now
            end(process.pid)
        assert worker.wait(PATIENCE_S) == -signal.SIGKILL
    assert other.returncode == 0


def test_a_cluster_of_our_own_is_started_where_nobody_else_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an address Ray would join whatever cluster a file among the temporary ones names, whoever wrote that."""
    ray = Refusing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.1:6379")
    with pytest.raises(YardError, match="no Ray cluster can be started here"):
        RayCluster()
    assert ray.told["address"] == "local"
    assert ray.mode == 0o700
    assert ray.told["ended"]
    assert not Path(ray.told["_temp_dir"]).exists()


def test_a_cluster_that_is_named_is_joined_and_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Refusing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    with pytest.raises(YardError, match="no Ray cluster at 'auto'"):
        RayCluster(address="auto")
    assert ray.told["address"] == "auto"
    assert not {"_temp_dir", "_plasma_directory", "include_dashboard"} & set(ray.told)


def test_a_source_travels_once_and_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Hanging()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    workers = RayCluster(workers=2)
    heard(workers)
    source = Source.of(b"the files of a bot")
    share = Share(plan_of(tmp_path).brief, (), Travellers({"dir:a": TravellingBot("dir:a", source)}, {}))
    for worker in ("worker 1", "worker 2"):
        workers.start(worker, share)
    assert ray.sent == [b"the files of a bot"]
    for _, parcel, references in ray.given:
        assert b"the files of a bot" not in parcel
        assert references == {source.digest: "reference 1"}
        opened = opened_work(parcel, {source.digest: ray.sent[0]}.pop)
        assert opened == share
        assert opened.travellers.bots["dir:a"].source.content() == b"the files of a bot"
        with pytest.raises(KeyError):  # it was fetched just now, and not before
            opened.travellers.bots["dir:a"].source.content()


GAME = "hive"
OTHERS = [
    ({"botyard": "0.0.1"}, "ants runs Botyard 0.0.1, and this is"),
    ({"rules": {**own_facts("", 0, languages=False)["rules"], GAME: "99"}}, f"ants plays {GAME} by version 99"),
    ({"rules": {}}, f"ants does not have the game {GAME}"),
    ({"obstacles": {"caged": "bubblewrap is not installed"}}, "bots cannot be caged on ants: bubblewrap is not"),
    (None, "runs Botyard another version"),
]


@pytest.mark.parametrize(("told", "sentence"), OTHERS)
def test_a_worker_of_another_kind_is_refused_with_a_sentence_and_may_come_again(
    told: dict[str, Any] | None, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Hanging()
    ray.greeting = ("a machine", 77) if told is None else {**HERE, **told}
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    monkeypatch.setattr(cluster, "REFUSED_S", 0.0)
    workers = RayCluster(1, level=Level.CAGED)
    assert heard(workers) == []
    assert workers.idle() == []
    assert sentence in workers.refused()["worker 1"]
    ray.greeting = HERE
    heard(workers)
    assert (workers.idle(), workers.refused()) == (["worker 1"], {})


def test_machines_that_join_bring_more_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Hanging()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    monkeypatch.setattr(cluster, "GROWTH_S", -1.0)
    workers = RayCluster()
    ray.cluster_resources = lambda: {"CPU": 3.0}  # type: ignore[method-assign]
    heard(workers)
    assert workers.idle() == ["worker 1", "worker 2", "worker 3"]


def test_a_contest_that_no_worker_may_play_ends_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Hanging()
    ray.greeting = {**HERE, "botyard": "0.0.1"}
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    with pytest.raises(GivenUp, match="no worker of the cluster can play this contest") as told:
        run_contest(plan_of(tmp_path, QUICK.replace('"inline"', '"ray"')))
    assert "ants runs Botyard 0.0.1" in told.value.hint
