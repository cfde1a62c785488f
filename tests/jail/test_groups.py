"""Control groups: where they are made, and that what is left of killed runners is swept away."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from botyard.jail import groups
from botyard.jail.groups import PREFIX, group_parents, make_group, sweep, unified_parent
from botyard.jail.limits import Limits

NOBODYS_PID = 2**22 + 1  # larger than any


def tree(root: Path, **handed_on: str) -> Path:
    """Folders as the kernel shows them under version 2; of each it is said what it hands on."""
    for path, controllers in handed_on.items():
        folder = root / path.replace("__", "/").strip("/")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.controllers").write_text("cpu memory pids")
        (folder / "cgroup.procs").write_text(f"{os.getpid()}\n{NOBODYS_PID}\n")
    return root


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(groups, "ROOT", tmp_path)
    return tmp_path


def test_ours_stand_beside_us_in_the_slice_that_hands_resources_on(root: Path) -> None:
    tree(root, user="cpu memory pids", user__session="")
    assert unified_parent(root / "user" / "session") == root / "user"
    assert not list(root.glob(f"**/{PREFIX}*"))  # nobody was moved about


def test_a_slice_that_does_not_count_memory_is_passed_by(root: Path) -> None:
    tree(root, __="cpu memory pids", user="pids", user__session="")
    assert unified_parent(root / "user" / "session") == root


def test_groups_of_a_runner_that_is_gone_are_swept_away(tmp_path: Path) -> None:
    gone, here = tmp_path / f"{PREFIX}{NOBODYS_PID}-abc", tmp_path / f"{PREFIX}{os.getpid()}-abc"
    gone.mkdir()
    here.mkdir()
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [here.name]


def test_a_group_made_here_is_limited_and_goes_without_a_trace() -> None:
    if not group_parents():
        pytest.skip("no control groups can be made here")
    group = make_group(Limits(memory_mb=64, processes=8))
    assert group is not None
    made = [folder for parent in group_parents().values() for folder in parent.glob(f"{PREFIX}{os.getpid()}-*")]
    assert made
    assert not group.killed_for_memory
    assert group.refused_processes == 0
    asyncio.run(group.leave())
    assert not any(folder.exists() for folder in made)
