"""Where the commands write: tables and results to standard output, everything else to standard error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console

out = Console()
errors = Console(stderr=True)


def print_json(value: Any) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    # A byte of a bot's name that is no UTF-8 cannot be written as such; what Python makes of it is an escape in JSON.
    print(text.encode("utf-8", "backslashreplace").decode())  # noqa: T201


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    from rich.table import Table
    from rich.text import Text

    from botyard.render.terminal import clean_lines

    table = Table(box=None, header_style="bold", pad_edge=False)
    for head in heads:
        table.add_column(head.lstrip(">"), justify="right" if head.startswith(">") else "left", overflow="fold")
    table.columns[0].no_wrap = True
    for row in rows:
        table.add_row(*(Text(clean_lines(str(cell))) for cell in row))
    if title:
        out.print(Text(clean_lines(title), style="italic"), soft_wrap=True)
    out.print(table)
