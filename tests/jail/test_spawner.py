"""The process that starts programs: they begin in their groups, and none of them outlives who asked for it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from botyard.jail.cgroups import PREFIX, cgroup_parents, make_cgroup
from botyard.jail.limits import Limits
from botyard.jail.spawner import NoSpawner, SpawnerClient, spawner
from tests.conftest import need
from tests.links.yard import children, is_alive
from tests.waiting import wait_until

CAT = "/bin/cat"
SLEEP = "/bin/sleep"


def said(command: list[str], lent: list[int] | None = None, **supervised: object) -> tuple[bytes, int]:
    """What a program prints, and how it ends."""
    read, write = os.pipe()
    cgroup = supervised.pop("cgroup", None)
    process = spawner().start(command, {}, (-1, write, write), lent or [], cgroup, **supervised)  # type: ignore[arg-type]
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        told = stream.read()
    status = process.wait()
    os.close(process.pidfd)
    return told, status


def test_a_program_is_told_apart_by_how_it_ends() -> None:
    assert said(["/bin/sh", "-c", "echo here; exit 7"]) == (b"here\n", 7)
    assert said(["/bin/sh", "-c", "kill -9 $$"]) == (b"", -signal.SIGKILL)


def test_it_finds_what_it_is_lent_in_order_and_nothing_else() -> None:
    lent = [os.open(os.devnull, os.O_RDONLY) for _ in range(3)]
    told, _ = said(["/bin/sh", "-c", "cd /proc/self/fd; echo *"], lent)
    for descriptor in lent:
        os.close(descriptor)
    numbers = set(map(int, told.split()))
    assert {0, 1, 2, 3, 4, 5} <= numbers
    assert len(numbers) <= 7  # the shell's own


def test_a_program_that_is_not_there_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        spawner().start(["/nowhere/bot"], {}, (-1, -1, -1))


def test_a_program_begins_in_its_groups_and_the_next_one_does_not() -> None:
    cgroup = make_cgroup(Limits())
    if cgroup is None or "" in cgroup_parents():
        pytest.skip("control groups of version 1 cannot be made here")
    inside, _ = said([CAT, "/proc/self/cgroup"], cgroup=cgroup)
    for name in cgroup.holds:
        [line] = [line for line in inside.decode().splitlines() if name in line.split(":")[1].split(",")]
        assert line.rpartition("/")[2].startswith(f"{PREFIX}{os.getpid()}-")
    assert said([CAT, "/proc/self/cgroup"])[0] == Path("/proc/self/cgroup").read_bytes()
    asyncio.run(cgroup.leave())


def test_a_group_that_is_gone_is_no_fault_of_the_program() -> None:
    cgroup = make_cgroup(Limits())
    if cgroup is None or "" in cgroup_parents():
        pytest.skip("control groups of version 1 cannot be made here")
    asyncio.run(cgroup.leave())
    with pytest.raises(NoSpawner, match="No such file"):
        spawner().start([CAT, "/proc/self/cgroup"], {}, (-1, -1, -1), cgroup=cgroup)
    assert said(["/bin/sh", "-c", "exit 3"]) == (b"", 3)  # it goes on, where it was


def test_many_requests_at_once_are_answered_one_by_one() -> None:
    async def many() -> list[tuple[bytes, int]]:
        return await asyncio.gather(
            *(asyncio.to_thread(said, ["/bin/sh", "-c", f"echo {at}; exit {at}"]) for at in range(40))
        )

    assert asyncio.run(many()) == [(f"{at}\n".encode(), at) for at in range(40)]


def test_when_the_line_is_cut_everything_it_started_ends() -> None:
    own = SpawnerClient()
    cruel = "setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' & exec sleep 600"
    started = [own.start(["/bin/sh", "-c", cruel], {"PATH": os.defpath}, (-1, -1, -1)) for _ in range(3)]
    wait_until(lambda: len(children(own.pid)) >= 9)
    family = children(own.pid)
    own.leave()
    assert not [pid for pid in family if Path(f"/proc/{pid}").exists()]
    for process in started:
        os.close(process.pidfd)


def test_who_stood_under_a_killed_supervisor_ends_too_and_nobody_else() -> None:
    go, started = os.pipe()
    read, write = os.pipe()
    others = spawner().start([SLEEP, "600"], {}, (-1, -1, -1))
    fork = "setsid sleep 600 & setsid sleep 600 & echo here; exec sleep 600"
    ward = spawner().start(
        ["/bin/sh", "-c", fork], {"PATH": os.defpath}, (-1, write, -1), [go], uid=0, folder="/"
    )  # fmt: skip
    os.write(started, b"!")
    assert os.read(read, 100) == b"here\n"
    below = children(ward.pid)
    assert len(below) == 3
    signal.pidfd_send_signal(ward.pidfd, signal.SIGKILL)
    assert ward.wait() == -signal.SIGKILL
    assert not [pid for pid in below if is_alive(pid)]
    assert is_alive(others.pid)
    signal.pidfd_send_signal(others.pidfd, signal.SIGKILL)
    assert others.wait() == -signal.SIGKILL
    for descriptor in (go, started, read, write, ward.pidfd, others.pidfd):
        os.close(descriptor)


def test_a_killed_spawner_is_told_and_followed_by_another() -> None:
    first = spawner()
    running = first.start([SLEEP, "600"], {}, (-1, -1, -1))
    os.kill(first.pid, signal.SIGKILL)
    wait_until(lambda: not first.alive)
    with pytest.raises(NoSpawner):
        first.start([SLEEP, "600"], {}, (-1, -1, -1))
    signal.pidfd_send_signal(running.pidfd, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert running.silent  # nobody is left who could say how it ended
    os.close(running.pidfd)
    second = spawner()
    assert second.pid != first.pid
    assert said(["/bin/sh", "-c", "echo here"]) == (b"here\n", 0)


RUNNER = """
import asyncio, os, signal
from pathlib import Path
from botyard.jail import cage
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.program import Program

def die(*given): os.kill(os.getpid(), signal.SIGKILL)

cage.{moment} = die
folder = Path({folder!r})
folder.chmod(0o755)  # the bot, who is somebody else, stays in it until it is ended

async def start():
    command = ("/usr/bin/tail", "-f", "/dev/null", str(folder))  # so that its processes can be told from others
    program = await Program.start(Launch(command, folder, Level.CAGED, shows={{folder: folder}}))
    await program.ended()

asyncio.run(start())
"""
MOMENTS = {
    "when it is started": "Cage.admit",
    "when its first process waits": "apply_limits",
    "when its users are told": "Path.write_text",
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_runner_killed_while_it_starts_a_cage_leaves_nobody(tmp_path: Path, moment: str) -> None:
    """Bubblewrap's own processes know only late that they are to die with each other."""
    need("bwrap")
    code = RUNNER.format(moment=MOMENTS[moment], folder=str(tmp_path))
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    wait_until(lambda: not processes_naming(tmp_path))


def test_a_runner_killed_at_any_other_moment_of_a_start_leaves_nobody(tmp_path: Path) -> None:
    need("bwrap")
    code = RUNNER.format(moment="never", folder=str(tmp_path)).replace("os.kill(os.getpid(), signal.SIGKILL)", "pass")
    for at in range(8):
        with subprocess.Popen([sys.executable, "-c", code]) as runner:
            wait_until(lambda: len(processes_naming(tmp_path)) > 1)  # bubblewrap beside the runner
            time.sleep(at * 0.002)
            runner.kill()
    wait_until(lambda: not processes_naming(tmp_path))


DYING_PARENT = """
import contextlib, os, socket, time
from botyard.jail.programs import spawner

keeper = spawner.Spawner(socket.socketpair()[0])
waits, go = os.pipe()
parent = os.fork()
if parent == 0:
    os.read(waits, 1)
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)

def list_too_early(folder, look=os.listdir):
    seen = look(folder)
    os.listdir = look
    os.write(go, b"!")
    with contextlib.suppress(ChildProcessError):  # its end was noted already
        os.waitid(os.P_PID, parent, os.WEXITED | os.WNOWAIT)
    return seen

os.listdir = list_too_early
spawner.kill_all(set())
try:
    os.waitpid(-1, os.WNOHANG)
    print("somebody is left")
    spawner.kill_all(set())
except ChildProcessError:
    print("nobody is left")
"""


def test_whoever_forks_and_dies_while_it_is_looked_for_leaves_nobody() -> None:
    """As bubblewrap does, whose runner has been killed: it starts the cage and cannot tell of it."""
    told = subprocess.run([sys.executable, "-c", DYING_PARENT], capture_output=True, text=True, check=True)
    assert told.stdout == "nobody is left\n"


def processes_naming(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found
