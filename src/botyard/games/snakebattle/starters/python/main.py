"""Starts the bot, and answers every board with what its Solver says.

It is started as `main.py ADDRESS`, with the address of its board page:

    http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE
"""

import sys

from client import Board
from client.link import connect
from solver import Solver


def main():
    address = sys.argv[1]
    link = connect(address.replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code="))
    solver = Solver()
    while (text := link.receive()) is not None:
        if text.startswith("board="):
            link.send(str(solver.get(Board(text[len("board=") :]))))


if __name__ == "__main__":
    main()
