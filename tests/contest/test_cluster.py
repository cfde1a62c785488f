"""What Ray is asked for, without a cluster; `test_chaos.py` has one."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.executors import cluster
from botyard.contest.executors.cluster import RayCluster
from botyard.kernel.errors import YardError
from tests.contest.yard import plan_of


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


def test_a_cluster_of_our_own_is_started_where_nobody_else_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an address Ray would join whatever cluster a file among the temporary ones names, whoever wrote that."""
    ray = Refusing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.1:6379")
    with pytest.raises(YardError, match="no Ray cluster can be started here"):
        RayCluster(plan_of(tmp_path).brief)
    assert ray.told["address"] == "local"
    assert ray.mode == 0o700
    assert not Path(ray.told["_temp_dir"]).exists()


def test_a_cluster_that_is_named_is_joined_and_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Refusing()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    with pytest.raises(YardError, match="no Ray cluster at 'auto'"):
        RayCluster(plan_of(tmp_path).brief, address="auto")
    assert ray.told["address"] == "auto"
    assert not {"_temp_dir", "_plasma_directory", "include_dashboard"} & set(ray.told)
