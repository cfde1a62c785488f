"""The place of people at a terminal: which key means which order, whose turn it is, and what is on the screen.

Several people share a keyboard only if the game hides nothing from its seats. A key then speaks for the first of them
who is asked and has given no order yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from botyard.cli.film_desk import FilmDesk
from botyard.cli.film_sheet import Line, Pen, seat_name, sheet
from botyard.kernel.facts import Facts
from botyard.kernel.plain import clean
from botyard.kernel.scene import Key, KeyPad

if TYPE_CHECKING:
    from botyard.links.human import HumanSeat

BAR = 30  # columns of the time bar
SHOWN = {"ArrowUp": "up", "ArrowDown": "down", "ArrowLeft": "left", "ArrowRight": "right", " ": "space"}


class Pad:
    """The keys of a game as a terminal has them: a mode is chosen by its key, or by a modifier that is told."""

    def __init__(self, pad: KeyPad, facts: Facts) -> None:
        self.pad, self._facts = pad, facts
        self._keys = {name: key for key in pad.keys for name in key.names}
        self._taps = {mode.tap: at for at, mode in enumerate(pad.modes) if mode.tap}
        self._holds = {mode.hold: at for at, mode in enumerate(pad.modes) if mode.hold}
        self.pressable = {*self._keys, *self._taps}
        self.mode = 0  # of the next order

    def press(self, name: str) -> int | None:
        """Returns the order that a key gives; None if it gives none."""
        if name in self._keys:
            return self._order(self._keys[name], self.mode)
        if name in self._taps:
            self.mode = 0 if self.mode == self._taps[name] else self._taps[name]
            return None
        modifier, _, plain = name.rpartition("+")
        if len(name) == 1 and name.isupper():
            modifier, plain = "Shift", name.lower()
        if modifier in self._holds and plain in self._keys:
            return self._order(self._keys[plain], self._holds[modifier])
        return None

    def _order(self, key: Key, mode: int) -> int | None:
        order = key.orders[mode] if mode < len(key.orders) else ""
        if not order:
            return None
        self.mode = 0
        return self._facts.order_named(order)

    def lines(self) -> list[tuple[str, str]]:
        """All keys, and what each does."""
        rows = []
        for key in self.pad.keys:
            names = " ".join(SHOWN.get(name, name) for name in key.names)
            rows.append((names, ", ".join(dict.fromkeys(filter(None, key.orders)))))
        for mode in self.pad.modes[1:]:
            names = " ".join(filter(None, [SHOWN.get(mode.tap, mode.tap), mode.hold and f"{mode.hold}+key"]))
            rows.append((names, f"{mode.label}: for the next order"))
        return [*rows, ("backspace", "take the order back"), ("?", "this list"), ("ctrl-c", "break the game off")]


class SeatDesk:
    """People before a film that grows: everybody's, or what their seat sees where the game hides something."""

    def __init__(self, desk: FilmDesk, people: Mapping[int, HumanSeat], pad: Pad) -> None:
        self.desk, self.people, self.pad = desk, people, pad
        desk.zoom_hint = ""  # that key may be one of the game
        self.helping = False
        self.begun = False  # before that no clock runs

    def begin(self) -> None:
        """People are ready: the match may ask them."""
        self.begun = True
        for person in self.people.values():
            person.sit_down()

    @property
    def whose(self) -> int:
        """The seat that the next key speaks for."""
        asked = [seat for seat, person in self.people.items() if person.question is not None]
        free = [seat for seat in asked if self.people[seat].planned is None]
        first = next(iter(self.people))
        return next(iter([*free, *asked, *(s for s, p in self.people.items() if p.planned is None), first]))

    def press(self, key: str) -> None:
        if self.helping:
            self.helping = False
            return
        if not self.begun:
            if key != "?":
                self.begin()
                return
        known = key in self.pad.pressable
        if key == "?" and not known:
            self.helping = True
        elif key == "Backspace" and not known:
            self.people[self.whose].withdraw()
        elif (order := self.pad.press(key)) is not None:
            self.people[self.whose].offer(order)

    # The screen

    def lines(self, console: Console, cols: int, rows: int, now: float) -> list[Line]:
        pen = Pen(console)
        self.desk.tick, self.desk.seat = self.desk.last, self.whose
        foot = [pen.line(text, cols) for text in (self._time(pen, now), self._order(), self._hints(pen))]
        return sheet(self.desk, console, cols, rows, foot, self.pad.lines() if self.helping else None)

    def _time(self, pen: Pen, now: float) -> Text:
        seat = self.whose
        question = self.people[seat].question
        line = Text.assemble(seat_name(self.desk, seat), "  ")
        if not self.begun:
            return line.append("any key begins the game; from then on the clock runs", "bold")
        if question is None:
            return line.append("the game is over" if self.people[seat].over else "not your turn", "bright_black")
        line.append(f"question {question.number}: ")
        if question.until is None or not question.limit_s:
            return line.append("your turn; the clock waits", "bold")
        left = max(0.0, question.until - now)
        full = round(BAR * min(1.0, left / question.limit_s))
        bar = pen.sign("█", "#") * full + pen.sign("░", ".") * (BAR - full)
        colour = "red" if left < question.limit_s / 4 else "green"
        return line.append("your turn  ", "bold").append(bar, colour).append(f" {left:.1f} s")

    def _order(self) -> Text:
        person = self.people[self.whose]
        line = Text()
        if person.planned is not None:
            line.append(f"will be sent: {person.orders[person.planned]}", "bold")
        elif person.lost is not None:
            line.append(f"turn lost: {person.lost.verdict} {clean(person.lost.reason)}", "red")
        elif person.sent is not None:
            line.append(f"sent: {person.orders[person.sent]}")
        else:
            line.append("no order yet")
        for at, mode in enumerate(self.pad.pad.modes if len(self.pad.pad.modes) > 1 else ()):
            line.append("  " if at == 0 else " ")
            line.append(f" {mode.label} ", "reverse" if at == self.pad.mode else "bright_black")
        return line

    def _hints(self, pen: Pen) -> Text:
        hints = [("?", "keys"), ("ctrl-c", "stop")]
        for key in self.pad.pad.keys:
            name = SHOWN.get(key.names[-1], key.names[-1])
            label = key.orders[0] if pen.ascii else key.label
            hints.append((name, label if label != name else ""))
        hints += [(SHOWN.get(mode.tap, mode.tap), mode.label) for mode in self.pad.pad.modes if mode.tap]
        line = Text()
        for name, does in hints:
            line.append(f" {name}", "reverse").append(f" {does}" if does else "", "bright_black")
        return line
