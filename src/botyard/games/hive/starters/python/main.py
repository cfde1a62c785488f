"""A bot for Hive Arena: its bees remember what they have seen, share it, and bring flowers home.

It is started as `main.py HOST PORT`, connects, says its name, and answers every line

    turn,player,bee,row,col,CELLS

(CELLS: the 7x7 square around the bee, 49 digits) with `action,direction`, until it reads `gameover`.
"""

import random
import socket
import sys
from collections import deque

NAME = "gatherer"

EMPTY, FLOWER, WALL, HIVE, OUTSIDE = 0, 5, 6, 7, 9  # HIVE + player; bees are 1 + player, with a flower 3 + player
MOVE, FORAGE, BUILD, GUARD = range(4)
STEPS = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]  # clockwise from north

SIGHT = 3
ROWS, COLS = 25, 30


class Swarm:
    """Holds what all bees know together."""

    def __init__(self):
        self.known = {}  # (row, col) -> what stood there when it was last seen
        self.aims = {}  # bee -> the flower it is going for

    def look(self, row, col, cells):
        for at, digit in enumerate(cells):
            self.known[row + at // 7 - SIGHT, col + at % 7 - SIGHT] = int(digit)

    def decide(self, player, bee, row, col):
        """This is the place to make the bot better."""
        here = row, col
        self.aims.pop(bee, None)
        if self.known[here] == 3 + player:
            goals = {(ROWS // 2, 1 if player == 0 else COLS - 2)}  # our own hive
        else:
            flowers = {cell for cell, what in self.known.items() if what == FLOWER}
            goals = flowers - set(self.aims.values()) or self.frontier()
        steps, goal = self.way(here, goals)
        if goal is None:
            return self.wriggle(here)
        if self.known.get(goal) == FLOWER:
            self.aims[bee] = goal
        arrived = len(steps) == 1 and self.known.get(goal) != EMPTY
        return FORAGE if arrived else MOVE, steps[0]

    def frontier(self):
        """Lists the cells that no bee has seen yet."""
        return {(row, col) for row in range(ROWS) for col in range(COLS)} - self.known.keys()

    def way(self, start, goals):
        """Finds the directions of a shortest way to the nearest goal, and that goal; unseen cells count as free."""
        queue, came = deque([start]), {start: []}
        while queue:
            cell = queue.popleft()
            if cell in goals and cell != start:
                return came[cell], cell
            if cell != start and self.known.get(cell, EMPTY) != EMPTY:
                continue
            for direction, (row, col) in enumerate(STEPS):
                there = cell[0] + row, cell[1] + col
                if there not in came and 0 <= there[0] < ROWS and 0 <= there[1] < COLS:
                    came[there] = [*came[cell], direction]
                    queue.append(there)
        return [], None

    def wriggle(self, here):
        """Chooses an order if there is no way anywhere: tear a wall down, or step wherever there is room."""
        beside = [self.known.get((here[0] + row, here[1] + col), OUTSIDE) for row, col in STEPS]
        for wanted, action in ((EMPTY, MOVE), (WALL, GUARD)):
            if wanted in beside:
                return action, random.choice([at for at, what in enumerate(beside) if what == wanted])
        return GUARD, 0


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    swarm = Swarm()
    with socket.create_connection((host, port)) as link, link.makefile("rw", newline="\n") as lines:
        print(NAME, file=lines, flush=True)
        for line in lines:
            if line == "gameover\n":
                return
            *numbers, cells = line.strip().split(",")
            _turn, player, bee, row, col = map(int, numbers)
            swarm.look(row, col, cells)
            action, direction = swarm.decide(player, bee, row, col)
            print(f"{action},{direction}", file=lines, flush=True)


if __name__ == "__main__":
    main()
