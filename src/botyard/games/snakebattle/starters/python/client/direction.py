"""Directions and the other words of an answer."""

from enum import Enum

from client.point import Point


class Direction(Enum):
    """A word of an answer: four directions, ACT to drop a stone, STOP to go straight on."""

    LEFT = 0
    RIGHT = 1
    UP = 2
    DOWN = 3
    ACT = 4
    STOP = 5

    @staticmethod
    def moves():
        """Returns the four directions, without ACT and STOP."""
        return MOVES

    @staticmethod
    def between(point, neighbour):
        """Returns the direction from a point to its neighbour; STOP if they are no neighbours."""
        return next((way for way in MOVES if way.apply(point) == neighbour), Direction.STOP)

    @property
    def dx(self):
        return STEPS[self.value][0]

    @property
    def dy(self):
        return STEPS[self.value][1]

    def apply(self, point):
        """Returns the point one step further; y grows upwards."""
        dx, dy = STEPS[self.value]
        return Point(point.x + dx, point.y + dy)

    def inverted(self):
        """Returns the opposite direction; ACT and STOP stay what they are."""
        return Direction[INVERTED.get(self.name, self.name)]

    def clockwise(self):
        """Returns the direction after a quarter turn to the right."""
        return Direction[CLOCKWISE.get(self.name, self.name)]

    def counter_clockwise(self):
        """Returns the direction after a quarter turn to the left."""
        return self.clockwise().inverted()

    def with_act(self):
        """Returns an answer that also drops a stone, such as "LEFT,ACT"."""
        return f"{self.name},ACT"

    def __str__(self):
        return self.name


STEPS = ((-1, 0), (1, 0), (0, 1), (0, -1), (0, 0), (0, 0))
INVERTED = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}
CLOCKWISE = {"LEFT": "UP", "UP": "RIGHT", "RIGHT": "DOWN", "DOWN": "LEFT"}
MOVES = (Direction.LEFT, Direction.RIGHT, Direction.UP, Direction.DOWN)
