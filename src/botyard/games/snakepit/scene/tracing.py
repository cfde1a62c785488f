"""Traces bodies in drawings: puts the letters of a snake in an order in which each cell touches the next."""

from __future__ import annotations

from collections.abc import Iterator

from botyard.games.snakepit.layout import DIRECTIONS, STEP_X, STEP_Y
from botyard.games.snakepit.layout.bodies import Cell
from botyard.kernel.errors import BadRecord


def trace(board: list[list[str]], letter: str) -> list[Cell]:
    """Finds the cells of one snake from head to tail, along neighbours, each letter once; the first way that works."""
    heads = [*cells_of(board, letter)]
    body = {*cells_of(board, letter.lower())}
    if len(heads) != 1:
        raise BadRecord(
            f"the drawing has {len(heads)} heads {letter}", hint="use one capital letter for each snake: A, B, C …"
        )
    for way in ways(heads[0], body):
        return way
    raise BadRecord(
        f"the body of snake {letter} is not connected", hint="draw small letters in a row behind the capital"
    )


def cells_of(board: list[list[str]], sign: str) -> Iterator[Cell]:
    return ((x, y) for y, row in enumerate(board, 1) for x, cell in enumerate(row, 1) if cell == sign)


def ways(head: Cell, body: set[Cell]) -> Iterator[list[Cell]]:
    """Yields all ways from a cell over all cells of a body, each cell once."""
    if not body:
        yield [head]
    for direction in range(DIRECTIONS):
        beside = (head[0] + STEP_X[direction], head[1] + STEP_Y[direction])
        if beside in body:
            for rest in ways(beside, body - {beside}):
                yield [head, *rest]
