"""A bot for tic-tac-toe: each question is a line with the nine cells and the bot's mark."""

import sys

CELLS = [col + row for row in "321" for col in "abc"]
BEST_FIRST = ["b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"]

for line in sys.stdin:
    board, _mark = line.split()
    print(next(cell for cell in BEST_FIRST if board[CELLS.index(cell)] == "."), flush=True)
