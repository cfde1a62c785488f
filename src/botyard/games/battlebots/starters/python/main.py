"""A bot for BattleBots: steps out of the way of shots, and shoots what stands in line.

It is started anew for every round. The arena is the last argument, and what the bot prints is its answer. Nothing
survives a round: no variable, no file.
"""

import sys

STEPS = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip
REACH = {"B": 3, "M": 2}  # squares that a bullet and a missile fly in a round


class Arena:
    """Reads the text of the arena: ten lines of board, then hit points, then every bullet, missile and mine."""

    def __init__(self, text):
        lines = text.splitlines()
        self.board = [line for line in lines if "=" not in line]
        self.shots = []  # (kind, (x, y), direction)
        self.mines = set()
        for kind, *facts in (line.split() for line in lines if "=" in line):
            values = dict(fact.split("=") for fact in facts)
            if kind in REACH:
                self.shots.append((kind, (int(values["x"]), int(values["y"])), values["dir"]))
            elif kind == "L":
                self.mines.add((int(values["x"]), int(values["y"])))

    def find(self, sign):
        return next((line.index(sign), y) for y, line in enumerate(self.board) if sign in line)

    def inside(self, square):
        return 0 <= square[1] < len(self.board) and 0 <= square[0] < len(self.board[0])

    def danger(self):
        """Finds the squares that hurt this round: bots move first, then the shots fly."""
        flown = {moved(at, way, far) for kind, at, way in self.shots for far in range(1, REACH[kind] + 1)}
        return flown | self.mines


def moved(square, way, far=1):
    dx, dy = STEPS[way]
    return square[0] + far * dx, square[1] + far * dy


def aim(me, enemy):
    """Finds the way to the enemy and how far it is, if it stands in line."""
    dx, dy = enemy[0] - me[0], enemy[1] - me[1]
    far = max(abs(dx), abs(dy))
    return next(((way, far) for way in STEPS if moved(me, way, far) == enemy), None)


def decide(arena):
    """This is the place to make the bot better."""
    me, enemy, danger = arena.find("Y"), arena.find("X"), arena.danger()
    target = aim(me, enemy)
    if target and me not in danger:
        way, far = target
        if far == REACH["M"]:
            return f"M {way}"  # from nearer, the blast would hurt us too
        if far <= REACH["B"]:
            return f"B {way}"

    def worth(way):
        there = moved(me, way)
        far = max(abs(enemy[0] - there[0]), abs(enemy[1] - there[1]))
        return there in danger, abs(far - REACH["M"]), aim(there, enemy) is None

    ways = [way for way in STEPS if arena.inside(moved(me, way)) and moved(me, way) != enemy]
    return min(ways, key=worth, default="NO")


if __name__ == "__main__":
    print(decide(Arena(sys.argv[-1])))
