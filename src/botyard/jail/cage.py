"""A cage is made by bubblewrap: namespaces, an explicit list of files, a filter, limits and a user of its own.

Started by root, or where a warden of root's gives users out, the cage maps two users: ours, who mounts, and the bot's,
whom nobody else on the machine is; the bot becomes the second one. Started by anybody else, the bot is that user, and
the namespaces alone keep it in.
The namespaces wait until limits, cgroups and users are set: no bot runs a moment without them.
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

from botyard.jail.bot_cache import give, open_to_all, opened_copy, owned_copy, users_of
from botyard.jail.cgroups import Cgroup, cgroups_hold, make_cgroup
from botyard.jail.launch import FIRST_LENT, Launch
from botyard.jail.limits import MEGABYTE, Level, apply_limits
from botyard.jail.location import Located
from botyard.jail.memory import memory_file
from botyard.jail.mounts import file_options, folder_options, link_options, proc_masks, system_mounts
from botyard.jail.seccomp import LOCKS, filter_program
from botyard.jail.spawner import Spawned, spawner
from botyard.jail.threads import in_thread
from botyard.jail.toolchains import PLACE
from botyard.jail.uids import HeldUid, can_change_user
from botyard.jail.warden import GrantedUid, warden_line

HOME = "/home/bot"
PATH = ("/usr/local/bin", "/usr/bin", "/bin")
SETPRIV = Path("/usr/bin/setpriv")
SHELL = next((path for path in ("/bin/bash", "/usr/bin/bash") if Path(path).exists()), "")
READY_S = 10.0
SYSTEM_PYTHON = Path("/usr/bin/python3")
FILE_BYTES = 1024  # of the kernel's memory, for a file with nothing in it

NAMESPACES = ("user", "pid", "ipc", "uts", "net", "cgroup-try")


class Cage:
    """The cage of one program."""

    level = Level.CAGED
    user: int | None = None  # in a network of its own nobody has to be told from others

    def __init__(self, launch: Launch, program: Located, streams: tuple[int, int] | None = None) -> None:
        """Takes nothing of the machine yet: `prepare` does that, and `leave` gives it back.

        `streams` are the bot's standard input and output, if it has any; only the bot is to hold them.
        """
        self._launch, self._program = launch, program
        self._streams = streams if streams and SHELL else ()
        self.hands_over = bool(self._streams)  # whether the streams come as further descriptors
        self.lent: list[int] = []  # descriptors the new process gets, from FIRST_LENT on
        self._uid: HeldUid | GrantedUid | None = None
        self._own: Path | None = None  # the copy of the bot that its user can read
        self.cgroup: Cgroup | None = None
        self.door: socket.socket | None = None  # where a TCP bot knocks, once it has started
        self._info = self._go = -1
        self._inner = -1  # the first process of the namespaces, once there is one
        self._root: Path | None = None  # its tree of files
        self._info_text = b""
        self.command: list[str] = []
        self.environment: dict[str, str] = {}  # bubblewrap's own can be read by the bot; its own comes by --setenv

    async def prepare(self) -> None:
        """Makes all that a start needs. It may fail half way: `leave` gives back what there is."""
        launch = self._launch
        if can_change_user():
            self._uid = HeldUid(users_of(launch.copy) if launch.copy else ())
            await self._hand_over(self._uid.number)
        elif warden_line():
            await in_thread(self._be_granted)
            await self._open_up()
        self.cgroup = make_cgroup(launch.limits, launch.freezes)
        for descriptor in launch.lends:
            self._lend(os.dup(descriptor))
        gate_options = self._gate_options()
        inside = self._inside([self._lend(os.dup(stream)) for stream in self._streams])
        # As arguments of a process they could be read by the bot, and they name folders of this machine.
        options = self._lend(memory_file("\0".join(self._options(gate_options)).encode()))
        self.command = [shutil.which("bwrap") or "bwrap", "--args", options, "--", *inside]

    async def _hand_over(self, user: int) -> None:
        """Gives the bot's user what is to belong to it."""
        if self._launch.copy:
            self._own = await owned_copy(self._launch.copy, user)
        if self._launch.owns:
            await in_thread(give, self._launch.owns, user)

    def _be_granted(self) -> None:
        self._uid = GrantedUid()

    async def _open_up(self) -> None:
        """Lets the bot's user read what it is to see: only root could give it away."""
        if self._launch.copy:
            self._own = await opened_copy(self._launch.copy)
        if self._launch.owns:
            await in_thread(open_to_all, self._launch.owns)

    def _lend(self, descriptor: int) -> str:
        """Lends a descriptor to the cage, and returns the number it will have inside."""
        self.lent.append(descriptor)
        return str(FIRST_LENT + len(self.lent) - 1)

    def _gate_options(self) -> list[str]:
        """Options for the pipes by which bubblewrap tells us of its first process, and is told to go on."""
        self._info, telling = os.pipe()
        info = self._lend(telling)
        os.set_blocking(self._info, False)
        status = self._lend(os.dup(telling))  # it wants two: it closes the first when the second has much to tell
        waiting, self._go = os.pipe()
        self._gate = self._lend(waiting)
        block = "--userns-block-fd" if self._uid else "--block-fd"
        return ["--info-fd", info, "--json-status-fd", status, block, self._gate]

    def _options(self, gate_options: list[str]) -> list[str]:
        """All options of bubblewrap."""
        return [
            *(f"--unshare-{name}" for name in NAMESPACES), "--die-with-parent", "--new-session", "--hostname", "cage",
            *gate_options, *self._filter(), *self._privileges(), *system_mounts(self._launch.builds), "--proc", "/proc",
            *proc_masks(), "--dev", "/dev", *self._memory_folders(), *self._shown(), *self._texts(),
            "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/" if SHELL else str(self._launch.folder),
            *self._variables(),
        ]  # fmt: skip

    def _filter(self) -> list[str]:
        if self._launch.nests:
            return []
        spared = LOCKS if self._launch.builds else ()
        return ["--seccomp", self._lend(memory_file(filter_program(spared=spared, counted=cgroups_hold("memory"))))]

    def _texts(self) -> list[str]:
        """Options for small files of our own: who the bot is, which hosts there are, what a toolchain reads."""
        number = self._uid.number if self._uid else os.getuid()
        texts = {
            Path("/etc/passwd"): f"bot:x:{number}:{number}:bot:{HOME}:/bin/sh\n",
            Path("/etc/group"): f"bot:x:{number}:\n",
            Path("/etc/hosts"): "127.0.0.1 localhost\n",
            Path("/etc/nsswitch.conf"): "passwd: files\ngroup: files\nhosts: files\n",
        }
        for toolchain in self._program.toolchains:
            texts.update(toolchain.texts)
        return [
            word
            for place, text in texts.items()
            for word in ("--perms", "0644", "--file", self._lend(memory_file(text.encode())), str(place))
        ]

    def _privileges(self) -> list[str]:
        """Options for the capabilities it takes to become the bot's user, who then has none of them."""
        needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP") if self._uid else ()
        return ["--cap-drop", "ALL", *(word for capability in needed for word in ("--cap-add", capability))]

    def _memory_folders(self) -> list[str]:
        launch = self._launch
        size = str(launch.limits.scratch_mb * MEGABYTE)
        mode = "1777" if self._uid else "0700"
        return [word for place in self._places() for word in ("--size", size, "--perms", mode, "--tmpfs", place)]

    def _places(self) -> list[str]:
        return ["/tmp", HOME, "/dev/shm", *([str(self._launch.scratch)] if self._launch.scratch else [])]

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

    def _shown(self) -> list[str]:
        """Options that show toolchains, a program that belongs to none of them, and the bot's own files.

        The folder it is started in is always there, if only empty.
        """
        launch, program = self._launch, self._program
        places = {place: lies for toolchain in program.toolchains for place, lies in toolchain.shown.items()}
        if program.alone:
            places[program.inside] = program.outside
        for place, lies in launch.shows.items():
            places[place] = self._own if self._own and lies == launch.copy else lies
        folders = [] if launch.scratch else [launch.folder, *launch.folder.parents]
        return [*folder_options(folders), *file_options(places), *link_options(program.toolchains), *self._python()]

    def _python(self) -> list[str]:
        """Options for a link `python`, which scripts call; many systems know it as `python3` only."""
        named = next((chain.places["python3"] for chain in self._program.toolchains if "python3" in chain.places), None)
        target = named or SYSTEM_PYTHON
        return [*folder_options([PLACE, PLACE / "bin"]), "--symlink", str(target), str(PLACE / "bin" / "python")]

    def _variables(self) -> list[str]:
        chains = [chain for chain in self._program.toolchains if chain.shown]
        folders = [str(folder) for chain in chains for folder in chain.folders]
        path = ":".join(dict.fromkeys([*folders, *PATH, str(PLACE / "bin")]))
        values = {"PATH": path, "HOME": HOME, "TMPDIR": "/tmp", "LANG": "C.UTF-8", "USER": "bot"}
        for chain in reversed(chains):
            values.update(chain.environment)
        pairs = {**values, **self._launch.environment}.items()
        return ["--unsetenv", "PWD", *(word for name, value in pairs for word in ("--setenv", name, value))]

    def _inside(self, handed: list[str]) -> list[str]:
        """The command that bubblewrap starts, and that becomes the bot."""
        command = [str(self._program.inside), *self._launch.command[1:]]
        if SHELL:
            # Bubblewrap leaves the bot the gate it waited at, and holds its own input and output open to the end: a bot
            # that closed them would not be noticed. And only the bot itself may be allowed into its folder.
            streams = "<&{0} >&{1} {0}<&- {1}>&-".format(*handed) if handed else ""
            script = f'cd "$1" && shift && unset PWD OLDPWD && exec "$@" {streams} {self._gate}<&-'
            command = [SHELL, "-c", script, "bash", str(self._launch.folder), *command]
        if self._uid is None:
            return command
        number = str(self._uid.number)
        drop = ["--clear-groups", "--inh-caps", "-all", "--bounding-set", "-all"]
        return [str(SETPRIV), "--reuid", number, "--regid", number, *drop, "--", *command]

    async def start(self, streams: tuple[int, int, int]) -> Spawned:
        return await spawner().start(self.command, self.environment, streams, self.lent, self.cgroup)

    async def admit(self, process: Spawned) -> bool:
        """Sets limits, cgroups, users and port of the waiting namespaces and lets them go. False: they ended before."""
        self._forget_lent()
        inner = await self._inner_pid()
        if inner is None:
            return False
        process.inner = inner
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # it has ended
            self._inner, self._root = os.pidfd_open(inner), Path(f"/proc/{inner}/root")
            if self.cgroup:
                await self.cgroup.admit(inner)
            apply_limits(inner, self._launch.limits, self.cgroup.holds if self.cgroup else ())
            if self._launch.port:
                self.door = await spawner().open_door(inner, self._launch.port)
            if self._uid:
                await self._uid.map_into(inner)
        os.write(self._go, b"!")
        return self.door is not None or not self._launch.port

    def _forget_lent(self) -> None:
        """Closes our copies of what was lent: the program has its own."""
        for descriptor in self.lent:
            os.close(descriptor)
        self.lent = []

    async def _inner_pid(self) -> int | None:
        """The first process of the namespaces, as the host counts; bubblewrap tells it in pieces of JSON."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                while b"}" not in self._info_text:
                    await readable(self._info)
                    piece = os.read(self._info, 4096)
                    if not piece:
                        return None
                    self._info_text += piece
        first, brace, _ = self._info_text.partition(b"}")
        return int(json.loads(first + brace)["child-pid"]) if brace else None

    @property
    def opened(self) -> bool:
        """Whether a cage that has ended had started its bot. Nothing the bot does can change the answer."""
        self._read_info()
        return b"exit-code" in self._info_text

    def struck(self, process: Spawned) -> bool:
        """Whether a cage that has ended was ended by somebody outside.

        Bubblewrap itself cannot be reached from inside. Nor can the first process of the namespaces, if the bot is
        another user than that: signals do not end it, and its limits are not the bot's to set.
        """
        if self.opened:
            return process.silent and self._uid is not None
        return (process.returncode or 0) < 0

    def _read_info(self) -> None:
        with contextlib.suppress(OSError):
            self._info_text += os.read(self._info, 4096)

    async def leave(self) -> None:
        """Waits for the last process of the namespaces; then nothing of the cage is left on the machine."""
        await self._empty()
        self._read_info()
        self._forget_lent()
        descriptors = [self._info, self._go, self._inner]
        self._info, self._go, self._inner = -1, -1, -1
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)
        if self.door:
            self.door.close()
        if self.cgroup:
            await self.cgroup.leave()
        if self._uid:
            self._uid.let_go()

    async def _empty(self) -> None:
        """Waits for the first process of the namespaces, which ends after all others; bubblewrap is gone before it."""
        if self._inner < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._inner, signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                await readable(self._inner)


async def readable(descriptor: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
