"""Rows of a yard in which something has happened, for what keeps a yard: the content of its blobs is made up."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from botyard.games import GAMES
from botyard.yard.data.blobs import IN_ROW
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, ENTRY, LADDER, MATCH, PAIR, PERSON, SEAT, VERSION
from botyard.yard.site import Yard

GAME = next(iter(GAMES))


def add_person(connection: sa.Connection, name: str, role: str = "player") -> int:
    row = {"name": name, "name_key": name.lower(), "role": role, "state": "active", "made_ms": 1}
    person = inserted_id(connection, PERSON, **row)
    note_event(connection, 1, "person.registered", f"person/{person}", person=person)
    return person


def add_ladder(connection: sa.Connection) -> int:
    row = {
        "slug": "spring", "game": GAME, "title": "Spring", "settings": "{}", "policy": "{}", "root": "00",
        "root_hash": "11", "stream": "7", "season": 1, "rules": 1, "state": "open", "made_ms": 1,
    }  # fmt: skip
    return inserted_id(connection, LADDER, **row)


def add_entry(connection: sa.Connection, yard: Yard, ladder: int, owner: int, name: str, state: str = "active") -> int:
    """A bot with one version, and its entry."""
    bot = inserted_id(connection, BOT, owner=owner, game=GAME, name=name, name_key=name.lower(), made_ms=1)
    source = yard.blobs.keep(connection, f"source of {name}".encode(), yard.clock())
    row = {"bot": bot, "number": 1, "tree": name, "source": source, "manifest": "{}", "language": "python"}
    version = inserted_id(connection, VERSION, **row, state="fit", made_ms=1)
    rating = {"mu": 25.0 + 1 / 3, "sigma": 25 / 3, "state": state, "made_ms": 1}
    return inserted_id(connection, ENTRY, ladder=ladder, bot=bot, version=version, **rating)


def add_match(
    connection: sa.Connection, yard: Yard, ladder: int, entries: list[int], done_ms: int, *, rated: bool = True,
    **content: Any,
) -> int:  # fmt: skip
    """A pair of one match that was done then; `content` are its replay, turns and film."""
    chance = f"{ladder}/{done_ms}/{len(entries)}"
    row: dict[str, Any] = {"ladder": ladder, "kind": "ladder", "season": 1, "chance": chance, "seed": "1", "why": "-"}
    pair = inserted_id(connection, PAIR, **row, state="closed", rated=int(rated), asked_ms=1, closed_ms=done_ms)
    kept = {what: yard.blobs.keep(connection, raw, done_ms) for what, raw in content.items()}
    about = {"game": GAME, "settings": "{}", "rules": 1, "botyard": "1", "state": "done", "result": "p1>p2"}
    match = inserted_id(connection, MATCH, pair=pair, half=1, **about, **kept, done_ms=done_ms)
    for place, entry in enumerate(entries, 1):
        version = connection.execute(sa.select(ENTRY.c.version).where(ENTRY.c.id == entry)).scalar_one()
        seat = {"match": match, "place": place, "entry": entry, "version": version, "name": f"bot {entry}"}
        connection.execute(sa.insert(SEAT).values(**seat))
    return match


def large(word: str) -> bytes:
    """Content that is kept in a file."""
    return word.encode() * IN_ROW
