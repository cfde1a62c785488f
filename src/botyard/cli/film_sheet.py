"""This module lays a film desk out on a screen: the board, what is said beside it, the timeline and the keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from botyard.cli.film_desk import KEYS, FilmDesk
from botyard.games.picture import legend_of
from botyard.kernel.plain import clean
from botyard.kernel.scene import NOBODY, Tile, Words
from botyard.render.fitted import Space, fits
from botyard.render.terminal import seat_colour, style_of

Line = list[Segment]

GAP = "  "
PANEL = 18  # columns that the words beside a board need at least
WIDEST_PANEL = 60
MARKS = {"turn": ("!", "bold red"), "out": ("x", "bold"), "round": ("|", "bold"), "event": ("+", "")}
DIM = Style.parse("bright_black")


class Pen:
    """What a terminal can show."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.ascii = not console.encoding.lower().startswith("utf")
        self.colours = console.color_system is not None and not console.no_color

    def room(self, cols: int, rows: int) -> Space:
        return Space(max(1, cols), max(1, rows), self.ascii, self.colours)

    def lines(self, text: Text, width: int) -> list[Line]:
        """A text, broken into lines that are no longer than this."""
        return [list(line.render(self.console)) for line in text.wrap(self.console, width, overflow="ellipsis")]

    def line(self, text: Text, width: int) -> Line:
        """A text as one line, cut where it is too long."""
        text = text.copy()
        text.truncate(width, overflow="crop" if self.ascii else "ellipsis")
        return [segment for segment in text.render(self.console) if segment.text]

    def sign(self, sign: str, plain: str) -> str:
        return plain if self.ascii else sign


def sheet(
    desk: FilmDesk,
    console: Console,
    cols: int,
    rows: int,
    foot: Sequence[Line] | None = None,
    keys: Sequence[tuple[str, str]] | None = None,
) -> list[Line]:
    """Returns the lines of the screen: board and words, or a list of keys; below a foot, by default the timeline."""
    pen = Pen(console)
    below = foot if foot is not None else [timeline(desk, pen, cols), pen.line(status(desk, pen), cols)]
    body = rows - len(below)
    if desk.helping or keys is not None:
        lines = [pen.line(text, cols) for text in key_list(keys or KEYS)][:body]
    else:
        lines = beside_or_above(desk, pen, cols, body)
    return [*lines, *([] for _ in range(body - len(lines))), *below]


def beside_or_above(desk: FilmDesk, pen: Pen, cols: int, rows: int) -> list[Line]:
    """Puts the words beside the board, and above it only where all of the board fits so, or the screen is narrow."""
    board = desk.board
    beside, head = pen.room(cols - len(GAP) - PANEL, rows), heading(desk, pen, cols)
    above = pen.room(cols, rows - len(head))
    if beside.cols < 2 * PANEL or (not fits(board.shape, beside) and fits(board.shape, above)):
        return [*head, *desk.painter.paint(board, above, desk.whole, desk.seat)]
    drawn = desk.painter.paint(board, beside, desk.whole, desk.seat)
    width = max(Segment.get_line_length(line) for line in drawn)
    words = panel(desk, pen, min(cols - width - len(GAP), WIDEST_PANEL), rows)
    blank = [Segment(" " * width)]
    drawn += [blank] * (len(words) - len(drawn))
    words += [[]] * (len(drawn) - len(words))
    return [[*left, Segment(GAP), *right] for left, right in zip(drawn, words, strict=True)]


# Words


def seat_name(desk: FilmDesk, seat: int) -> Text:
    shown = "bold " + seat_colour(seat) + (" reverse" if desk.seat == seat else "")
    return Text(f"{seat} {clean(desk.head['names'][seat]) or '(no name)'}", style=shown)


def heading(desk: FilmDesk, pen: Pen, cols: int) -> list[Line]:
    """What is said about a position, a line for each seat."""
    words = desk.frame.words or Words("", {}, ())
    seats = [
        Text.assemble(seat_name(desk, seat), f"  {clean(words.line(seat))}" if words.numbers else "")
        for seat in range(len(desk.head["names"]))
    ]
    return [pen.line(text, cols) for text in [Text(clean(words.headline), style="bold"), *seats]]


def panel(desk: FilmDesk, pen: Pen, width: int, rows: int) -> list[Line]:
    """The same in a narrow column, with what happened at this tick and what the signs mean."""
    words = desk.frame.words or Words("", {}, ())
    lines = pen.lines(Text(desk.head["title"], style="bold"), width)
    if words.headline or desk.told:
        lines += pen.lines(Text(clean(words.headline or desk.told)), width)
    after = [line for text in [*ending(desk), *happened(desk)] for line in pen.lines(text, width)]
    if desk.painter.seen:
        after += pen.lines(Text(desk.painter.seen + desk.zoom_hint, style="bright_black"), width)
    seats = seat_lines(desk, pen, words, width)
    if len(lines) + len(seats) + len(after) > rows:
        seats = heading(desk, pen, width)[1:]
    return [*lines, *seats, *after, [], *legend(desk.painter.palette, pen, width)][:rows]


def seat_lines(desk: FilmDesk, pen: Pen, words: Words, width: int) -> list[Line]:
    """The name of each seat, and below it what is said of it, on as many lines as that needs."""
    lines = []
    for seat in range(len(desk.head["names"])):
        lines.append(pen.line(seat_name(desk, seat), width))
        if words.numbers:
            told = pen.lines(Text(clean(words.line(seat))), width - len(GAP))
            lines += [[Segment(GAP), *line] for line in told]
    return lines


def ending(desk: FilmDesk) -> Iterable[Text]:
    outcome = desk.head["outcome"]
    if desk.at_end and outcome:
        best, *others = outcome["groups"]
        if not others:
            yield Text("a draw", style="bold")
        else:
            for seat in best:
                yield Text.assemble(seat_name(desk, seat), " wins" if len(best) == 1 else " shares the first place")


def happened(desk: FilmDesk) -> Iterable[Text]:
    for _, seat, kind, words in desk.marks_here:
        style = "red" if kind == "turn" else ""
        yield Text(clean(words) if seat == NOBODY else f"{seat}: {clean(words)}", style=style)


def legend(palette: Sequence[Tile], pen: Pen, width: int) -> list[Line]:
    """What the signs mean, in columns of equal width where there is room for several."""
    entries = []
    for tile in legend_of(tuple(palette)):
        sign = (tile.plain if pen.ascii else tile.glyph).strip()
        entries.append(Text.assemble((sign, style_of(tile)), (f" {clean(tile.name)}", "bright_black")))
    if not entries:
        return []
    widest = max(entry.cell_len for entry in entries) + 2
    count = max(1, (width + 2) // widest)
    lines = []
    for at in range(0, len(entries), count):
        row = Text()
        for entry in entries[at : at + count]:
            row.append_text(entry).append(" " * (widest - entry.cell_len))
        row.rstrip()
        lines.append(pen.line(row, width))
    return lines


def key_list(keys: Sequence[tuple[str, str]]) -> list[Text]:
    widest = max(len(names) for names, _ in keys) + 2
    rows = [Text.assemble((f"  {set_cell_size(names, widest)}", "bold"), does) for names, does in keys]
    return [Text("Keys", style="bold"), *rows, Text(), Text("  Any key goes back to the board.", style="bright_black")]


# Timeline and status


def timeline(desk: FilmDesk, pen: Pen, cols: int) -> Line:
    """A line from the first to the last tick: where we are, and the marks. Of several in a column the worst is seen."""
    signs: list[tuple[str, Any]] = [(pen.sign("─", "-"), DIM)] * cols
    place = (cols - 1) / max(1, desk.last)
    for tick, seat, kind, _ in sorted(desk.head["marks"], key=lambda mark: kind_rank(mark[2])):
        sign, style = MARKS.get(kind, (pen.sign("┴", "'"), ""))
        at = round(min(tick, desk.last) * place)
        signs[at] = sign, Style.parse(style or (seat_colour(seat) if seat != NOBODY else "bold"))
    signs[round(desk.tick * place)] = pen.sign("█", "#"), Style.parse("bold")
    return [Segment(sign, style) for sign, style in signs]


def kind_rank(kind: str) -> int:
    """What is worse comes later, and so is seen."""
    return ("won", "paid", "event", "round", "out", "turn").index(kind) if kind in (*MARKS, "won", "paid") else 0


def status(desk: FilmDesk, pen: Pen) -> Text:
    if desk.typed is not None:
        return Text(f"go to tick {desk.typed}_  (0 to {desk.last}; enter goes, esc does not)")
    if desk.message:
        return Text(clean(desk.message), style="yellow")
    playback = desk.playback
    mark = pen.sign("▶", ">") if playback.playing else pen.sign("⏸", "=")
    whose = "" if desk.seat is None else f"  seat {desk.seat}'s view" if desk.sees_view else f"  with seat {desk.seat}"
    left, right, up, down = (
        pen.sign(sign, plain) for sign, plain in zip("←→↑↓", ("<-", "->", "up", "dn"), strict=True)
    )
    line = Text.assemble((f"tick {desk.tick} of {desk.last}  {mark} {playback.words}{whose}  ", "bold"))
    hints = [
        ("space", "play"),
        (f"{left}{right}", "step"),
        (f"{up}{down}", "speed"),
        ("n p", "mark"),
        ("?", "keys"),
        ("q", "quit"),
    ]
    for key, does in hints:
        line.append(f" {key}", "reverse").append(f" {does}", "bright_black")
    return line
