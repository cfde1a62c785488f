"""BattleBots in pictures: the rules that make them, their palette, the words beside them, and the keys of a person.

A view tells neither who is bot 1 nor the round. So what a seat saw shows its own bot and the enemy's, as the text for
bots does, and shots, which only the round would tell apart, are part of the grid there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from botyard.games.battlebots.layout import BOTS, BULLETS, LIVE, SIDE, slots
from botyard.games.battlebots.rules.squares import outside
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.scene import NOBODY, Key, KeyPad, Mode, PictureSize, Tile, TileStyle, Words, compass_keys

PLATE, VOID, MINE, SPENT_MINE = range(4)
SHOT = 4  # by kind and direction: SHOT + 8 × kind + direction
TANK, STUNNED, WRECK = 20, 22, 24  # by seat
OWN, ENEMY = 26, 27  # for a seat that does not know which of the two it is

ARROWS = "^/>\\v/<\\"  # by direction


def palette(arena: Any) -> tuple[Tile, ...]:
    tiles = [
        Tile(". ", "plate", "empty", "plate"),
        Tile("# ", "unusable square", "wall", "void"),
        Tile("L ", "mine", "danger", "mine"),
        Tile("L-", "spent mine", "danger", "spent-mine"),
    ]
    tiles += shot_tiles("B", "bullet", "item") + shot_tiles("M", "missile", "danger")
    for sign, name, sprite in (
        (" ", "bot", "tank"),
        ("!", "bot that cannot move", "stunned-tank"),
        ("x", "wreck", "wreck"),
    ):
        tiles += [Tile(f"{bot + 1}{sign}", name, "seat", sprite, bot) for bot in range(BOTS)]
    tiles += [
        Tile("Y ", "own bot", "item", "own-tank", listed=False),
        Tile("X ", "enemy bot", "danger", "enemy-tank", listed=False),
    ]
    return tuple(tiles)


def shot_tiles(sign: str, name: str, style: TileStyle) -> list[Tile]:
    """Returns a tile for each direction. Sprites are drawn for north and north-east, and turned by quarters."""
    return [
        Tile(f"{sign}{arrow}", name, style, f"{name}{'-diagonal' * (to % 2)}/{to // 2}")
        for to, arrow in enumerate(ARROWS)
    ]


def picture_size(arena: Any) -> PictureSize:
    rows, cols = int(arena.height), int(arena.width)
    return PictureSize(rows, cols, BOTS + 2 * slots(max(rows, SIDE), max(cols, SIDE)))


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    lay_plates(arena, grid)
    for at in range(state.mine_count):
        x, y = state.mines[at, 0], state.mines[at, 1]
        grid[y, x] = MINE if state.mine_at[y, x] == LIVE else SPENT_MINE
    count = 0
    for kind in range(2):
        for at in range(state.shot_count[kind]):
            tile = SHOT + 8 * kind + state.shots[kind, at, 2]
            put(
                pieces[count], shot_id(arena, state, kind, at), tile, state.shots[kind, at, 0], state.shots[kind, at, 1]
            )
            count += 1
    for bot in range(BOTS):
        tile = bot + (WRECK if state.hp[bot] < 1 else STUNNED if state.paralysed > 0 else TANK)
        put(pieces[count], bot, tile, state.bots[bot, 0], state.bots[bot, 1])
        pieces[count].number = state.hp[bot]
        count += 1
    return count


@rule
def lay_plates(arena: Record, grid: Record) -> None:
    for y in range(arena.height):
        for x in range(arena.width):
            grid[y, x] = VOID if outside(arena, x, y) else PLATE


@rule
def put(piece: Record, number: int, tile: int, x: int, y: int) -> None:
    piece.id = number
    piece.tile = tile
    piece.row = y
    piece.col = x


@rule
def shot_id(arena: Record, state: Record, kind: int, at: int) -> int:
    """Returns a number that a shot keeps as long as it flies.

    A shot that is still there has flown all its steps in every round. So where it would have been in round 0 stays the
    same, also modulo the longer side of the board, and differs from that of every shot that begins a round elsewhere:
    no shot that is launched takes the number of one that just vanished. Equal shots on a square fly and vanish
    together, and are numbered in the order of their list. Whatever the settings, the numbers stay below 2**25.
    """
    speed = arena.bullet_speed if kind == BULLETS else arena.missile_speed
    side = max(arena.width, arena.height)
    direction = state.shots[kind, at, 2]
    flown = speed * (state.rounds % side)
    x = (state.shots[kind, at, 0] - arena.col_step[direction] * flown) % side
    y = (state.shots[kind, at, 1] - arena.row_step[direction] * flown) % side
    equal = 0
    for other in range(at):
        if state.shot_words[kind, other] == state.shot_words[kind, at]:
            equal += 1
    number: int = BOTS + (((equal * 2 + kind) * 8 + direction) * side + y) * side + x
    return number


@rule
def seat_picture(arena: Record, view: Record, grid: Record, pieces: Record) -> int:
    lay_plates(arena, grid)
    for at in range(view.mine_count):
        grid[view.mines[at, 1], view.mines[at, 0]] = MINE
    for kind in range(2):
        for at in range(view.shot_count[kind]):
            grid[view.shots[kind, at, 1], view.shots[kind, at, 0]] = SHOT + 8 * kind + view.shots[kind, at, 2]
    put(pieces[0], 0, OWN, view.x, view.y)
    put(pieces[1], 1, ENEMY, view.enemy_x, view.enemy_y)
    pieces[0].number = view.hp
    pieces[1].number = view.enemy_hp
    return BOTS


def words(arena: Any, state: Any) -> Words:
    health, still, gone = state.hp.tolist(), int(state.paralysed), int(state.forfeited)
    return Words(
        headline=f"round {state.rounds}" + (f", no movement for {still} more" if still else ""),
        numbers={"health": tuple(health)},
        conditions=tuple(
            "forfeited" if bot == gone else "down" if points < 1 else "" for bot, points in enumerate(health)
        ),
        out=frozenset(bot for bot, points in enumerate(health) if points < 1 or bot == gone),
    )


def events(arena: Any, state: Any) -> Iterator[tuple[int, str]]:
    """Yields a pulse. Only in the round in which it is set off the count of rounds without movement is full."""
    if 0 < state.paralysed == arena.emp_rounds:
        yield NOBODY, "pulse"


KEYS = KeyPad(
    keys=(
        *compass_keys("{}", "B {}", "M {}", "L {}"),
        Key(("s",), "wait", ("NO",) * 4, 1, 1),
        Key(("p",), "pulse", ("P",) * 4, 3, 1),
    ),
    modes=(Mode("move"), Mode("bullet", "Shift", "b"), Mode("missile", "Alt", "m"), Mode("landmine", "Control", "l")),
)
