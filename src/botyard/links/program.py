"""A bot's program: started in a session of its own, listened to, and ended with everything it started.

What can be left behind when this process dies at once: the bots, which then lose their connection. What a bot can
leave behind: nothing that carries the mark we put into its environment or descends from it, because both are hunted
until none is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Mapping, Sequence
from pathlib import Path

from botyard.kernel.verdict import Fault, Verdict

MARK = "BOTYARD_BOT"
HUNT_ROUNDS = 50
HUNT_PAUSE_S = 0.01

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

HEAD_BYTES = 8192
TAIL_BYTES = 8192


class Spoken:
    """What a program prints: the beginning and the end are kept, the middle is counted."""

    def __init__(self) -> None:
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0

    def add(self, chunk: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        excess = len(self._tail) - TAIL_BYTES
        if excess > 0:
            del self._tail[:excess]
            self._dropped += excess

    def take(self) -> str:
        """The text since the last call."""
        gap = f"\n… {self._dropped} bytes dropped …\n".encode() if self._dropped else b""
        text = (self._head + gap + self._tail).decode("utf-8", "replace")
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        return text


class Program:
    """A started program and all its descendants."""

    def __init__(self, process: asyncio.subprocess.Process, mark: str, spoken: asyncio.StreamReader) -> None:
        self._process, self._mark = process, mark
        self._spoken = Spoken()
        self._listening = asyncio.create_task(self._listen(spoken))

    @classmethod
    async def start(
        cls, command: Sequence[str], folder: Path, *, piped: bool = False, extra: Mapping[str, str] | None = None
    ) -> Program | Fault:
        """Starts a command in a folder; a command that cannot be started is the bot's fault, with a hint.

        `piped` programs are spoken to through `pipes`; of the others standard output is only printed matter.
        """
        mark = f"{os.getpid()}-{secrets.token_hex(8)}"
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        try:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=folder, start_new_session=True, env={**environment, **(extra or {}), MARK: mark},
                stdin=PIPE if piped else DEVNULL, stdout=PIPE, stderr=PIPE if piped else STDOUT,
            )  # fmt: skip
        except FileNotFoundError:
            return Fault(Verdict.UNBUILT, f"there is no program {command[0]!r} (in {folder})")
        except PermissionError:
            return Fault(Verdict.UNBUILT, f"{command[0]!r} is not executable; chmod +x it")
        except OSError as error:
            return Fault(Verdict.UNBUILT, f"{command[0]!r} cannot be started: {error.strerror}")
        spoken = process.stderr if piped else process.stdout
        assert spoken is not None
        return cls(process, mark, spoken)

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(65536):
            self._spoken.add(chunk)

    @property
    def pipes(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        """Standard input and output of a piped program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def said(self) -> str:
        return self._spoken.take()

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def ended(self) -> int:
        """Waits for the program's own end; not for the end of its output, which a grandchild may hold open."""
        return await self._process.wait()

    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        if code is None:
            return "it is still running"
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exit status {code}"

    async def stop(self) -> None:
        """Ends the program and everything it started."""
        for _ in range(HUNT_ROUNDS):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            prey = descendants(self._process.pid, self._mark)
            for pid in prey:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not prey and not self.running:
                break
            await asyncio.sleep(HUNT_PAUSE_S)
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listening
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()


def descendants(root: int, mark: str) -> set[int]:
    """Living processes that carry the mark or descend from the root."""
    parents: dict[int, int] = {}
    found: set[int] = set()
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        pid = int(entry.name)
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if fields[0] in ("Z", "X"):
                continue
            parents[pid] = int(fields[1])
            if wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                found.add(pid)
    family = {root}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown
    return (found | family & parents.keys()) - {os.getpid()}
