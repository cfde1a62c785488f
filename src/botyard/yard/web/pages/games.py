"""The pages of games: how to get started, rules, protocol, starters, settings, house bots; and languages."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.games import load_all
from botyard.jail.installed_languages import language_title
from botyard.links.viewing.app import packed_response
from botyard.links.viewing.screening import NothingToShow
from botyard.links.web.pace import STREAM
from botyard.yard.ladders.ladders import all_ladders
from botyard.yard.ladders.match_lists import listed_matches
from botyard.yard.web.guides import starter_zip
from botyard.yard.web.pages.matches import download
from botyard.yard.web.pages.show import KEPT, told_as_json
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit
from botyard.yard.work.workers import told_languages

NEWEST = 5

LINKS = {
    "process": "lines on standard input and output",
    "tcp": "lines over a TCP connection, to the address that the bot is told",
    "websocket": "messages over a WebSocket",
    "process-per-move": "a new start of the program for every move: arguments in, one line out",
}
"""How originals talk to bots, in words."""


async def games(visit: Visit) -> Response:
    books, troubles = load_all()
    facts = [(book.facts, len(book.bots.HOUSE_BOTS)) for book in books]
    return visit.page("games.html", games=facts, troubles=troubles if visit.caller.is_admin else [])


async def game(visit: Visit) -> Response:
    name = visit.request.path_params["game"]
    guide = await visit.showroom.guides.guide(name)

    def read(connection: sa.Connection) -> dict[str, Any]:
        return {
            "ladders": [ladder for ladder in all_ladders(connection) if ladder.game == name],
            "newest": listed_matches(connection, game=name, states=("done",), limit=NEWEST),
        }

    return visit.page(
        "game.html",
        **await visit.ask(read),
        guide=guide,
        facts=guide.facts,
        exchange=await visit.showroom.guides.exchange(name),
        link=LINKS[guide.facts.link],
        language_title=language_title,
    )


async def starter(visit: Visit) -> Response:
    named = visit.request.path_params
    packed = await visit.showroom.workshop.make(starter_zip, named["game"], named["language"])
    return download(packed, f"{named['game']}-{named['language']}.zip", "application/zip")


async def demonstration(visit: Visit) -> Response:
    made = await visit.showroom.guides.demonstration(visit.request.path_params["game"])
    return kept(packed_response(visit.request, made.opening))


async def demonstration_block(visit: Visit) -> Response:
    made = await visit.showroom.guides.demonstration(visit.request.path_params["game"])
    at = visit.number("block")
    if at >= len(made.blocks):
        raise NothingToShow(f"there is no block {at}")
    return kept(packed_response(visit.request, made.blocks[at]))


def kept(answer: Response) -> Response:
    answer.headers["Cache-Control"] = KEPT
    return answer


async def languages(visit: Visit) -> Response:
    told = await visit.ask(told_languages)
    return visit.page("languages.html", languages=await visit.showroom.toolchains.languages(told))


PAGES = [
    get("/games", games),
    get("/games/{game}", game),
    get("/games/{game}/starters/{language}.zip", starter),
    get("/games/{game}/film/0", told_as_json(demonstration), pace=STREAM),
    get("/games/{game}/film/0/block/{block:int}", told_as_json(demonstration_block), pace=STREAM),
    get("/languages", languages),
]
