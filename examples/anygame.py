"""One bot for all games, in Botyard's own protocol: JSON lines on standard input and output (docs/protocol.md).

    botyard play hive 'json:python3 examples/anygame.py' house:wanderer --report turns.txt

Copy `main` and write your own `choose`: nothing else here knows how a bot talks to the yard. What you print on standard
error is kept for you in the turn report.
"""

import json
import random
import sys
from collections import deque


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            known = CHOICES.get(message["game"])
            choose = known(message["settings"]) if known else by_chance(message["orders"])
            say({"type": "ready", "version": 1, "name": "anygame"})
        elif message["type"] == "turn":
            say({"turn": message["turn"], "order": choose(message["view"])})
        elif message["type"] == "goodbye":
            return


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()  # or the yard would hear nothing


def by_chance(orders):
    """For a game that this bot does not know: any order."""

    def choose(_):
        return random.choice(orders)

    return choose


COMPASS = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip
CROSS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def first_step(start, goals, free, steps):
    """The first step of a shortest way to one of the goals; None if there is no way."""
    came, queue = {start: None}, deque([start])
    while queue:
        cell = queue.popleft()
        for name, (x, y) in steps.items():
            target = (cell[0] + x, cell[1] + y)
            if target not in came and free(target):
                came[target] = came[cell] or name
                if target in goals:
                    return came[target]
                queue.append(target)
    return None


def any_step(start, free, steps):
    """A step to somewhere free, if there is one."""
    return next((name for name, (x, y) in shuffled(steps) if free((start[0] + x, start[1] + y))), None)


def shuffled(steps):
    return random.sample(list(steps.items()), len(steps))


def hive(settings):
    """Takes flowers in sight, carries them home, wanders otherwise."""
    empty, carrier, flower, home = 0, 3, 5, 7
    inset, reach = settings["hive_inset"], settings["view_distance"]

    def choose(view):
        mine = view["player"]
        hive_at = (inset if mine == 0 else settings["cols"] - 1 - inset, settings["rows"] // 2)
        carrying = view["window"][reach][reach] == carrier + mine
        around = {
            name: (view["window"][reach + y][reach + x], view["col"] + x, view["row"] + y)
            for name, (x, y) in shuffled(COMPASS)
        }
        for name, (code, *_) in around.items():
            if code == (home + mine if carrying else flower):
                return f"forage {name}"
        open_ways = [name for name, (code, *_) in around.items() if code == empty] or ["N"]
        if not carrying:
            return f"move {open_ways[0]}"
        return "move " + min(
            open_ways, key=lambda name: max(abs(around[name][1] - hive_at[0]), abs(around[name][2] - hive_at[1]))
        )

    return choose


def hackman(settings):
    """Goes for the nearest snippet or weapon, and around bugs."""
    width = settings["field_width"]
    closed = {tuple(map(int, point.split(","))) for point in settings["bug_spawn_points"].split()}
    rooms = {
        (at % width, at // width) for at, cell in enumerate(settings["field_layout"].split(",")) if cell != "x"
    } - closed

    def choose(view):
        def places(cells):
            return {(cell % width, cell // width) for cell in cells}

        me = divmod(view["cells"][view["player"]], width)[::-1]
        bugs = places(view["bugs"])
        wanted = places(view["snippets"] + view["weapons"])
        safe = rooms - bugs
        return first_step(me, wanted, safe.__contains__, CROSS) or any_step(me, safe.__contains__, CROSS) or "pass"

    return choose


def battlebots(_settings):
    """Shoots where a shot can hit, and comes nearer where none can."""

    def choose(view):
        x, y = view["enemy_x"] - view["x"], view["enemy_y"] - view["y"]
        towards = next(name for name, step in COMPASS.items() if step == (sign(x), sign(y)))
        in_line = x == 0 or y == 0 or abs(x) == abs(y)
        return f"B {towards}" if in_line else towards

    return choose


def sign(number):
    return (number > 0) - (number < 0)


def snakepit(settings):
    """Keeps a board of its own, as views tell only what changes, and goes for the pellet."""
    bodies = {}
    start = settings["initial_len"] + (not settings["initial_len_counts_head"])
    steps = {"r": (1, 0), "l": (-1, 0), "u": (0, -1), "d": (0, 1)}

    def remember(view):
        for snake, (head, left, alive) in enumerate(zip(view["heads"], view["tails"], view["alive"], strict=True)):
            if view["tick"] == 0:
                bodies[snake] = [(head[0], head[1] + below) for below in range(start)]
            elif not alive:
                if not settings["preserve_dead"]:
                    bodies.pop(snake, None)
            else:
                bodies[snake].append(tuple(head))
                if tuple(left) in bodies[snake]:
                    bodies[snake].remove(tuple(left))

    def choose(view):
        remember(view)
        taken = {cell for body in bodies.values() for cell in body}

        def free(cell):
            return 1 <= cell[0] <= settings["width"] and 1 <= cell[1] <= settings["height"] and cell not in taken

        me, pellet = tuple(view["heads"][view["seat"]]), (view["pellet_x"], view["pellet_y"])
        return first_step(me, {pellet}, free, steps) or any_step(me, free, steps) or "r"

    return choose


def snakebattle(_settings):
    """Finds its head on the board and goes for whatever is good to eat."""
    good, empty = {3, 5, 6, 7}, 0  # apples, pills and gold
    heads = range(28, 36)

    def choose(view):
        cells = {(x, y): code for y, row in enumerate(view["board"]) for x, code in enumerate(row)}
        me = next((cell for cell, code in cells.items() if code in heads), None)
        if me is None:
            return "straight"
        food = {cell for cell, code in cells.items() if code in good}

        def free(cell):
            return cells.get(cell) == empty or cell in food

        return first_step(me, food, free, CROSS) or any_step(me, free, CROSS) or "straight"

    return choose


CHOICES = {
    "hive": hive,
    "hackman": hackman,
    "battlebots": battlebots,
    "snakepit": snakepit,
    "snakebattle": snakebattle,
}

if __name__ == "__main__":
    main()
