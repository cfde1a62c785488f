"""A bot for Snake Battle: eats what is nearest, and goes round everything deadly.

It is started as `main.py ADDRESS`, with the address of its board page:

    http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE

Every second it is sent the whole board and answers with a direction.
"""

import sys
from collections import deque

from link import connect

STEPS = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}
BACK = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}

HEADS = {"◄": "LEFT", "►": "RIGHT", "▲": "UP", "▼": "DOWN"}
FURIOUS, FLYING = "♥", "♠"
RIVALS = "<>˄˅♣♦"
FOOD = "○$®©"  # apple, gold, fury pill, flying pill
STONE = "●"
FREE = " " + FOOD


class Board:
    """A square of signs. Cells are (x, y), from (0, 0) at the top left."""

    def __init__(self, text):
        self.side = int(len(text) ** 0.5)
        self.signs = {(at % self.side, at // self.side): sign for at, sign in enumerate(text)}

    def find(self, signs):
        return [cell for cell, sign in self.signs.items() if sign in signs]

    def way(self, firsts, enterable, avoid):
        """The first direction of the shortest way to something to eat."""
        queue, seen = deque(firsts), {cell for cell, _ in firsts} | avoid
        while queue:
            cell, first = queue.popleft()
            if self.signs[cell] in FOOD:
                return first
            for there in beside(cell).values():
                if there not in seen and self.signs.get(there, "☼") in enterable:
                    seen.add(there)
                    queue.append((there, first))
        return None


def beside(cell):
    return {word: (cell[0] + dx, cell[1] + dy) for word, (dx, dy) in STEPS.items()}


def decide(board):
    """This is the place to make the bot better."""
    mine = board.find([*HEADS, FURIOUS, FLYING])
    if not mine:
        return ""  # asleep, dead, or hidden under another snake: straight on
    head = mine[0]
    looks = HEADS.get(board.signs[head])
    strong = board.signs[head] in (FURIOUS, FLYING)
    enterable = FREE + STONE if strong else FREE

    met = {cell for rival in board.find(RIVALS) for cell in beside(rival).values()}
    ways = {word: cell for word, cell in beside(head).items() if board.signs.get(cell, "☼") in enterable}
    ways.pop(BACK.get(looks), None)  # nobody turns on the spot
    calm = [(cell, word) for word, cell in ways.items() if cell not in met or strong]
    return board.way(calm, enterable, avoid={head}) or next((word for _, word in calm), None) or next(iter(ways), "")


def main():
    address = sys.argv[1]
    link = connect(address.replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code="))
    while (text := link.receive()) is not None:
        if text.startswith("board="):
            link.send(decide(Board(text.removeprefix("board="))))


if __name__ == "__main__":
    main()
