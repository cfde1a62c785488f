"""A stranger's program is started in its cell, read and written to, and ended with everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
from collections.abc import Callable
from typing import BinaryIO

from botyard.jail.cage import Cage
from botyard.jail.inbox import UNREAD_LIMIT, Inbox
from botyard.jail.launch import Launch
from botyard.jail.limits import MEGABYTE, Level
from botyard.jail.location import locate
from botyard.jail.memory import tree_bytes
from botyard.jail.note_lines import NoteLines
from botyard.jail.printed import Overhear, Printed, PrintedReader, nobody_listens
from botyard.jail.spawner import Spawned
from botyard.jail.supervised import Supervised
from botyard.jail.threads import finished, in_thread
from botyard.kernel.verdict import Fault, Verdict

POLL_S = 0.2  # between two looks at the memory where no cgroup holds it
PRINTED_LIMIT = 64 * MEGABYTE  # past this a program that only prints is stopped
FAILED_S = 1.0  # for a program that did not start to say why
PATIENCE_S = 3.0  # for a supervisor to end its program

NOT_EXECUTED = (126, 127)  # what everybody who starts programs exits with if that fails
CANNOT_EXECUTE = "it cannot be executed"


class Program:
    """A started program and all its descendants."""

    def __init__(
        self, launch: Launch, cell: Cage | Supervised, process: Spawned, pipes: Pipes, overhear: Overhear
    ) -> None:
        self.cell, self._launch, self._process, self._pipes = cell, launch, process, pipes
        self.level = cell.level
        self._printed = Printed(overhear)
        self._printed_reader = PrintedReader(self._printed, PRINTED_LIMIT, self._overrun)
        self.inbox = Inbox()
        self._input: asyncio.WriteTransport | None = None
        self._transports: list[asyncio.BaseTransport] = []
        self.over = False  # its process has ended; the spawner may still have to be asked how
        self._exited = asyncio.Event()  # and that is known
        self._peak_bytes = 0
        self._over_memory = self._over_printed = False
        self._told_all = self.deaf = False
        self._pidfd = process.pidfd
        asyncio.get_running_loop().add_reader(self._pidfd, self._notice_exit)
        self._watch: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, launch: Launch, *, piped: bool = False, overhear: Overhear = nobody_listens
    ) -> Program | Fault:
        """Starts a command in a folder; a command that names no program is the bot's fault, with a hint.

        `piped` programs are spoken to through `send` and `inbox`; of the others standard output is printed matter.
        """
        found = locate(launch)
        if isinstance(found, Fault):
            return found
        pipes = Pipes(piped)
        caged = launch.level is Level.CAGED
        cell = Cage(launch, found, pipes.inner) if caged else Supervised(launch, found.outside)
        process: Spawned | Fault | None = None
        try:
            await cell.prepare()
            process = await begin(launch, cell, pipes)
        finally:
            if not isinstance(process, Spawned):
                pipes.close()
                await finished(asyncio.ensure_future(cell.leave()))
        if isinstance(process, Fault):
            return process
        program = cls(launch, cell, process, pipes, overhear)
        try:
            await program._connect()
            if not await cell.admit(process):
                return await program._not_started()
        except BaseException:  # also if nobody wants it any more: what was started is ended
            await program.stop()
            raise
        if cell.cgroup is None or not cell.cgroup.holds_memory:
            program._watch = asyncio.create_task(program._watch_memory())
        return program

    async def _not_started(self) -> Fault:
        """The fault of a cell that did not open. The bot's own program has not run, so it is no fault of the bot."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAILED_S):
                await self.ended()
        ending = self.ending()
        await self.stop()
        return Fault(Verdict.HOUSE, f"the {self.level} cell was not set up ({ending}): {self.said().strip()[-500:]}")

    async def _connect(self) -> None:
        loop, pipes = asyncio.get_running_loop(), self._pipes
        pipes.close_inner()
        reading_error, _ = await loop.connect_read_pipe(lambda: self._printed_reader, pipes.error)
        self._transports.append(reading_error)
        if pipes.output and pipes.input:
            reading, _ = await loop.connect_read_pipe(lambda: self.inbox, pipes.output)
            self._transports.append(reading)
            self._input, _ = await loop.connect_write_pipe(lambda: InputEnd(self._deafen), pipes.input)
            self._transports.append(self._input)

    def send(self, data: bytes) -> None:
        """Sends without waiting. A bot that does not read is told nothing more past a limit."""
        if self._input and not self._input.is_closing() and self._input.get_write_buffer_size() < UNREAD_LIMIT:
            self._input.write(data)

    def close_input(self) -> None:
        self._told_all = True
        if self._input:
            self._input.close()

    def _deafen(self) -> None:
        """A program that closes its input cannot be asked any more: it has gone, whatever it still prints."""
        if not self._told_all:
            self.deaf = True
            self.inbox.read_rest()

    def said(self) -> str:
        return self._printed.take()

    def note_lines(self) -> NoteLines:
        return self._printed.take_notes()

    def _overrun(self) -> None:
        if not self._over_printed:
            self._over_printed = True
            self._kill()

    @property
    def running(self) -> bool:
        return not self._exited.is_set()

    def _notice_exit(self) -> None:
        asyncio.get_running_loop().remove_reader(self._pidfd)
        self.over = True
        self._process.learn_status(self._note_status)

    def _note_status(self) -> None:
        self._exited.set()
        self._printed_reader.read_rest()
        self.inbox.read_rest()

    async def ended(self) -> int:
        """Waits for the program's own end; not for the end of its output, which a grandchild may hold open."""
        await self._exited.wait()
        assert self._process.returncode is not None
        return self._process.returncode

    @property
    def killed(self) -> bool:
        """Whether it ended by the one signal that nobody can answer."""
        return self._process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)

    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        if code is None:
            return "it is still running"
        number = -code if code < 0 else code - 128
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(number).name}"
        return f"exit status {code}"

    def judge(self) -> Fault:
        """Why a program that was needed is no longer there."""
        limits, cgroup = self._launch.limits, self.cell.cgroup
        code = self._process.returncode or 0
        number = code - 128 if code > 128 else -code
        if self._over_memory or (cgroup and cgroup.killed_for_memory):
            return Fault(Verdict.MEMORY, f"used more than {limits.memory_mb} MB of memory")
        if self._over_printed:
            return Fault(Verdict.FLOODED, f"printed more than {PRINTED_LIMIT // MEGABYTE} MB")
        if self.cell.struck(self._process):
            return Fault(Verdict.HOUSE, f"the {self.level} cell was ended from outside ({self.ending()})")
        if not self.cell.opened:
            return Fault(Verdict.HOUSE, f"the {self.level} cell was not set up ({self.ending()})")
        if number == signal.SIGXFSZ:
            return Fault(Verdict.FORBIDDEN, f"wrote a file of more than {limits.file_mb} MB")
        if number == signal.SIGXCPU:
            return Fault(Verdict.FORBIDDEN, f"used more than {limits.cpu_s} s of processor time")
        if cgroup and cgroup.refused_processes:
            many = f"it is allowed {limits.processes} processes and threads and tried to start more"
            return Fault(Verdict.FORBIDDEN, f"the program ended ({self.ending()}): {many}")
        hint = f" ({CANNOT_EXECUTE}; perhaps it was built for another machine)" if code in NOT_EXECUTED else ""
        return Fault(Verdict.CRASHED, f"the program ended: {self.ending()}{hint}")

    def fate(self) -> Fault | None:
        """Why it is no longer there, or what has struck a part of it; nothing if it may still answer.

        A program whose child was killed for its memory often waits for that child for ever.
        """
        cgroup = self.cell.cgroup
        return self.judge() if not self.running or (cgroup and cgroup.killed_for_memory) else None

    @property
    def peak_mb(self) -> float:
        """The most memory the program and its children held at once, as far as it was seen."""
        self._note_peak()
        return round(self._peak_bytes / MEGABYTE, 1)

    def _note_peak(self) -> None:
        cgroup = self.cell.cgroup
        if cgroup and cgroup.holds_memory:
            self._peak_bytes = max(self._peak_bytes, cgroup.peak_bytes)

    async def _watch_memory(self) -> None:
        limit = self._launch.limits.memory_mb * MEGABYTE if self.level is not Level.OPEN else 0
        while self.running:
            used = await in_thread(tree_bytes, self._process.pid) + self.cell.held_bytes
            self._peak_bytes = max(self._peak_bytes, used)
            if limit and used > limit:
                self._over_memory = True
                self._kill()
            await asyncio.sleep(POLL_S)

    async def freeze(self, frozen: bool) -> None:
        """Between turns, where it is asked for and the machine can. Once it returns, the program stands still."""
        cgroup = self.cell.cgroup
        if cgroup and cgroup.can_freeze and self.running:
            with contextlib.suppress(OSError):
                await cgroup.freeze(frozen)

    def _kill(self) -> None:
        # A supervisor takes its program along; bubblewrap takes its whole pid namespace.
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL if self.level is Level.CAGED else signal.SIGTERM)
            signal.pidfd_send_signal(
                self._pidfd, signal.SIGCONT
            )  # a program in the open may have stopped its supervisor

    async def stop(self) -> None:
        """Ends the program and everything it started, whoever is cancelled meanwhile."""
        await finished(asyncio.ensure_future(self._stop()))

    async def _stop(self) -> None:
        await self.freeze(False)
        self._told_all = True
        await self._end()
        if self._watch:
            self._watch.cancel()
        for transport in self._transports:
            if isinstance(transport, asyncio.WriteTransport) and transport.get_write_buffer_size():
                transport.abort()
            else:
                transport.close()
        self._pipes.close()  # also those that nobody came to read
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        self._note_peak()  # its cgroup goes with it, and what the cgroup has counted
        await self.cell.leave()

    async def _end(self) -> None:
        """A supervisor has a moment to end its program; then both are killed."""
        if self.running:
            self._kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self.ended()
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            await self.ended()


async def begin(launch: Launch, cell: Cage | Supervised, pipes: Pipes) -> Spawned | Fault:
    """Starts the process of a prepared cell; a fault says why there is none."""
    try:
        input, output = (-1, -1) if cell.hands_over else (pipes.inner_input, pipes.inner_output)
        return await cell.start((input, output, pipes.inner_error))
    except OSError as error:
        if error.errno == errno.E2BIG:
            return Fault(Verdict.UNBUILT, f"the command {launch.command[0]!r} … cannot be started: {error.strerror}")
        # Whatever else would be the bot's fault has been looked for: it is the cell or its supervisor.
        return Fault(Verdict.HOUSE, f"the {launch.level} cell cannot be started: {error.strerror}")


class InputEnd(asyncio.BaseProtocol):
    """The writing end of a program's standard input: notices when the other end is closed."""

    def __init__(self, closed: Callable[[], None]) -> None:
        self._closed = closed

    def connection_lost(self, error: Exception | None) -> None:
        self._closed()


class Pipes:
    """Standard input, output and error: our ends as files, and the program's as descriptors."""

    def __init__(self, piped: bool) -> None:
        self.output: BinaryIO | None = None
        self.input: BinaryIO | None = None
        error, self.inner_error = os.pipe()
        self.error: BinaryIO = os.fdopen(error, "rb", 0)
        self.inner_input, self.inner_output = -1, self.inner_error
        try:
            if piped:
                output, self.inner_output = os.pipe()
                self.output = os.fdopen(output, "rb", 0)
                self.inner_input, input = os.pipe()
                self.input = os.fdopen(input, "wb", 0)
        except OSError:
            self.close()
            raise

    @property
    def inner(self) -> tuple[int, int] | None:
        """The program's standard input and output, if it has any."""
        return (self.inner_input, self.inner_output) if self.input else None

    def close_inner(self) -> None:
        for descriptor in {self.inner_error, self.inner_output, self.inner_input}:
            if descriptor >= 0:
                os.close(descriptor)
        self.inner_error = self.inner_output = self.inner_input = -1

    def close(self) -> None:
        self.close_inner()
        for file in (self.error, self.output, self.input):
            if file:
                file.close()
