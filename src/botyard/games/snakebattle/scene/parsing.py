"""Reads a drawing of Snake Battle back; `scene/__init__.py` shows what one looks like."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.snakebattle.facts import DIRECTIONS
from botyard.games.snakebattle.layout import RIGHT, cell_at, layouts, make_arena, validate
from botyard.games.snakebattle.map.alphabet import APPLE, GROUND, NONE, START, WALL, ground_of, map_rows
from botyard.games.snakebattle.rules.body import push_head
from botyard.games.snakebattle.rules.picture import lay_snakes
from botyard.games.snakebattle.scene.wording import read_event
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import record_of
from botyard.kernel.rule import opened

HEADER = re.compile(
    r"tick (\d+), round (\d+), countdown (-?\d+), round left (-?\d+) of (\d+), winner (-?\d+), (\d+) joined(.*)"
)
HEADER_FIELDS = ("tick", "round_number", "countdown", "round_left", "round_length", "winner_left", "joined")
STATE_FLAGS = ("filled", "over", "fault")
SEAT = re.compile(r"seat (\d+): (\d+) points(.*)")
HEAD = re.compile(r"head (-?\d+),(-?\d+) (left|right|up|down)(?: ([lrud]+))?")
LAST_TAIL = re.compile(r"last tail (-?\d+),(-?\d+)")
COUNTER = re.compile(r"(stones|flying|furious|cut) (\d+)")
COUNTERS = {"stones": "stones", "flying": "flying", "furious": "fury", "cut": "cut"}
SNAKE_FLAGS = ("suicide", "died", "leaving", "forfeited", "awake")


def parse(text: str, settings: SnakebattleSettings | None = None) -> tuple[SnakebattleSettings, NDArray[Any]]:
    """Reads settings and a state (an array of one record) from a drawing; without a headline a round has just begun.

    The map and the number of seats come from the drawing, every other setting from `settings`.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    header = HEADER.fullmatch(lines[0]) if lines else None
    body = lines[1:] if header else lines
    rows = [line for line in body if " " not in line]
    seats = [found for line in body if (found := SEAT.fullmatch(line))]
    notes = {word: rest for line in body for word, _, rest in [line.partition(" ")] if word in NOTES}
    if not seats or len(rows) + len(seats) + len(notes) != len(body):
        raise BadRecord(
            "not a drawing of a Snake Battle field", hint="write rows without spaces, then `seat 0: 0 points, …`"
        )
    under = read_under(notes.get("under", ""))
    fitting = fitted(settings or SnakebattleSettings(), ground_rows(rows, under), len(seats))
    arenas, states = make_arena(fitting), np.zeros(1, layouts(fitting).state)
    reader = BoardReader(arenas, states)
    reader.lay_ground(ground_rows(rows, under))
    reader.read_header(header)
    for found in seats:
        reader.read_seat(found)
    reader.read_register(notes.get("register", ""))
    reader.read_events(notes.get("events", ""))
    validate(record_of(arenas), record_of(states))
    return fitting, states


NOTES = ("under", "register", "events")


def read_under(text: str) -> dict[tuple[int, int], str]:
    """Reads what lies under snakes: `3,4 ○; 1,5 #`."""
    found = re.findall(r"(\d+),(\d+) (\S)", text)
    return {(int(x), int(y)): symbol for x, y, symbol in found}


def ground_rows(rows: list[str], under: dict[tuple[int, int], str]) -> list[str]:
    """Returns the rows with what lies under the snakes in place of their letters."""
    side = len(rows)
    plain = []
    for row, line in enumerate(rows):
        symbols = [under.get((x, side - 1 - row), symbol) for x, symbol in enumerate(line)]
        unknown = [symbol for symbol in symbols if symbol not in GROUND + "." and not symbol.isalpha()]
        if unknown:
            raise BadRecord(
                f"unknown cell {unknown[0]!r} in a Snake Battle drawing", hint=f"known: . {GROUND} and letters"
            )
        plain.append("".join(GROUND[ground_of(symbol)] for symbol in symbols))
    return plain


def fitted(settings: SnakebattleSettings, rows: list[str], seats: int) -> SnakebattleSettings:
    """Returns the settings for a drawing, unchanged if their map has the drawing's walls and start cells."""
    if fixed_cells(map_rows(settings.level_map)) != fixed_cells(rows):
        settings = replace(settings, level_map="\n".join(rows))
    if settings.rounds_players_per_room != seats:
        settings = replace(settings, rounds_players_per_room=seats)
    return settings


def fixed_cells(rows: list[str] | tuple[str, ...]) -> list[list[int]]:
    return [[code if (code := ground_of(symbol)) in (WALL, START) else NONE for symbol in row] for row in rows]


class BoardReader:
    """Fills a zeroed state from the parts of a drawing."""

    def __init__(self, arenas: NDArray[Any], states: NDArray[Any]) -> None:
        self._arenas, self._states = arenas, states
        self._arena, self._state = record_of(arenas), record_of(states)

    def lay_ground(self, rows: list[str]) -> None:
        state = self._state
        state.ground[:] = self._arena.ground
        for row, line in enumerate(rows):
            for x, symbol in enumerate(line):
                state.ground[cell_at(self._arena, x, len(rows) - 1 - row)] = ground_of(symbol)
        state.picture[:] = state.ground.reshape(state.picture.shape)
        for kind in range(APPLE, len(state.counts)):
            state.counts[kind] = (state.ground == kind).sum()

    def read_header(self, header: re.Match[str] | None) -> None:
        state, arena = self._state, self._arena
        if header is None:
            state.round_number, state.countdown, state.winner_left = 1, -1, -1
            state.round_left = state.round_length = arena.rounds_time
            return
        for at, name in enumerate(HEADER_FIELDS, 1):
            state[name] = int(header[at])
        for flag in header[8].split(", ")[1:]:
            if flag not in STATE_FLAGS:
                raise BadRecord(
                    f"unknown word {flag!r} in the headline of a drawing", hint=f"known: {', '.join(STATE_FLAGS)}"
                )
            state[flag] = 1

    def read_seat(self, found: re.Match[str]) -> None:
        seat = int(found[1])
        if seat >= len(self._state.snakes):
            raise BadRecord(f"seat {seat} is out of order in the drawing", hint="number the seats from 0")
        snake = self._state.snakes[seat]
        snake["score"] = int(found[2])
        words = found[3].split(", ")[1:]
        if "gone" not in words:
            self._state.roster[self._state.players] = seat
            self._state.players += 1
            snake["here"] = 1
        for word in words:
            self._read_word(seat, snake, word)
        if snake["length"]:
            snake["alive"], snake["awake"] = "dead" not in words, "asleep" not in words

    def _read_word(self, seat: int, snake: Any, word: str) -> None:
        if head := HEAD.fullmatch(word):
            self._lay_snake(seat, snake, head)
        elif tail := LAST_TAIL.fullmatch(word):
            snake["last_tail"] = cell_at(self._arena, int(tail[1]), int(tail[2]))
        elif counter := COUNTER.fullmatch(word):
            snake[COUNTERS[counter[1]]] = int(counter[2])
        elif word.startswith("turns ") and word[6:] in DIRECTIONS:
            snake["turn"] = 1 + DIRECTIONS.index(word[6:])
        elif word in SNAKE_FLAGS:
            snake[word] = 1
        elif word not in ("gone", "no snake", "dead", "asleep"):
            raise BadRecord(
                f"unknown word {word!r} for a snake in a drawing",
                hint="write for example `head 3,4 up dd, stones 1, asleep`",
            )

    def _lay_snake(self, seat: int, snake: Any, head: re.Match[str]) -> None:
        """Lays a snake, starting at its tail; the drawing gives the way from head to tail."""
        letters = [direction[0] for direction in DIRECTIONS]
        way = [letters.index(letter) for letter in head[4] or ""]
        x, y = int(head[1]), int(head[2])
        cells = [cell_at(self._arena, x, y)]
        for step in way:
            cells.append(cells[-1] + int(self._arena.delta[step]))
        if not -1 <= min(x, y) <= max(x, y) <= self._arena.side or not 0 <= min(cells) <= max(cells) < len(
            self._state.cover
        ):
            raise BadRecord(f"snake {seat} lies outside the field", hint=f"it begins at {x},{y}")
        for cell, step in zip(cells[::-1], [RIGHT, *(step ^ 1 for step in way[::-1])], strict=True):
            push_head(opened(self._states)[0], seat, cell, step)
        snake["direction"] = DIRECTIONS.index(head[3])

    def read_register(self, text: str) -> None:
        listed = [int(word) for word in text.split() if word.isdigit()] or sorted(
            self._state.roster[: self._state.players].tolist()
        )
        if len(listed) != self._state.players:
            raise BadRecord(f"the register of the drawing is {text!r}", hint="it must name every taken seat once")
        self._state.register[: len(listed)] = listed
        lay_snakes(opened(self._arenas)[0], opened(self._states)[0])

    def read_events(self, text: str) -> None:
        state = self._state
        for at, word in enumerate(text.split("; ") if text else []):
            seat, _, event = word.partition(" ")
            kind, amount = read_event(event)
            if not seat.isdigit() or at >= len(state.log):
                raise BadRecord(
                    f"{word!r} is not an event of a drawing",
                    hint="write a seat and what happened to it: `0 APPLE; 1 EAT[3]`",
                )
            state.log[at] = (amount, int(seat), kind, 0)
            state.log_length += 1
