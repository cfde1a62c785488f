"""A bot for tic-tac-toe: each question is a line with the nine cells and the bot's mark."""

import sys

CELLS = [col + row for row in "321" for col in "abc"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
BEST_FIRST = [4, 0, 2, 6, 8, 1, 3, 5, 7]


def decide(board, mark):
    for wanted in (mark, "XO".replace(mark, "")):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(wanted) == 2 and "." in marks:
                return line[marks.index(".")]
    return next(cell for cell in BEST_FIRST if board[cell] == ".")


for question in sys.stdin:
    print(CELLS[decide(*question.split())], flush=True)
