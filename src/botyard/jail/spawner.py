"""This is our end of the line to the spawner, the small process that starts programs (`programs/spawner.py`).

There is one for each process of ours, and event loops in several threads may use it. A thread carries the requests to
it one by one and brings the answers back, so that no event loop ever waits for the spawner, and no answer is lost with
the loop that asked. A start that is cancelled is seen through: the program is ended as soon as it has begun.

If the spawner ends, or does not answer for a minute, every request fails with `NoSpawner`. All that it had started ends
with it, and that is our fault. The next request finds a new one.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import errno
import json
import os
import resource
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from botyard.jail.cgroups import Cgroup
from botyard.jail.threads import finished
from botyard.jail.toolchains import INTERPRETER

SOURCE = Path(__file__).parent / "programs" / "spawner.py"
ANSWER_BYTES = 4096
ANSWER_S = 60.0  # for one answer: no request takes a tenth of that on a busy machine
SECOND_LOOK_S = 1.0  # a machine that stood still as a whole gave the spawner no time to answer in
LEAVE_S = 10.0
LEAST_FILES = 256  # the spawner keeps what it is handed past 128, and a runner has a few for every bot
ENDED = "the process that starts programs has ended"


class NoSpawner(RuntimeError):
    """A program could not be started, and it is not the program's fault."""


class SpawnerAnswer(NamedTuple):
    """What the spawner says to a request, with the descriptor that came along; -1 if none did."""

    said: dict[str, Any]
    descriptor: int


class SpawnerRequest:
    """Something the spawner is asked. It holds copies of the descriptors that are lent to the program."""

    def __init__(self, asked: dict[str, Any], lent: Sequence[int]) -> None:
        self.text = json.dumps(asked).encode()
        self.answer: Future[SpawnerAnswer] = Future()
        self.lent: list[int] = []
        try:
            for descriptor in lent:
                self.lent.append(os.dup(descriptor))
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        while self.lent:
            os.close(self.lent.pop())

    def fail(self, reason: str) -> None:
        self.close()
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(NoSpawner(reason))


class Spawned:
    """A started process."""

    def __init__(self, spawner: SpawnerClient, pid: int, pidfd: int) -> None:
        self._spawner, self.pid, self.pidfd = spawner, pid, pidfd
        self.returncode: int | None = None
        self.inner = 0  # of a cage: the first process of its namespaces
        self.silent = False  # it ended, and nobody has said how the program within did: somebody outside ended it

    def learn_status(self, then: Callable[[], None]) -> None:
        """Asks how it ended, to be done once it has, and calls `then` when that is known."""

        def note(answer: asyncio.Future[SpawnerAnswer]) -> None:
            if answer.exception() is None:
                said = answer.result().said
                self.returncode, self.silent = int(said["status"]), bool(said["silent"])
            else:
                self.returncode, self.silent = -signal.SIGKILL, True  # the spawner is gone, and took it along
            then()

        asked = self._spawner.ask({"do": "wait", "pid": self.pid, "inner": self.inner})
        asyncio.wrap_future(asked).add_done_callback(note)


class SpawnerClient:
    """One spawner, and the thread that carries requests to it."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._requests: SimpleQueue[SpawnerRequest | None] = SimpleQueue()
        self._closing = threading.Lock()  # nobody asks while the carrier turns its back
        self._closed = False
        with contextlib.ExitStack() as undone:
            self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            undone.callback(self._line.close)
            self._nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
            undone.callback(os.close, self._nothing)
            # One for all requests: how a program ended must be heard even when there are no more descriptors to be had.
            self._text = os.memfd_create("request")
            undone.callback(os.close, self._text)
            with theirs:
                number = theirs.fileno()
                self._process = subprocess.Popen(
                    [str(INTERPRETER), "-I", "-S", str(SOURCE), str(number)], pass_fds=[number], cwd="/",
                    env=libraries(), stdin=self._nothing, stdout=self._nothing, stderr=self._nothing,
                    start_new_session=True,
                )  # fmt: skip
            undone.callback(self._process.wait)
            undone.callback(self._process.kill)
            self._carrier = threading.Thread(target=self._carry, name="botyard spawner", daemon=True)
            self._carrier.start()
            undone.pop_all()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._closed and self._process.poll() is None

    def ask(self, asked: dict[str, Any], lent: Sequence[int] = ()) -> Future[SpawnerAnswer]:
        """The answer to come, or `NoSpawner`. Whoever gives it up in time, by cancelling it, has never asked."""
        request = SpawnerRequest(asked, lent)
        with self._closing:
            if not self._closed:
                self._requests.put(request)
                return request.answer
        request.fail(ENDED)
        return request.answer

    async def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        streams: tuple[int, int, int],
        lent: Sequence[int] = (),
        cgroup: Cgroup | None = None,
        **supervised: Any,
    ) -> Spawned:
        """A program, in its cgroups from the first moment where that can be.

        With a `uid` and a `folder` it stands under a supervisor. If this is cancelled, the program is ended first.
        """
        asked = {
            "do": "start", "command": list(command), "environment": dict(environment),
            "cgroups": cgroup.enters if cgroup else [], **supervised,
        }  # fmt: skip
        descriptors = [self._nothing if stream < 0 else stream for stream in streams]
        said, pidfd = await self._answer(asked, [*descriptors, *lent])
        if "errno" in said:
            raise OSError(said["errno"], os.strerror(said["errno"]))
        if pidfd < 0:  # it still waits for its limits: nothing of the bot has run
            await finished(asyncio.wrap_future(self.ask({"do": "end", "pid": said["pid"]})))
            raise none_left()
        return Spawned(self, said["pid"], pidfd)

    async def open_door(self, pid: int, port: int) -> socket.socket:
        """A listening socket in the network of another process of ours."""
        _, door = await self._answer({"do": "door", "pid": pid, "port": port})
        if door < 0:
            raise none_left()
        return socket.socket(fileno=door)

    async def _answer(self, asked: dict[str, Any], lent: Sequence[int] = ()) -> SpawnerAnswer:
        """The answer. If this is cancelled, what the request brings is given back before the caller is told so."""
        answer = self.ask(asked, lent)
        try:
            return await asyncio.wrap_future(answer)
        except asyncio.CancelledError:
            await finished(asyncio.wrap_future(self._undo(answer)))
            raise

    def _undo(self, answer: Future[SpawnerAnswer]) -> Future[None]:
        """Gives back what an answer brings that nobody waits for any more; done when there is nothing left of it."""
        undone: Future[None] = Future()

        def give_back(answer: Future[SpawnerAnswer]) -> None:
            if answer.cancelled() or answer.exception() is not None:
                undone.set_result(None)
                return
            said, descriptor = answer.result()
            if descriptor >= 0:
                os.close(descriptor)
            if "pid" in said:
                ended = self.ask({"do": "end", "pid": said["pid"]})
                ended.add_done_callback(lambda _: undone.set_result(None))
            else:
                undone.set_result(None)

        answer.add_done_callback(give_back)
        return undone

    def _carry(self) -> None:
        """Runs in the carrier thread: takes requests to the spawner until it, or whoever asks, is gone."""
        try:
            while (request := self._requests.get()) is not None:
                if not request.answer.set_running_or_notify_cancel():
                    request.close()
                    continue
                try:
                    answer = self._exchange(request)
                except NoSpawner as error:
                    request.answer.set_exception(error)
                    return
                if "trouble" in answer.said:
                    request.answer.set_exception(NoSpawner(answer.said["trouble"]))
                else:
                    request.answer.set_result(answer)
        finally:
            self._close()

    def _exchange(self, request: SpawnerRequest) -> SpawnerAnswer:
        try:
            os.ftruncate(self._text, 0)
            os.pwrite(self._text, request.text, 0)
            self._line.settimeout(ANSWER_S)
            socket.send_fds(self._line, [b"?"], [self._text, *request.lent])
            request.close()
            told, descriptors = self._receive()
            said = json.loads(told)
        except TimeoutError:
            self._process.kill()
            raise NoSpawner(f"the process that starts programs has not answered within {ANSWER_S:g} s") from None
        except (OSError, ValueError) as error:
            raise NoSpawner(f"{ENDED}: {error}") from None
        finally:
            request.close()
        return SpawnerAnswer(said, descriptors[0] if descriptors else -1)

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            told, descriptors, _, _ = socket.recv_fds(self._line, ANSWER_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
        except TimeoutError:
            self._line.settimeout(SECOND_LOOK_S)
            told, descriptors, _, _ = socket.recv_fds(self._line, ANSWER_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
        if not told:
            raise NoSpawner(ENDED)
        return told, descriptors

    def _close(self) -> None:
        """From here on every request fails, those that wait among them."""
        with self._closing:
            self._closed = True
        while not self._requests.empty():
            if (request := self._requests.get()) is not None:
                request.fail(ENDED)

    def leave(self) -> None:
        """Lets the spawner go; whatever it has started is ended when it has. May be called again."""
        if os.getpid() != self._owner or self._line.fileno() < 0:
            return  # in a fork of ours the line is not ours to cut
        self._requests.put(None)
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)  # wakes the carrier, and the spawner
        self._carrier.join(LEAVE_S)
        self._line.close()
        os.close(self._nothing)
        os.close(self._text)
        self._end_process()

    def _end_process(self) -> None:
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
                raise NoSpawner(
                    f"too many open files: a process may have {most}, but Botyard needs {LEAST_FILES}; raise ulimit -n"
                )
            try:
                started = SpawnerClient()
            except (OSError, RuntimeError) as error:  # no process, no descriptor, or no thread
                raise NoSpawner(f"the process that starts programs cannot be started: {error}") from None
            if found is not None:
                found.leave()
            SPAWNERS[os.getpid()] = found = started
        return found


@atexit.register
def leave_spawner() -> None:
    if os.getpid() in SPAWNERS:
        SPAWNERS[os.getpid()].leave()


def libraries() -> dict[str, str]:
    """All an interpreter may need of our environment."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
