"""The spawner is a small process that starts every program for a runner, and lets none outlive the runner.

Run by itself (`python -I -S spawner.py CONTROL`), with as little imported as possible. A request is one byte with
descriptors, of which the first holds it as JSON; the answer is JSON, sometimes with a descriptor. When the control
socket is closed, because the runner has ended or was killed, everything that was started is ended. No process escapes:
one that loses its parent becomes a child of the spawner, who is the subreaper, even in the moments before bubblewrap's
own processes are tied to each other.

Being small and without threads it can do what a runner cannot. It enters the cgroups of a bot before it starts it:
version 1 lets a single thread enter at no cost, while moving a process makes the kernel wait for 10 ms and more. It
opens a port in the network of a cage. And it forks supervisors, each of which stands over a program that has no pid
namespace: whatever the program starts becomes its supervisor's child in the end, and ends with it.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import fcntl
import json
import os
import sys
import time
from types import FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 1, 38, 36
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x08000000, 0x10000000, 0x40000000
NS_GET_USERNS = 0xB701
MOST_DESCRIPTORS = 64
ASIDE = 128  # where received descriptors wait, past every number a program is promised
BACKLOG = 8
MOST_REAPED = 4096
PAUSE_S = 0.001
RESET = (_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ)  # what an interpreter ignores, and no program expects

libc = ctypes.CDLL(None, use_errno=True)


def descendants(spared: set[int]) -> set[int]:
    """All our descendants, dead or alive, orphans among them, without the spared and their descendants."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    parents[int(entry)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
    found = {os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found - spared:
        found |= grown
    return found - {os.getpid()}


def kill_all(spared: set[int], note: Callable[[int, int], None] = lambda pid, status: None) -> None:
    """Ends all descendants but the spared.

    All are stopped before the first is killed. A killed process makes room under the limit on processes, and one that
    still runs could fork into that room; a stopped process makes none. No process is reaped by the signal handler
    meanwhile: if a child forked and died while we look, only its dead entry leads us to the one it left behind.
    """
    _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
    stopped: set[int] = set()
    while left := descendants(spared):
        if fresh := left - stopped:
            signal_all(fresh, _signal.SIGSTOP)
            stopped |= fresh
            continue
        signal_all(stopped, _signal.SIGKILL)
        reap(note)
        stopped.clear()
        time.sleep(PAUSE_S)  # for the kernel to take them away
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])


def reap(note: Callable[[int, int], None]) -> None:
    """Notes everybody of ours who has ended."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            note(*ended)
    except ChildProcessError:
        return


def signal_all(pids: set[int], what: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            continue


class Supervisor:
    """Stands over one program that has no pid namespace.

    It exits as the program does, or with 128 and the number of the signal that killed the program.
    """

    def __init__(self, request: dict[str, Any], lent: list[int]) -> None:
        self._request, self._lent, self._go = request, lent[:-1], lent[-1]

    def stand(self, spawner: int) -> None:
        """Runs the program to its end, and ends this process."""
        _signal.signal(_signal.SIGTERM, self._leave)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, _signal.SIGTERM, 0, 0, 0)
        if os.getppid() != spawner or not os.read(self._go, 1):  # by the time a byte comes its limits are set
            os._exit(128 + _signal.SIGTERM)
        bot = os.fork()
        if bot == 0:
            self._become(self._request["uid"], self._request["command"])
        for descriptor in (self._go, *self._lent):
            os.close(descriptor)  # the bot's pipes are the bot's alone
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == bot:
                kill_all(set())
                os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

    def _leave(self, number: int, frame: FrameType | None) -> None:
        kill_all(set())
        os._exit(128 + number)

    def _become(self, uid: int, command: list[str]) -> None:
        for number in (_signal.SIGTERM, *RESET):
            _signal.signal(number, _signal.SIG_DFL)
        os.setsid()
        for number, descriptor in enumerate(self._lent):
            os.dup2(descriptor, number)
        if uid:
            libc.unshare(CLONE_NEWIPC)  # shared memory and queues of its own, which go when it goes
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        try:
            os.chdir(self._request["folder"])
            os.execve(command[0], command, self._request["environment"])
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(126)


class Spawner:
    """Answers requests until the runner is gone."""

    def __init__(self, control: _socket.socket) -> None:
        self._control = control
        self._running: set[int] = set()
        self._supervisors: set[int] = set()
        self._ended: dict[int, int] = {}  # exit status, or minus the number of a signal
        self._reaped: dict[int, None] = {}  # the last who came to us when their own parents had ended
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # it is the runner's to decide what that means
        _signal.signal(_signal.SIGCHLD, self._reap)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def serve(self) -> None:
        try:
            while (descriptors := self._next_request()) is not None:
                self._reply(*self._answer(descriptors))
        finally:  # whatever ends us, nobody we started may go on
            kill_all(set())

    def _next_request(self) -> list[int] | None:
        """Waits for a request and returns the descriptors that came with it; None if the runner is gone."""
        try:
            asked, rights, _, _ = self._control.recvmsg(
                1, _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4), _socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionResetError:  # it was killed before it had read our last answer
            return None
        return [number for _, _, sent in rights for number in memoryview(sent).cast("i")] if asked else None

    def _answer(self, descriptors: list[int]) -> tuple[dict[str, Any], int]:
        received = []
        try:
            received = [put_aside(number) for number in descriptors]
            return self._do(received)
        except (OSError, LookupError, ValueError) as error:  # as when there was no room for a descriptor
            return {"trouble": str(error) or repr(error)}, -1
        finally:
            for descriptor in received:
                os.close(descriptor)

    def _do(self, received: list[int]) -> tuple[dict[str, Any], int]:
        request = json.loads(os.pread(received[0], os.fstat(received[0]).st_size, 0))
        doing = {"start": self._start, "wait": self._wait, "end": self._end, "door": self._open_door}[request["do"]]
        return doing(request, received[1:])

    def _reply(self, answer: dict[str, Any], given: int) -> None:
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, given.to_bytes(4, sys.byteorder))] if given >= 0 else []
        try:
            self._control.sendmsg([json.dumps(answer).encode()], rights)
        except OSError:
            pass  # nobody is left, which is noticed next
        if given >= 0:
            os.close(given)

    def _reap(self, number: int, frame: FrameType | None) -> None:
        reap(self._note_end)

    def _note_end(self, pid: int, status: int) -> None:
        if pid in self._running:
            self._running.remove(pid)
            self._ended[pid] = os.waitstatus_to_exitcode(status)
            return
        self._reaped[pid] = None
        if len(self._reaped) > MOST_REAPED:
            del self._reaped[next(iter(self._reaped))]

    def _start(self, request: dict[str, Any], lent: list[int]) -> tuple[dict[str, Any], int]:
        """Starts a process. The runner is given a descriptor of it, because a number may become another process's."""
        _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
        try:
            enter_cgroups(request["cgroups"])
            try:
                pid = self._fork_supervisor(request, lent) if "uid" in request else spawn(request, lent)
            except OSError as error:
                return {"errno": error.errno}, -1
            finally:
                enter_cgroups([os.path.dirname(folder) for folder in request["cgroups"]])
            self._running.add(pid)
            return {"pid": pid}, os.pidfd_open(pid)
        finally:
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])

    def _fork_supervisor(self, request: dict[str, Any], lent: list[int]) -> int:
        spawner = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._control.close()
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])
            os.setsid()
            Supervisor(request, lent).stand(spawner)
        self._supervisors.add(pid)
        return pid

    def _wait(self, request: dict[str, Any], lent: list[int]) -> tuple[dict[str, Any], int]:
        """Tells how a process ended; and of a cage, whether its first process ended in silence.

        Bubblewrap ends as soon as it has heard from that process how the program ended, and leaves it to us. If the
        process ended without a word, bubblewrap has reaped it itself, and it never becomes our child.
        """
        pid, inner = request["pid"], request["inner"]
        if pid in self._running:
            try:
                self._note_end(*os.waitpid(pid, 0))
            except ChildProcessError:
                pass  # the signal of its end was faster
        status = self._ended.pop(pid)
        # A killed supervisor leaves us whoever it stood over. A cage that was ended so early that its runner never
        # heard of its first process leaves us that process, and nobody else would end it.
        if status < 0 if pid in self._supervisors else inner == 0:
            kill_all(self._running, self._note_end)
        self._supervisors.discard(pid)
        return {"status": status, "silent": inner > 0 and not self._inherited(inner)}, -1

    def _end(self, request: dict[str, Any], lent: list[int]) -> tuple[dict[str, Any], int]:
        """Ends a process nobody can watch, and whoever it leaves to us."""
        if request["pid"] in self._running:
            signal_all({request["pid"]}, _signal.SIGKILL)
        self._wait({"pid": request["pid"], "inner": 0}, lent)
        return {}, -1

    def _inherited(self, pid: int) -> bool:
        """Whether a process has become our child; we may have reaped it since."""
        _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
        try:
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        except ChildProcessError:
            return pid in self._reaped
        finally:
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])
        return True

    def _open_door(self, request: dict[str, Any], lent: list[int]) -> tuple[dict[str, Any], int]:
        """Opens a listening socket in the network of a cage.

        A child does it: everybody but root must first enter the cage's user namespace, and there is no way back.
        """
        ours, theirs = _socket.socketpair()
        pid = os.fork()
        if pid == 0:
            try:
                enter_network(request["pid"])
                door = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
                door.bind(("", request["port"]))  # its loopback may not be up yet, and there is nothing else
                door.listen(BACKLOG)
                rights = door.fileno().to_bytes(4, sys.byteorder)
                theirs.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
            except OSError as error:
                theirs.send(str(error).encode())
            os._exit(0)
        theirs.close()
        told, came, _, _ = ours.recvmsg(256, _socket.CMSG_SPACE(4), _socket.MSG_CMSG_CLOEXEC)
        ours.close()
        if not came:
            raise OSError(f"no port in the network of the cage: {told.decode()}")
        return {}, int.from_bytes(came[0][2], sys.byteorder)


def put_aside(descriptor: int) -> int:
    aside = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, ASIDE)
    os.close(descriptor)
    return aside


def enter_cgroups(cgroups: list[str]) -> None:
    for folder in cgroups:
        with open(f"{folder}/tasks", "w") as file:
            file.write("0")


def spawn(request: dict[str, Any], lent: list[int]) -> int:
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(lent)]
    command, environment = request["command"], request["environment"]
    return os.posix_spawn(
        command[0], command, environment, file_actions=actions, setsid=True, setsigmask=[], setsigdef=RESET
    )


def enter_network(pid: int) -> None:
    """Enters the network of a process, by way of the user namespace that owns the network.

    The process itself may be in a further user namespace by now, which has no rights over the network: bubblewrap
    without privileges ends its work in a second one.
    """
    with open(f"/proc/{pid}/ns/net") as network:
        owner = fcntl.ioctl(network, NS_GET_USERNS)
        for name, there, kind in (("user", owner, CLONE_NEWUSER), ("net", network.fileno(), CLONE_NEWNET)):
            if libc.setns(there, kind):
                raise OSError(ctypes.get_errno(), f"entering the {name} namespace")


def main() -> None:
    control = int(sys.argv[1])
    os.set_inheritable(control, False)  # nobody we start may talk to us
    Spawner(_socket.socket(fileno=control)).serve()


if __name__ == "__main__":
    main()
