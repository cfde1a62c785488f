"""Says what the client library in Python makes of boards; tests/games/snakebattle/test_clients.py compares.

The boards come by standard input, one line each. `probe.js` and `Probe.java` do the same, word for word.
"""

# mypy: ignore-errors
# The library has no types: it is for everybody who writes a first bot.

import sys

from client import Board, Direction, Element, Group, Point, Snake, Ways
from example import Example
from solver import Solver

STONY = {**dict.fromkeys(Group.FREE, 1), Element.STONE: 3}
BACKWARDS = dict.fromkeys(Group.FREE | Group.MY_TAILS, 1)


def say(what, values):
    sys.stdout.write(" ".join(map(str, [what, *values])) + "\n")


def points(found):
    return [f"{point.x},{point.y}" for point in found]


def library():
    """Prints the names that an author can use, and every element."""
    board, at = Board("☼╘► "), Point(0, 0)
    for one in (Direction.UP, at, Element.GOLD, Group(), board, Snake(board, at), Ways(board, at)):
        kind = type(one)
        names = {*vars(kind), *getattr(one, "__dict__", {})} - set(getattr(kind, "__members__", {}))
        say("library", [f"{kind.__name__}.{name}" for name in names if name[0] != "_"])
    say("elements", [f"{element.name}={ord(element.sign)}" for element in Element])
    turns = [[way, way.inverted(), way.clockwise(), way.counter_clockwise(), way.with_act()] for way in Direction]
    say("directions", ["/".join(map(str, turn)) for turn in turns])


def snake(one):
    states = {"furious": one.is_furious(), "flying": one.is_flying(), "asleep": one.is_asleep()}
    return [str(one.direction), *(state for state, so in states.items() if so), *points(one.points)]


def look(board):
    say("size", [board.size])
    say("names", [board.at(point).name for point in board.points])
    say("rows", [len(row) for row in str(board).split("\n")])
    for what in ("walls", "barriers", "stones", "apples", "gold", "fury_pills", "flying_pills", "food", "foe_heads"):
        say(what.replace("_", "-"), points(getattr(board, what)()))
    say("free", points(point for point in board.points if board.is_free_at(point)))
    say("over", ["yes" if board.is_game_over() else "no"])
    for foe in board.foes():
        say("foe", snake(foe))
    say("answers", [Example().get(board), Solver().get(board)])
    me = board.my_snake()
    if me:
        say("mine", snake(me))
        around(board, me.head)
        ways(board, me.head)
    say("", [])


def around(board, head):
    say("beside", [element.name for element in board.beside(head)])
    say("near", [element.name for element in board.near(head)])
    say("barriers-near", [board.count_near(head, *Group.BARRIERS)])
    asked = [
        board.is_near(head, Element.STONE),
        board.is_beside(head, Element.STONE),
        board.is_at(head, *Group.MY_HEADS),
    ]
    say("asked", ["yes" if answer else "no" for answer in asked])


def ways(board, head):
    food = board.food()

    def wary(point):
        return (9 if board.is_near(point, Element.STONE) else 1) if board.is_free_at(point) else Ways.CLOSED

    for what, cost in (("way", None), ("stony", STONY), ("wary", wary), ("backwards", BACKWARDS)):
        found = Ways(board, head, cost)
        nearest = found.nearest(food)
        say(what, found.way_to_nearest(food))
        say(f"{what}-cost", [] if nearest is None else [int(found.cost_to(nearest)), *points([nearest])])
        say(f"{what}-room", [len(found.reached())])


library()
say("", [])
for text in sys.stdin:
    look(Board(text.rstrip("\n")))
