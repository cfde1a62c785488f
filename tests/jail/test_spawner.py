"""The process that starts programs: they begin in their groups, and none of them outlives who asked for it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from botyard.jail.cage import readable
from botyard.jail.cgroups import PREFIX, cgroup_parents, make_cgroup
from botyard.jail.limits import Limits
from botyard.jail.memory import memory_file
from botyard.jail.spawner import SOURCE, NoSpawner, Spawned, SpawnerClient, spawner
from tests.conftest import need
from tests.links.yard import children, is_alive
from tests.waiting import PATIENCE_S, ending, finished, wait_until

CAT = "/bin/cat"
SLEEP = "/bin/sleep"


async def start(spawner: SpawnerClient, command: list[str], *given: Any, **named: Any) -> Spawned:
    """A program without input or output, unless some is given."""
    return await spawner.start(command, {"PATH": os.defpath}, *(given or ((-1, -1, -1),)), **named)


async def status_of(process: Spawned) -> int:
    """How a program ends, once it has."""
    await readable(process.pidfd)
    known = asyncio.Event()
    process.learn_status(known.set)
    await known.wait()
    os.close(process.pidfd)
    assert process.returncode is not None
    return process.returncode


async def said_by(command: list[str], lent: list[int] | None = None, **named: Any) -> tuple[bytes, int]:
    """What a program prints, and how it ends."""
    read, write = os.pipe()
    process = await start(spawner(), command, (-1, write, write), lent or [], **named)
    os.close(write)
    told = b""
    while chunk := await read_from(read):
        told += chunk
    os.close(read)
    return told, await status_of(process)


async def read_from(pipe: int) -> bytes:
    await readable(pipe)
    return os.read(pipe, 4096)


def said(command: list[str], lent: list[int] | None = None, **named: Any) -> tuple[bytes, int]:
    return finished(said_by(command, lent, **named))


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


def served_by(line: socket.socket) -> subprocess.Popen[bytes]:
    """The spawner alone, at the other end of a line of ours."""
    with line:
        number = line.fileno()
        return subprocess.Popen([sys.executable, "-I", "-S", str(SOURCE), str(number)], pass_fds=[number])


def test_a_runner_that_dies_before_it_has_read_an_answer_leaves_nobody() -> None:
    """What it has not read makes its end a reset of the connection, not a plain end."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(PATIENCE_S)
    nothing = os.open(os.devnull, os.O_RDWR)
    asked = {"do": "start", "command": [SLEEP, "600"], "environment": {}, "cgroups": []}
    text = memory_file(json.dumps(asked).encode())
    with ending(served_by(theirs)) as process:
        socket.send_fds(ours, [b"?"], [text, nothing, nothing, nothing])
        told = json.loads(ours.recv(4096, socket.MSG_PEEK))
        assert is_alive(told["pid"])
        ours.close()
        assert process.wait(PATIENCE_S) == 0
    os.close(text)
    os.close(nothing)
    assert not is_alive(told["pid"])


def test_a_request_that_lost_its_descriptors_is_answered() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(PATIENCE_S)
    with ending(served_by(theirs)) as process:
        ours.send(b"?")
        assert "trouble" in json.loads(ours.recv(4096))
        ours.close()
        assert process.wait(PATIENCE_S) == 0


def test_a_program_that_is_not_there_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        finished(start(spawner(), ["/nowhere/bot"]))


def test_a_program_begins_in_its_groups_and_the_next_one_does_not() -> None:
    cgroup = make_cgroup(Limits())
    if cgroup is None or "" in cgroup_parents():
        pytest.skip("control groups of version 1 cannot be made here")
    inside, _ = said([CAT, "/proc/self/cgroup"], cgroup=cgroup)
    for name in cgroup.holds:
        [line] = [line for line in inside.decode().splitlines() if name in line.split(":")[1].split(",")]
        assert line.rpartition("/")[2].startswith(f"{PREFIX}{os.getpid()}-")
    assert said([CAT, "/proc/self/cgroup"])[0] == Path("/proc/self/cgroup").read_bytes()
    finished(cgroup.leave())


def test_a_group_that_is_gone_is_no_fault_of_the_program() -> None:
    cgroup = make_cgroup(Limits())
    if cgroup is None or "" in cgroup_parents():
        pytest.skip("control groups of version 1 cannot be made here")
    finished(cgroup.leave())
    with pytest.raises(NoSpawner, match="No such file"):
        finished(start(spawner(), [CAT, "/proc/self/cgroup"], cgroup=cgroup))
    assert said(["/bin/sh", "-c", "exit 3"]) == (b"", 3)  # it goes on, where it was


def test_many_requests_at_once_are_answered_one_by_one() -> None:
    async def many() -> list[tuple[bytes, int]]:
        return await asyncio.gather(*(said_by(["/bin/sh", "-c", f"echo {at}; exit {at}"]) for at in range(40)))

    assert finished(many()) == [(f"{at}\n".encode(), at) for at in range(40)]


def test_event_loops_in_several_threads_share_one() -> None:
    def ask(at: int) -> tuple[bytes, int]:
        return said(["/bin/sh", "-c", f"echo {at}; exit {at}"])

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(40))) == [(f"{at}\n".encode(), at) for at in range(40)]


def test_when_the_line_is_cut_everything_it_started_ends() -> None:
    own = SpawnerClient()
    cruel = "setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' & exec sleep 600"

    async def start_three() -> list[Spawned]:
        return [await start(own, ["/bin/sh", "-c", cruel]) for _ in range(3)]

    started = finished(start_three())
    wait_until(lambda: len(children(own.pid)) >= 9)
    family = children(own.pid)
    own.leave()
    assert not [pid for pid in family if Path(f"/proc/{pid}").exists()]
    for process in started:
        os.close(process.pidfd)


def test_who_stood_under_a_killed_supervisor_ends_too_and_nobody_else() -> None:
    go, started = os.pipe()
    read, write = os.pipe()
    fork = "setsid sleep 600 & setsid sleep 600 & echo here; exec sleep 600"

    async def strike() -> None:
        others = await start(spawner(), [SLEEP, "600"])
        supervisor = await start(spawner(), ["/bin/sh", "-c", fork], (-1, write, -1), [go], uid=0, folder="/")
        os.write(started, b"!")
        assert await read_from(read) == b"here\n"
        below = children(supervisor.pid)
        assert len(below) == 3
        signal.pidfd_send_signal(supervisor.pidfd, signal.SIGKILL)
        assert await status_of(supervisor) == -signal.SIGKILL
        assert not [pid for pid in below if is_alive(pid)]
        assert is_alive(others.pid)
        signal.pidfd_send_signal(others.pidfd, signal.SIGKILL)
        assert await status_of(others) == -signal.SIGKILL

    finished(strike())
    for descriptor in (go, started, read, write):
        os.close(descriptor)


def test_a_killed_spawner_is_told_and_followed_by_another() -> None:
    first = spawner()

    async def strike() -> None:
        running = await start(first, [SLEEP, "600"])
        os.kill(first.pid, signal.SIGKILL)
        wait_until(lambda: not first.alive)
        with pytest.raises(NoSpawner):
            await start(first, [SLEEP, "600"])
        signal.pidfd_send_signal(running.pidfd, signal.SIGKILL)
        assert await status_of(running) == -signal.SIGKILL
        assert running.silent  # nobody is left who could say how it ended

    finished(strike())
    second = spawner()
    assert second.pid != first.pid
    assert said(["/bin/sh", "-c", "echo here"]) == (b"here\n", 0)


def held() -> tuple[int, int, int]:
    """How many descriptors, threads and children this process has."""
    return len(list(Path("/proc/self/fd").iterdir())), len(threading.enumerate()), len(children())


def kill_spawner() -> None:
    killed = spawner()
    os.kill(killed.pid, signal.SIGKILL)
    wait_until(lambda: not killed.alive)


def test_spawners_that_were_killed_leave_no_descriptor_and_no_thread() -> None:
    spawner()
    before = held()
    for _ in range(3):
        kill_spawner()
    assert said(["/bin/sh", "-c", "echo here"]) == (b"here\n", 0)
    assert held() == before


def test_where_no_thread_can_be_had_that_is_our_fault_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    kill_spawner()
    before = held()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(NoSpawner, match="new thread"):
            spawner()
    assert held() == before


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
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=PATIENCE_S).returncode == -signal.SIGKILL
    wait_until(lambda: not processes_naming(tmp_path))


def test_a_runner_killed_at_any_other_moment_of_a_start_leaves_nobody(tmp_path: Path) -> None:
    need("bwrap")
    code = RUNNER.format(moment="never", folder=str(tmp_path)).replace("os.kill(os.getpid(), signal.SIGKILL)", "pass")
    for at in range(8):
        with ending(subprocess.Popen([sys.executable, "-c", code])) as runner:
            wait_until(lambda: len(processes_naming(tmp_path)) > 1)  # bubblewrap beside the runner
            time.sleep(at * 0.002)  # one moment of many: nothing has to have happened by then
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
    words = [sys.executable, "-c", DYING_PARENT]
    told = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
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
