"""Your bot. Write it here."""

from example import Example


class Solver:
    """One object plays the whole game, so it may remember things from turn to turn."""

    def __init__(self):
        self.example = Example()

    def get(self, board):
        """Fill this in: it gets a Board every turn, and returns a Direction or a text such as "LEFT,ACT"."""
        return self.example.get(board)
