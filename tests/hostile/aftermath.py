"""What a game must leave behind: nothing."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from botyard.jail.cgroups import PREFIX, cgroup_parents
from botyard.jail.spawner import spawner
from botyard.jail.uids import COUNT, FIRST, FOLDER
from tests.links.yard import children
from tests.waiting import wait_until

FLAT_KB = 48 * 1024  # how far the runner's memory may rise for a moment: the loop reads a quarter of a megabyte at once
PUBLIC = (Path(tempfile.gettempdir()), Path("/var/tmp"), Path("/dev/shm"))
MEMORY = Path("/proc/self/status")


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """Compares the machine before and after."""
    spawner()  # it stays
    gc.freeze()  # whatever other tests hold is not looked through again for every game
    descriptors, mounts = open_descriptors(), Path("/proc/self/mountinfo").read_text()
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark begins anew
    held_kb = memory_kb("VmRSS")
    yield
    gc.collect()
    gc.unfreeze()
    assert children() == []
    wait_until(lambda: not orphans(), orphans)  # other runners on this machine may be killed, or end, as we look
    assert open_descriptors() == descriptors
    assert Path("/proc/self/mountinfo").read_text() == mounts
    assert groups() == []
    wait_until(lambda: not strays(), strays)
    assert memory_kb("VmHWM") - held_kb < FLAT_KB


def open_descriptors() -> list[str]:
    """What our own descriptors lead to; numbers of pipes and sockets differ."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # the one this folder is read through
            found.append(str(entry.readlink()).partition("[")[0])
    return sorted(found)


def memory_kb(field: str) -> int:
    [line] = [line for line in MEMORY.read_text().splitlines() if line.startswith(f"{field}:")]
    return int(line.split()[1])


def orphans() -> list[str]:
    """Processes of bots' users that no runner holds; those of other runners on this machine are theirs."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and is_bot(entry.stat().st_uid) and not is_held(entry.stat().st_uid):
                found.append(f"{entry.name}: {(entry / 'cmdline').read_text()}")
    return found


def strays() -> list[Path]:
    """Files of bots' users in places everybody may write to."""
    found = []
    for folder in PUBLIC:
        for path in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                owner = path.lstat().st_uid
                if is_bot(owner) and not is_held(owner):
                    found.append(path)
    return found


def groups() -> list[Path]:
    mine = f"{PREFIX}{os.getpid()}-*"
    return [folder for parent in cgroup_parents().values() for folder in parent.glob(mine)]


def is_bot(uid: int) -> bool:
    return FIRST <= uid < FIRST + COUNT


def is_held(uid: int) -> bool:
    lock = os.open(FOLDER / str(uid), os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
