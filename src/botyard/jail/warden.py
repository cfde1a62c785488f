"""This is our end of the line to the warden, which alone keeps rights of root for a site (`programs/warden.py`).

The line is inherited by the server and its workers, and by nobody else. Who wants a user for a bot sends a socket over
it and holds the other end for as long as the bot lives: when the holder dies, the kernel tells the warden.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from botyard.jail.handed_cgroups import enter_site_groups, make_site_groups
from botyard.jail.spawner import libraries
from botyard.jail.threads import in_thread
from botyard.jail.toolchains import INTERPRETER
from botyard.jail.uids import BLOCK, HeldBlock, all_mapped, can_change_user
from botyard.kernel.errors import OurFault

SOURCE = Path(__file__).parent / "programs" / "warden.py"
ANSWER_S = 60.0  # for one answer: nothing that is asked takes long
ANSWER_BYTES = 256
GONE = "the process that gives users to bots does not answer"

LINES: list[socket.socket] = []
WARDENS: list[subprocess.Popen[bytes]] = []  # nobody waits for them: they end after us


def warden_line() -> socket.socket | None:
    """The line of this process, if it has one."""
    return LINES[-1] if LINES else None


def use_warden(line: socket.socket | None) -> None:
    """From now on, bots that this process starts get their users over this line."""
    LINES[:] = [line] if line else []
    if line:
        line.set_inheritable(False)  # no program that we start may talk to the warden


def bots_have_users() -> bool:
    """Whether a program that is caged here becomes a user of its own."""
    return can_change_user() or warden_line() is not None


def leave_warden(user: int, group: int) -> None:
    """As root that is about to become another user: leaves a warden behind, and takes control groups along."""
    groups = make_site_groups(user, group)
    if all_mapped():  # else this is a container that has few users, and cages alone keep bots apart
        use_warden(start_warden(user, group, groups))
        GrantedUid().let_go()  # it lives
    enter_site_groups(groups, user, group)  # where the warden must not be: it removes them


def start_warden(user: int, group: int, folders: Sequence[Path] = ()) -> socket.socket:
    """Starts a warden for one user's site. Only root can. It removes `folders`, control groups, when it ends."""
    block = HeldBlock(user)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, Path(os.devnull).open("r+b") as nothing:
        number = theirs.fileno()
        words = [number, user, group, block.first, BLOCK, *folders]
        WARDENS.append(subprocess.Popen(
            [str(INTERPRETER), "-I", "-S", str(SOURCE), *map(str, words)], pass_fds=[number, block.descriptor],
            cwd="/", env=libraries(), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True,
        ))  # fmt: skip
    os.close(block.descriptor)  # the warden holds it now
    return ours


async def warden_ends() -> None:
    """Waits for the end of the warden, if there is one: nothing ever comes over the line but that. Raises it then."""
    line = warden_line()
    if line is None:
        return
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(line)
    raise OurFault("the process that gives users to bots has ended; start the site again")


class GrantedUid:
    """A number that the warden gave to a bot, and nobody else has until it is let go and its process has ended."""

    def __init__(self) -> None:
        line = warden_line()
        assert line is not None, "there is a warden"
        self._held, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                # The line is shared by several processes, so it has no time-out of its own.
                socket.send_fds(line, [b"?"], [theirs.fileno()], socket.MSG_DONTWAIT)
            said = self._answer()
            if not said.isdigit():
                raise OurFault(f"no user can be reserved for a bot: {said}; play fewer games at once")
        except OSError as error:
            self._held.close()
            raise OurFault(f"{GONE}: {error.strerror}") from None
        except OurFault:
            self._held.close()
            raise
        self.number = int(said)

    def _answer(self) -> str:
        self._held.settimeout(ANSWER_S)
        if not (said := self._held.recv(ANSWER_BYTES)):
            raise OurFault(GONE)
        return said.decode()

    async def map_into(self, process: int) -> None:
        """Lets the namespace of a process know us, who mount, and this user."""
        said = await in_thread(self._map, process)
        if said != "mapped" and Path(f"/proc/{process}").exists():
            raise OurFault(f"a cage got no user of its own: {said}")

    def _map(self, process: int) -> str:
        try:
            self._held.send(str(process).encode())
            return self._answer()
        except OSError as error:
            raise OurFault(f"{GONE}: {error.strerror}") from None

    def let_go(self) -> None:
        self._held.close()
