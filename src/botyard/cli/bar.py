"""Progress bars: of a running contest a line that fits the screen without cutting a number, and a plain one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from botyard.cli.console import errors
from botyard.kernel.plain import clean

if TYPE_CHECKING:
    from botyard.contest.runner import News

TITLE_CELLS, BAR_CELLS, TIME_CELLS = 24, 10, 7
GAPS = 5  # between six columns


@contextlib.contextmanager
def bar(title: str, quiet: bool) -> Iterator[Callable[[News], None]]:
    """Shows games done, rate, time left, and as many of the leaders as there is room for."""
    title = shortened(clean(title))
    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(BAR_CELLS), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[leaders]}", markup=False),
    )  # fmt: skip
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as progress:
        task = progress.add_task(title, total=None, rate="", leaders="")

        def watch(news: News) -> None:
            rate = f"{news.rate:.1f} games/s"
            figures = f"{news.expected}/{news.expected}{rate}"
            room = errors.width - cell_len(title) - BAR_CELLS - len(figures) - TIME_CELLS - GAPS
            leaders = [f"{clean(bot)} {100 * share:.0f} %" for bot, share in news.leaders]
            progress.update(task, completed=news.done, total=news.expected, rate=rate, leaders=fitting(leaders, room))

        yield watch


@contextlib.contextmanager
def counting(title: str, total: int, quiet: bool) -> Iterator[Callable[[], None]]:
    """Shows how many of a number of things are done."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(BAR_CELLS), MofNCompleteColumn())
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as progress:
        task = progress.add_task(title, total=total)
        yield lambda: progress.advance(task)


def shortened(title: str) -> str:
    text = Text(title)
    text.truncate(TITLE_CELLS, overflow="ellipsis")
    return text.plain


def fitting(words: Sequence[str], cells: int) -> str:
    """Returns the first of these words, as many as fit without being cut."""
    for count in range(len(words), 0, -1):
        if cell_len(line := ", ".join(words[:count])) <= cells:
            return line
    return ""
