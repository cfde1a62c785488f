"""The commands print through this module: tables and results to standard output, everything else to standard error.

Most of what is printed contains words of strangers: names of bots, titles, reasons, file names, what a program said.
None of them may steer the terminal, forge a line or be taken for markup. So `say`, `note` and `print_table` clean what
is filled in, plain strings have no markup, and both consoles remove the control characters from everything else.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.text import Text

from botyard.kernel.plain import HIDDEN, clean, clean_lines, json_text

INDENT = GAP = "  "
NARROWEST = 12  # columns of a table are not folded to less than this width
FIELDS = 0xF0000  # private characters that stand for the values while the markup of a sentence is parsed


class YardConsole(Console):
    """A console on which no printed text can steer the terminal."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else harmless(segment)

    def status(self, status: RenderableType, **options: Any) -> Status:
        return super().status(Text(clean(status)) if isinstance(status, str) else status, **options)


def harmless(segment: Segment) -> Segment:
    text, style, _ = segment
    if not (text.isprintable() or text == "\n"):
        text = "".join(sign if sign.isprintable() or sign == "\n" else HIDDEN for sign in text)
    return Segment(text, style.update_link(None) if style is not None and style.link else style)


out = YardConsole()
errors = YardConsole(stderr=True)


class Lines(str):
    """Text that may have several lines. All but the first are indented, so that none can pass for a line of ours.

    Any other text that is filled in is made one line.
    """

    __slots__ = ()


def say(template: str, /, **values: Any) -> None:
    """Prints a sentence of ours on a line: `[red]…[/]` in it are styles, and `{name}` is filled in as plain text."""
    out.print(sentence(template, values), soft_wrap=True)


def note(template: str, /, **values: Any) -> None:
    """Prints such a sentence on standard error."""
    errors.print(sentence(template, values), soft_wrap=True)


def sentence(template: str, values: dict[str, Any]) -> Text:
    filled: dict[str, str] = {}
    form, shape = string.Formatter(), ""
    for literal, name, spec, _ in form.parse(template):
        shape += literal
        if name is not None:
            sign = chr(FIELDS + len(filled))
            told = form.format_field(form.get_field(name, (), values)[0], spec or "")
            filled[sign] = lines_of(told) if isinstance(values.get(name), Lines) else clean(told)
            shape += sign
    text, whole, start = Text.from_markup(shape, emoji=False), Text(), 0
    for at, sign in enumerate(text.plain):
        if sign in filled:
            whole.append_text(text[start:at]).append(filled[sign], text.get_style_at_offset(out, at))
            start = at + 1
    return whole.append_text(text[start:])


def lines_of(words: str) -> str:
    return clean_lines(words).rstrip("\n").replace("\n", "\n" + INDENT)


def print_json(value: Any) -> None:
    print(json_text(value))  # noqa: T201


def print_json_line(value: Any) -> None:
    """Prints JSON as one line, at once; it is plain ASCII, so that no part of it steers a terminal."""
    print(json.dumps(value), flush=True)  # noqa: T201


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", *, folded: bool = False) -> None:
    """Prints a table whose columns are as wide as needed. A heading that begins with > marks a column of numbers.

    A row is one line, however narrow the screen is. Rows of sentences may be `folded` instead: where room is short, all
    columns but the first get several lines.
    """
    names = [clean(head.removeprefix(">")) for head in heads]
    cells = [names, *([clean(str(cell)) for cell in row] for row in rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(heads))]
    if folded:
        widths = narrowed(widths, out.width - len(GAP) * (len(heads) - 1))
    if title:
        out.print(Text(clean(title), style="italic"), soft_wrap=True)
    for at, row in enumerate(cells):
        for line in lines_of_row(row, widths, [head.startswith(">") for head in heads]):
            out.print(Text(line, style="bold" if at == 0 else ""), soft_wrap=True)


def narrowed(widths: list[int], room: int) -> list[int]:
    """Returns column widths that fit into the room: the widest columns get narrower, the first never does."""
    widths = list(widths)
    while sum(widths) > room and max(widths[1:], default=0) > NARROWEST:
        widest = max(range(1, len(widths)), key=lambda column: widths[column])
        widths[widest] -= 1
    return widths


def lines_of_row(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> Iterator[str]:
    folds = (folded_cell(cell, width) for cell, width in zip(row, widths, strict=True))
    for parts in zip_longest(*folds, fillvalue=""):
        placed = []
        for part, width, number in zip(parts, widths, numbers, strict=True):
            space = " " * (width - cell_len(part))
            placed.append(space + part if number else part + space)
        yield GAP.join(placed).rstrip()


def folded_cell(cell: str, width: int) -> list[str]:
    if cell_len(cell) <= width:
        return [cell]
    return [line.plain.rstrip() for line in Text(cell).wrap(out, width, overflow="fold")]
