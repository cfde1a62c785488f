"""A process for every move: the arena is its last argument, and its answer is what it has written when it exits.

Python bots are forked from an interpreter that stays (`jail/fork_server.py`); every other program is started afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from botyard.games.view import View
from botyard.jail.fork_server import ForkedMove, ForkServer, NoForkServer
from botyard.jail.launch import Launch
from botyard.jail.limits import MEGABYTE
from botyard.jail.note_lines import NoteLines
from botyard.jail.program import Program
from botyard.jail.script import Script, script_of
from botyard.kernel.session import MoveSession, printable
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import read_notes
from botyard.match.clock import Clock
from botyard.match.deadline import Deadline
from botyard.match.player import Answer, Player

OUTPUT_LIMIT = MEGABYTE  # of one answer, where the settings name none


class Move(Protocol):
    """A started process."""

    async def receive(self) -> bytes:
        """What it wrote since the last call; nothing once it has exited, or closed its output."""
        ...

    async def judge(self) -> Fault | None:
        """After the last of `receive`: waits for its exit, and tells why its answer does not count, if it does not."""
        ...

    @property
    def over(self) -> bool:
        """Whether it has exited, even if we have yet to hear how."""
        ...

    def fate(self) -> Fault | None:
        """What has struck it, if something has: asked where it has not answered in time."""
        ...

    def said(self) -> str: ...

    def note_lines(self) -> NoteLines: ...


class MoveStarter(Protocol):
    """Makes the processes of one bot, one after the other."""

    @property
    def level(self) -> str: ...

    @property
    def peak_mb(self) -> float:
        """The most memory a move held, as far as it was seen."""
        ...

    async def prepare(self) -> None:
        """What can be done before the first move."""
        ...

    async def begin(self, argument: bytes) -> Move | Fault: ...

    async def end(self) -> None:
        """The last move is over, or has to be: nothing of it is left."""
        ...

    async def stop(self) -> None: ...


class FreshMove:
    """A program started for one move."""

    def __init__(self, program: Program) -> None:
        self.program = program

    async def receive(self) -> bytes:
        return await self.program.inbox.receive()

    async def judge(self) -> Fault | None:
        return None if await self.program.ended() == 0 else self.program.judge()

    @property
    def over(self) -> bool:
        return self.program.over

    def fate(self) -> Fault | None:
        return self.program.fate()

    def said(self) -> str:
        return self.program.said()

    def note_lines(self) -> NoteLines:
        return self.program.note_lines()


class FreshStarter:
    """Starts the command anew for each move."""

    def __init__(self, launch: Callable[[str], Launch]) -> None:
        self._launch, self.level = launch, launch("").level
        self._program: Program | None = None
        self.peak_mb = 0.0

    async def prepare(self) -> None:
        pass

    async def begin(self, argument: bytes) -> Move | Fault:
        started = await Program.start(self._launch(argument.decode()), piped=True)
        if isinstance(started, Fault):
            return started
        started.close_input()
        self._program = started
        return FreshMove(started)

    async def end(self) -> None:
        if self._program is not None:
            self.peak_mb = max(self.peak_mb, self._program.peak_mb)
            await self._program.stop()
            self._program = None

    async def stop(self) -> None:
        await self.end()


class ForkingStarter:
    """Has each move forked from an interpreter that stays, or started afresh where that cannot be."""

    def __init__(self, launch: Launch, script: Script, fresh: FreshStarter, notice: Callable[[str], None]) -> None:
        self._launch, self._script, self._fresh, self._notice = launch, script, fresh, notice
        self.level = launch.level
        self._fork_server: ForkServer | None = None
        self._move: ForkedMove | None = None
        self._unable = False
        self._peak_mb = 0.0

    @property
    def peak_mb(self) -> float:
        running = self._fork_server.program.peak_mb if self._fork_server else 0.0
        return max(running, self._peak_mb, self._fresh.peak_mb)

    async def begin(self, argument: bytes) -> Move | Fault:
        if self._fork_server is not None and not self._fork_server.ready:
            await self._stop_fork_server()
        if self._fork_server is None and not self._unable:
            await self.prepare()  # the last move took it along
        if self._fork_server is None:
            return await self._fresh.begin(argument)
        self._move = self._fork_server.begin(argument)
        return self._move

    async def prepare(self) -> None:
        """Starts the interpreter that the next move is forked from. Where there can be none that is said, once."""
        try:
            self._fork_server = await ForkServer.start(self._launch, self._script)
        except NoForkServer as reason:
            self._unable = True
            self._notice(f"{self._script.file}: every move starts a new interpreter, which is slow, because {reason}")

    async def end(self) -> None:
        await self._fresh.end()
        if self._move is not None:
            usable = self._move.usable
            self._move.close()
            self._move = None
            if not usable:
                await self._stop_fork_server()

    async def stop(self) -> None:
        await self.end()
        await self._stop_fork_server()

    async def _stop_fork_server(self) -> None:
        if self._fork_server is not None:
            fork_server, self._fork_server = self._fork_server, None
            self._peak_mb = max(self._peak_mb, fork_server.program.peak_mb)
            await fork_server.stop()


def starter_of(launch: Callable[..., Launch], notice: Callable[[str], None]) -> MoveStarter:
    """How the moves of a bot are made. A launch with the arena as its argument is a fresh start."""
    fresh = FreshStarter(launch)
    plain = launch()
    script = script_of(plain)
    return ForkingStarter(plain, script, fresh, notice) if script else fresh


class PerMovePlayer(Player):
    """Session and processes together, under a clock."""

    def __init__(self, name: str, session: MoveSession, starter: MoveStarter, clock: Clock) -> None:
        self.name = name
        self._session, self._starter, self._clock = session, starter, clock

    @property
    def level(self) -> str:
        return self._starter.level

    @property
    def peak_mb(self) -> float:
        return self._starter.peak_mb

    async def start(self) -> Fault | None:
        """A bot that cannot be started loses its moves, not the game (specification 6)."""
        await self._starter.prepare()
        return None

    async def ask(self, view: View) -> Answer:
        sent = self._session.ask(view)
        received, said, notes = bytearray(), "", None
        move = await self._starter.begin(sent)
        deadline = Deadline(self._clock, self._session.move_ms / 1000 or None)
        if isinstance(move, Fault):
            result: int | Fault = move
        else:
            result = await deadline.order(
                lambda: self._read_order(move, received),
                lambda: self._silence(move, bytes(received)),
                has_answered=lambda: move.over,
            )
            said, notes = move.said(), read_notes(move.note_lines())
        ms = deadline.ms
        await self._starter.end()
        return Answer(result, ms, self._session.move_ms, sent, bytes(received), said=said, notes=notes)

    def _silence(self, move: Move, received: bytes) -> Fault:
        """Why a move has no answer: whatever it wrote, it had to exit in time."""
        limit_ms = self._session.move_ms
        if fate := move.fate():
            return fate
        if not received:
            return Fault(Verdict.SILENT, f"no answer within {limit_ms} ms")
        return Fault(Verdict.LATE, f"did not exit within {limit_ms} ms; it wrote {printable(received)}")

    async def _read_order(self, move: Move, received: bytearray) -> int | Fault:
        while chunk := await move.receive():
            received += chunk
            result = self._session.receive(chunk)
            if result is not None:
                return result
            if not self._session.output_limit and len(received) > OUTPUT_LIMIT:
                return Fault(Verdict.FLOODED, f"more than {OUTPUT_LIMIT} bytes: {printable(bytes(received))}")
        return await move.judge() or self._session.ended()

    async def stop(self) -> None:
        await self._starter.stop()
