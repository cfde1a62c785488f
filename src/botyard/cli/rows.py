"""Rows with file names and reasons in them: a row is one line, however narrow the screen and however long the name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from botyard.cli.console import out

GAP = "  "


def print_rows(heads: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Columns as wide as they need to be; a head that begins with > stands above numbers. Nothing is ever folded."""
    from rich.cells import cell_len
    from rich.text import Text

    from botyard.kernel.plain import clean

    table = [[head.removeprefix(">") for head in heads], *([clean(str(cell)) for cell in row] for row in rows)]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(heads))]
    if title:
        out.print(Text(clean(title), style="italic"), highlight=False, soft_wrap=True)
    for at, row in enumerate(table):
        cells = []
        for head, cell, width in zip(heads, row, widths, strict=True):
            space = " " * (width - cell_len(cell))
            cells.append(space + cell if head.startswith(">") else cell + space)
        out.print(Text(GAP.join(cells).rstrip(), style="bold" if at == 0 else ""), highlight=False, soft_wrap=True)
