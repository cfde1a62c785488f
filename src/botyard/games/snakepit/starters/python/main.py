"""A bot for Snakepit: takes the shortest way to the pellet, but never into a corner.

It is started as `main.py HOST PORT ID`, connects, keeps its own map from what it is told, and answers every `mov` with
one letter: r, l, u or d.
"""

import socket
import sys
from collections import deque

STEPS = {"r": (1, 0), "l": (-1, 0), "u": (0, -1), "d": (0, 1)}
FAR = 10**6


class Pit:
    """The board as far as the bot was told. Cells are (x, y), from (1, 1) at the top left."""

    def __init__(self, own):
        self.own = own
        self.size = self.pellet = (0, 0)
        self.snakes = {}  # id -> cells, head first
        self.moved = set()  # the snakes that moved since the last question: all others are dead

    def hear(self, words):
        if words[0] == "bi":
            self.size = pair(words[1])
        elif words[0] == "p":
            self.pellet = pair(words[1])
        elif words[0] == "si":
            self.snakes.setdefault(int(words[1]), []).append(pair(words[2]))
        elif words[0] == "s":
            x, y, left_x, _left_y = map(int, words[2].split(","))
            body = self.snakes[int(words[1])]
            body.insert(0, (x, y))
            if left_x != -1:  # otherwise it grows, and its tail stays
                body.pop()
            self.moved.add(int(words[1]))

    def bury(self):
        """Takes dead snakes off the map: every living snake has moved."""
        if self.moved:
            self.snakes = {number: self.snakes[number] for number in self.moved}
            self.moved = set()

    def decide(self):
        """This is the place to make the bot better."""
        body = self.snakes[self.own]
        bodies = {cell for snake in self.snakes.values() for cell in snake}
        rivals = [snake[0] for number, snake in self.snakes.items() if number != self.own]
        met = {there for head in rivals for there in beside(head).values()}
        to_pellet = self.spread(self.pellet, bodies, FAR)

        def worth(letter):
            there = beside(body[0])[letter]
            if not self.inside(there) or there in bodies:
                return (True, True, True, FAR)
            cramped = len(self.spread(there, bodies, len(body))) < len(body)
            return (False, cramped, there in met, to_pellet.get(there, FAR))

        return min(STEPS, key=worth)

    def spread(self, start, bodies, most):
        """Finds the distances from a cell through free ones, until `most` cells are found."""
        found, queue = {start: 0}, deque([start])
        while queue and len(found) < most:
            cell = queue.popleft()
            for there in beside(cell).values():
                if there not in found and there not in bodies and self.inside(there):
                    found[there] = found[cell] + 1
                    queue.append(there)
        return found

    def inside(self, cell):
        return 1 <= cell[0] <= self.size[0] and 1 <= cell[1] <= self.size[1]


def pair(text):
    x, y = text.split(",")
    return int(x), int(y)


def beside(cell):
    return {letter: (cell[0] + dx, cell[1] + dy) for letter, (dx, dy) in STEPS.items()}


def main():
    host, port, own = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pit = Pit(own)
    with socket.create_connection((host, port)) as link, link.makefile("r") as lines:
        for line in lines:
            words = line.split()
            if words == ["quit"]:
                return
            if words == ["mov"]:
                pit.bury()
                link.sendall(pit.decide().encode())  # one byte, no line end
            else:
                pit.hear(words)


if __name__ == "__main__":
    main()
