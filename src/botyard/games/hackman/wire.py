"""The protocol of Hack-man, without any I/O (specification 6).

It is lines on a bot's standard input and output: settings once, then in every round eight updates and a question with
the time that is left. The answer is one line.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from botyard.games.hackman.facts import FACTS
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import OPEN, PLAYERS, SNIPPET, WALL, WEAPON, MapPlan
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.session import Session, printable
from botyard.kernel.verdict import Fault, Verdict

NAMES = tuple(f"player{player}" for player in range(PLAYERS))
WHITE = bytes(range(33))  # what the original trims: blanks and all control characters
STAYING = (b"pass", b"no_moves")  # in upper or lower case (10.1)
ORDERS = {name.encode(): number for number, name in enumerate(FACTS.orders)}

TIME_OUTS = (Verdict.LATE, Verdict.SILENT)


class HackmanSession(Session):
    """Speaks the protocol with one bot and keeps its time bank. Nothing that a bot sends raises an error."""

    def __init__(self, settings: HackmanSettings, number: int) -> None:
        super().__init__()
        self._settings, self._number = settings, number
        self._bank = settings.timebank_ms
        self._timeouts = 0
        self._held = b""  # bytes that arrived and are not used yet
        self._received = 0
        self._hang_ms = 0

    @property
    def move_ms(self) -> int:
        """The time bank; 0 for a bot that was stopped, because nobody waits for it (6.6)."""
        return 0 if self.stopped else self._bank

    @property
    def stopped(self) -> bool:
        """Whether the bot has timed out too often, so that its program must be ended."""
        return self._timeouts > self._settings.max_timeouts

    @property
    def notices_end(self) -> bool:
        """Whether the end of a bot's process is noticed; else the bot is waited for as if it were thinking (10.2)."""
        return self._settings.crash_detection == "at_once"

    @property
    def settle_ms(self) -> int:
        """How long to wait for the answer that is still owed after a time-out (10.3)."""
        waits = self._settings.late_answers == "discard" and not self.stopped
        return self._settings.settle_ms if waits else 0

    @property
    def hang_ms(self) -> int:
        return self._hang_ms

    def opening(self, view: Any) -> bytes:
        settings = self._settings
        told = {
            "player_names": ",".join(NAMES),
            "your_bot": NAMES[self._number],
            "timebank": settings.timebank_ms,
            "time_per_move": settings.time_per_move_ms,
            "your_botid": self._number,
            "field_width": settings.field_width,
            "field_height": settings.field_height,
            "max_rounds": settings.max_rounds,
        }
        return "".join(f"settings {key} {value}\n" for key, value in told.items()).encode()

    def tell(self, view: Any) -> bytes:
        """Writes the updates alone: if bots are asked in turn, both get them before the first question (6.3, 6.5)."""
        return "".join(f"{line}\n" for line in updates(self._settings.plan, view)).encode()

    def ask(self, view: Any) -> bytes:
        return self.tell(view) + f"action move {self._bank}\n".encode()

    def unasked(self, chunk: bytes) -> bytes:
        """Takes what came before the question; drops and returns its whole lines (6.6, 10.3)."""
        self._take(chunk)
        end = self._held.rfind(b"\n") + 1
        dropped, self._held = self._held[:end], self._held[end:]
        return dropped

    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes what was read after the question; returns an order, a fault, or None while the answer is incomplete."""
        self._take(chunk)
        if self._received > self._settings.stream_limit_chars:
            self._held = b""
            return Fault(Verdict.FLOODED, f"more than {self._settings.stream_limit_chars} characters in one game")
        *lines, rest = self._held.split(b"\n")
        if not lines:
            return None
        if self._settings.answer_line == "last":
            self._held = rest
            return self._read(lines[-1])
        self._held = self._held[len(lines[0]) + 1 :]
        return self._read(lines[0])

    def took(self, ms: float, result: int | Fault) -> None:
        """Books the time of an answer, or a time-out (6.6)."""
        left = max(self._bank - int(ms), 0)
        if isinstance(result, Fault) and result.verdict in TIME_OUTS:
            self._timeouts += 1
            left = 0
        elif isinstance(result, Fault) and result.ends:
            self._hang_ms = self._settings.engine_timeout_ms  # after this time the wrapper gives up (6.7)
        self._bank = min(left + self._settings.time_per_move_ms, self._settings.timebank_ms)

    def _take(self, chunk: bytes) -> None:
        self._held += chunk
        self._received += len(chunk)

    def _read(self, line: bytes) -> int | Fault:
        line = line.removesuffix(b"\r")
        if line and not line.strip(WHITE) and self._settings.blank_answer == "abort":
            return Fault(Verdict.GARBLED, "a blank line hangs the original engine, which then gives up", ends=True)
        return PASS if is_staying(line) else read_move(line)


def is_staying(line: bytes) -> bool:
    """Tells whether the wrapper turns an answer into `pass` (10.1)."""
    return line.strip(WHITE).lower() in STAYING


def read_move(line: bytes) -> int | Fault:
    """Reads an answer as the engine does: only what stands before the first blank counts (3.2)."""
    word = line.rstrip(WHITE).split(b" ", 1)[0]
    if word not in ORDERS:
        return Fault(Verdict.GARBLED, f"not one of {', '.join(FACTS.orders)}: {printable(line)}")
    return ORDERS[word]


def updates(plan: MapPlan, view: Any) -> list[str]:
    """Writes the eight lines of a round, which are the same for both bots (6.3)."""
    lines = [f"update game round {view.round_number}", f"update game field {field_text(plan, view)}"]
    for player, name in enumerate(NAMES):
        lines += [
            f"update {name} snippets {view.scores[player]}",
            f"update {name} has_weapon {true_or_false(view.armed[player])}",
            f"update {name} is_paralyzed {true_or_false(view.paralysed[player])}",
        ]
    return lines


def true_or_false(flag: Any) -> str:
    return "true" if flag else "false"


@lru_cache(maxsize=16)
def bare_field(plan: MapPlan) -> tuple[str, ...]:
    """Returns the field with nothing on it; closed cells look like walls."""
    rooms = set(plan.rooms)
    return tuple(OPEN if cell in rooms else WALL for cell in range(plan.size))


def field_text(plan: MapPlan, shown: Any) -> str:
    """Writes the field as bots are told it (6.4), from a view or a state."""
    field = list(bare_field(plan))
    for items, count, sign in (
        (shown.snippets, shown.snippet_count, SNIPPET),
        (shown.weapons, shown.weapon_count, WEAPON),
    ):
        for cell in items[:count].tolist():
            if field[cell] != WALL:
                field[cell] = sign
    for player, cell in enumerate(shown.cells.tolist()):
        field[cell] = field[cell].removeprefix(OPEN) + str(player)
    for cell in shown.bugs[: shown.bug_count].tolist():
        field[cell] = field[cell].removeprefix(OPEN) + "E"
    return ",".join(field)


def open_session(settings: HackmanSettings, number: int) -> HackmanSession:
    return HackmanSession(settings, number)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns no arguments: a bot is told everything on its standard input."""
    return []
