"""Shortest ways, found by Dijkstra's algorithm."""

from functools import lru_cache
from heapq import heappop, heappush
from math import inf

from client.direction import Direction
from client.element import Group


class Ways:
    """The cheapest ways from one point to all others.

    What it costs to enter a cell is said by `cost`: a function of a point, or a dict of costs by element. Costs are not
    negative. A cell whose cost is Ways.CLOSED, or whose element is not in the dict, is never entered. Without a `cost`,
    free cells cost 1 and all others are closed. From your own head no way begins backwards, because no snake can turn
    on the spot.
    """

    CLOSED = inf

    def __init__(self, board, start, cost=None):
        self._board = board
        self._came = {}  # the cell before, by cell; cells are counted as in the board line
        self._costs = [inf] * len(board.points)
        self._reached = []
        if not start.is_out(board.size):
            self._search(board.index(start), prices(board, cost), neck_behind(board, start))

    def _search(self, start, price, behind):
        """Settles cells in the order of their costs; of equal ones, first what was found first."""
        costs, came, neighbours = self._costs, self._came, neighbours_of(self._board.size)
        costs[start] = 0
        queue, found, done = [(0, 0, start)], 0, bytearray(len(costs))
        while queue:
            so_far, _, cell = heappop(queue)
            if done[cell]:
                continue
            done[cell] = True
            self._reached.append(cell)
            for there in neighbours[cell]:
                total = so_far + price[there]
                if total < costs[there] and not done[there] and (cell != start or there != behind):
                    costs[there], came[there] = total, cell
                    found += 1
                    heappush(queue, (total, found, there))

    def cost_to(self, point):
        """Returns what the way to a point costs; Ways.CLOSED if there is none."""
        return inf if point.is_out(self._board.size) else self._costs[self._board.index(point)]

    def reached(self):
        """Lists all points that can be reached, nearest first; the start is the first."""
        return [self._board.points[cell] for cell in self._reached]

    def nearest(self, points):
        """Returns the point with the cheapest way, or None if none can be reached."""
        best = min(points, key=self.cost_to, default=None)
        return None if best is None or self.cost_to(best) == inf else best

    def way_to(self, point):
        """Lists the directions to go, one per step; the list is empty if there is no way."""
        if self.cost_to(point) == inf:
            return []
        way, cell, points = [], self._board.index(point), self._board.points
        while cell in self._came:
            before = self._came[cell]
            way.append(Direction.between(points[before], points[cell]))
            cell = before
        return way[::-1]

    def way_to_nearest(self, points):
        """Lists the directions to the nearest of these points; the list is empty if none can be reached."""
        nearest = self.nearest(points)
        return [] if nearest is None else self.way_to(nearest)


def prices(board, cost):
    """Returns what it costs to enter each cell."""
    if callable(cost):
        return [cost(point) for point in board.points]
    by_element = dict.fromkeys(Group.FREE, 1) if cost is None else cost
    return [by_element.get(element, inf) for element in board.elements]


def neck_behind(board, start):
    """Returns the cell of your neck if the ways begin at your head, or -1."""
    neck = board.my_snake().neck if start == board.me() else None
    return -1 if neck is None else board.index(neck)


@lru_cache(maxsize=4)
def neighbours_of(size):
    """Returns the neighbours of every cell: left, right, up, down."""
    return [
        [
            cell + step
            for step, inside in (
                (-1, cell % size > 0),
                (1, cell % size < size - 1),
                (-size, cell >= size),
                (size, cell < size * (size - 1)),
            )
            if inside
        ]
        for cell in range(size * size)
    ]
