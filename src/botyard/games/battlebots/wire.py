"""The protocol of BattleBots, without any I/O (specification 6).

A bot is started anew for every round. The text of the arena is the last argument of its command line, and everything
that it has written when it exits is its answer.
"""

from __future__ import annotations

import re
from typing import Any

from botyard.games.battlebots.facts import DIRECTIONS, FACTS, WEAPONS
from botyard.games.battlebots.layout import BULLETS, MISSILES
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.session import MoveSession, printable
from botyard.kernel.verdict import Fault, Verdict

# These characters exactly (10.2); Python counts four more as white space.
WHITE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
LENIENT = re.compile(rf"([{''.join(WEAPONS)}])[{WHITE}]+([NESW]+)")

NUMBERS = {name: number for number, name in enumerate(FACTS.orders)}


# The text


def arena_text(view: Any) -> str:
    """Writes everything a bot is told: the board as it sees it, hit points, then every weapon in its list."""
    stride = int(view.width) + 1
    board = list(("." * (stride - 1) + "\n") * int(view.height))
    lines = [f"Y hp={view.hp}\nX hp={view.enemy_hp}\n"]
    mines = view.mines[: int(view.mine_count)].tolist()
    counts, shots = view.shot_count.tolist(), view.shots
    for x, y in mines:
        board[y * stride + x] = "L"
    for sign, kind in (("B", BULLETS), ("M", MISSILES)):
        for x, y, direction, _ in shots[kind, : counts[kind]].tolist():
            board[y * stride + x] = sign
            lines.append(f"{sign} x={x} y={y} dir={DIRECTIONS[direction]}\n")
    board[int(view.y) * stride + int(view.x)] = "Y"
    board[int(view.enemy_y) * stride + int(view.enemy_x)] = "X"
    return "".join([*board, *lines, *(f"L x={x} y={y}\n" for x, y in mines)])


# The answer


def trimmed(raw: bytes) -> str:
    """Decodes an answer and strips the white space at both ends; bad bytes become U+FFFD."""
    return raw.decode("utf-8", "replace").strip(WHITE)


def read_answer(raw: bytes, strict_spacing: bool) -> int | Fault:
    """Reads the order in a whole answer. An answer that is no order does nothing and is reported as GARBLED."""
    words = trimmed(raw)
    if not strict_spacing and (found := LENIENT.fullmatch(words)):
        words = f"{found[1]} {found[2]}"
    if words in NUMBERS:
        return NUMBERS[words]
    if not words:
        return Fault(Verdict.GARBLED, "the bot wrote nothing; to do nothing, write NO")
    return Fault(Verdict.GARBLED, f"not a direction, B, M or L with a direction, P or NO: {printable(raw)}")


class BattlebotsSession(MoveSession):
    """Speaks the protocol with one bot. Nothing that a bot sends raises an error.

    `ask` returns the last argument of the command line. `receive` collects what the bot writes; only when the bot has
    exited does `ended` read the order in it.
    """

    def __init__(self, settings: BattlebotsSettings) -> None:
        super().__init__(settings.move_timeout_ms)  # a process that is late is killed, so no answer is owed
        self.output_limit = settings.max_output_bytes
        self._strict = settings.strict_spacing
        self._held = b""  # what the bot has written since the question

    def unasked(self, chunk: bytes) -> bytes:
        """Drops whatever comes between two questions: no bot is running then."""
        self._held = b""
        return chunk

    def ask(self, view: Any) -> bytes:
        self._held = b""
        return arena_text(view).encode()

    def receive(self, chunk: bytes) -> int | Fault | None:
        """Collects what the bot writes; returns a fault as soon as it is too much (10.3), else None."""
        self._held += chunk
        if self.output_limit and len(self._held) > self.output_limit:
            written, self._held = self._held, b""
            return Fault(Verdict.FLOODED, f"more than {self.output_limit} bytes: {printable(written)}")
        return None

    def ended(self) -> int | Fault:
        """Reads the order in what the bot wrote; the bot has exited with status 0."""
        answer, self._held = self._held, b""
        return read_answer(answer, self._strict)


def open_session(settings: BattlebotsSettings, seat: int) -> BattlebotsSession:
    return BattlebotsSession(settings)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns no arguments: the text of the arena directly follows a bot's own command line."""
    return []
