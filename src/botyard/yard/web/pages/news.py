"""News of the site as a page and as a feed, and what everybody may see of a person."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from starlette.responses import Response

from botyard.yard.data.times import SECOND
from botyard.yard.people.accounts import Person, person_named
from botyard.yard.people.belongings import OwnBot, bots_of
from botyard.yard.people.notices import news, news_item
from botyard.yard.refusals import NotThere
from botyard.yard.web.rendering import rendered
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit

FEED_LENGTH = 20


async def news_page(visit: Visit) -> Response:
    return visit.page("news.html", notices=await visit.ask(news), alone=False)


async def one_notice(visit: Visit) -> Response:
    return visit.page("news.html", notices=[await visit.ask(news_item, visit.number("notice"))], alone=True)


async def feed(visit: Visit) -> Response:
    """Returns the news in Atom's form, for readers of feeds."""
    notices = await visit.ask(news, FEED_LENGTH)
    origin = visit.request.scope["state"]["origin"]
    latest_ms = max((notice.made_ms for notice in notices), default=0)
    told = {"yard": visit.yard.config, "notices": notices, "origin": origin, "latest": atom_time(latest_ms)}
    text = rendered("news.atom", {**told, "atom_time": atom_time})
    return Response(text, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=300"})


def atom_time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // SECOND, UTC).isoformat().replace("+00:00", "Z")


async def person_page(visit: Visit) -> Response:
    person, bots = await visit.ask(public_person, visit.request.path_params["name"])
    return visit.page("person.html", person=person, bots=bots)


def public_person(connection: sa.Connection, name: str) -> tuple[Person, list[OwnBot]]:
    found = person_named(connection, name)
    if found.state == "deleted":
        raise NotThere("nobody here has this name")
    return found, bots_of(connection, found.id)


PAGES = [
    get("/news", news_page),
    get("/news.atom", feed),
    get("/news/{notice:int}", one_notice),
    get("/people/{name}", person_page),
]
