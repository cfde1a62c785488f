"""What a learner of a game senses, as a part of the game's own page: the meaning of every code and every number."""

from __future__ import annotations

from collections.abc import Iterator

from botyard.kernel.records import record_of
from botyard.kernel.rulebook import Rulebook

HEADING = "### Codes and numbers"  # what follows on a game's page, to its end, is made of the game's own words


def with_senses(page: str, book: Rulebook) -> str:
    """Returns the page of a game with the codes and numbers of its senses at the end, as they are now."""
    return page.partition(HEADING)[0].rstrip() + "\n\n" + "\n".join(lines(book)) + "\n"


def lines(book: Rulebook) -> Iterator[str]:
    senses, settings = book.senses, book.settings().seated(book.facts.usual_seats)
    rows, cols = senses.sense_shape(record_of(book.layout.make_arena(settings)))
    more = (senses.__doc__ or "").partition("\n\n")[2].strip()  # the page itself tells what the first sentence does
    yield HEADING
    yield ""
    if more:
        yield f"{more}\n"
    yield f"Under the usual settings there are {rows} × {cols} cells and {len(senses.NUMBERS)} numbers."
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
