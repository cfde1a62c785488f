"""The pages of ladders: all of them, the table of one, its matches and its queue."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.yard.ladders.ladders import Ladder, all_ladders, ladder_named
from botyard.yard.ladders.listing import TREND_PAIRS, ListedEntry, bots_on_ladders, with_trends
from botyard.yard.ladders.match_lists import listed_matches
from botyard.yard.web.ladder_tables import LadderTables
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import URGENCIES, queue_words
from botyard.yard.work.queue import queue_line, queued_tasks

ROWS = 50  # of a table on one page
LEADERS = 3
MATCHES = 25

COLUMNS = {
    "Rank": "The place in the order of ratings. A bot has one once it has played {ranked_after} pairs.",
    "Bot": "Its name, with the version that plays. House bots belong to nobody: they are there to be beaten.",
    "Owner": "Who uploaded it.",
    "Rating": "The estimated strength (mu), and how far the true one may lie from it: in 19 of 20 cases.",
    "Trend": f"How far the rating has moved in the last {TREND_PAIRS} pairs of the same version.",
    "Games": "Games that count. Two bots play two games with the seats swapped, which make a pair.",
    "State": "Settling: the version is new and plays often. Active: it plays. Benched: it lost every turn and waits.",
}


def columns(ladder: Ladder) -> dict[str, str]:
    """Returns what the columns of a table mean."""
    told = dict(COLUMNS, Rank=COLUMNS["Rank"].format(ranked_after=ladder.policy.ranked_after))
    if ladder.policy.seats > 2:
        told["Games"] = f"Games that count; {ladder.policy.seats} bots play each."
    return told


async def ladders(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> dict[str, Any]:
        found = all_ladders(connection)
        return {
            "ladders": found,
            "bots": bots_on_ladders(connection),
            "leaders": leaders(connection, found, visit.showroom.tables, visit.yard.clock()),
        }

    return visit.page("ladders.html", **await visit.ask(read))


def leaders(
    connection: sa.Connection, ladders: list[Ladder], tables: LadderTables, now_ms: int
) -> dict[int, list[ListedEntry]]:
    """Returns the first lines of each ladder's table."""
    return {number: lines[:LEADERS] for number, lines in tables.read_all(connection, ladders, now_ms).items()}


async def table(visit: Visit) -> Response:
    slug, wanted = visit.request.path_params["slug"], page_number(visit)

    def read(connection: sa.Connection) -> dict[str, Any]:
        ladder = ladder_named(connection, slug)
        lines = visit.showroom.tables.read(connection, ladder, visit.yard.clock())
        shown = lines[(wanted - 1) * ROWS : wanted * ROWS]
        own = [
            at for at, line in enumerate(lines) if line.owner_id is not None and line.owner_id == visit.caller.person
        ]
        return {
            "ladder": ladder,
            "lines": with_trends(connection, shown),
            "own": [(lines[at], at // ROWS + 1) for at in own],
            "entries": len(lines),
            "pages": -(-len(lines) // ROWS),
            "queue": queue_words(queue_line(connection, visit.caller.person)),
        }

    found = await visit.ask(read)
    return visit.page("ladder.html", **found, page=wanted, columns=columns(found["ladder"]))


def page_number(visit: Visit) -> int:
    given = visit.word("page", "1")
    return int(given) if given.isascii() and given.isdigit() and int(given[:6]) > 0 else 1


async def matches(visit: Visit) -> Response:
    slug, before = visit.request.path_params["slug"], before_in(visit)

    def read(connection: sa.Connection) -> dict[str, Any]:
        ladder = ladder_named(connection, slug)
        found = listed_matches(connection, ladder=ladder.id, before=before, limit=MATCHES + 1)
        return {"ladder": ladder, "matches": found[:MATCHES], "more": len(found) > MATCHES}

    return visit.page("ladder_matches.html", **await visit.ask(read), before=before)


def before_in(visit: Visit) -> int | None:
    given = visit.word("before")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None


async def queue(visit: Visit) -> Response:
    slug = visit.request.path_params["slug"]

    def read(connection: sa.Connection) -> dict[str, Any]:
        ladder = ladder_named(connection, slug)
        return {
            "ladder": ladder,
            "tasks": queued_tasks(connection, visit.caller.person, ladder=ladder.id),
            "queue": queue_words(queue_line(connection, visit.caller.person)),
        }

    return visit.page("queue.html", **await visit.ask(read), urgencies=URGENCIES)


PAGES = [
    get("/ladders", ladders),
    get("/ladders/{slug}", table),
    get("/ladders/{slug}/matches", matches),
    get("/ladders/{slug}/queue", queue),
]
