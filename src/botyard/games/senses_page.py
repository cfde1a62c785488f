"""What a learner of a game senses, as Markdown: the meaning of every code and every number."""

from __future__ import annotations

from collections.abc import Iterator

from botyard.kernel.records import record_of
from botyard.kernel.rulebook import Rulebook


def senses_page(book: Rulebook) -> str:
    """Returns the section about one game."""
    return "\n".join(lines(book)) + "\n"


def lines(book: Rulebook) -> Iterator[str]:
    senses, settings = book.senses, book.settings().seated(book.facts.usual_seats)
    rows, cols = senses.sense_shape(record_of(book.layout.make_arena(settings)))
    about = (senses.__doc__ or "").strip()
    yield f"## {book.facts.title}"
    yield ""
    yield f"{about}\n\nUnder the usual settings there are {rows} × {cols} cells and {len(senses.NUMBERS)} numbers."
    yield ""
    yield "| code | what is on the cell |"
    yield "|--:|---|"
    for code, meaning in enumerate(senses.CODES):
        yield f"| {code} | {meaning} |"
    yield ""
    yield "| at | number | from | to | what it tells |"
    yield "|--:|---|--:|--:|---|"
    for at, number in enumerate(senses.NUMBERS):
        yield f"| {at} | `{number.name}` | {number.low} | {number.high} | {number.about} |"
