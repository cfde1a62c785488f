"""Programs as the spawner starts them for us (`programs/spawner.py` is the other end)."""

from __future__ import annotations

import atexit
import errno
import json
import os
import resource
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from botyard.jail.cgroups import Cgroup
from botyard.jail.toolchains import INTERPRETER

SOURCE = Path(__file__).parent / "programs" / "spawner.py"
ANSWER_BYTES = 4096
LEAVE_S = 10.0
LEAST_FILES = 256  # the spawner keeps what it is handed past 128, and a runner has a few for every bot


class NoSpawner(RuntimeError):
    """A program could not be started, and it is not the program's fault."""


class Spawned:
    """A started process."""

    def __init__(self, spawner: SpawnerClient, pid: int, pidfd: int) -> None:
        self._spawner, self.pid, self.pidfd = spawner, pid, pidfd
        self.returncode: int | None = None
        self.inner = 0  # of a cage: the first process of its namespaces
        self.silent = False  # it ended, and nobody has said how the program within did: somebody outside ended it

    def wait(self) -> int:
        """How it ended; to be asked when it has."""
        if self.returncode is None:
            try:
                answer, _ = self._spawner.ask({"do": "wait", "pid": self.pid, "inner": self.inner})
                self.returncode, self.silent = int(answer["status"]), answer["silent"]
            except NoSpawner:
                self.returncode, self.silent = -signal.SIGKILL, True  # who spawned it is gone, and took it along
        return self.returncode


class SpawnerClient:
    """Our end of the line to the process that starts programs."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = threading.Lock()
        self._nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        # One for all requests: how a program ended must be heard even when there are no more descriptors to be had.
        self._request = os.memfd_create("request")
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                [str(INTERPRETER), "-I", "-S", str(SOURCE), str(number)], pass_fds=[number], cwd="/", env=libraries(),
                stdin=self._nothing, stdout=self._nothing, stderr=self._nothing, start_new_session=True,
            )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: dict[str, Any], lent: Sequence[int] = ()) -> tuple[dict[str, Any], int]:
        """Its answer, with the descriptor that came along, if any."""
        text = json.dumps(request).encode()
        try:
            with self._turn:
                os.ftruncate(self._request, 0)
                os.pwrite(self._request, text, 0)
                socket.send_fds(self._line, [b"?"], [self._request, *lent])
                told, given, _, _ = socket.recv_fds(self._line, ANSWER_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
        except OSError as error:
            raise NoSpawner(f"the process that starts programs has ended: {error}") from None
        if not told:
            raise NoSpawner("the process that starts programs has ended")
        answer: dict[str, Any] = json.loads(told)
        if "trouble" in answer:
            raise NoSpawner(answer["trouble"])
        return answer, given[0] if given else -1

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        streams: tuple[int, int, int],
        lent: Sequence[int] = (),
        cgroup: Cgroup | None = None,
        **supervised: Any,
    ) -> Spawned:
        """A program, in its groups from the first moment where that can be. A ward has a `uid` and a `folder`."""
        request = {
            "do": "start", "command": list(command), "environment": dict(environment),
            "cgroups": cgroup.enters if cgroup else [], **supervised,
        }  # fmt: skip
        descriptors = [self._nothing if stream < 0 else stream for stream in streams]
        answer, pidfd = self.ask(request, [*descriptors, *lent])
        if "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]))
        if pidfd < 0:
            self.ask({"do": "end", "pid": answer["pid"]})  # it still waits for its limits: nothing of the bot has run
            raise none_left()
        return Spawned(self, answer["pid"], pidfd)

    def open_door(self, pid: int, port: int) -> socket.socket:
        """A listening socket in the network of another process of ours."""
        door = self.ask({"do": "door", "pid": pid, "port": port})[1]
        if door < 0:
            raise none_left()
        return socket.socket(fileno=door)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def leave(self) -> None:
        """Lets it go; whatever it has started is ended when it has."""
        self._line.close()
        os.close(self._nothing)
        os.close(self._request)
        try:
            self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def none_left() -> OSError:
    """A descriptor was sent, and did not come: we had no room for it."""
    return OSError(errno.EMFILE, os.strerror(errno.EMFILE))


SPAWNERS: dict[int, SpawnerClient] = {}  # by the process they serve: a fork needs one of its own
STARTING = threading.Lock()


def spawner() -> SpawnerClient:
    """This process's own, for as long as it lives."""
    with STARTING:
        found = SPAWNERS.get(os.getpid())
        if found is None or not found.alive:
            if 0 <= (most := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) < LEAST_FILES:
                raise NoSpawner(f"too many open files: a process may have {most}, and we need {LEAST_FILES}")
            try:
                found = SPAWNERS[os.getpid()] = SpawnerClient()
            except OSError as error:
                raise NoSpawner(f"the process that starts programs cannot be started: {error}") from None
            atexit.register(found.leave)
        return found


def libraries() -> dict[str, str]:
    """All an interpreter may need of our environment."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
