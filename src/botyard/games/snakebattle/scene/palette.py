"""The tiles of Snake Battle: the codes of a view first, then the snakes of all seats as everybody sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from botyard.games.snakebattle.layout import DOWN, LEFT, RIGHT, UP
from botyard.games.snakebattle.map.alphabet import (
    ENEMY_PARTS,
    HEAD_SLEEP,
    HORIZONTAL,
    MINE,
    MY_PARTS,
    PARTS,
)
from botyard.kernel.scene import NOBODY, Tile, TileStyle

# The forms of a seat's snake: five kinds of head in four directions, then the parts from HORIZONTAL on.
PLAIN, DEAD, FURIOUS, FLYING, ASLEEP = range(5)
DIRECTIONS = 4
KINDS_OF_HEAD = 5
BODY = DIRECTIONS * KINDS_OF_HEAD
FORMS = BODY + PARTS - HORIZONTAL
SNAKES = MINE + PARTS  # the number of the first tile of seat 0

SEATS = "0123456789abcdefghijklmnop"
TURNED = {LEFT: 2, RIGHT: 0, UP: 3, DOWN: 1}  # quarter turns clockwise of a sprite that looks right

GROUND_TILES = (  # by code
    Tile(". ", "grass", "empty", "grass"),
    Tile("# ", "wall", "wall", "boulder"),
    Tile("_ ", "start", "wall", "start"),
    Tile("o ", "apple", "food", "apple"),
    Tile("@ ", "stone", "danger", "stone"),
    Tile("f ", "flying pill", "item", "flying-pill"),
    Tile("! ", "fury pill", "item", "fury-pill"),
    Tile("$ ", "gold", "item", "gold"),
    Tile("? ", "unknown", "unknown", "unseen"),
)

HEADS = (  # by kind: name, sprite, sign; a plain head has a sign for each direction
    ("head", "snake-head", "<>^v"),
    ("dead head", "snake-head-dead", "xxxx"),
    ("furious head", "snake-head-fury", "EEEE"),
    ("flying head", "snake-head-fly", "WWWW"),
    ("sleeping head", "snake-head-sleep", "zzzz"),
)

BODIES = (  # by part, from HORIZONTAL on: name, sprite, glyph and its ASCII
    ("body", "snake-body", "══", "--"),
    ("body", "snake-body/1", "║ ", "| "),
    ("body", "snake-corner/2", "╗ ", "+ "),
    ("body", "snake-corner/3", "╝ ", "+ "),
    ("body", "snake-corner/1", "╔═", "+-"),
    ("body", "snake-corner", "╚═", "+-"),
    ("tail", "snake-tail/2", "╕ ", "~ "),
    ("tail", "snake-tail", "╘═", "~-"),
    ("tail", "snake-tail/3", "╙ ", "~ "),
    ("tail", "snake-tail/1", "╓ ", "~ "),
    ("sleeping tail", "snake-tail-sleep", "~ ", "~ "),
)


def palette(arena: Any) -> tuple[Tile, ...]:
    seats = range(int(arena.rounds_players_per_room))
    return (
        *GROUND_TILES,
        *seen_parts("enemy "),
        *seen_parts("own "),
        *(tile for seat in seats for tile in forms(seat)),
    )


def seen_parts(whose: str) -> Iterator[Tile]:
    """Yields the parts of a snake by their codes in a view, which does not say whose they are, or where heads look."""
    own = whose == "own "
    for direction, sign in enumerate(HEADS[PLAIN][2]):
        yield seen(whose, "head", turned("snake-head", direction), own, direction, sign)
    for part, (name, sprite, signs) in enumerate(HEADS[DEAD:], DIRECTIONS):
        yield seen(whose, name, sprite, own, part, signs[0])
    for part, (name, sprite, _, plain) in enumerate(BODIES, HORIZONTAL):
        yield seen(whose, name, sprite, own, part, plain[0])


def seen(whose: str, name: str, sprite: str, own: bool, part: int, sign: str) -> Tile:
    """Returns a part with its sign of the game's own alphabet; in ASCII own signs are doubled."""
    if not own:
        return Tile(ENEMY_PARTS[part], whose + name, "danger", sprite, ascii=sign, listed=False)
    style: TileStyle = "seat" if part <= HEAD_SLEEP else "trail"
    return Tile(MY_PARTS[part], whose + name, style, sprite, NOBODY, 2 * sign, listed=False)


def forms(seat: int) -> Iterator[Tile]:
    """Yields the forms of a seat's snake. A head shows its seat, for people who see no colours."""
    for name, sprite, signs in HEADS:
        for direction, sign in enumerate(signs):
            yield Tile(sign + SEATS[seat], name, "seat", turned(sprite, direction), seat)
    for name, sprite, glyph, plain in BODIES:
        yield Tile(glyph, name, "trail", sprite, seat, plain)


def turned(sprite: str, direction: int) -> str:
    return f"{sprite}/{TURNED[direction]}" if TURNED[direction] else sprite
