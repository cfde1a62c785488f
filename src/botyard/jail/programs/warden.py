"""The warden is all of a site that keeps rights of root: it gives the cages of one user numbers of users for bots.

Run by itself (`python -I -S warden.py LINE USER GROUP FIRST COUNT FOLDER…`), started by root before the site becomes
its own user. It starts nothing, opens no file that anybody names, and listens to nobody but who inherits its line. It
understands two things, and trusts nobody who says them:

- A socket comes over the line: it is answered with a number that nobody else has.
- A process number comes over such a socket: the user namespace of that process gets a map of two users, the site's own
  as its root and that one number as itself. Once for each number.

The kernel decides whether the map may be written. Of root's rights the warden keeps two, to become other users and
groups, without which nobody may map users that are not his own; and it opens the map as the site's user. So the
namespace must be that user's own, without a map. A number is free again when its socket is closed and its process has
ended. When nobody holds the line any more, the warden ends. Then its parent, to whom nobody speaks, removes the site's
control groups, its FOLDERs.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import os
import resource
import select
import struct
import sys
import time

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
CAPABILITIES_VERSION = 0x20080522
CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID = 1 << 1, 1 << 6, 1 << 7
NUMBER_BYTES = 16  # of a process number in words
SPARE_FILES = 64  # beside two for each number
REMOVED_S, PAUSE_S = 20.0, 0.02
FULL = b"every number is in use"

libc = ctypes.CDLL(None, use_errno=True)


class Grant:
    """A number that is given out."""

    def __init__(self, number: int, holder: _socket.socket) -> None:
        self.number = number
        self.holder: _socket.socket | None = holder
        self.process = -1  # whose namespace knows it, as a descriptor
        self.used = False


class Warden:
    """Gives numbers out until nobody is left to ask for one."""

    def __init__(self, line: _socket.socket, user: int, group: int, numbers: range) -> None:
        self._line, self._user, self._group = line, user, group
        self._free = list(numbers)
        self._grants: dict[int, Grant] = {}  # by the descriptors of holders and processes
        self._poll = select.poll()
        self._poll.register(line, select.POLLIN)

    def serve(self) -> None:
        line = self._line.fileno()
        while True:
            ready = [descriptor for descriptor, _ in self._poll.poll()]
            for descriptor in sorted(ready, key=lambda descriptor: descriptor == line):  # who gives back goes first
                grant = self._grants.get(descriptor)
                if descriptor == line:
                    if not self._meet():
                        return
                elif grant is not None and grant.holder is not None and descriptor == grant.holder.fileno():
                    self._hear(grant, grant.holder)
                elif grant is not None and descriptor == grant.process:
                    self._forget(descriptor)
                    os.close(descriptor)
                    grant.process = -1
                    self._take_back(grant)

    def _meet(self) -> bool:
        """Gives a number to whoever sent us a socket. False: nobody is left on the line."""
        try:
            said, rights, _, _ = self._line.recvmsg(
                1, _socket.CMSG_SPACE(4), _socket.MSG_CMSG_CLOEXEC | _socket.MSG_DONTWAIT
            )
        except BlockingIOError:
            return True
        except OSError:
            return False
        sent = [number for _, _, data in rights for number in memoryview(data).cast("i")]
        for number in sent:
            try:
                self._give(_socket.socket(fileno=number))
            except (OSError, ValueError):  # no socket of this kind, or nobody reads it
                close(number)
        return bool(said)

    def _give(self, holder: _socket.socket) -> None:
        if (holder.family, holder.type) != (_socket.AF_UNIX, _socket.SOCK_SEQPACKET):
            holder.close()
            return
        if not self._free:
            say(holder, FULL)
            holder.close()
            return
        grant = Grant(self._free.pop(), holder)
        self._watch(holder.fileno(), grant)
        say(holder, str(grant.number).encode())

    def _hear(self, grant: Grant, holder: _socket.socket) -> None:
        """Maps the number into the process that its holder names, or takes it back if nobody holds it any more."""
        try:
            said = holder.recv(NUMBER_BYTES, _socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if not said:
            self._forget(holder.fileno())
            holder.close()
            grant.holder = None
            self._take_back(grant)
            return
        try:
            self._map(grant, int(said))
            say(holder, b"mapped")
        except (OSError, ValueError) as error:
            say(holder, str(error).encode())

    def _map(self, grant: Grant, process: int) -> None:
        if grant.used or process <= 1:
            raise ValueError("this number is mapped already, or that is no process of yours")
        watched = os.pidfd_open(process)
        try:
            write_map(f"/proc/{process}/uid_map", self._user, grant.number)
        except OSError:
            os.close(watched)
            raise
        grant.used, grant.process = True, watched
        self._watch(watched, grant)
        write_map(f"/proc/{process}/gid_map", self._group, grant.number)

    def _watch(self, descriptor: int, grant: Grant) -> None:
        self._grants[descriptor] = grant
        self._poll.register(descriptor, select.POLLIN)

    def _forget(self, descriptor: int) -> None:
        del self._grants[descriptor]
        self._poll.unregister(descriptor)

    def _take_back(self, grant: Grant) -> None:
        if grant.holder is None and grant.process < 0:
            self._free.insert(0, grant.number)  # the longest unused is given first


def write_map(path: str, own: int, number: int) -> None:
    """Tells a namespace that its root is one user outside, and that one more number is the same outside."""
    opened = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        os.write(opened, f"0 {own} 1\n{number} {number} 1\n".encode())
    finally:
        os.close(opened)


def say(holder: _socket.socket, words: bytes) -> None:
    """Answers. Who does not read, or has gone, is not waited for."""
    try:
        holder.send(words, _socket.MSG_DONTWAIT)
    except OSError:
        return


def close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:
        return


def keep_rights(kept: int) -> None:
    header = struct.pack("=Ii", CAPABILITIES_VERSION, 0)
    if libc.capset(header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)) or libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "giving up rights")
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def act_as(user: int, group: int) -> None:
    """Acts as the site's user from here on, and is nobody whom that user could touch."""
    os.setgroups([])
    os.setresgid(group, group, group)
    os.setresuid(0, user, 0)
    keep_rights(CAP_SETGID | CAP_SETUID)


def remove_groups(folders: list[str]) -> None:
    """Removes control groups with all that were made in them; their last processes may still be ending."""
    until = time.monotonic() + REMOVED_S
    while folders and time.monotonic() < until:
        for folder in folders:
            for where, _, _ in os.walk(folder, topdown=False):
                try:
                    os.rmdir(where)
                except OSError:
                    continue
        folders = [folder for folder in folders if os.path.isdir(folder)]
        time.sleep(PAUSE_S)


def main() -> None:
    line, user, group, first, count = map(int, sys.argv[1:6])
    if user <= 0 or group <= 0 or first <= user < first + count:
        sys.exit("the site needs a user and a group of its own")
    for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
        _signal.signal(number, _signal.SIG_IGN)  # it goes when all others have gone
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * count + SPARE_FILES, 2 * count + SPARE_FILES))
    warden = os.fork()
    if warden == 0:
        act_as(user, group)
        Warden(_socket.socket(fileno=line), user, group, range(first, first + count)).serve()
        return
    os.close(line)
    keep_rights(CAP_DAC_OVERRIDE)  # the folders are root's, and who may write there is not said by their modes
    os.waitpid(warden, 0)
    remove_groups(sys.argv[6:])


if __name__ == "__main__":
    main()
