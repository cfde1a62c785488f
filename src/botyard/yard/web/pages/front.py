"""The front page: what is going on, and where to begin."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.games import load_all
from botyard.yard.contests.contests import all_contests
from botyard.yard.contests.views import entered_numbers
from botyard.yard.data.contest_tables import GIVEN_UP, OVER
from botyard.yard.ladders.ladders import all_ladders
from botyard.yard.ladders.listing import bots_on_ladders
from botyard.yard.ladders.match_lists import listed_matches, running_matches
from botyard.yard.people.notices import news
from botyard.yard.rooms.shown import open_rooms
from botyard.yard.web.pages.ladders import leaders
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import queue_words
from botyard.yard.work.queue import queue_line

LIVE, NEWEST, NEWS, CONTESTS, ROOMS = 6, 6, 3, 6, 6


async def front(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> dict[str, Any]:
        ladders = all_ladders(connection)
        return {
            "running": running_matches(connection, LIVE),
            "newest": listed_matches(connection, states=("done",), limit=NEWEST),
            "ladders": ladders,
            "contests": [one for one in all_contests(connection) if one.state not in (OVER, GIVEN_UP)][:CONTESTS],
            "entered": entered_numbers(connection),
            "bots": bots_on_ladders(connection),
            "leaders": leaders(connection, ladders, visit.showroom.tables, visit.yard.clock()),
            "rooms": open_rooms(connection, visit.showroom.rooms)[:ROOMS],
            "news": news(connection, NEWS),
            "queue": queue_words(queue_line(connection, visit.caller.person)),
        }

    games = [book.facts for book in load_all()[0]]
    summaries = {facts.name: facts.summary for facts in games}
    return visit.page("front.html", **await visit.ask(read), games=games, summaries=summaries)


PAGES = [get("/", front)]
