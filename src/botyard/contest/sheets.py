"""Tables for spreadsheets: comma-separated values that every reader takes apart as they were, and none computes.

A spreadsheet takes a cell that begins with one of `= + - @`, or with a tab or line break before it, for a formula, and
a formula can fetch pages and start programs. Text that looks so gets an apostrophe in front, which spreadsheets know as
"this is text"; numbers, our own or of digits alone, stay as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

FORMULA = re.compile(r"""[\s"'\u0000-\u001f\u200b-\u200f\u2060\ufeff]*[=+\-@|%＝＋－＠−﹢﹣﹦﹫]|[\t\r\n]""")
NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return "".join(csv_line(row) for row in (heads, *rows))


def csv_line(cells: Sequence[Any]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line).writerow([cell_of(cell) for cell in cells])  # its own line end makes it quote all line breaks
    return line.getvalue().removesuffix("\r\n") + "\n"


def cell_of(value: Any) -> Any:
    """A value as a spreadsheet may see it."""
    if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value
