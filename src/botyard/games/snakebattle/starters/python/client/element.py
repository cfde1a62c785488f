"""Elements: the signs of a board by name."""

from enum import Enum


class Element(Enum):
    """What a cell of the board shows; the value is its sign."""

    NONE = " "
    WALL = "☼"
    START_FLOOR = "#"
    OTHER = "?"
    APPLE = "○"
    STONE = "●"
    FLYING_PILL = "©"
    FURY_PILL = "®"
    GOLD = "$"

    HEAD_DOWN = "▼"
    HEAD_LEFT = "◄"
    HEAD_RIGHT = "►"
    HEAD_UP = "▲"
    HEAD_DEAD = "☻"
    HEAD_EVIL = "♥"
    HEAD_FLY = "♠"
    HEAD_SLEEP = "&"
    BODY_HORIZONTAL = "═"
    BODY_VERTICAL = "║"
    BODY_LEFT_DOWN = "╗"
    BODY_LEFT_UP = "╝"
    BODY_RIGHT_DOWN = "╔"
    BODY_RIGHT_UP = "╚"
    TAIL_END_DOWN = "╙"
    TAIL_END_LEFT = "╘"
    TAIL_END_UP = "╓"
    TAIL_END_RIGHT = "╕"
    TAIL_INACTIVE = "~"

    ENEMY_HEAD_DOWN = "˅"
    ENEMY_HEAD_LEFT = "<"
    ENEMY_HEAD_RIGHT = ">"
    ENEMY_HEAD_UP = "˄"
    ENEMY_HEAD_DEAD = "☺"
    ENEMY_HEAD_EVIL = "♣"
    ENEMY_HEAD_FLY = "♦"
    ENEMY_HEAD_SLEEP = "ø"
    ENEMY_BODY_HORIZONTAL = "─"
    ENEMY_BODY_VERTICAL = "│"
    ENEMY_BODY_LEFT_DOWN = "┐"
    ENEMY_BODY_LEFT_UP = "┘"
    ENEMY_BODY_RIGHT_DOWN = "┌"
    ENEMY_BODY_RIGHT_UP = "└"
    ENEMY_TAIL_END_DOWN = "¤"
    ENEMY_TAIL_END_LEFT = "×"
    ENEMY_TAIL_END_UP = "æ"
    ENEMY_TAIL_END_RIGHT = "ö"
    ENEMY_TAIL_INACTIVE = "*"

    @staticmethod
    def of(sign):
        """Returns the element with this sign; a sign that nobody knows is OTHER."""
        return BY_SIGN.get(sign, Element.OTHER)

    @property
    def sign(self):
        return self.value

    def is_mine(self):
        """Tells whether this is a part of your own snake."""
        return self.name.startswith(PARTS)

    def is_enemy(self):
        """Tells whether this is a part of another's snake."""
        return self.name.startswith("ENEMY_")

    def __str__(self):
        return self.value

    __hash__ = object.__hash__  # boards look elements up very often, and this is faster than by name


PARTS = ("HEAD_", "BODY_", "TAIL_")
BY_SIGN = {element.value: element for element in Element}


def named(*beginnings, but=()):
    return frozenset(element for element in Element if element.name.startswith(beginnings) and element not in but)


class Group:
    """Elements that belong together."""

    FOOD = frozenset((Element.APPLE, Element.GOLD, Element.FURY_PILL, Element.FLYING_PILL))
    FREE = FOOD | {Element.NONE}
    MY_HEADS = named("HEAD_", but=[Element.HEAD_DEAD])
    MY_BODY = named("BODY_")
    MY_TAILS = named("TAIL_")
    MY_SNAKE = named(*PARTS)
    ENEMY_HEADS = named("ENEMY_HEAD_", but=[Element.ENEMY_HEAD_DEAD])
    ENEMY_BODY = named("ENEMY_BODY_")
    ENEMY_TAILS = named("ENEMY_TAIL_")
    ENEMY_SNAKES = named("ENEMY_")
    BARRIERS = frozenset(
        (
            Element.WALL,
            Element.START_FLOOR,
            Element.ENEMY_HEAD_SLEEP,
            Element.ENEMY_TAIL_INACTIVE,
            Element.TAIL_INACTIVE,
        )
    )
