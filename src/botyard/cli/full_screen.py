"""This module has the whole terminal for a while: the alternate screen, no cursor, every key, and all of it given back.

It is given back on every way out that a process has a say in: at the end, after an exception, by Ctrl-C, SIGTERM and
SIGHUP, and for as long as Ctrl-Z has stopped us.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import TracebackType

from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment

from botyard.cli.console import harmless
from botyard.cli.keys import Keyboard

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE = "\x1b[?25h\x1b[?1049l"
LEAST = (20, 6)  # columns and rows; a smaller window shows the upper left corner
ENDS = (signal.SIGTERM, signal.SIGHUP)

Line = list[Segment]


def is_screen(console: Console) -> bool:
    """Whether something can be drawn here: a terminal whose cursor can be moved."""
    return console.is_terminal and not console.is_dumb_terminal and sys.stdout.isatty()


def has_keys() -> bool:
    """Whether a person can press keys here."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


class FullScreen:
    """The terminal while it is all ours. `draw` sends only the lines that have changed."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.keyboard = Keyboard(sys.stdin.fileno()) if has_keys() else None
        self._shown: list[str] = []
        self._size = (0, 0)
        self.ended_by: signal.Signals | None = None
        self._resized = False

    async def __aenter__(self) -> FullScreen:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def end(by: signal.Signals) -> None:
            self.ended_by = by
            task.cancel()

        handlers: dict[signal.Signals, Callable[[], None]] = {by: lambda by=by: end(by) for by in ENDS}  # type: ignore[misc]
        handlers |= {signal.SIGTSTP: self._stop, signal.SIGWINCH: self._resize}
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
        self._take()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._give_back()
        for number in (*ENDS, signal.SIGTSTP, signal.SIGWINCH):
            asyncio.get_running_loop().remove_signal_handler(number)
        if self.ended_by is not None and kind is asyncio.CancelledError:
            raise SystemExit(128 + self.ended_by)

    def _take(self) -> None:
        if self.keyboard is not None:
            self.keyboard.listen()
        self._write(ENTER)
        self._shown = []

    def _give_back(self) -> None:
        with contextlib.suppress(OSError):  # the terminal itself has gone
            self._write(LEAVE)
        if self.keyboard is not None:
            self.keyboard.rest()

    def _stop(self) -> None:
        """Ctrl-Z: the shell gets its screen back until we are continued."""
        self._give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take()
        self._resize()

    def _resize(self) -> None:
        self._resized = True
        if self.keyboard is not None:
            self.keyboard.nudge()

    @property
    def resized(self) -> bool:
        """Whether the window has another size than when this was asked last."""
        resized, self._resized = self._resized, False
        return resized

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            size = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            return 80, 24
        return max(size.columns, LEAST[0]), max(size.lines, LEAST[1])

    @property
    def ended(self) -> bool:
        """Whether nobody can press a key any more."""
        return self.keyboard is not None and self.keyboard.closed

    async def keys(self, seconds: float | None) -> list[str]:
        """Returns the keys that were pressed; waits so long for one."""
        if self.keyboard is not None:
            return await self.keyboard.wait(seconds)
        await asyncio.sleep(seconds or 0)
        return []

    def draw(self, lines: Sequence[Line]) -> None:
        if self.size != self._size:
            self._size, self._shown = self.size, []
        fresh = [self._written(line) for line in lines[: self._size[1]]]
        old = self._shown
        changed = [
            f"\x1b[{at + 1};1H\x1b[2K{line}" for at, line in enumerate(fresh) if at >= len(old) or old[at] != line
        ]
        rest = f"\x1b[{len(fresh) + 1};1H\x1b[J" if len(fresh) < self._size[1] and len(fresh) != len(old) else ""
        self._shown = fresh
        if changed or rest:
            self._write("".join(changed) + rest)

    def _written(self, line: Line) -> str:
        """A line as the terminal takes it, with the colours that it has."""
        system = self.console.color_system
        colours = None if system is None or self.console.no_color else COLOR_SYSTEMS[system]
        shown = map(harmless, line)
        return "".join(text if style is None else style.render(text, color_system=colours) for text, style, _ in shown)

    def _write(self, text: str) -> None:
        """Writes to the terminal itself; a sign that it cannot show becomes a question mark."""
        sys.stdout.flush()
        data = memoryview(text.encode(self.console.encoding, "replace"))
        while data:
            data = data[os.write(sys.stdout.fileno(), data) :]
