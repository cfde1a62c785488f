"""Hive Arena in pictures: the rules that make them, their palette, the words beside them, and the keys of a person."""

from __future__ import annotations

from typing import Any

from botyard.games.hive.facts import ACTIONS
from botyard.games.hive.layout import BEE, CARRIER, EMPTY, FLOWER, HIVE, OUTSIDE, PLAYERS, WALL
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.scene import KeyPad, Mode, PictureSize, Tile, Words, compass_keys

# The palette has the cell codes of the game first; then what only pictures have.
UNSEEN, ACTIVE = OUTSIDE, OUTSIDE + 1  # ACTIVE: the bee that is to act, by player; ACTIVE + PLAYERS: with a flower
LETTERS = ("A", "a")


def palette(arena: Any) -> tuple[Tile, ...]:
    tiles = {EMPTY: Tile(". ", "meadow", "empty", "meadow"), FLOWER: Tile("* ", "flower", "food", "flower")}
    tiles |= {WALL: Tile("# ", "wall", "wall", "wax"), UNSEEN: Tile("  ", "unseen", "unknown", "unseen")}
    for player, letter in enumerate(LETTERS):
        tiles[BEE + player] = Tile(letter, "bee", "seat", "bee", player)
        tiles[CARRIER + player] = Tile(f"{letter}*", "bee with a flower", "seat", "laden-bee", player)
        tiles[HIVE + player] = Tile("@&"[player], "hive", "home", "hive", player)
        tiles[ACTIVE + player] = Tile(f"{letter}!", "bee to act", "seat", "active-bee", player)
        tiles[ACTIVE + PLAYERS + player] = Tile(
            f"{letter}+", "bee to act, with a flower", "seat", "active-laden-bee", player
        )
    return tuple(tiles[number] for number in range(len(tiles)))


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(int(arena.rows), int(arena.cols), PLAYERS * int(arena.bees))


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    for row in range(arena.rows):
        for col in range(arena.cols):
            code = state.cells[row + arena.margin, col + arena.margin]
            grid[row, col] = EMPTY if BEE <= code < FLOWER else code
    count = 0
    for player in range(PLAYERS):
        for bee in range(arena.bees):
            row = state.bees[player, bee, 0]
            col = state.bees[player, bee, 1]
            acts = not state.over and state.turn % PLAYERS == player and state.bee == bee
            piece = pieces[count]
            piece.id = count
            piece.row = row - arena.margin
            piece.col = col - arena.margin
            piece.tile = bee_tile(state.cells[row, col], acts)
            count += 1
    return count


@rule
def bee_tile(code: int, acts: bool) -> int:
    """Returns how a bee is shown, from the code of its cell."""
    return code - BEE + ACTIVE if acts else code


@rule
def seat_picture(arena: Record, view: Record, grid: Record, pieces: Record) -> int:
    """Shows the window of the bee that is asked; all else is unseen."""
    for row in range(arena.rows):
        for col in range(arena.cols):
            grid[row, col] = UNSEEN
    for y in range(2 * arena.margin + 1):
        for x in range(2 * arena.margin + 1):
            row = view.row + y - arena.margin
            col = view.col + x - arena.margin
            if 0 <= row < arena.rows and 0 <= col < arena.cols:
                grid[row, col] = bee_tile(view.window[y, x], y == arena.margin and x == arena.margin)
    return 0


def words(arena: Any, state: Any) -> Words:
    last = int(state.last_point_turn)
    return Words(
        headline=f"turn {state.turn}" + (f", last point in turn {last}" if last >= 0 else ""),
        numbers={"points": tuple(state.scores.tolist())},
        conditions=tuple("forfeited" if state.forfeited == player else "" for player in range(PLAYERS)),
        out=frozenset({int(state.forfeited)} - {-1}),
    )


KEYS = KeyPad(
    keys=compass_keys(*(f"{action} {{}}" for action in ACTIONS)),
    modes=(Mode("move"), Mode("forage", "Shift", "f"), Mode("build", "Alt", "b"), Mode("guard", "Control", "g")),
)
