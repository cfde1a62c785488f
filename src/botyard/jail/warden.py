"""Stands over a program that has no pid namespace: whatever it starts comes back here, and ends with it.

Run by itself (`python -I -S warden.py PARENT UID DESCRIPTOR COMMAND…`), as little as possible is
imported. It begins once a byte comes through the descriptor: by then its limits are set. Exits like the program,
or with 128 and the number of the signal that killed it.
"""

import ctypes
import os
import signal
import sys
from types import FrameType

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 1, 38, 36
CLONE_NEWIPC = 0x08000000


def family() -> set[int]:
    """All our descendants, dead or alive: orphans among them are our children."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    parents[int(entry)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
    found = {os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return found - {os.getpid()}


def kill_all() -> None:
    """Ends the whole family. All are stopped first: who is killed makes room for those who fork, who is stopped not."""
    while True:
        stopped: set[int] = set()
        while fresh := family() - stopped:
            tell(fresh, signal.SIGSTOP)
            stopped |= fresh
        tell(stopped, signal.SIGKILL)
        try:
            while True:
                os.waitpid(-1, 0)
        except ChildProcessError:
            if not stopped:
                return


def tell(pids: set[int], what: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            continue


def leave(number: int, frame: FrameType | None) -> None:
    kill_all()
    os._exit(128 + number)


def become(uid: int, command: list[str]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    if uid:
        ctypes.CDLL(None).unshare(CLONE_NEWIPC)  # shared memory and queues of its own, which go when it goes
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(126)


def main() -> None:
    parent, uid, go, command = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    prctl = ctypes.CDLL(None).prctl
    signal.signal(signal.SIGTERM, leave)
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(128 + signal.SIGTERM)
    if not os.read(go, 1):
        os._exit(128 + signal.SIGTERM)
    os.close(go)
    bot = os.fork()
    if bot == 0:
        become(uid, command)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)  # the bot's pipes are the bot's alone
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == bot:
            kill_all()
            os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
