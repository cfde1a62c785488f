"""What everybody may know of people, and the news of the site."""

from __future__ import annotations

from botyard.yard.api.fields import Limit, ListPart, Number, Told, Word
from botyard.yard.api.routing import Call, Section, get
from botyard.yard.people.notices import news, news_item
from botyard.yard.web.pages.news import public_person


class PlaceAnswer(Told):
    """Where a bot plays."""

    slug: str
    title: str
    state: str
    reason: str
    sigma: float
    mu: float


class BotPlacesAnswer(Told):
    """A bot of somebody, and where it plays."""

    id: int
    name: str
    game: str
    places: list[PlaceAnswer]


class OwnBotAnswer(BotPlacesAnswer):
    """A bot as its owner sees it in a list."""

    uploads: int
    """How many versions it has."""
    latest: str
    """The state of its latest version; empty: there is none."""


class PersonAnswer(Told):
    """What everybody may know of a person."""

    name: str
    role: str
    made_ms: int
    state: str
    bots: list[BotPlacesAnswer]


class NewsAnswer(Told):
    """News of the site."""

    id: int
    made_ms: int
    title: str
    body: str
    link: str
    """A page of this site, or the address of another one; may be empty."""
    author: str
    """Empty: the site itself."""


async def one_person(call: Call, name: Word) -> PersonAnswer:
    """Tells what everybody may know of a person."""
    person, bots = await call.ask(public_person, name)
    shown = [BotPlacesAnswer.model_validate(bot) for bot in bots]
    return PersonAnswer(name=person.name, role=person.role, state=person.state, made_ms=person.made_ms, bots=shown)


async def list_news(call: Call, limit: Limit = 50) -> ListPart[NewsAnswer]:
    """Lists the news of the site, the latest first."""
    return ListPart(items=[NewsAnswer.model_validate(notice) for notice in await call.ask(news, limit)])


async def one_of_news(call: Call, notice: Number) -> NewsAnswer:
    """Tells one of the news."""
    return NewsAnswer.model_validate(await call.ask(news_item, notice))


SECTION = Section.of(
    "People and news",
    "What everybody may know of people, and what admins tell everybody.",
    get("/people/{name}", one_person),
    get("/news", list_news),
    get("/news/{notice}", one_of_news),
)
