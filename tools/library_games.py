"""What a user of the library has to know of each game: orders, fields of a view, settings, presets and house bots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from botyard.games import OWN_GAMES
from botyard.kernel.records import Layout, told_fields
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SettingRow, describe, shortened

ROOT = Path(__file__).parents[1]
FIELDS = "## The fields of a view"  # the section of a game's page that explains them
FIELDS_HEAD = "| field | what it is |"
FOR_EVERY_GAME = "Bots that speak Botyard's own protocol"  # how that section begins in every game
COUNT = "_count"


def game_section(book: Rulebook) -> Iterator[str]:
    facts = book.facts
    yield f"### {facts.title}"
    yield f"{facts.summary} " + seats_told(book)
    page = f"../{home(book)}/README.md"
    yield f"Its page has [the rules and the protocol]({page}); learners [sense codes and numbers]({page}#learners)."
    yield "#### Orders"
    yield orders_told(facts.orders)
    yield "#### View"
    yield from view_told(book)
    yield "#### Settings"
    yield from settings_told(book)
    yield "#### Presets"
    yield "\n".join(presets_told(book))
    yield "#### House bots"
    yield table(("bot", "what it does"), ((f"`{name}`", about) for name, about in book.bots.HOUSE_BOTS.items()))


def home(book: Rulebook) -> str:
    return "src/" + OWN_GAMES[book.facts.name].replace(".", "/")


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |" for cells in lines)


BAR = "\\|"  # would end the cell otherwise


def seats_told(book: Rulebook) -> str:
    facts = book.facts
    way = "at the same time" if facts.simultaneous else "one after another"
    usual = book.layout.seats(book.settings())
    chosen = f" ({usual} unless `seats=` says otherwise)" if facts.seats_min < facts.seats_max else ""
    return f'`botyard.new("{facts.name}")` starts a game. It has {facts.seats} seats{chosen}, which act {way}.'


# Orders


def orders_told(orders: tuple[str, ...]) -> str:
    """All orders with their numbers; where there are many, eight share a row."""
    if len(orders) <= ROW:
        return table(("number", "order"), ((str(number), f"`{name}`") for number, name in enumerate(orders)))
    rows = [orders[at : at + ROW] for at in range(0, len(orders), ROW)]
    told = (
        (f"{at * ROW}–{at * ROW + len(row) - 1}", ", ".join(f"`{one}`" for one in row)) for at, row in enumerate(rows)
    )
    return table(("numbers", "orders"), told)


ROW = 8


# Views


def view_told(book: Rulebook) -> Iterator[str]:
    """The fields of a view, in the words of the game's page, with their kinds under the usual settings."""
    view = book.layouts(book.settings().seated(book.facts.usual_seats)).view
    before, meanings, after = fields_of_page(book)
    yield from before
    names = told_fields(view)
    meanings |= {name: about for name, about in counts(names).items() if name not in meanings}
    if missing := [name for name in names if name not in meanings]:
        raise LookupError(f"{home(book)}/README.md does not explain {', '.join(missing)} under {FIELDS!r}")
    ordered = [(about, kind_of(view, name), name) for name, about in meanings.items() if name in names]
    grouped = groupby(ordered, key=lambda row: row[:2])
    rows = ((", ".join(f"`{name}`" for *_, name in group), kind, about) for (about, kind), group in grouped)
    yield table(("field", "kind", "what it is"), rows)
    yield from after


def fields_of_page(book: Rulebook) -> tuple[list[str], dict[str, str], list[str]]:
    """What the game's page says of the fields: paragraphs, the meaning of each field, and more paragraphs."""
    page = (ROOT / home(book) / "README.md").read_text(encoding="utf-8")
    section = page.partition(f"{FIELDS}\n")[2].partition("\n## ")[0].strip()
    paragraphs = section.split("\n\n")
    at = next(i for i, text in enumerate(paragraphs) if text.startswith(FIELDS_HEAD))
    meanings: dict[str, str] = {}
    for row in paragraphs[at].splitlines()[2:]:
        names, about = (cell.strip() for cell in row.strip("| ").split(" | ", 1))
        meanings |= dict.fromkeys(re.findall(r"`(\w+)`", names), about)
    before = [text for text in paragraphs[:at] if not text.startswith(FOR_EVERY_GAME)]
    return before, meanings, paragraphs[at + 1 :]


def counts(names: list[str]) -> dict[str, str]:
    """The fields that say how many entries of a list mean something. Botyard's protocol cuts lists short instead."""
    lists = {name: name.removesuffix(COUNT) + "s" for name in names if name.endswith(COUNT)}
    return {count: f"how many of `{things}` there are" for count, things in lists.items() if things in names}


def kind_of(view: Layout, name: str) -> str:
    kind = view[name]
    return " × ".join(map(str, kind.shape)) + f" `{kind.base.name}`" if kind.shape else f"`{kind.base.name}`"


# Settings


def settings_told(book: Rulebook) -> Iterator[str]:
    rows = [row for row in describe(book.settings) if row.key in names_of(book)]
    rules = [row for row in rows if row.group == "rules"]
    yield settings_table(rules)
    yield "These change no rules; they are for matches with programs:"
    yield settings_table([row for row in rows if row not in rules])


def names_of(book: Rulebook) -> set[str]:
    """The keys of the game's own settings, without those that every game has."""
    return set(vars(book.settings()))


def settings_table(rows: list[SettingRow]) -> str:
    return table(
        ("setting", "default", "meaning"),
        ((f"`{row.key}`", f"`{shortened(row.default)}`", row.meaning) for row in rows),
    )


def presets_told(book: Rulebook) -> Iterator[str]:
    for name, values in book.settings.PRESETS.items():
        told = ", ".join(f"`{key}={shortened(value)}`" for key, value in values.items())
        about = {"document": ", the rules as they are written", "program": ", what the original program does"}.get(
            name, ""
        )
        yield f"- `{name}`{about}: {told or 'the defaults above'}."
