"""Points of the board."""

from typing import NamedTuple


class Point(NamedTuple):
    """A cell of the board: x grows to the right, y grows upwards, and (0, 0) is at the bottom left."""

    x: int
    y: int

    def left(self):
        return Point(self.x - 1, self.y)

    def right(self):
        return Point(self.x + 1, self.y)

    def up(self):
        return Point(self.x, self.y + 1)

    def down(self):
        return Point(self.x, self.y - 1)

    def beside(self):
        """Returns the four neighbours: left, right, up, down."""
        return [self.left(), self.right(), self.up(), self.down()]

    def around(self):
        """Returns the eight neighbours: first those beside, then the corners."""
        x, y = self
        return [*self.beside(), Point(x - 1, y + 1), Point(x + 1, y + 1), Point(x - 1, y - 1), Point(x + 1, y - 1)]

    def distance(self, other):
        """Returns how many steps it is to another point if nothing stands in the way."""
        return abs(self.x - other.x) + abs(self.y - other.y)

    def is_out(self, size):
        """Tells whether this is outside a board of that size."""
        return not (0 <= self.x < size and 0 <= self.y < size)
