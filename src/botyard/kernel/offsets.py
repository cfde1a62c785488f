"""Where things lie, as learners sense it: offsets within bounds, and boards rolled until the learner is in the middle.

A rolled board is as large as the board and one line more each way, which stands for what lies beyond the edge. So a
learner has everything around itself in the same place, whatever the position, and nothing is left out.
"""

from __future__ import annotations

from botyard.kernel.rule import rule

NEAR = 8  # offsets are told up to so many cells; farther ones are told as this


@rule
def offset(cells: int) -> int:
    """Returns an offset plus NEAR, so that it is never negative."""
    return min(max(cells, -NEAR), NEAR) + NEAR


@rule
def sign(cells: int) -> int:
    return (cells > 0) - (cells < 0)


@rule
def rolled(at: int, middle: int, cells: int) -> int:
    """Returns which cell stands at a place of a rolled line of so many cells; `cells` itself is the line beyond.

    There is no division in it, because it is asked for every cell.
    """
    cell = at + middle - ((cells + 1) >> 1)
    if cell < 0:
        return cell + cells + 1
    return cell - cells - 1 if cell > cells else cell
