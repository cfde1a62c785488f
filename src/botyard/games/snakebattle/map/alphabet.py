"""The alphabet of Snake Battle (specification 2.2) and its maps (2.4)."""

from __future__ import annotations

# What lies on the ground, by code. A cell holds one of these; snakes pass over it.
NONE, WALL, START, APPLE, STONE, FLYING_PILL, FURY_PILL, GOLD, OTHER = range(9)
GROUND = " ☼#○●©®$?"
GROUND_NAMES = ("NONE", "WALL", "START_FLOOR", "APPLE", "STONE", "FLYING_PILL", "FURY_PILL", "GOLD", "OTHER")

# The parts of a snake. A part of another's snake has the code ENEMY + part, a part of one's own MINE + part.
# Heads by direction, bends by the two sides they join, tails by the direction of the next cell of the snake.
HEAD, HEAD_DEAD, HEAD_EVIL, HEAD_FLY, HEAD_SLEEP = 0, 4, 5, 6, 7
HORIZONTAL, VERTICAL, LEFT_DOWN, LEFT_UP, RIGHT_DOWN, RIGHT_UP = range(8, 14)
TAIL, TAIL_SLEEP = 14, 18
PARTS = 19
ENEMY = len(GROUND)
MINE = ENEMY + PARTS
PART_NAMES = (
    "HEAD_LEFT", "HEAD_RIGHT", "HEAD_UP", "HEAD_DOWN", "HEAD_DEAD", "HEAD_EVIL", "HEAD_FLY", "HEAD_SLEEP",
    "BODY_HORIZONTAL", "BODY_VERTICAL", "BODY_LEFT_DOWN", "BODY_LEFT_UP", "BODY_RIGHT_DOWN", "BODY_RIGHT_UP",
    "TAIL_END_RIGHT", "TAIL_END_LEFT", "TAIL_END_DOWN", "TAIL_END_UP", "TAIL_INACTIVE",
)  # fmt: skip
ENEMY_PARTS = "<>˄˅☺♣♦ø─│┐┘┌└ö×¤æ*"
MY_PARTS = "◄►▲▼☻♥♠&═║╗╝╔╚╕╘╙╓~"

SYMBOLS = GROUND + ENEMY_PARTS + MY_PARTS
"""A cell of a view as the character it has on the wire, by code."""

NAMES = (*GROUND_NAMES, *(f"ENEMY_{name}" for name in PART_NAMES), *PART_NAMES)
"""The names of the client libraries, by code."""

DEFAULT_MAP = "default"
MAP_ROWS = (
    "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼",
    "☼☼     ●   ○             ●   ☼",
    "☼#              ●            ☼",
    "☼☼  ○   ☼#         ○   ●     ☼",
    "☼☼                      ○    ☼",
    "☼# ○         ●               ☼",
    "☼☼                ☼#    ●   %☼",
    "☼☼  ●   ☼☼☼        ☼  ☼      ☼",
    "☼#      ☼      ○   ☼  ☼      ☼",
    "☼☼      ☼○         ☼  ☼      ☼",
    "☼☼      ☼☼☼               ●  ☼",
    "☼#              ☼#           ☼",
    "☼☼○         ●               $☼",
    "☼☼    ●              ☼       ☼",
    "☼#             ○             ☼",
    "☼☼         ●             ●   ☼",
    "☼☼   ○             ☼#        ☼",
    "☼#       ☼☼ ☼                ☼",
    "☼☼ ●        ☼     ●     ○    ☼",
    "☼☼       ☼☼ ☼                ☼",
    "☼#          ☼               @☼",
    "☼☼   ●     ☼#    ●     ●     ☼",
    "☼☼           ○               ☼",
    "☼#                  ☼☼☼      ☼",
    "☼☼                           ☼",
    "☼☼  ●   ○        ☼☼☼#    ○   ☼",
    "☼#           ●               ☼",
    "☼☼               ○      ●    ☼",
    "☼☼      ●         ●          ☼",
    "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼",
)


def map_rows(text: str) -> tuple[str, ...]:
    """Returns the rows of a map, top row first.

    The text is `default`, or rows on lines of their own, or all N x N characters in one line.
    """
    if text == DEFAULT_MAP:
        return MAP_ROWS
    if "\n" in text:
        return tuple(text.strip("\n").split("\n"))
    side = int(len(text) ** 0.5)
    return tuple(text[at : at + side] for at in range(0, len(text), max(side, 1)))


def ground_of(symbol: str) -> int:
    """Returns what a symbol means on a map; symbols that maps do not use, such as snakes, are empty cells (2.4)."""
    found = GROUND.find(symbol)
    return NONE if found in (-1, OTHER) else found
