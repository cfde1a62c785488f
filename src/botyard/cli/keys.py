"""This module reads the keys of a terminal, and names them as browsers do: "ArrowUp", "Home", " ", "q", "Escape".

A terminal sends bytes, and says of modifiers only what its protocol has room for: "Shift+ArrowUp", "Alt+w" and
"Control+w" are told by most; a letter with shift comes as the capital letter.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import re
import termios
from collections import deque
from types import TracebackType

ESCAPE = 0x1B
ESCAPE_S = 0.05  # what follows an Escape within this time belongs to it: terminals send the bytes of a key at once
LONGEST = 32  # bytes of a sequence; more is no key

ARROWS = {"A": "ArrowUp", "B": "ArrowDown", "C": "ArrowRight", "D": "ArrowLeft"}
LETTERS = {**ARROWS, "H": "Home", "F": "End", "M": "Enter"}
NUMBERS = {
    1: "Home", 2: "Insert", 3: "Delete", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End",
}  # fmt: skip
SIGNS = {"\r": "Enter", "\n": "Enter", "\t": "Tab", "\x7f": "Backspace", "\x08": "Backspace"}
LEADS = {2: range(0xC2, 0xE0), 3: range(0xE0, 0xF0), 4: range(0xF0, 0xF5)}  # UTF-8: how many bytes a character has
MODIFIERS = ((1, "Shift"), (2, "Alt"), (4, "Control"))  # the bits of a modifier, less one, as xterm sends it
SEQUENCE = re.compile(rb"\[[0-?]*[ -/]*[@-~]|O[0-9]*[ -~]|\[\[[A-E]")
BEGINNING = re.compile(rb"\[(\[|[0-?]*[ -/]*)|O[0-9]*")


class KeyDecoder:
    """Makes key names of the bytes of a terminal, however they are cut up."""

    def __init__(self) -> None:
        self._left = b""  # an Escape, and what has come of the key that it may begin
        self._text = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def waits(self) -> bool:
        """Whether an Escape has come that may be a key by itself, or begin one."""
        return bool(self._left)

    def feed(self, data: bytes) -> list[str]:
        """Returns the keys that are complete now."""
        names: list[str] = []
        data, self._left = self._left + data, b""
        while data:
            at = data.find(ESCAPE)
            if at < 0:
                return names + self._signs(data)
            names += self._signs(data[:at])
            rest = data[at + 1 :]
            found = SEQUENCE.match(rest)
            if found is not None:
                names += sequence_name(found[0].decode("ascii"))
                data = rest[found.end() :]
            elif not rest or is_cut(rest) or (BEGINNING.fullmatch(rest) and len(rest) < LONGEST):
                self._left = data[at:]
                return names
            elif rest[0] == ESCAPE:
                names.append("Escape")
                data = rest
            else:
                sign, data = first_sign(rest)
                names += [f"Alt+{name}" for name in self._signs(sign)]
        return names

    def flush(self) -> list[str]:
        """Returns what a waiting Escape was, now that nothing has followed it."""
        left, self._left = self._left[1:], b""
        if not left:
            return ["Escape"]
        return [f"Alt+{sign}" for sign in left[:1].decode("utf-8", "replace")]  # Alt+[ or Alt+O

    def _signs(self, data: bytes) -> list[str]:
        return [sign_name(sign) for sign in self._text.decode(data)]


def is_cut(data: bytes) -> bool:
    """Whether bytes of the first character are still to come."""
    wanted = next((count for count, lead in LEADS.items() if data[0] in lead), 1)
    return len(data) < wanted


def first_sign(data: bytes) -> tuple[bytes, bytes]:
    """Cuts the first character off, all its bytes together."""
    end = 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return data[:end], data[end:]


def sign_name(sign: str) -> str:
    if sign in SIGNS:
        return SIGNS[sign]
    return f"Control+{chr(ord(sign) + 96)}" if "\x01" <= sign <= "\x1a" else sign


def sequence_name(sequence: str) -> list[str]:
    """Returns the key that a sequence stands for; none if it is none that we know."""
    numbers = [int(number) for number in re.findall(r"\d+", sequence)]
    last = sequence[-1]
    if last == "~":
        name = NUMBERS.get(numbers[0]) if numbers else None
    elif last in "abcd" and sequence[0] == "[" and not numbers:  # rxvt's arrows with shift
        return [f"Shift+{ARROWS[last.upper()]}"]
    else:
        name = "Shift+Tab" if last == "Z" else LETTERS.get(last)
    if name is None:
        return []
    bits = numbers[1] - 1 if len(numbers) > 1 else 0
    return ["".join(f"{modifier}+" for bit, modifier in MODIFIERS if bits & bit) + name]


class Keyboard:
    """The keys of a terminal, one at a time, without echo. Ctrl-C stays what it is: a signal."""

    def __init__(self, fd: int) -> None:
        self._fd, self._decoder = fd, KeyDecoder()
        self._keys: deque[str] = deque()
        self._came = asyncio.Event()
        self._usual = termios.tcgetattr(fd)
        self._timer: asyncio.TimerHandle | None = None
        self.closed = False  # whether the terminal has gone

    def __enter__(self) -> Keyboard:
        self.listen()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.rest()

    def listen(self) -> None:
        wanted = termios.tcgetattr(self._fd)
        wanted[0] &= ~termios.IXON  # Ctrl-S and Ctrl-Q are keys: a terminal that stands still would hold the match up
        wanted[3] &= ~(termios.ICANON | termios.ECHO)
        wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._fd, termios.TCSADRAIN, wanted)
        asyncio.get_running_loop().add_reader(self._fd, self._read)

    def rest(self) -> None:
        """Gives the terminal back as it was."""
        if self._timer is not None:
            self._timer.cancel()
        asyncio.get_running_loop().remove_reader(self._fd)
        with contextlib.suppress(termios.error):  # the terminal itself has gone
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._usual)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 1024)
        except OSError:
            data = b""
        loop = asyncio.get_running_loop()
        if not data:
            self.closed = True
            loop.remove_reader(self._fd)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._add(self._decoder.feed(data))
        if self._decoder.waits:
            self._timer = loop.call_later(ESCAPE_S, self._flush)

    def _flush(self) -> None:
        self._timer = None
        self._add(self._decoder.flush())

    def _add(self, names: list[str]) -> None:
        self._keys.extend(names)
        self._came.set()

    def nudge(self) -> None:
        """Wakes whoever waits for a key, though none has come."""
        self._came.set()

    async def wait(self, seconds: float | None) -> list[str]:
        """Returns all keys that have been pressed; waits for the first one so long, and not if there are some."""
        if not self._keys:
            try:
                async with asyncio.timeout(seconds):
                    await self._came.wait()
            except TimeoutError:
                pass
        self._came.clear()
        names = list(self._keys)
        self._keys.clear()
        return names
