"""Games and languages: what can be played here, and what bots can be written in."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from botyard.games import load_all
from botyard.kernel.facts import Facts
from botyard.links.web.pace import STREAM
from botyard.yard.api.fields import ListPart, Place, Told, Word
from botyard.yard.api.routing import JSON, Call, Section, get
from botyard.yard.web.guides import GameGuide
from botyard.yard.web.pages import games as pages
from botyard.yard.work.workers import told_languages


class GameAnswer(Told):
    """A game."""

    name: str
    title: str
    summary: str
    seats_min: int
    seats_max: int
    usual_seats: int
    simultaneous: bool
    """Whether all seats act in one tick."""
    link: str
    """How the original talks to bots."""
    rules_version: int


class SettingAnswer(Told):
    """A setting that an organiser chooses."""

    key: str
    default: Any
    group: str
    meaning: str
    allowed: str


class StarterAnswer(Told):
    """A bot to begin with."""

    language: str
    files: list[str]


class GuideAnswer(Told):
    """All that somebody needs to write a bot for a game."""

    game: GameAnswer
    orders: list[str]
    rules: str
    """Its rules and its protocol, as HTML."""
    presets: list[str]
    settings: list[SettingAnswer]
    house_bots: dict[str, str]
    starters: list[StarterAnswer]


class LanguageAnswer(Told):
    """A language, and what this machine has for it."""

    name: str
    title: str
    begins: str
    """What a bot in it begins with."""
    versions: list[str]
    trouble: str
    """Why it cannot be used here; empty: it can."""
    libraries: list[str]
    more: int
    """Libraries that are not named."""


async def list_games() -> ListPart[GameAnswer]:
    """Lists the games."""
    return ListPart(items=[told(book.facts) for book in load_all()[0]])


def told(facts: Facts) -> GameAnswer:
    return GameAnswer.model_validate(facts)


async def one_game(call: Call, game: Word) -> GuideAnswer:
    """Tells all that somebody needs to write a bot for a game."""
    return guide_answer(await call.showroom.guides.guide(game))


def guide_answer(guide: GameGuide) -> GuideAnswer:
    return GuideAnswer(
        game=told(guide.facts),
        orders=list(guide.facts.orders),
        rules=str(guide.rules),
        presets=list(guide.presets),
        settings=[SettingAnswer.model_validate(row) for row in guide.settings],
        house_bots=guide.house_bots,
        starters=[StarterAnswer.model_validate(starter) for starter in guide.starters],
    )


async def starter(call: Call, game: Word, language: Word) -> Response:
    """Gives a bot to begin with, as a zip."""
    return await pages.starter(call)


async def film(call: Call, game: Word) -> Response:
    """Gives the film of a game among house bots: how it opens, and how many blocks follow."""
    return await pages.demonstration(call)


async def film_block(call: Call, game: Word, block: Place) -> Response:
    """Gives a block of that film."""
    return await pages.demonstration_block(call)


async def list_languages(call: Call) -> ListPart[LanguageAnswer]:
    """Lists the languages that bots can be written in, with the versions where they are built and played."""
    found = await call.showroom.toolchains.languages(await call.ask(told_languages))
    return ListPart(items=[LanguageAnswer.model_validate(one) for one in found])


SECTION = Section.of(
    "Games",
    "What can be played here, and what bots can be written in.",
    get("/games", list_games),
    get("/games/{game}", one_game),
    get("/games/{game}/starters/{language}", starter, gives="application/zip"),
    get("/games/{game}/film", film, gives=JSON, pace=STREAM),
    get("/games/{game}/film/blocks/{block}", film_block, gives=JSON, pace=STREAM),
    get("/languages", list_languages),
)
