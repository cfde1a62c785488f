"""The cage: bubblewrap with namespaces of its own, an explicit list of files, a filter, limits and a user of its own.

Started by root, the cage maps two users: ours, who mounts, and the bot's, whom nobody else on the machine is; the bot
becomes the second one. Started by anybody else, the bot is the one who started it, and the namespaces must do.
The namespaces wait until limits, group and users are set: no bot runs a moment without them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
from pathlib import Path

from botyard.jail.binds import shown, system_binds, tool_places, within
from botyard.jail.errand import FIRST_LENT, Errand
from botyard.jail.groups import groups_hold, make_group
from botyard.jail.limits import MEGABYTE, Level, apply_limits
from botyard.jail.seccomp import LOCKS, filter_descriptor
from botyard.jail.uids import HeldUid, can_change_user
from botyard.jail.ushered import Ushered, usher

HOME = "/home/bot"
PATH = ("/usr/local/bin", "/usr/bin", "/bin")
SETPRIV = Path("/usr/bin/setpriv")
SHELL = next((path for path in ("/bin/bash", "/usr/bin/bash") if Path(path).exists()), "")
READY_S = 10.0
FILE_BYTES = 1024  # of the kernel's memory, for a file with nothing in it

NAMESPACES = ("user", "pid", "ipc", "uts", "net", "cgroup-try")


class Cage:
    """One program's cage, from the open door to the swept floor."""

    level = Level.CAGED
    user: int | None = None  # in a network of its own nobody has to be told from others

    def __init__(self, errand: Errand, program: Path, streams: tuple[int, int] | None = None) -> None:
        """`streams` are the bot's standard input and output, if it has any; only the bot is to hold them."""
        self._errand, self._program = errand, program
        self._uid = HeldUid() if can_change_user() else None
        self.group = make_group(errand.limits, errand.freezes)
        self.door: socket.socket | None = None  # where a TCP bot knocks, once it has started
        self._inner = -1  # the first process of the namespaces, once there is one
        self._root: Path | None = None  # its tree of files
        self._told = b""
        self.lent = list(errand.lends)  # descriptors the new process gets, from FIRST_LENT on
        self._info, self._go, words = self._gates()
        handed = [self._lend(os.dup(stream)) for stream in streams] if streams and SHELL else []
        self.hands_over = bool(handed)  # whether the streams come as further descriptors
        self.command = [*self._walls(words), "--", *self._inside(handed)]
        self.environment: dict[str, str] = {}  # bubblewrap's own can be read by the bot; its own comes by --setenv

    def _lend(self, descriptor: int) -> str:
        """The number it will have inside."""
        self.lent.append(descriptor)
        return str(FIRST_LENT + len(self.lent) - 1)

    def _gates(self) -> tuple[int, int, list[str]]:
        """Where bubblewrap tells, where it is told to go on, and how it hears of both."""
        info, inner_info = os.pipe()
        inner_go, go = os.pipe()
        os.set_blocking(info, False)
        status = os.dup(inner_info)  # it wants two: it closes the first when the second has still much to tell
        block = "--userns-block-fd" if self._uid else "--block-fd"
        told = ["--info-fd", self._lend(inner_info), "--json-status-fd", self._lend(status)]
        return info, go, [*told, block, self._lend(inner_go)]

    def _walls(self, gates: list[str]) -> list[str]:
        """Bubblewrap with all it is to build."""
        return [
            shutil.which("bwrap") or "bwrap", *(f"--unshare-{name}" for name in NAMESPACES), "--die-with-parent",
            "--new-session", "--hostname", "cage", *gates, *self._filter(), *self._privileges(),
            *system_binds(bool(self._errand.scratch)), *self._identity(), "--proc", "/proc", "--dev", "/dev",
            *self._memory_folders(), *self._shown(), "--remount-ro", "/dev", "--remount-ro", "/",
            "--chdir", str(self._errand.folder), *self._variables(),
        ]  # fmt: skip

    def _filter(self) -> list[str]:
        if self._errand.nests:
            return []
        spared = LOCKS if self._errand.scratch else ()
        return ["--seccomp", self._lend(filter_descriptor(spared, counted=groups_hold("memory")))]

    def _identity(self) -> list[str]:
        """Who the bot is, in the words of the two files that tell it."""
        number = self._uid.number if self._uid else os.getuid()
        people = ("passwd", f"bot:x:{number}:{number}:bot:{HOME}:/bin/sh\n"), ("group", f"bot:x:{number}:\n")
        return [
            word
            for name, text in people
            for word in ("--perms", "0644", "--file", self._lend(memory_file(text)), f"/etc/{name}")
        ]

    def _privileges(self) -> list[str]:
        """What it takes to become the bot's user, which then has none of it."""
        needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP") if self._uid else ()
        return ["--cap-drop", "ALL", *(word for capability in needed for word in ("--cap-add", capability))]

    def _memory_folders(self) -> list[str]:
        errand = self._errand
        size = str(errand.limits.scratch_mb * MEGABYTE)
        mode = "1777" if self._uid else "0700"
        return [word for place in self._places() for word in ("--size", size, "--perms", mode, "--tmpfs", place)]

    def _places(self) -> list[str]:
        return ["/tmp", HOME, "/dev/shm", *([str(self._errand.scratch)] if self._errand.scratch else [])]

    @property
    def held_bytes(self) -> int:
        """Memory its folders take: what is in them, and what it takes to have a file at all."""
        held = 0
        if self._root is None:
            return held
        with contextlib.suppress(OSError):
            if self._root.stat().st_dev == Path("/").stat().st_dev:
                return held  # it still sees our own files
            for place in self._places():
                told = os.statvfs(f"{self._root}{place}")
                held += (told.f_blocks - told.f_bfree) * told.f_frsize + (told.f_files - told.f_ffree) * FILE_BYTES
        return held

    def _tools(self) -> list[Path]:
        return [self._program, *self._errand.tools]

    def _shown(self) -> list[str]:
        mapped = self._errand.shows
        places = {place for tool in self._tools() for place in tool_places(tool)}
        tools = {place: place for place in places if not within(place, map(str, mapped))}
        return list(shown({**tools, **mapped}))

    def _variables(self) -> list[str]:
        tools = dict.fromkeys(str(path.parent) for path in self._tools() if path.parent.name == "bin")
        path = ":".join(dict.fromkeys([*tools, *PATH]))
        values = {"PATH": path, "HOME": HOME, "TMPDIR": "/tmp", "LANG": "C.UTF-8", "USER": "bot"}
        pairs = {**values, **self._errand.environment}.items()
        return ["--unsetenv", "PWD", *(word for name, value in pairs for word in ("--setenv", name, value))]

    def _inside(self, handed: list[str]) -> list[str]:
        """What is started within the walls, and becomes the bot."""
        command = [str(self._program), *self._errand.command[1:]]
        if handed:
            # Bubblewrap holds its own input and output open to the end: a bot that closed them would not be noticed.
            read, write = handed
            taken = f'unset PWD OLDPWD; exec "$@" <&{read} >&{write} {read}<&- {write}>&-'
            command = [SHELL, "-c", taken, "bash", *command]
        if self._uid is None:
            return command
        number = str(self._uid.number)
        drop = ["--clear-groups", "--inh-caps", "-all", "--bounding-set", "-all"]
        return [str(SETPRIV), "--reuid", number, "--regid", number, *drop, "--", *command]

    def start(self, streams: tuple[int, int, int]) -> Ushered:
        return usher().start(self.command, self.environment, streams, self.lent, self.group)

    async def admit(self, pid: int) -> bool:
        """Sets limits, group, users and port of the waiting namespaces and lets them go. False: it ended before."""
        self._forget_lent()
        inner = await self._inner_pid()
        if inner is None:
            return False
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # it has ended
            self._inner, self._root = os.pidfd_open(inner), Path(f"/proc/{inner}/root")
            if self.group:
                await self.group.admit(inner)
            apply_limits(inner, self._errand.limits, self.group.holds if self.group else ())
            if self._errand.port:
                self.door = usher().open_door(inner, self._errand.port)
            if self._uid:
                users = f"0 0 1\n{self._uid.number} {self._uid.number} 1\n"
                Path(f"/proc/{inner}/uid_map").write_text(users)
                Path(f"/proc/{inner}/gid_map").write_text(users)
        os.write(self._go, b"!")
        return self.door is not None or not self._errand.port

    def _forget_lent(self) -> None:
        """They are the program's now."""
        for descriptor in self.lent:
            os.close(descriptor)
        self.lent = []

    async def _inner_pid(self) -> int | None:
        """The first process of the namespaces, as the host counts; bubblewrap tells it in pieces of JSON."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                while b"}" not in self._told:
                    await readable(self._info)
                    piece = os.read(self._info, 4096)
                    if not piece:
                        return None
                    self._told += piece
        first, brace, _ = self._told.partition(b"}")
        return int(json.loads(first + brace)["child-pid"]) if brace else None

    @property
    def opened(self) -> bool:
        """Of a cage that ended: whether it came to the point of starting the bot. Nothing the bot does changes that."""
        self._hear()
        return b"exit-code" in self._told

    def _hear(self) -> None:
        with contextlib.suppress(OSError):
            self._told += os.read(self._info, 4096)

    async def leave(self) -> None:
        """Waits for the last process of the namespaces; then nothing of the cage is left on the machine."""
        await self._empty()
        self._hear()
        self._forget_lent()
        descriptors = [self._info, self._go, self._inner]
        self._info, self._go, self._inner = -1, -1, -1
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)
        if self.door:
            self.door.close()
        if self.group:
            await self.group.leave()
        if self._uid:
            self._uid.let_go()

    async def _empty(self) -> None:
        """Bubblewrap is gone before its namespaces are: their first process ends when all others have."""
        if self._inner < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._inner, signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                await readable(self._inner)


def memory_file(text: str) -> int:
    descriptor = os.memfd_create("people", 0)
    os.write(descriptor, text.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


async def readable(descriptor: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
