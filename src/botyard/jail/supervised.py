"""Without a cage a supervisor stands over the program, so that its whole tree of processes is ours and dies with it."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

from botyard.jail.bot_cache import give, lent_copy, users_of
from botyard.jail.bot_copies import remove_tree
from botyard.jail.cgroups import Cgroup, make_cgroup
from botyard.jail.launch import Launch
from botyard.jail.limits import Level, apply_limits
from botyard.jail.spawner import Spawned, spawner
from botyard.jail.threads import in_thread
from botyard.jail.uids import HeldUid

PUBLIC = tuple(map(Path, ("/tmp", "/var/tmp", "/dev/shm")))

# What a program needs to find its interpreter and libraries; nothing else of our environment reaches it.
PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "GOROOT",
    "LUA_PATH",
)


class Supervised:
    """One program under a supervisor: `open` as ourselves, `limited` as a user of its own and with limits."""

    door: socket.socket | None = None  # it reaches ours over the machine's own loopback
    held_bytes = 0  # its files are on the disk
    hands_over = False  # a supervisor lets go of the streams it inherits
    opened = True  # a supervisor has nothing to set up that could fail

    def __init__(self, launch: Launch, program: Path) -> None:
        """Takes nothing of the machine yet: `prepare` does, and `leave` gives it back."""
        self._launch, self._program, self._folder = launch, program, launch.folder
        self.level = launch.level
        self.cgroup: Cgroup | None = None
        self._uid: HeldUid | None = None
        self._go = -1
        self.lent: list[int] = []
        self.environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        if launch.level is Level.LIMITED:
            self.environment["HOME"] = "/tmp"
        self.environment |= launch.environment

    async def prepare(self) -> None:
        """Makes all that a start needs. It may fail half way: `leave` gives back what there is."""
        launch = self._launch
        if launch.level is Level.LIMITED:
            self.cgroup = make_cgroup(launch.limits, launch.freezes)
            self._uid = HeldUid(users_of(launch.copy) if launch.copy else ())
            await self._hand_over(self._uid.number)
        for descriptor in launch.lends:
            self.lent.append(os.dup(descriptor))
        go, self._go = os.pipe()
        self.lent.append(go)

    async def _hand_over(self, user: int) -> None:
        """Gives the bot's user what is to belong to it."""
        launch = self._launch
        if launch.owns:
            await in_thread(give, launch.owns, user)
        if launch.copy:
            own = await lent_copy(launch.copy, user)
            self._folder, self._program = (moved(path, launch.copy, own) for path in (self._folder, self._program))

    @property
    def command(self) -> list[str]:
        return [str(self._program), *self._launch.command[1:]]

    @property
    def user(self) -> int | None:
        """Who the program is, if not ourselves."""
        return self._uid.number if self._uid else None

    async def start(self, streams: tuple[int, int, int]) -> Spawned:
        supervised = {"uid": self.user or 0, "folder": str(self._folder)}
        return await spawner().start(
            self.command, self.environment, streams, self.lent, self.cgroup, **supervised
        )  # fmt: skip

    async def admit(self, process: Spawned) -> bool:
        for descriptor in self.lent:
            os.close(descriptor)
        self.lent = []
        if self._launch.level is Level.LIMITED:
            with contextlib.suppress(ProcessLookupError):
                if self.cgroup:
                    await self.cgroup.admit(process.pid)
                apply_limits(process.pid, self._launch.limits, self.cgroup.holds if self.cgroup else ())
        os.write(self._go, b"!")
        return True

    def struck(self, process: Spawned) -> bool:
        """Whether somebody else ended the supervisor: the spawner's end does; a bot with a user of its own cannot."""
        return process.silent or (self._uid is not None and (process.returncode or 0) < 0)

    async def leave(self) -> None:
        descriptors = [*self.lent, self._go]
        self.lent, self._go = [], -1
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)
        if self.cgroup:
            await self.cgroup.leave()
        if self._uid and not self._uid.free:
            await in_thread(sweep_files, self._uid.number)
            self._uid.let_go()


def moved(path: Path, folder: Path, elsewhere: Path) -> Path:
    """A path in one folder as it is in a copy of that folder; any other path stays as it is."""
    return elsewhere / path.relative_to(folder) if path.is_relative_to(folder) else path


def sweep_files(owner: int) -> None:
    """Removes what a user who is no more left where everybody may write; no link of his is followed."""
    for folder in PUBLIC:
        paths: list[Path] = []
        with contextlib.suppress(OSError):  # not every machine has all of them
            paths.extend(folder.iterdir())
        for path in paths:
            with contextlib.suppress(OSError):
                about = path.lstat()
                if about.st_uid == owner:
                    remove_tree(path) if stat.S_ISDIR(about.st_mode) else path.unlink()
