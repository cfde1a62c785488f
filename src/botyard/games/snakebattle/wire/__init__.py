"""The protocol of Snake Battle, without any I/O (specification 3.1 and 6): a board to the bot, a line of words back.

A link passes on one text frame per read. An empty frame means the same as a frame of one blank, and is passed on so.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from botyard.games.snakebattle.facts import DIRECTIONS, FACTS
from botyard.games.snakebattle.layout import DIE, DROP, TURNS
from botyard.games.snakebattle.map.alphabet import SYMBOLS
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.session import Session, printable
from botyard.kernel.verdict import Fault, Verdict

STRAIGHT = 0
GLYPHS = np.array(list(SYMBOLS))  # a room writes hundreds of boards a second: 8 µs each with this array, 59 by joining

# Clarification 6. `message` takes everything up to the last `')` of its line, where lines end as in Java; a bracket is
# taken only if all of it fits.
WORDS = re.compile(
    r"(left|right|up|down)|(act)(?:\(([-0-9,]*)\))?|message(?:\('[^\n\r\x85\u2028\u2029]*'\))?",
    re.IGNORECASE | re.ASCII,
)
NUMBER = re.compile(r"-?0*([0-9]+)")
LIMIT = 1 << 31
DIGITS = 10  # digits of the numbers that fit into 32 bits


def read_answer(text: str) -> int:
    """Reads the order in an answer: every known word anywhere in it counts, in turn. No text is an error."""
    if not text.startswith("message('"):
        text = re.sub(" +,", ",", re.sub(", +", ",", text))
    order = STRAIGHT
    for found in WORDS.finditer(text):
        if found[1]:
            order = merged(order, 1 + DIRECTIONS.index(found[1].lower()))
        elif found[2]:
            order = merged(order, TURNS * action_of(found[3]))
    return order


def merged(order: int, then: int) -> int:
    """Merges two orders of one seat in one tick: the last direction counts, and after a suicide nothing does."""
    if order // TURNS & DIE:
        return order
    turn = then % TURNS or order % TURNS
    return TURNS * (order // TURNS | then // TURNS) + turn


def action_of(bracket: str | None) -> int:
    """Returns what an ACT does: a single zero in its bracket is suicide, a part that is no number makes it void."""
    parts = (bracket or "").split(",")
    while parts and not parts[-1]:
        parts.pop()
    if not all(is_integer(part) for part in parts):
        return 0
    return DIE if [int(part) for part in parts] == [0] else DROP


def is_integer(part: str) -> bool:
    """Tells whether this is a number of 32 bits; digits are counted first, because there may be very many."""
    found = NUMBER.fullmatch(part)
    return found is not None and len(found[1]) <= DIGITS and -LIMIT <= int(part) < LIMIT


def answer_text(order: int) -> str:
    """Writes an order in the words of an answer, as the original's house bot does."""
    if not 0 <= order < len(FACTS.orders):
        return ""
    action, turn = divmod(order, TURNS)
    words = [DIRECTIONS[turn - 1].upper()] if turn else []
    words += ["ACT"] if action & DROP else []
    return ", ".join([*words, "ACT(0)"] if action & DIE else words)


def board_line(view: Any) -> str:
    side = int(view.side)
    line: str = GLYPHS[view.board[:side, :side].ravel()].tobytes().decode("utf-32")
    return line


class SnakebattleSession(Session):
    """Speaks the protocol with one bot. Nothing that a bot sends raises an error."""

    def __init__(self, settings: SnakebattleSettings) -> None:
        super().__init__(settings.tick_ms)  # the field's clock does not wait for bots
        self.waits = settings.wait_for_answer  # if true, a live room sends no board before the last one is answered
        self._limit = settings.max_answer_chars

    def ask(self, view: Any) -> bytes:
        return f"board={board_line(view)}".encode()

    def receive(self, chunk: bytes) -> int | Fault | None:
        if not chunk:
            return None
        text = chunk.decode("utf-8", "replace")
        if len(text) > self._limit:
            return Fault(Verdict.GARBLED, f"an answer of more than {self._limit} characters: {printable(chunk)}")
        return read_answer(text)


def open_session(settings: SnakebattleSettings, number: int) -> SnakebattleSession:
    return SnakebattleSession(settings)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns what follows a bot's own command line: the address of its board page, as in the original (6.1)."""
    return [f"http://{host}:{port}/codenjoy-contest/board/player/player{number}?code={number}"]
