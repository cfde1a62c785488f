"""A bot for Snake Battle: eats what is nearest, and stays where there is room.

It is started as `main.py ADDRESS`, with the address of its board page:

    http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE

Every second it is sent the whole board and answers with a direction.
"""

import sys
from collections import deque

from link import connect

STEPS = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}
BACK = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}

HEADS = {"◄": "LEFT", "►": "RIGHT", "▲": "UP", "▼": "DOWN", "♥": "", "♠": ""}  # the last two: furious, flying
BODY = "═║╗╝╔╚╕╘╙╓"
RIVALS = "<>˄˅♣♦"
FOOD = "○$®©"  # apple, gold, fury pill, flying pill
FREE = " " + FOOD
WALL = "☼"
FAR = 10**6


class Board:
    """A square of signs. Cells are (x, y), from (0, 0) at the top left."""

    def __init__(self, text):
        self.side = int(len(text) ** 0.5)
        self.signs = {(at % self.side, at // self.side): sign for at, sign in enumerate(text)}

    def find(self, signs):
        return [cell for cell, sign in self.signs.items() if sign in signs]

    def explore(self, start):
        """Finds how far it is from a cell to something to eat, and how many cells can be reached at all."""
        queue, away, nearest = deque([start]), {start: 0}, FAR
        while queue:
            cell = queue.popleft()
            if self.signs[cell] in FOOD:
                nearest = min(nearest, away[cell])
            for there in beside(cell).values():
                if there not in away and self.signs.get(there, WALL) in FREE:
                    away[there] = away[cell] + 1
                    queue.append(there)
        return nearest, len(away)


def beside(cell):
    return {word: (cell[0] + dx, cell[1] + dy) for word, (dx, dy) in STEPS.items()}


def decide(board):
    """This is the place to make the bot better."""
    mine = board.find(HEADS)
    if not mine:
        return ""  # asleep, dead, or hidden under another snake: straight on
    head = mine[0]
    ways = beside(head)
    ways.pop(BACK.get(HEADS[board.signs[head]]), None)  # no snake can turn back on the spot
    length = 1 + len(board.find(BODY))
    met = {cell for rival in board.find(RIVALS) for cell in beside(rival).values()}

    def worth(word):
        nearest, room = board.explore(ways[word])
        return ways[word] in met, room < length, nearest

    free = [word for word, cell in ways.items() if board.signs.get(cell, WALL) in FREE]
    bites = [
        word for word, cell in ways.items() if board.signs.get(cell, WALL) in BODY
    ]  # it hurts, but less than a wall
    return min(free, key=worth) if free else next(iter(bites), "")


def main():
    address = sys.argv[1]
    link = connect(address.replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code="))
    while (text := link.receive()) is not None:
        if text.startswith("board="):
            link.send(decide(Board(text.removeprefix("board="))))


if __name__ == "__main__":
    main()
