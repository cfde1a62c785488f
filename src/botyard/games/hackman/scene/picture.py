"""Hack-man in pictures: the rules that make them, their palette, the words beside them, and the keys of a person.

A view tells of bugs only where they are: neither which is which nor where each is heading. So in what a seat saw they
are part of the grid, and look the same whatever they do.
"""

from __future__ import annotations

from typing import Any

from botyard.games.hackman.layout import MOST_BUGS
from botyard.games.hackman.map.plan import NOWHERE, PLAYERS
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.scene import Key, KeyPad, PictureSize, Tile, Words

FLOOR, BRICK, SERVER, GATE, SNIPPET, SWORD = range(6)
BUG = 6  # where it heads is not known
HEADED = 7  # a bug, by heading: up, down, left, right
PLAYER, ARMED, STUNNED = 11, 13, 15  # by player
BOTH = 17  # two players on one cell

TURNS = (3, 1, 2, 0)  # quarter turns of a bug by heading; unturned it heads right


def palette(arena: Any) -> tuple[Tile, ...]:
    tiles = [
        Tile(". ", "floor", "empty", "floor"),
        Tile("# ", "wall", "wall", "brick"),
        Tile(": ", "server, closed to players", "wall", "server"),
        Tile("- ", "gate, closed to players", "wall", "gate"),
        Tile("C ", "snippet", "food", "snippet"),
        Tile("W ", "weapon", "item", "sword"),
        Tile("E ", "bug", "danger", "bug-above", listed=False),
    ]
    tiles += [Tile(f"E{arrow}", "bug", "danger", f"bug/{turns}") for arrow, turns in zip("^v<>", TURNS, strict=True)]
    for sign, name, sprite in (
        (" ", "player", "player"),
        ("W", "player with a weapon", "armed-player"),
        ("!", "player who cannot move", "stunned-player"),
    ):
        tiles += [Tile(f"{player}{sign}", name, "seat", sprite, player) for player in range(PLAYERS)]
    return (*tiles, Tile("01", "both players", "danger", "two-players", listed=False))


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(int(arena.height), int(arena.width), PLAYERS + MOST_BUGS)


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    lay_floor(arena, grid)
    lay_items(arena, state, grid)
    for bug in range(state.bug_count):
        piece = pieces[bug]
        piece.id = state.bug_ids[bug]
        piece.row = state.bugs[bug] // arena.width
        piece.col = state.bugs[bug] % arena.width
        piece.tile = HEADED + state.headings[bug]
    return place_players(arena, state, pieces, state.bug_count, state.paralysis)


@rule
def lay_floor(arena: Record, grid: Record) -> None:
    for cell in range(arena.cells):
        grid[cell // arena.width, cell % arena.width] = ground(arena, cell)
    for at in range(arena.spawn_count):
        grid[arena.spawns[at] // arena.width, arena.spawns[at] % arena.width] = SERVER


@rule
def ground(arena: Record, cell: int) -> int:
    """Returns what a cell is made of. A cell that is closed to players and leads somewhere is no wall."""
    if arena.rooms[cell >> 5] >> (cell & 31) & 1:
        return FLOOR
    for direction in range(4):
        if arena.ground.neighbours[4 * cell + direction] != NOWHERE:
            return GATE
    return BRICK


@rule
def lay_items(arena: Record, shown: Record, grid: Record) -> None:
    """Lays snippets and weapons on the floor, as a state or a view has them."""
    for at in range(shown.snippet_count):
        grid[shown.snippets[at] // arena.width, shown.snippets[at] % arena.width] = SNIPPET
    for at in range(shown.weapon_count):
        grid[shown.weapons[at] // arena.width, shown.weapons[at] % arena.width] = SWORD


@rule
def place_players(arena: Record, shown: Record, pieces: Record, count: int, stunned: Record) -> int:
    """Adds the players to the first `count` pieces, each with its snippets; returns how many pieces there are.

    The ids of bugs begin with 0, so players are below.
    """
    for player in range(PLAYERS):
        piece = pieces[count + player]
        piece.id = player - PLAYERS
        piece.number = shown.scores[player]
        piece.row = shown.cells[player] // arena.width
        piece.col = shown.cells[player] % arena.width
        piece.tile = player + (STUNNED if stunned[player] else ARMED if shown.armed[player] else PLAYER)
    if shown.cells[0] == shown.cells[1]:
        pieces[count + 1].tile = BOTH  # it covers the other one
    return count + PLAYERS


@rule
def seat_picture(arena: Record, view: Record, grid: Record, pieces: Record) -> int:
    lay_floor(arena, grid)
    lay_items(arena, view, grid)
    for bug in range(view.bug_count):
        grid[view.bugs[bug] // arena.width, view.bugs[bug] % arena.width] = BUG
    return place_players(arena, view, pieces, 0, view.paralysed)


def words(arena: Any, state: Any) -> Words:
    armed, still, out, absent = (state[name].tolist() for name in ("armed", "paralysis", "out", "absent"))
    return Words(
        headline=f"round {state.rounds} of {arena.max_rounds}, {state.collected} snippets collected",
        numbers={"snippets": tuple(state.scores.tolist())},
        conditions=tuple(map(condition, armed, still, out, absent)),
        out=frozenset(player for player in range(PLAYERS) if out[player] or absent[player]),
    )


def condition(armed: int, still: int, out: int, absent: int) -> str:
    phrases = ["carries a weapon"] if armed else []
    phrases += [f"cannot move for {still} {'round' if still == 1 else 'rounds'}"] if still else []
    phrases += ["could not pay"] if out else []
    phrases += ["forfeited"] if absent else []
    return ", ".join(phrases)


KEYS = KeyPad(
    keys=(
        Key(("ArrowUp", "w"), "↑", ("up",), 0, 1),
        Key(("ArrowLeft", "a"), "←", ("left",), 1, 0),
        Key(("p",), "pass", ("pass",), 1, 1),
        Key(("ArrowRight", "d"), "→", ("right",), 1, 2),
        Key(("ArrowDown", "s"), "↓", ("down",), 2, 1),
    )
)
