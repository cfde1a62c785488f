"""A site in small, as root starts one: it leaves a warden behind, becomes nobody, and does what it is told.

    python3 site.py (PYTHONPATH leads to the jail; a line of JSON for each question and for each answer)

Nothing but the jail and the standard library is imported, so that any interpreter will do.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cell import caged  # type: ignore[import-not-found]

from botyard.jail.limits import Limits
from botyard.jail.uids import BLOCK, FIRST_BLOCK
from botyard.jail.warden import GrantedUid, leave_warden, warden_line
from botyard.kernel.errors import OurFault

NOBODY = 65534
CLONE_NEWUSER = 0x10000000
PTRACE_ATTACH = 16
PR_SET_DUMPABLE = 4


def cells(*asked: list[Any]) -> list[dict[str, Any]]:
    """Runs probes in cages at the same time: folder, port, limits, what is a copy, and the words of each."""

    async def all_at_once() -> list[Any]:
        return await asyncio.gather(
            *(
                caged(Path(folder), Limits(**limits), *words, port=port, copy=Path(folder) if copied else None)
                for folder, port, limits, copied, *words in asked
            )
        )

    return asyncio.run(all_at_once())


def hold(folder: str) -> dict[str, Any]:
    """A cage whose program sleeps, until somebody ends us: never answers."""
    cells([folder, 0, {}, True, "rest"])
    raise AssertionError("nobody has ended us")


def outcome(what: Callable[[], Any]) -> str:
    try:
        return str(what())
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    except OurFault as error:
        return str(error)


def namespace(then: Callable[[], str] = lambda: "") -> tuple[int, socket.socket]:
    """A process of ours in a user namespace without a map, which tells what `then` comes to once it is sent a word."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process == 0:
        ours.close()
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as whatever was started after root's rights were left
        ctypes.CDLL(None).unshare(CLONE_NEWUSER)
        theirs.send(b"!")
        theirs.recv(1)
        theirs.send((then() or "-").encode())
        os._exit(0)
    theirs.close()
    ours.recv(1)
    return process, ours


def map_into(grant: GrantedUid, process: int) -> str:
    """What the warden says when it is asked for this."""
    return outcome(lambda: grant._map(process))


def within(then: Callable[[int], str]) -> str:
    """What comes of something that is done as the root of a mapped namespace, which is told its number."""
    grant = GrantedUid()
    process, line = namespace(lambda: then(grant.number))
    map_into(grant, process)
    line.send(b"!")
    said = line.recv(4096).decode()
    os.waitpid(process, 0)
    return said


def attacks(warden: int, roots: int, others: int, secret: str) -> dict[str, str]:
    """What whoever took the site over could try: with the warden's number, a process of root's, one of another user's
    namespace, and a file of root's."""
    done = {}
    for name, process in {"root's": roots, "another user's": others, "our own": os.getpid(), "no": 2**22 + 1}.items():
        grant = GrantedUid()
        done[f"a map for {name} process"] = map_into(grant, process)
        grant.let_go()
    grant, (first, one), (second, two) = GrantedUid(), namespace(), namespace()
    done["a map"] = map_into(grant, first)
    done["another with the same number"] = map_into(grant, second)
    for line, process in ((one, first), (two, second)):
        line.send(b"!")
        os.waitpid(process, 0)
    done["root's file, in a namespace"] = within(lambda _: outcome(lambda: Path(secret).read_text()))
    done["a neighbour's number"] = within(lambda number: outcome(lambda: os.setresuid(*[number - 1] * 3)))
    done["the own number"] = within(lambda number: outcome(lambda: os.setresuid(*[number] * 3)))
    done["who one is"] = within(lambda _: Path("/proc/self/uid_map").read_text())
    done["signal the warden"] = outcome(lambda: os.kill(warden, signal.SIGKILL))
    done["its memory"] = outcome(lambda: Path(f"/proc/{warden}/mem").read_bytes())
    done["its program"] = outcome(lambda: Path(f"/proc/{warden}/exe").readlink())
    trace = ctypes.CDLL(None, use_errno=True).ptrace
    done["trace it"] = str(trace(PTRACE_ATTACH, warden, 0, 0))
    done["root"] = outcome(lambda: os.setuid(0))
    return done


def nonsense() -> str:
    """Says to the warden what it does not understand; returns what it answers to a sensible request afterwards."""
    line = warden_line()
    assert line is not None
    readable, written = os.pipe()
    stream, _ = socket.socketpair()
    for descriptors in ([], [readable, written], [stream.fileno()], [os.open("/dev/null", os.O_RDWR)] * 2):
        line.sendmsg([b"?" * 100], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))])
    for words in (b"-1", b"1", b"0x10", b"\xff" * 4096, b"/etc/passwd", b"1\n2"):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        socket.send_fds(line, [b"?"], [theirs.fileno()])
        assert int(ours.recv(64)) >= FIRST_BLOCK
        ours.send(words)
        assert ours.recv(4096) != b"mapped"
        ours.close()
    return str(GrantedUid().number >= FIRST_BLOCK)


def all_numbers() -> tuple[int, str, bool]:
    """Takes every number: how many there are, what is said when there are no more, and whether they come back."""
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4 * BLOCK), most))
    held = [GrantedUid() for _ in range(BLOCK)]
    refused = outcome(GrantedUid)
    for grant in held:
        grant.let_go()
    return len({grant.number for grant in held}), refused, GrantedUid().number >= FIRST_BLOCK


DOING: dict[str, Callable[..., Any]] = {
    one.__name__: one for one in (cells, hold, attacks, nonsense, all_numbers)
}  # fmt: skip


def main() -> None:
    leave_warden(NOBODY, NOBODY)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    with contextlib.suppress(KeyboardInterrupt):
        for question in sys.stdin:
            name, *arguments = json.loads(question)
            print(json.dumps(DOING[name](*arguments)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
