"""Recorded unit cases: a drawing, commands and ticks, and what must be seen after them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from botyard.games.snakebattle.files.drawn import DrawnSnake, read_snake
from botyard.games.snakebattle.files.field import Found, RecordedField, compare, read_settings
from botyard.games.snakebattle.layout import RIGHT, body_cells, cell_at, point_of
from botyard.games.snakebattle.map.alphabet import APPLE, FLYING_PILL, FURY_PILL, GOLD, NONE, STONE, WALL
from botyard.games.snakebattle.rules import tick_field
from botyard.games.snakebattle.rules.body import push_head, take_off
from botyard.games.snakebattle.rules.events import tell
from botyard.games.snakebattle.rules.field import put, seat_snake
from botyard.games.snakebattle.rules.moves import eat, move, obey
from botyard.games.snakebattle.scene.wording import read_event
from botyard.games.snakebattle.wire import read_answer
from botyard.kernel.chance import LOWEST
from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.recording import Conformance, Difference

HERO, ENEMY = 1, 2
PLAYERS = {"hero": HERO, "enemy": ENEMY}
OBJECTS = {
    "apple": APPLE, "stone": STONE, "flying_pill": FLYING_PILL, "fury_pill": FURY_PILL, "gold": GOLD, "wall": WALL,
}  # fmt: skip
PLURALS = {"apples": APPLE, "stones": STONE, "flying_pills": FLYING_PILL, "fury_pills": FURY_PILL, "gold": GOLD}
PLANE = [" " * 30] * 30  # for cases that have a snake but no field
MIDDLE = (15, 15)
EDGE = 3
MOST = 10_000  # largest number that a case may set
MOST_TICKS = 1000  # most ticks of one step
SETTABLE = ("active", "stones", "flying", "fury")


def check_cases(cases: list[dict[str, Any]], result: Conformance, new_game: Any) -> None:
    good = 0
    for record in cases:
        case = RecordedCase(record["settings"], new_game)
        founds = [case.play(step) for step in record["steps"]]
        for at, found in enumerate(founds):
            result.count(Difference(record["name"], at, *found) if found else None)
        good += not any(founds)
        result.games += 1
    result.notes.append(f"{good} of {len(cases)} cases")


class RecordedCase:
    """Plays one case. The step `tick` calls the method `on_tick`, and so on; each returns what differs."""

    def __init__(self, settings: dict[str, Any], new_game: Any) -> None:
        self._settings, self._new_game = settings, new_game
        self._everywhere: dict[str, bool] = {}
        self._plane = False
        self._remembered: list[tuple[int, int]] = []
        self._moved = (0, 0)  # how far the plane was moved under the snake
        self.on_given(PLANE)
        self._field.join(HERO)

    def play(self, step: dict[str, Any]) -> Found | None:
        ((name, value),) = step.items()
        if not hasattr(self, f"on_{name}"):
            raise BadRecord(f"unknown step {name!r} in a file of cases", hint="is this a file of Snake Battle cases?")
        found: Found | None = getattr(self, f"on_{name}")(value)
        return found

    # Setting up

    def on_dice(self, values: list[int]) -> None:
        if any(values):
            raise BadRecord(f"a case has the dice {values}", hint="in a file of cases all dice must show 0")

    def on_given(self, rows: list[str]) -> None:
        self._field = RecordedField(read_settings(self._settings, rows, len(PLAYERS)), self._new_game)
        self._field.game.arena.chance_kind = LOWEST
        self._field.game.begin()
        self._left: dict[int, dict[str, Any]] = {}  # what is still known of players who left
        self._rows = rows

    def on_players(self, count: int) -> None:
        for player in range(HERO, HERO + count):
            self._field.join(player)
            drawn = read_snake(self._rows, mine=player == HERO)
            if drawn is not None:
                self._field.changed(self._put_snake, player, drawn)
            self._field.changed(self._set_snake, player, {"active": True})

    def on_snake(self, given: dict[str, Any]) -> None:
        """Places a lone snake on an endless plane."""
        self._plane = True
        x, y = MIDDLE
        check_whole("length", given["length"], x)
        points = tuple((x - at, y) for at in range(given["length"]))
        self._field.changed(self._put_snake, HERO, DrawnSnake(points, RIGHT, False, False))
        self._field.changed(self._set_snake, HERO, {"active": given["active"]})

    def _put_snake(self, player: int, drawn: DrawnSnake) -> None:
        arena, seat = self._field.game.arena, self._field.seats[player]
        self._field.apply(take_off, seat)
        self._lay_cells(seat, [self._cell(*point) for point in drawn.points])
        snake = self._field.snake(player)
        snake["alive"], snake["direction"] = 1, drawn.direction
        snake["flying"] = drawn.flying * arena.flying_count
        snake["fury"] = drawn.furious * arena.fury_count

    def _lay_cells(self, seat: int, cells: list[int]) -> None:
        delta = self._field.game.arena.delta.tolist()
        rising = cells[::-1]
        steps = [RIGHT, *(delta.index(to - at) for at, to in pairwise(rising))]
        for cell, direction in zip(rising, steps, strict=True):
            self._field.touch(push_head, seat, cell, direction)

    # Actions

    def on_do(self, commands: dict[str, list[str]]) -> None:
        for name, texts in commands.items():
            for text in texts:
                self._field.changed(self._obey, PLAYERS[name], text)

    def _obey(self, player: int, text: str) -> None:
        if player in self._left:
            return
        seat, order = self._field.seats[player], read_answer(text)
        allowed = self._everywhere.get("stone_drop_allowed")
        if allowed is None:
            self._field.apply(obey, seat, order)
            return
        state, tail = self._field.game.state, int(self._field.snake(player)["tail"])
        state.ground[tail] = NONE if allowed else WALL
        self._field.apply(obey, seat, order)
        state.ground[tail] = NONE
        state.counts[:] = 0

    def on_tick(self, ticks: int) -> None:
        check_whole("tick", ticks, MOST_TICKS)
        for _ in range(ticks):
            if self._plane:
                self._field.changed(self._tick_plane)
            else:
                self._field.changed(self._field.apply, tick_field)

    def _tick_plane(self) -> None:
        """Moves the snake and lets it eat, nothing else; objects that are everywhere lie on the cell it enters."""
        state, seat, snake = self._field.game.state, self._field.seats[HERO], self._field.snake(HERO)
        if not (snake["alive"] and snake["awake"]):
            return
        self._centre()
        self._field.apply(move, seat)
        head = int(snake["head"])
        for name in [name for name in OBJECTS if self._everywhere.get(name)]:
            state.ground[head] = OBJECTS[name]
            self._field.apply(eat, seat)
        state.ground[head] = NONE
        state.counts[:] = 0

    def _centre(self) -> None:
        """Moves a snake that comes near an edge back to the middle, because the plane has no edges."""
        arena, seat, snake = self._field.game.arena, self._field.seats[HERO], self._field.snake(HERO)
        x, y = point_of(arena, int(snake["head"]))
        if min(x, y) >= EDGE and max(x, y) < arena.side - EDGE:
            return
        self._moved = (self._moved[0] + x - MIDDLE[0], self._moved[1] + y - MIDDLE[1])
        shift = cell_at(arena, *MIDDLE) - int(snake["head"])
        kept = snake.copy()
        cells = [cell + shift for cell in body_cells(arena, snake)]
        self._field.apply(take_off, seat)
        self._lay_cells(seat, cells)
        for name in ("alive", "awake", "direction", "turn", "stones", "flying", "fury"):
            snake[name] = kept[name]

    def on_everywhere(self, objects: dict[str, bool]) -> None:
        self._everywhere.update(objects)

    def on_respawn(self, name: str) -> None:
        self._field.changed(self._field.apply, seat_snake, self._field.seats[PLAYERS[name]])

    def on_leave(self, name: str) -> None:
        """Takes a player off the field. Later steps still ask about it: its snake, if live, died as it left (4.3)."""
        player, facts = PLAYERS[name], self._facts(PLAYERS[name])
        self._field.leave(player)
        facts["alive"] = facts["alive"] and not facts["active"]
        facts["should_leave"] = player in self._field.ever_leaving
        self._left[player] = facts

    def on_set(self, changes: dict[str, dict[str, Any]]) -> None:
        for name, values in changes.items():
            self._field.changed(self._set_snake, PLAYERS[name], values)

    def _set_snake(self, player: int, values: dict[str, Any]) -> None:
        snake = self._field.snake(player)
        for key, value in values.items():
            if key.removesuffix("_add") not in SETTABLE:
                raise BadRecord(f"unknown value {key!r} of a snake", hint=f"known: {', '.join(SETTABLE)}")
            check_whole(key, value, MOST)
            if key == "active":
                snake["awake"] = value
            elif key.endswith("_add"):
                snake[key.removesuffix("_add")] += value
            else:
                snake[key] = value

    def on_wear(self, times: dict[str, int]) -> None:
        for name, count in times.items():
            snake = self._field.snake(PLAYERS[name])
            worn = {effect: max(int(snake[effect]) - count, 0) for effect in ("flying", "fury")}
            self._field.changed(self._set_snake, PLAYERS[name], worn)

    def on_put(self, objects: dict[str, list[int]]) -> None:
        for name, (x, y) in objects.items():
            self._field.changed(self._field.touch, put, OBJECTS[name], self._cell(x, y))

    def _cell(self, x: int, y: int) -> int:
        """Returns the cell of a point; a point outside the field is refused, because it would be another cell."""
        arena = self._field.game.arena
        check_whole("x", x, int(arena.side) - 1)
        check_whole("y", y, int(arena.side) - 1)
        return cell_at(arena, x, y)

    def on_score(self, scores: dict[str, int]) -> None:
        for name, points in scores.items():
            self._field.snake(PLAYERS[name])["score"] = points

    def on_score_event(self, events: dict[str, str]) -> None:
        """Counts the score of an event without the event itself, because it is no event of the field."""
        told = {player: list(texts) for player, texts in self._field.events.items()}
        for name, text in events.items():
            kind, amount = read_event(text)
            check_whole("score_event", amount, MOST)
            self._field.changed(self._field.apply, tell, self._field.seats[PLAYERS[name]], kind, amount)
        self._field.events = told

    def on_remember(self, what: str) -> None:
        self._remembered = self._points()

    def _points(self) -> list[tuple[int, int]]:
        """Returns where the snake lies on the endless plane."""
        arena = self._field.game.arena
        points = [point_of(arena, cell) for cell in body_cells(arena, self._field.snake(HERO))]
        return [(x + self._moved[0], y + self._moved[1]) for x, y in points]

    # Expectations

    def on_unchanged(self, what: str) -> Found | None:
        return compare("the cells of the snake", self._remembered, self._points())

    def on_expect(self, boards: dict[str, list[str]]) -> Found | None:
        return first(self._field.compare_board(PLAYERS[name], rows) for name, rows in boards.items())

    def on_events(self, events: dict[str, list[str]]) -> Found | None:
        founds = []
        for name, texts in events.items():
            founds.append(compare(f"events of {name}", texts, self._field.events[PLAYERS[name]]))
            self._field.events[PLAYERS[name]] = []
        return first(founds)

    def on_state(self, states: dict[str, dict[str, Any]]) -> Found | None:
        return first(
            compare(f"{key} of {name}", value, self._facts(PLAYERS[name])[key])
            for name, values in states.items()
            for key, value in values.items()
        )

    def _facts(self, player: int) -> dict[str, Any]:
        if player in self._left:
            return self._left[player]
        snake = self._field.snake(player)
        return {
            "alive": bool(snake["alive"]),
            "active": bool(snake["awake"]),
            "length": int(snake["length"]),
            "stones": int(snake["stones"]),
            "flying": int(snake["flying"]),
            "fury": int(snake["fury"]),
            "is_flying": bool(snake["flying"] > 0),
            "is_fury": bool(snake["fury"] > 0),
            "should_leave": bool(snake["leaving"]),
        }

    def on_objects(self, objects: dict[str, list[list[int]]]) -> Found | None:
        return first(compare(name, sorted(points), self._lying(PLURALS[name])) for name, points in objects.items())

    def _lying(self, kind: int) -> list[list[int]]:
        arena, state = self._field.game.arena, self._field.game.state
        return sorted([*point_of(arena, cell)] for cell in np.flatnonzero(state.ground == kind).tolist())

    def on_count(self, counts: dict[str, int]) -> Found | None:
        counted = self._field.game.state.counts
        return first(compare(name, count, int(counted[PLURALS[name]])) for name, count in counts.items())

    def on_expect_score(self, scores: dict[str, int]) -> Found | None:
        return first(compare(f"score of {n}", points, self._field.scores[PLAYERS[n]]) for n, points in scores.items())


def check_whole(what: str, value: Any, most: int) -> None:
    """Refuses anything but an integer that the rules can take: they are called directly here, and check nothing."""
    if not isinstance(value, int) or not 0 <= value <= most:
        raise BadRecord(f"{what} = {quoted(value)}", hint=f"must be a whole number from 0 to {most}")


def first(founds: Iterable[Found | None]) -> Found | None:
    return next((found for found in founds if found), None)
