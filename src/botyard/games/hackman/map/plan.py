"""The map of a game, analysed once: what is open, what is closed, and where every step leads.

A cell is a number, y * width + x. Directions are numbered up, down, left, right, so the reverse of d is d ^ 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from botyard.kernel.errors import SettingsError

UP, DOWN, LEFT, RIGHT = range(4)
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))  # (dx, dy) by direction
WAY_OUT_ORDER = (UP, LEFT, RIGHT, DOWN)  # the order in which a bug in the server room looks around (3.3 a)

NOWHERE = 0xFFFF  # in place of a cell: a wall, or off the board
NO_WAY = 4  # in place of a direction

PLAYERS = 2
WALL, OPEN, SNIPPET, WEAPON = "x", ".", "C", "W"

POINTS = re.compile(r"\d+,\d+( \d+,\d+)*")

DEFAULT_ROWS = """
....................
.xxxxx.xxxxxx.xxxxx.
.x.....xxxxxx.....x.
.x.xxx...xx...xxx.x.
.....xxx.xx.xxx.....
.xxx.x........x.xxx.
...x.x.xx..xx.x.x...
xx.x...x....x...x.xx
...xxx.xxxxxx.xxx...
.x................x.
.xxx.xxxxxxxxxx.xxx.
.xxx............xxx.
.xxx.xxx.xx.xxx.xxx.
.........xx.........
"""
DEFAULT_LAYOUT = ",".join("".join(DEFAULT_ROWS.split()))


@dataclass(frozen=True)
class MapPlan:
    """A map with everything that is computed from it."""

    width: int
    height: int
    content: str  # one character per cell: wall, open, or an item that lies there from the start
    starts: tuple[int, ...]  # cells of the players
    spawns: tuple[int, ...]  # cells of the bugs, in the order of the draw

    @property
    def size(self) -> int:
        return self.width * self.height

    def beside(self, cell: int, direction: int) -> int:
        """Returns the open cell one step away, or NOWHERE."""
        (dx, dy), (y, x) = STEPS[direction], divmod(cell, self.width)
        if not (0 <= x + dx < self.width and 0 <= y + dy < self.height):
            return NOWHERE
        target = cell + dx + dy * self.width
        return NOWHERE if self.content[target] == WALL else target

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours by cell and direction; a wall is NOWHERE, and has no neighbours itself."""
        return tuple(
            tuple(NOWHERE if self.content[cell] == WALL else self.beside(cell, direction) for direction in range(4))
            for cell in range(self.size)
        )

    @cached_property
    def closed(self) -> frozenset[int]:
        """The spawn points and every open cell next to one (2.2)."""
        around = {target for cell in self.spawns for target in self.neighbours[cell] if target != NOWHERE}
        return frozenset({*self.spawns, *around})

    @cached_property
    def rooms(self) -> tuple[int, ...]:
        """The cells players may walk on, row by row."""
        return tuple(cell for cell in range(self.size) if self.content[cell] != WALL and cell not in self.closed)

    @cached_property
    def way_out(self) -> tuple[int, ...]:
        """The direction that a bug must take in each cell to leave the server room, or NO_WAY (3.3 a)."""
        return tuple(self._way_out(cell) for cell in range(self.size))

    def _way_out(self, cell: int) -> int:
        if cell not in self.closed:
            return NO_WAY
        ways = [way for way in WAY_OUT_ORDER if self.neighbours[cell][way] != NOWHERE]
        if cell in self.spawns:
            if len(ways) == 1:
                return ways[0]
            shut: Iterable[int] = self.spawns
        else:
            shut = self.closed
        return next((way for way in ways if self.neighbours[cell][way] not in shut), NO_WAY)

    @cached_property
    def options(self) -> tuple[int, ...]:
        """The directions from each cell that lead to an open cell that is not closed, one bit each (3.3 b)."""
        rooms = set(self.rooms)
        return tuple(
            sum(1 << direction for direction in range(4) if self.neighbours[cell][direction] in rooms)
            for cell in range(self.size)
        )

    @cached_property
    def choices(self) -> dict[tuple[int, int], int]:
        """The cell behind a bug, or NOWHERE, by cell and heading wherever a bug has a real choice (3.3 d)."""
        return {
            (cell, heading): self.neighbours[cell][heading ^ 1]
            for cell in range(self.size)
            for heading in range(4)
            if self.way_out[cell] == NO_WAY and (self.options[cell] & ~(1 << (heading ^ 1))).bit_count() > 1
        }

    @cached_property
    def decisions(self) -> tuple[tuple[int, int], ...]:
        """Each pair of a bug's cell and the cell behind it, where the bug has a choice: all that a path depends on."""
        return tuple(dict.fromkeys((cell, behind) for (cell, _), behind in self.choices.items()))

    @cached_property
    def reached(self) -> set[int]:
        """The rooms that the first player can walk to."""
        start = self.starts[0]
        rooms, found, edge = set(self.rooms), {start}, [start]
        while edge:
            cell = edge.pop()
            fresh = [target for target in self.neighbours[cell] if target in rooms and target not in found]
            found.update(fresh)
            edge += fresh
        return found

    def leaves_room(self, spawn: int) -> bool:
        """Tells whether a bug that appears here gets out of the server room."""
        cell = spawn
        for _ in range(len(self.closed)):
            if self.way_out[cell] == NO_WAY:
                return False
            cell = self.neighbours[cell][self.way_out[cell]]
            if cell not in self.closed:
                return True
        return False

    def place(self, cell: int) -> str:
        """Writes a cell for people: (x,y)."""
        return f"({cell % self.width},{cell // self.width})"


@lru_cache(maxsize=64)
def survey(width: int, height: int, layout: str, starts: str, spawns: str) -> MapPlan:
    """Makes the plan of these settings; raises SettingsError if they do not give one."""
    content = layout.split(",")
    if len(content) != width * height:
        hint = f"{width} columns and {height} rows need {width * height} cells, separated by commas"
        raise SettingsError("field_layout", got=f"{len(content)} cells", hint=hint)
    for at, sign in enumerate(content):
        if sign not in (WALL, OPEN, SNIPPET, WEAPON):
            hint = f"cell ({at % width},{at // width}) must be one of x . C W"
            raise SettingsError("field_layout", got=sign, hint=hint)
    text = "".join(content)
    start_cells = cells_of("start_points", starts, width, height, text)
    spawn_cells = cells_of("bug_spawn_points", spawns, width, height, text)
    if len(start_cells) != PLAYERS:
        raise SettingsError("start_points", got=starts, hint=f"must be {PLAYERS} points, one for each player")
    if len(set(spawn_cells)) != len(spawn_cells):
        raise SettingsError("bug_spawn_points", got=spawns, hint="must not name a point twice")
    plan = MapPlan(width, height, text, start_cells, spawn_cells)
    for cell in start_cells:
        if cell in plan.closed:
            hint = f"{plan.place(cell)} is closed to players: it is a bug spawn point or next to one"
            raise SettingsError("start_points", got=starts, hint=hint)
    return plan


def cells_of(key: str, points: str, width: int, height: int, content: str) -> tuple[int, ...]:
    if POINTS.fullmatch(points) is None:
        raise SettingsError(key, got=points, hint="must be points as x,y with a space between them: 2,7 17,7")
    cells = []
    for point in points.split(" "):
        x, y = map(int, point.split(","))
        if x >= width or y >= height:
            raise SettingsError(key, got=points, hint=f"({x},{y}) is not on a board of {width} × {height}")
        if content[y * width + x] == WALL:
            raise SettingsError(key, got=points, hint=f"({x},{y}) is a wall in field_layout")
        cells.append(y * width + x)
    return tuple(cells)


def require_whole(plan: MapPlan) -> None:
    """Refuses a map with cells that nobody can reach, or a server room without a way out (`map_check`)."""
    lost = [cell for cell in plan.rooms if cell not in plan.reached]
    if lost:
        hint = (
            f"{len(lost)} open cells cannot be reached from the start points, for example {plan.place(lost[0])}; "
            "connect them, make them walls, or set map_check = false"
        )
        raise SettingsError("field_layout", got=f"{plan.width} × {plan.height} map", hint=hint)
    for cell in plan.spawns:
        if not plan.leaves_room(cell):
            hint = (
                f"bugs cannot get out of {plan.place(cell)}: give each spawn point an open "
                "neighbour that is not a spawn point and leads into the maze, or set map_check = false"
            )
            raise SettingsError("bug_spawn_points", got=plan.place(cell), hint=hint)
