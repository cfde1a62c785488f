"""This is our end of a fork server, from which every move of a Python bot is forked.

`programs/fork_server.py` and `programs/forked_move.py` are the other end.

The fork server is the bot's interpreter, started once in its cage, and keeps a child ready. For every move that child
is sent three descriptors, and the fork server tells how it ended. The arena and the output do not pass through the fork
server: they go straight between us and the move. A move that has to be stopped takes the fork server along, and the
next move gets a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from botyard.jail.launch import FIRST_LENT, Launch
from botyard.jail.memory import memory_file
from botyard.jail.note_lines import NoteLines
from botyard.jail.printed import Printed
from botyard.jail.program import Program
from botyard.jail.script import Script
from botyard.jail.seccomp import filter_program, refusal
from botyard.kernel.verdict import Fault, Verdict

FOLDER = Path(__file__).parent / "programs"
SOURCES = tuple((FOLDER / name).read_text() for name in ("forked_move.py", "fork_server.py"))
# Leaves the module __main__ to the bot.
STARTER = '(lambda space: [exec(source, space) for source in __import__("sys").argv[1:3]])({})'
READY_S = 30.0

UNIX = (1,)  # even a closed connection of another family would be seen by the next move
DIVIDING = ("unshare", "setns")  # what the fork server needs, and no move

READY, UNABLE, ENDED = b"+", b"-", b"="
MESSAGE_BYTES = 4096
INFO_AT = 16
SIGINFO = struct.Struct("@iii4xiii")  # signal, error, code, pid, user, status
EXITED, KILLED = 1, 2
READ_BYTES = 1 << 16
WATCH_AFTER_S = 0.005  # most moves are over by then, and fit into their pipes


class NoForkServer(Exception):
    """No fork server can be had for a bot, and why."""


class ForkServer:
    """One fork server."""

    def __init__(self, program: Program, control: socket.socket) -> None:
        self.program, self._control = program, control
        self.ready = True  # for the next move
        self._loop = asyncio.get_running_loop()
        self._greeting: asyncio.Future[bytes] = self._loop.create_future()
        self._on_message: Callable[[bytes], None] | None = self._greet
        self._loop.add_reader(control, self._receive_message)

    @classmethod
    async def start(cls, launch: Launch, script: Script) -> ForkServer:
        """Starts one that is ready for moves; NoForkServer where that cannot be."""
        filters = filter_program(families=UNIX, spared=DIVIDING).hex(), refusal(DIVIDING).hex()
        inside = (STARTER, *SOURCES, str(FIRST_LENT), *filters, script.file, *script.options)
        command = (script.interpreter, *script.options, "-c", *inside)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        try:
            with theirs:
                lends = (theirs.fileno(),)
                started = await Program.start(replace(launch, command=command, lends=lends, nests=True))
            if isinstance(started, Fault):
                raise NoForkServer(started.reason)
        except BaseException:
            ours.close()
            raise
        fork_server = cls(started, ours)
        try:
            await fork_server._await_ready()
        except BaseException:
            await fork_server.stop()
            raise
        return fork_server

    def _greet(self, message: bytes) -> None:
        if not self._greeting.done():  # nobody may wait for it any more
            self._greeting.set_result(message)

    async def _await_ready(self) -> None:
        try:
            async with asyncio.timeout(READY_S):
                message = await self._greeting
        except TimeoutError:
            raise NoForkServer(f"not ready within {READY_S:g} s") from None
        if message != READY:
            words = message[1:].decode("utf-8", "replace") or self.program.said().strip()[-500:]
            raise NoForkServer(words or f"the interpreter ended: {self.program.ending()}")

    def _receive_message(self) -> None:
        try:
            message = self._control.recv(MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if not message:
            self._loop.remove_reader(self._control)
        on_message, self._on_message = self._on_message, None
        if on_message is None:
            self.ready = False  # nobody had asked
        else:
            on_message(message)

    def begin(self, argument: bytes) -> ForkedMove:
        """Begins a move, which is given the arena."""
        arena = memory_file(argument)
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
        except OSError:
            for descriptor in (arena, *pipes):
                os.close(descriptor)
            raise
        output, inner_output, error, inner_error = pipes
        lent = [arena, inner_output, inner_error]
        move = ForkedMove(self.program, output, error)
        self._on_message = move.note_end
        try:
            socket.send_fds(self._control, [b"."], lent)
        except OSError:  # it has ended since anybody looked, and the move will say so
            self._on_message = None
            move.note_end(b"")
        finally:
            for descriptor in lent:
                os.close(descriptor)
        return move

    async def stop(self) -> None:
        self._loop.remove_reader(self._control)
        self._control.close()
        await self.program.stop()


class ForkedMove:
    """One move: what it writes, and how it ends."""

    def __init__(self, program: Program, output: int, error: int) -> None:
        self._program = program
        self._message: bytes | None = None  # how it ended
        self._output, self._error = output, error
        self._held, self._printed = bytearray(), Printed()
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        for descriptor in (output, error):
            os.set_blocking(descriptor, False)  # also at the end: descriptors can outlive all processes, on their way
        self._watched: set[int] = set()
        self._watching = self._loop.call_later(WATCH_AFTER_S, self._watch)

    def _watch(self) -> None:
        self._watched = {self._output, self._error}
        self._loop.add_reader(self._output, self._read_output)
        self._loop.add_reader(self._error, self._read_error)

    def _unwatch(self, *descriptors: int) -> None:
        for descriptor in self._watched.intersection(descriptors):
            self._loop.remove_reader(descriptor)
            self._watched.remove(descriptor)

    def _read_output(self) -> bool:
        chunk = self._read(self._output)
        self._held += chunk
        self._news.set()
        return bool(chunk)

    def _read_error(self) -> bool:
        chunk = self._read(self._error)
        self._printed.add(chunk)
        return bool(chunk)

    def _read(self, descriptor: int) -> bytes:
        try:
            chunk = os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return b""
        if not chunk:
            self._unwatch(descriptor)  # closed; the move may go on without
        return chunk

    def note_end(self, message: bytes) -> None:
        """Notes how the move ended. Nobody is left to write, so what lies in the pipes is the rest."""
        self._message = message
        if self._output >= 0:
            while self._read_output() or self._read_error():
                pass

    async def receive(self) -> bytes:
        """What was written since the last call; nothing once the move has ended."""
        while not self._held and self._message is None:
            self._news.clear()
            await self._news.wait()
        chunk = bytes(self._held)
        self._held.clear()
        return chunk

    async def judge(self) -> Fault | None:
        """After the last of `receive`: why the answer does not count, if it does not."""
        message = self._message or b""
        if message[:1] == UNABLE:
            return Fault(Verdict.HOUSE, message[1:].decode("utf-8", "replace"))
        if message[:1] != ENDED:
            await self._program.ended()
            return self._judge_interpreter()
        code, status = ending_of(message)
        if code == 0:
            return Fault(Verdict.HOUSE, "the fork server could not fork")
        if code == EXITED:
            return Fault(Verdict.CRASHED, f"the program ended: exit status {status}") if status else None
        cgroup = self._program.cell.cgroup
        if status == signal.SIGKILL and cgroup and cgroup.killed_for_memory:
            return self._program.judge()
        return Fault(Verdict.CRASHED, f"the program ended: killed by {name_of(status)}")

    @property
    def over(self) -> bool:
        return self._message is not None

    def fate(self) -> Fault | None:
        """What has struck the move, or the fork server."""
        return self._program.fate()

    def _judge_interpreter(self) -> Fault:
        """Why the fork server ended. It runs nothing of the bot, and no move can reach it: if it was killed, somebody
        outside did that."""
        fault = self._program.judge()
        if fault.verdict is Verdict.CRASHED and self._program.killed:
            return Fault(Verdict.HOUSE, f"the fork server was ended from outside ({self._program.ending()})")
        return fault

    def said(self) -> str:
        self._printed.end()  # asked once, when the move is over or has to be
        return self._printed.take()

    def note_lines(self) -> NoteLines:
        return self._printed.take_notes()

    @property
    def usable(self) -> bool:
        """Whether the fork server can make the next move: this one is over, and was not killed for its memory."""
        message = self._message or b""
        return message[:1] == ENDED and ending_of(message) != (KILLED, signal.SIGKILL)

    def close(self) -> None:
        self._watching.cancel()
        self._unwatch(self._output, self._error)
        for descriptor in (self._output, self._error):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._output = self._error = -1


def ending_of(message: bytes) -> tuple[int, int]:
    """How a move ended, as the kernel puts it: a code, and an exit status or a signal."""
    _, _, code, _, _, status = SIGINFO.unpack_from(message, INFO_AT)
    return code, status


def name_of(number: int) -> str:
    """The name of a signal; some have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
