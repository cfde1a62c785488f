"""The board of one turn."""

from functools import lru_cache
from itertools import compress
from math import isqrt

from client.element import Element, Group
from client.point import Point
from client.snake import Snake


class Board:
    """A square of elements, made from a board line. It does not change; every turn has a new one."""

    def __init__(self, line):
        self.line = line
        self.size = isqrt(len(line))
        self.points = points_of(self.size)
        self.elements = [Element.of(sign) for sign in line]

    def index(self, point):
        """Returns where a point of the board stands in `line`, `points` and `elements`."""
        return (self.size - 1 - point.y) * self.size + point.x

    # Asking about a point

    def at(self, point):
        """Returns the element there; outside the board everything is WALL."""
        return Element.WALL if point.is_out(self.size) else self.elements[self.index(point)]

    def is_at(self, point, *elements):
        """Tells whether one of these elements is there."""
        return self.at(point) in elements

    def is_free_at(self, point):
        """Tells whether nothing is there, or something to eat."""
        return self.at(point) in Group.FREE

    def is_barrier_at(self, point):
        """Tells whether something is there that no snake survives: a wall, a start cell, a sleeper."""
        return self.at(point) in Group.BARRIERS

    def is_stone_at(self, point):
        return self.at(point) is Element.STONE

    def near(self, point):
        """Returns the elements of the eight cells around a point."""
        return [self.at(there) for there in point.around()]

    def count_near(self, point, *elements):
        """Counts the cells around a point, of eight, that show one of these elements."""
        return sum(element in elements for element in self.near(point))

    def is_near(self, point, *elements):
        return self.count_near(point, *elements) > 0

    def beside(self, point):
        """Returns the elements of the four cells beside a point: left, right, up, down."""
        return [self.at(there) for there in point.beside()]

    def is_beside(self, point, *elements):
        return any(element in elements for element in self.beside(point))

    # Searching

    def find(self, *elements):
        """Lists the points of these elements, top row first."""
        return list(compress(self.points, map(set(elements).__contains__, self.elements)))

    def first(self, *elements):
        """Returns the first of these points, or None."""
        return next(iter(self.find(*elements)), None)

    def walls(self):
        return self.find(Element.WALL)

    def barriers(self):
        return self.find(*Group.BARRIERS)

    def stones(self):
        return self.find(Element.STONE)

    def apples(self):
        return self.find(Element.APPLE)

    def gold(self):
        return self.find(Element.GOLD)

    def fury_pills(self):
        return self.find(Element.FURY_PILL)

    def flying_pills(self):
        return self.find(Element.FLYING_PILL)

    def food(self):
        """Lists apples, gold and pills."""
        return self.find(*Group.FOOD)

    # Snakes

    def me(self):
        """Returns the point of your living head, or None: then you are dead, or another snake lies over your head."""
        return self.first(*Group.MY_HEADS)

    def is_game_over(self):
        return self.me() is None

    def my_snake(self):
        """Returns your snake, or None if its head is not to be seen."""
        return Snake(self, self.me()) if self.me() else None

    def foe_heads(self):
        """Lists the heads of the others that are alive and awake."""
        return self.find(*Group.ENEMY_HEADS - {Element.ENEMY_HEAD_SLEEP})

    def foes(self):
        """Lists the snakes of the others that are alive and awake."""
        return [Snake(self, head) for head in self.foe_heads()]

    def __str__(self):
        return "\n".join(self.line[at : at + self.size] for at in range(0, len(self.line), self.size))


@lru_cache(maxsize=4)
def points_of(size):
    """Returns the points of a board of that size in the order of its line."""
    return tuple(Point(x, size - 1 - row) for row in range(size) for x in range(size))
