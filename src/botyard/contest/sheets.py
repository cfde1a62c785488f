"""This module writes tables for spreadsheets (CSV) that every program reads alike and none takes for formulas.

A spreadsheet takes a cell for a formula if it begins with one of `= + - @`, even after a tab or line break, and a
formula can fetch pages and start programs. Such text gets an apostrophe in front, which spreadsheets understand as
"this is text". Numbers, our own or text of digits alone, stay as they are.
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
    csv.writer(line).writerow([cell_of(cell) for cell in cells])  # with its default line end it quotes every line break
    return line.getvalue().removesuffix("\r\n") + "\n"


def cell_of(value: Any) -> Any:
    """Returns a value in a form that no spreadsheet takes for a formula."""
    if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value
