"""Class lists: a table of names as CSV becomes an invitation for each of them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.kernel.errors import quoted
from botyard.yard.people.accounts import find_named
from botyard.yard.people.names import RESERVED, BadName, check_name, name_key
from botyard.yard.people.tickets import FOR_GUEST, make_ticket
from botyard.yard.refusals import Refusal, TooLarge

MOST_NAMES = 500
MOST_SHOWN = 20  # mistakes
HEADINGS = frozenset({"name", "names", "nickname", "login", "user", "username"})
SEPARATORS = ",;\t"


class BadList(Refusal):
    """A class list with mistakes; all of them are named."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is invited, and the secret of their link."""

    name: str
    secret: str


def text_of(content: bytes) -> str:
    """Returns the text of a file; spreadsheets write UTF-8, or what Windows has used for long."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def names_in(text: str) -> list[str]:
    """Returns the names of a class list: its first column, or the one that is headed `name`.

    Every line that cannot be used is told of at once.
    """
    rows = [(number, row) for number, row in enumerate(rows_of(text), 1) if any(cell.strip() for cell in row)]
    if not rows:
        raise BadList("the class list is empty", hint="write one name on each line")
    headings = [cell.strip().casefold() for cell in rows[0][1]]
    column = next((at for at, heading in enumerate(headings) if heading in HEADINGS), None)
    names, mistakes = [], []
    seen: dict[str, int] = {}
    for number, row in rows if column is None else rows[1:]:
        try:
            name = checked(row, column or 0)
        except BadName as error:
            mistakes.append(f"line {number}: {error}")
            continue
        first = seen.setdefault(name_key(name), number)
        if first == number:
            names.append(name)
        else:
            mistakes.append(f"line {number}: {name!r} stands on line {first} already")
    refuse(mistakes)
    if not names or len(names) > MOST_NAMES:
        raise TooLarge(f"the class list has {len(names)} names", hint=f"there may be 1 to {MOST_NAMES} at a time")
    return names


def rows_of(text: str) -> list[list[str]]:
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        return list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error as error:
        raise BadList(f"the class list cannot be read ({error})", hint="save it as CSV, in UTF-8") from None


def checked(row: list[str], column: int) -> str:
    name = check_name(row[column] if column < len(row) else "")
    if name_key(name) in RESERVED:
        raise BadName(f"the name {quoted(name)} sounds like an office", hint="choose another one")
    return name


def refuse(mistakes: list[str]) -> None:
    if mistakes:
        more = [f"and {len(mistakes) - MOST_SHOWN} more"] if len(mistakes) > MOST_SHOWN else []
        raise BadList("; ".join([*mistakes[:MOST_SHOWN], *more]), hint="nobody was invited; mend these lines")


def invite_class(connection: sa.Connection, names: list[str], now_ms: int, *, by: int) -> list[Guest]:
    """Invites everybody on a class list, or nobody if a name is taken."""
    refuse([f"{name!r} is taken, or looks like one that is" for name in names if find_named(connection, name)])
    return [Guest(name, make_ticket(connection, FOR_GUEST, now_ms, by=by, name=name)) for name in names]


def as_csv(guests: list[Guest], address: str) -> str:
    """Returns the links of all guests as a table that a spreadsheet can print; names begin with a letter or a digit,
    so that no cell is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["name", "link"])
    writer.writerows([guest.name, f"{address}{guest.secret}"] for guest in guests)
    return out.getvalue()
