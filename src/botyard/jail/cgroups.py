"""Control groups (cgroups) limit what a bot and all its children may use together, and count what they did use.

We take version 2 where it is delegated to us, version 1 where it can be written, and none otherwise; then limits per
process and a look at the memory from time to time must do (`program.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import time
from functools import cache
from pathlib import Path

from botyard.jail.limits import MEGABYTE, Limits
from botyard.jail.threads import in_thread
from botyard.kernel.processes import started

ROOT = Path("/sys/fs/cgroup")
PREFIX = "botyard-"
PERIOD_US = 100_000
LEAVE_ROUNDS, LEAVE_PAUSE_S = 400, 0.005
FREEZE_S, FREEZE_PAUSE_S = 0.5, 0.0005  # for all processes to stand still; one deep in the kernel may take longer
SHORT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # the machine is short of something: no reason to do without limits


class Cgroup:
    """One bot's cgroup: one folder (version 2), or one folder per controller (version 1)."""

    def __init__(self, parents: dict[str, Path], limits: Limits, freezes: bool) -> None:
        name = f"{PREFIX}{os.getpid()}-{started(os.getpid())}-{secrets.token_hex(6)}"
        self._unified = "" in parents
        self._folders = {
            controller: parent / name for controller, parent in parents.items() if freezes or controller != HYBRID
        }
        try:
            for folder in set(self._folders.values()):
                folder.mkdir()
        except OSError:
            self._remove()
            raise
        for file, value in (unified_values if self._unified else version_1_values)(limits):
            try:
                self._file(file).write_text(value)
            except OSError as error:  # a controller may be missing, and swap accounting often is
                if error.errno in SHORT:
                    self._remove()
                    raise

    def _remove(self) -> None:
        for folder in set(self._folders.values()):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _file(self, name: str) -> Path:
        controller = "" if self._unified else name.partition(".")[0].replace("cgroup", HYBRID)
        return self._folders.get(controller, Path("/nonexistent")) / name

    @property
    def enters(self) -> list[str]:
        """The folders of version 1, which are entered by whoever starts the program, before it does."""
        return [str(folder) for controller, folder in self._folders.items() if controller in CONTROLLERS]

    async def admit(self, pid: int) -> None:
        """Moves a process into the other folders. The kernel may wait for 10 ms and more before it does."""
        for folder in set(map(str, self._folders.values())).difference(self.enters):
            await in_thread(Path(folder, "cgroup.procs").write_text, str(pid))

    @property
    def holds(self) -> tuple[str, ...]:
        """What it limits and counts."""
        return CONTROLLERS if self._unified else tuple(self._folders)

    @property
    def holds_memory(self) -> bool:
        return "memory" in self.holds

    @property
    def can_freeze(self) -> bool:
        return self._unified or HYBRID in self._folders

    @property
    def peak_bytes(self) -> int:
        return self._number("memory.peak" if self._unified else "memory.max_usage_in_bytes")

    @property
    def killed_for_memory(self) -> bool:
        return self._event("memory.events" if self._unified else "memory.oom_control", "oom_kill") > 0

    @property
    def refused_processes(self) -> int:
        """How often a new process was refused."""
        return self._event("pids.events", "max")

    async def freeze(self, frozen: bool) -> None:
        """Stops all of the group's processes in their tracks, or lets them go on.

        The kernel only notes that they are to stop: each does so when it next comes by. They are waited for, so that
        nobody else's turn begins while one of them still runs.
        """
        self._file("cgroup.freeze").write_text("1" if frozen else "0")
        until = time.monotonic() + FREEZE_S
        while frozen and not self.frozen and time.monotonic() < until:
            await asyncio.sleep(FREEZE_PAUSE_S)

    @property
    def frozen(self) -> bool:
        """Whether every process of the group stands still."""
        return self._event("cgroup.events", "frozen") > 0

    async def leave(self) -> None:
        """Removes the folders, which the kernel allows a moment after the last process has gone."""
        for folder in set(self._folders.values()):
            for _ in range(LEAVE_ROUNDS):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    await asyncio.sleep(LEAVE_PAUSE_S)

    def _number(self, name: str) -> int:
        try:
            return int(self._file(name).read_text())
        except (OSError, ValueError):
            return 0

    def _event(self, name: str, key: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            for line in self._file(name).read_text().splitlines():
                word, _, count = line.partition(" ")
                if word == key:
                    return int(count)
        return 0


def unified_values(limits: Limits) -> list[tuple[str, str]]:
    return [
        *([("memory.max", str(limits.memory_mb * MEGABYTE)), ("memory.swap.max", "0")] if limits.memory_mb else []),
        *([("pids.max", str(limits.processes))] if limits.processes else []),
        *([("cpu.max", f"{int(limits.cores * PERIOD_US)} {PERIOD_US}")] if limits.cores else []),
    ]


def version_1_values(limits: Limits) -> list[tuple[str, str]]:
    memory = str(limits.memory_mb * MEGABYTE)
    return [
        *([("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)] if limits.memory_mb else []),
        *([("pids.max", str(limits.processes))] if limits.processes else []),
        *([("cpu.cfs_quota_us", str(int(limits.cores * PERIOD_US)))] if limits.cores else []),
    ]


def cgroups_hold(controller: str) -> bool:
    """Whether a group made here would limit and count a resource."""
    return controller in cgroup_parents() or "" in cgroup_parents()


def make_cgroup(limits: Limits, freezes: bool = False) -> Cgroup | None:
    parents = cgroup_parents()
    try:
        return Cgroup(parents, limits, freezes) if parents else None
    except OSError as error:
        if error.errno in SHORT:
            raise  # nobody runs without the limits that are promised
        return None


@cache
def cgroup_parents() -> dict[str, Path]:
    """Where groups can be made, by controller; "" stands for version 2. Nothing where none can."""
    places = own_cgroups()
    if "" in places and (ROOT / "cgroup.controllers").exists():
        parent = unified_parent(places[""])
        if parent is None:
            return {}
        sweep(parent)
        return {"": parent}
    wanted = {name: ROOT / name / path.relative_to("/") for name, path in places.items() if name in CONTROLLERS}
    if "" in places and (ROOT / HYBRID / "cgroup.procs").exists():
        wanted[HYBRID] = ROOT / HYBRID / places[""].relative_to(ROOT)
    parents = {
        name: path for name, path in wanted.items()
        if os.access(path, os.W_OK) and (name == HYBRID or os.access(path / "tasks", os.W_OK))
    }  # fmt: skip
    for parent in parents.values():
        sweep(parent)
    return parents


CONTROLLERS = ("memory", "pids", "cpu")
HYBRID = "unified"
"""Where version 1 counts, version 2 often stands beside it without controllers, and can still freeze. The freezer of
version 1 must not be used: it holds even killed processes, and those that are to die with us would never end."""


def own_cgroups() -> dict[str, Path]:
    """This process's group by controller, as the kernel names it; of version 2 the whole folder."""
    found = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(","):
                found[controller] = Path(path) if controller else ROOT / path.lstrip("/")
    return found


def unified_parent(own: Path) -> Path | None:
    """Where groups of version 2 can be made, if anywhere.

    A group that has processes of its own cannot hand resources on to groups inside it. So ours stand beside us, in the
    nearest group above that hands them on already, as systemd's slices do.
    """
    above = [folder for folder in (own, *own.parents) if folder.is_relative_to(ROOT)]
    for folder in above:
        if hands_on(folder) and all(os.access(path, os.W_OK) for path in (folder, folder / "cgroup.procs")):
            return folder
    return own if make_hand_on(own) else None


def hands_on(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return {"memory", "pids"} <= set((folder / "cgroup.subtree_control").read_text().split())
    return False


def make_hand_on(own: Path) -> bool:
    """Makes our own cgroup hand resources on, by moving its processes into a leaf; False if that cannot be.

    In a container, where nothing is above us, all processes are moved. In any other cgroup we must be alone: it is not
    our business to move somebody's shell about.
    """
    try:
        offered = (own / "cgroup.controllers").read_text().split()
        wanted = " ".join(f"+{name}" for name in CONTROLLERS if name in offered)
        try:
            (own / "cgroup.subtree_control").write_text(wanted)
        except OSError:
            inhabitants = (own / "cgroup.procs").read_text().split()
            if own != ROOT and inhabitants != [str(os.getpid())]:
                return False
            leaf = own / f"{PREFIX}{os.getpid()}-runner"
            leaf.mkdir(exist_ok=True)
            for pid in inhabitants:
                (leaf / "cgroup.procs").write_text(pid)
            (own / "cgroup.subtree_control").write_text(wanted)
    except OSError:
        return False
    return hands_on(own)


def sweep(parent: Path) -> None:
    """Removes the empty groups of runners that were killed. On a busy machine another process soon has their number."""
    for folder in parent.glob(f"{PREFIX}*"):
        owner, birth, *_ = [*folder.name.removeprefix(PREFIX).split("-"), ""]
        now = started(int(owner)) if owner.isdigit() else owner
        if not now or (birth.isdigit() and now != birth):
            with contextlib.suppress(OSError):
                folder.rmdir()
