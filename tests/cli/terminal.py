"""A terminal for tests: a real pty with a real command in it, and a reader that knows what a screen would show."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.waiting import PATIENCE_S, ending, joined, wait_until

COMMAND = "from botyard.cli import main; main()"
TAKE_TERMINAL = "import fcntl, termios\nfcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"  # so that it sends us signals
SEQUENCE = re.compile(r"\x1b\[([?]?)([\d;]*)([A-Za-z])")
KEYS = {"ArrowUp": "\x1b[A", "ArrowDown": "\x1b[B", "ArrowRight": "\x1b[C", "ArrowLeft": "\x1b[D"}
KEYS |= {"Home": "\x1b[H", "End": "\x1b[F", "Shift+ArrowRight": "\x1b[1;2C", "Escape": "\x1b", "Enter": "\r"}


class Screen:
    """What a terminal shows of what was written to it, as far as we write: positions, erasing, two screens."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows = cols, rows
        self.alternate = self.hidden = False
        self.styled: set[str] = set()  # the styles that were used
        self.overflow = False  # whether a line was longer than the screen is wide
        self._text = ""
        self._grids = {False: self._blank(), True: self._blank()}
        self._at = [0, 0]

    def _blank(self) -> list[list[str]]:
        return [[" "] * self.cols for _ in range(self.rows)]

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self._grids[self.alternate]]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def write(self, text: str) -> None:
        self._text += text
        while self._text:
            if self._text[0] == "\x1b":
                found = SEQUENCE.match(self._text)
                if found is None:
                    assert len(self._text) < 20, f"an escape that is none of ours: {self._text[:20]!r}"
                    return
                self._obey(found[1], found[2], found[3])
                self._text = self._text[found.end() :]
            else:
                self._put(self._text[0])
                self._text = self._text[1:]

    def _put(self, sign: str) -> None:
        if sign == "\n":
            self._at = [self._at[0] + 1, 0]
        elif sign == "\r":
            self._at[1] = 0
        else:
            self.overflow = self.overflow or self._at[1] >= self.cols
            if self._at[1] < self.cols:
                self._grids[self.alternate][self._at[0]][self._at[1]] = sign
            self._at[1] += 1
        if self._at[0] >= self.rows:
            self._grids[self.alternate] = [*self._grids[self.alternate][1:], [" "] * self.cols]
            self._at[0] = self.rows - 1

    def _obey(self, private: str, numbers: str, what: str) -> None:
        grid = self._grids[self.alternate]
        if private:
            assert numbers in ("25", "1049"), numbers
            if numbers == "25":
                self.hidden = what == "l"
            else:
                self.alternate, self._at = what == "h", [0, 0]
                if self.alternate:
                    self._grids[True] = self._blank()
        elif what == "H":
            row, col = (int(number) for number in numbers.split(";"))
            self._at = [min(row, self.rows) - 1, min(col, self.cols) - 1]
        elif what == "J":
            first = 0 if numbers == "2" else self._at[0]
            grid[first:] = [[" "] * self.cols for _ in grid[first:]]
        elif what == "K":
            grid[self._at[0]] = [" "] * self.cols
        elif what == "m":
            self.styled.add(numbers)


class Terminal:
    """A command in a pty."""

    def __init__(self, master: int, slave: int, process: subprocess.Popen[bytes], cols: int, rows: int) -> None:
        self.process, self.screen = process, Screen(cols, rows)
        self.raw = b""
        self._master, self._slave = master, slave
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        """Reads until nobody has the terminal open any more."""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            with self._lock:
                self.raw += data
                self.screen.write(data.decode("utf-8", "replace"))

    @property
    def text(self) -> str:
        with self._lock:
            return self.screen.text

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode())

    def see(self, *words: str) -> str:
        """Waits until all of these are on the screen."""
        wait_until(
            lambda: all(word in self.text for word in words) or self.process.poll() is not None,
            lambda: f"not seen: {words}\n{self.text}",
        )
        assert all(word in self.text for word in words), f"it ended without {words}:\n{self.text}"
        return self.text

    def wait(self, happened: Callable[[], bool]) -> None:
        """Waits until something is the case on the screen."""
        wait_until(happened, lambda: self.text)

    def resize(self, cols: int, rows: int) -> None:
        with self._lock:
            self.screen = Screen(cols, rows)
            self.screen.alternate = True
        set_size(self._master, cols, rows)
        os.kill(self.process.pid, signal.SIGWINCH)  # a kernel sends it to the group in the foreground: the same

    def ended(self) -> int:
        """Waits for the end, and returns the exit status; the terminal has to be as it was before."""
        status = self.process.wait(PATIENCE_S)
        modes = termios.tcgetattr(self._slave)[3]
        assert modes & termios.ICANON, "the terminal was not given back: no lines"
        assert modes & termios.ECHO, "the terminal was not given back: no echo"
        os.close(self._slave)
        self._slave = -1
        joined(self._thread)
        assert not self.screen.alternate, "the alternate screen was not left"
        assert not self.screen.hidden, "the cursor was not given back"
        return status

    def close(self) -> None:
        for fd in (self._master, self._slave):
            if fd >= 0:
                os.close(fd)


def set_size(fd: int, cols: int, rows: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


@contextlib.contextmanager
def terminal(
    *words: str,
    folder: Path,
    cols: int = 80,
    rows: int = 24,
    env: Mapping[str, str] | None = None,
    before: str = "",
    keys: bool = True,
) -> Iterator[Terminal]:
    """The command `botyard` in a terminal of its own; `before` is Python that is run first, and without
    `keys` its input is no terminal."""
    master, slave = pty.openpty()
    set_size(master, cols, rows)
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", (TAKE_TERMINAL if keys else "") + before + COMMAND, *words],
        stdin=slave if keys else subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env={**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(env or {})},
        start_new_session=True,
    )
    screen = Terminal(master, slave, process, cols, rows)
    try:
        with ending(process):
            try:
                yield screen
            except BaseException:
                process.kill()
                raise
    finally:
        screen.close()
