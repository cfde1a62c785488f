"""Control groups: where they are made, and that what is left of killed runners is swept away."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from botyard.jail import cgroups, handed_cgroups
from botyard.jail.cgroups import HYBRID, PREFIX, ROOT, cgroup_parents, make_cgroup, sweep, unified_parent
from botyard.jail.handed_cgroups import enter_site_groups, make_site_groups
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.program import Program
from botyard.kernel.processes import started
from tests.conftest import need
from tests.waiting import ending, finished, in_time, soon, until

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
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    return tmp_path


def test_ours_stand_beside_us_in_the_slice_that_hands_resources_on(root: Path) -> None:
    tree(root, user="cpu memory pids", user__session="")
    assert unified_parent(root / "user" / "session") == root / "user"
    assert not list(root.glob(f"**/{PREFIX}*"))  # nobody was moved about


def test_a_slice_that_does_not_count_memory_is_passed_by(root: Path) -> None:
    tree(root, __="cpu memory pids", user="pids", user__session="")
    assert unified_parent(root / "user" / "session") == root


def test_a_site_hands_resources_on_from_a_group_that_has_no_processes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(root, __="", user="cpu memory pids", user__session="")
    for module in (cgroups, handed_cgroups):
        monkeypatch.setattr(module, "own_cgroups", lambda: {"": root / "user" / "session"})
    left = root / "user" / f"{PREFIX}{NOBODYS_PID}-site" / "server"
    left.mkdir(parents=True)
    cgroup_parents.cache_clear()
    try:
        [folder] = make_site_groups(os.getuid(), os.getgid())
        (folder / "memory.max").touch()  # as the kernel does
        enter_site_groups([folder], os.getuid(), os.getgid())
    finally:
        cgroup_parents.cache_clear()
    assert folder == root / "user" / f"{PREFIX}{os.getpid()}-site"
    assert (folder / "server" / "cgroup.procs").read_text() == str(os.getpid())
    assert not (folder / "cgroup.procs").exists()
    assert "+memory" in (folder / "cgroup.subtree_control").read_text()
    assert not left.parent.exists(), "what a killed site left is removed"


def test_groups_of_a_runner_that_is_gone_are_swept_away(tmp_path: Path) -> None:
    here = {f"{PREFIX}{os.getpid()}-{started(os.getpid())}-abc", f"{PREFIX}{os.getpid()}-runner"}
    other = f"{PREFIX}{os.getpid()}-7-abc"  # of an earlier process with our number
    for name in (*here, other, f"{PREFIX}{NOBODYS_PID}-7-abc", f"{PREFIX}{NOBODYS_PID}-runner"):
        (tmp_path / name).mkdir()
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == here


def test_a_group_made_here_is_limited_and_goes_without_a_trace() -> None:
    if not cgroup_parents():
        pytest.skip("no control groups can be made here")
    group = make_cgroup(Limits(memory_mb=64, processes=8))
    assert group is not None
    made = [folder for parent in cgroup_parents().values() for folder in parent.glob(f"{PREFIX}{os.getpid()}-*")]
    assert made
    assert not group.killed_for_memory
    assert group.refused_processes == 0
    finished(group.leave())
    assert not any(folder.exists() for folder in made)


def test_a_machine_that_is_short_of_something_is_no_reason_to_do_without_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("botyard.jail.cgroups.cgroup_parents", lambda: {"": tmp_path})
    monkeypatch.setattr(Path, "write_text", short)
    with pytest.raises(OSError, match="Too many open files"):
        make_cgroup(Limits())
    assert list(tmp_path.iterdir()) == []


SPINNER = "import os; os.read(0, 1); [os.fork() for _ in range(3)]; os.write(1, b'!')\nwhile True: os.times()"


def test_who_is_frozen_runs_no_moment_longer() -> None:
    """Eight processes that never wait: the kernel stops each of them only when it next comes by."""
    group = make_cgroup(Limits(), freezes=True)
    if group is None or not group.can_freeze:
        pytest.skip("no control group can be frozen here: version 2 is needed, alone or beside version 1")
    command = [sys.executable, "-S", "-c", SPINNER]
    with ending(subprocess.Popen(command, stdin=PIPE, stdout=PIPE, start_new_session=True, bufsize=0)) as spinner:
        assert spinner.stdin
        assert spinner.stdout
        read = spinner.stdout.read
        finished(group.admit(spinner.pid))
        spinner.stdin.write(b"!")
        begun = b""
        while len(begun) < 8:
            begun += in_time(lambda: read(8))

        async def freeze_again_and_again() -> list[bool]:
            stood = []
            for _ in range(20):
                await group.freeze(True)
                stood.append(group.frozen)
                await group.freeze(False)
            return stood

        try:
            assert finished(freeze_again_and_again()) == [True] * 20
            assert not group.frozen
        finally:
            os.killpg(spinner.pid, signal.SIGKILL)
    finished(group.leave())


def test_where_no_cgroup_counts_memory_it_is_counted_by_us(monkeypatch: pytest.MonkeyPatch) -> None:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    monkeypatch.setattr(cgroups.Cgroup, "holds_memory", False)
    hold = "held = b'x' * 100_000_000; print('held', flush=True); import time; time.sleep(600)"

    async def hold_memory() -> None:
        launch = Launch((sys.executable, "-c", hold), Path("/tmp"), Level.CAGED, callers=True)
        program = await Program.start(launch, piped=True)
        assert isinstance(program, Program), program
        try:
            assert await soon(program.inbox.receive()) == b"held\n"
            await until(lambda: program.peak_mb > 90)
        finally:
            await program.stop()

    finished(hold_memory())


def test_version_2_alone_holds_a_whole_cage_and_lets_go_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real hierarchy, as far as its controllers are not taken by version 1."""
    need("bwrap")
    parent = next((path for path in (ROOT / HYBRID, ROOT) if (path / "cgroup.procs").exists()), None)
    if parent is None or not os.access(parent / "cgroup.procs", os.W_OK) or obstacle(Level.CAGED):
        pytest.skip("no cgroup of version 2 can be made here, or nothing be caged")
    parent = (cgroup_parents().get("") or cgroup_parents().get(HYBRID)) or parent
    monkeypatch.setattr(cgroups, "cgroup_parents", lambda: {"": parent})

    async def live() -> tuple[str, list[Path], bool]:
        program = await Program.start(Launch(("/bin/cat",), Path("/tmp"), Level.CAGED, callers=True), piped=True)
        assert isinstance(program, Program), program
        group = program.cell.cgroup
        assert group is not None
        program.send(b"here\n")
        assert await program.inbox.receive() == b"here\n"
        where = Path(f"/proc/{program._process.inner}/cgroup").read_text()
        made = list(parent.glob(f"{PREFIX}{os.getpid()}-*"))
        await program.freeze(True)
        frozen = group.frozen
        await program.stop()  # also of one that stands still
        return where, made, frozen

    where, made, frozen = finished(live())
    [folder] = made
    assert f"/{folder.name}\n" in where
    assert frozen
    assert not folder.exists()
