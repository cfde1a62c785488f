"""A bot for New game: each question is a line `TICK LETTER ROWS`, each answer a line with an order."""

import sys


def decide(letter, board):
    """Returns the order that goes to the nearest coin in sight, or else to the middle of the board."""
    cells = {(row, col): cell for row, line in enumerate(board) for col, cell in enumerate(line)}
    row, col = next(at for at, cell in cells.items() if cell in (letter, "@"))
    coins = [at for at, cell in cells.items() if cell == "*"]
    middle = (len(board) // 2, len(board[0]) // 2)
    to_row, to_col = min(coins, key=lambda at: abs(at[0] - row) + abs(at[1] - col), default=middle)
    if to_row != row:
        return "up" if to_row < row else "down"
    if to_col != col:
        return "left" if to_col < col else "right"
    return "stay"


def main():
    for line in sys.stdin:
        _tick, letter, rows = line.split()
        print(decide(letter, rows.split("/")), flush=True)


if __name__ == "__main__":
    main()
