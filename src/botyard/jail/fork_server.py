"""Our end of a fork server, from which every move of a Python bot is forked.

`programs/fork_server.py` and `programs/forked_move.py` are the other end.

The bot's interpreter is started once in its cage and keeps a child ready. For every move that child is sent three
descriptors, and the interpreter tells how it ended. The arena and the output pass it by: they go straight between us
and the move. A move that has to be stopped takes the interpreter along, and the next one finds a new one.
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
from botyard.jail.printed import Printed
from botyard.jail.program import Program
from botyard.jail.script import Script
from botyard.jail.seccomp import filter_program, refusal
from botyard.kernel.verdict import Fault, Verdict

PROGRAMS = Path(__file__).parent / "programs"
SOURCES = tuple((PROGRAMS / name).read_text() for name in ("forked_move.py", "fork_server.py"))
# Leaves the module __main__ to the bot.
STARTER = '(lambda space: [exec(source, space) for source in __import__("sys").argv[1:3]])({})'
READY_S = 30.0

UNIX = (1,)  # even a closed connection of another family would be seen by the next move
DIVIDING = ("unshare", "setns")  # what the warm interpreter needs, and no move

READY, UNABLE, ENDED = b"+", b"-", b"="
MESSAGE_BYTES = 4096
INFO_AT = 16
SIGINFO = struct.Struct("@iii4xiii")  # signal, error, code, pid, user, status
EXITED, KILLED = 1, 2
READ_BYTES = 1 << 16
WATCH_AFTER_S = 0.005  # most moves are over by then, and fit into their pipes


class NoForkServer(Exception):
    """A bot that cannot be run from a warm interpreter, and why."""


class ForkServer:
    """One warm interpreter."""

    def __init__(self, program: Program, control: socket.socket) -> None:
        self.program, self._control = program, control
        self.ready = True  # for the next move
        self._loop = asyncio.get_running_loop()
        self._greeting: asyncio.Future[bytes] = self._loop.create_future()
        self._hear: Callable[[bytes], None] | None = self._greeting.set_result
        self._loop.add_reader(control, self._listen)

    @classmethod
    async def start(cls, launch: Launch, script: Script) -> ForkServer:
        """Ready for moves; NoForkServer where it cannot be."""
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

    async def _await_ready(self) -> None:
        try:
            async with asyncio.timeout(READY_S):
                told = await self._greeting
        except TimeoutError:
            raise NoForkServer(f"not ready within {READY_S:g} s") from None
        if told != READY:
            words = told[1:].decode("utf-8", "replace") or self.program.said().strip()[-500:]
            raise NoForkServer(words or f"the interpreter ended: {self.program.ending()}")

    def _listen(self) -> None:
        try:
            told = self._control.recv(MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            told = b""
        if not told:
            self._loop.remove_reader(self._control)
        hear, self._hear = self._hear, None
        if hear is None:
            self.ready = False  # nobody had asked
        else:
            hear(told)

    def begin(self, argument: bytes) -> ForkedMove:
        """A move: the arena goes in, and its two pipes come out."""
        arena = memory_file(argument)
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
        except OSError:
            for descriptor in (arena, *pipes):
                os.close(descriptor)
            raise
        output, inner_output, words, inner_error = pipes
        lent = [arena, inner_output, inner_error]
        move = ForkedMove(self.program, output, words)
        self._hear = move.hear_end
        try:
            socket.send_fds(self._control, [b"."], lent)
        except OSError:  # it has ended since anybody looked, and the move will say so
            self._hear = None
            move.hear_end(b"")
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

    def __init__(self, program: Program, output: int, words: int) -> None:
        self._program = program
        self._told: bytes | None = None  # how it ended
        self._output, self._words = output, words
        self._held, self._printed = bytearray(), Printed()
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        for descriptor in (output, words):
            os.set_blocking(descriptor, False)  # also at the end: descriptors can outlive all processes, on their way
        self._watched: set[int] = set()
        self._watching = self._loop.call_later(WATCH_AFTER_S, self._watch)

    def _watch(self) -> None:
        self._watched = {self._output, self._words}
        self._loop.add_reader(self._output, self._read_output)
        self._loop.add_reader(self._words, self._read_words)

    def _unwatch(self, *descriptors: int) -> None:
        for descriptor in self._watched.intersection(descriptors):
            self._loop.remove_reader(descriptor)
            self._watched.remove(descriptor)

    def _read_output(self) -> bool:
        chunk = self._read(self._output)
        self._held += chunk
        self._news.set()
        return bool(chunk)

    def _read_words(self) -> bool:
        chunk = self._read(self._words)
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

    def hear_end(self, told: bytes) -> None:
        """Nobody is left to write: what lies in the pipes is the rest."""
        self._told = told
        if self._output >= 0:
            while self._read_output() or self._read_words():
                pass

    async def receive(self) -> bytes:
        """What was written since the last call; nothing once the move has ended."""
        while not self._held and self._told is None:
            self._news.clear()
            await self._news.wait()
        chunk = bytes(self._held)
        self._held.clear()
        return chunk

    async def judge(self) -> Fault | None:
        """After the last of `receive`: why the answer does not count, if it does not."""
        told = self._told or b""
        if told[:1] == UNABLE:
            return Fault(Verdict.HOUSE, told[1:].decode("utf-8", "replace"))
        if told[:1] != ENDED:
            await self._program.ended()
            return self._judge_interpreter()
        code, status = ending_of(told)
        if code == 0:
            return Fault(Verdict.HOUSE, "the warm interpreter could not fork")
        if code == EXITED:
            return Fault(Verdict.CRASHED, f"the program ended: exit status {status}") if status else None
        cgroup = self._program.cell.cgroup
        if status == signal.SIGKILL and cgroup and cgroup.killed_for_memory:
            return self._program.judge()
        return Fault(Verdict.CRASHED, f"the program ended: killed by {name_of(status)}")

    @property
    def over(self) -> bool:
        return self._told is not None

    def fate(self) -> Fault | None:
        """What has struck the move, or the interpreter it was forked from."""
        return self._program.fate()

    def _judge_interpreter(self) -> Fault:
        """It runs nothing of the bot, and no move can reach it: if it was killed, somebody outside did that."""
        fault = self._program.judge()
        if fault.verdict is Verdict.CRASHED and self._program.killed:
            return Fault(Verdict.HOUSE, f"the warm interpreter was ended from outside ({self._program.ending()})")
        return fault

    def said(self) -> str:
        return self._printed.take()

    @property
    def usable(self) -> bool:
        """Whether the interpreter can make the next move: this one is over, and the cage has not struck."""
        told = self._told or b""
        return told[:1] == ENDED and ending_of(told) != (KILLED, signal.SIGKILL)

    def close(self) -> None:
        self._watching.cancel()
        self._unwatch(self._output, self._words)
        for descriptor in (self._output, self._words):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._output = self._words = -1


def ending_of(told: bytes) -> tuple[int, int]:
    """How a move ended, as the kernel puts it: a code, and an exit status or a signal."""
    _, _, code, _, _, status = SIGINFO.unpack_from(told, INFO_AT)
    return code, status


def name_of(number: int) -> str:
    """Of a signal; some have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
