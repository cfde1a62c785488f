"""The pages of matches: lists, one match with its viewer, what can be taken home of it, and the viewer alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.games import GAMES, load
from botyard.kernel.settings import Settings
from botyard.links.web.pace import STREAM
from botyard.yard.data.tables import ASKED, LEASED
from botyard.yard.ladders.ladders import all_ladders
from botyard.yard.ladders.match_lists import PUBLIC, ListedMatch, ListedSeat, ShownMatch, listed_matches, match_for
from botyard.yard.refusals import NotThere
from botyard.yard.web.pages.ladders import before_in
from botyard.yard.web.pages.show import open_places
from botyard.yard.web.routing import get
from botyard.yard.web.spectators import is_live, withheld
from botyard.yard.web.text_boards import TextBoard
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import KINDS, result_words
from botyard.yard.work.cancelling import BY_ADMIN
from botyard.yard.work.queue import queue_line

LISTED = 25


async def matches(visit: Visit) -> Response:
    before, game, slug = before_in(visit), visit.word("game"), visit.word("ladder")

    def read(connection: sa.Connection) -> dict[str, Any]:
        ladders = all_ladders(connection)
        chosen = next((ladder.id for ladder in ladders if ladder.slug == slug), None)
        found = listed_matches(
            connection, ladder=chosen, game=game if game in GAMES else "", before=before, limit=LISTED + 1
        )
        return {"ladders": ladders, "matches": found[:LISTED], "more": len(found) > LISTED}

    games = list(GAMES)
    return visit.page("matches.html", **await visit.ask(read), before=before, game=game, ladder=slug, games=games)


async def match(visit: Visit) -> Response:
    number = visit.number("number")

    def read(connection: sa.Connection) -> dict[str, Any]:
        shown = match_for(connection, number, visit.caller)
        waits = shown.listed.state == "asked"
        return {"match": shown, "queue": queue_line(connection, visit.caller.person) if waits else None}

    found = await visit.ask(read)
    shown: ShownMatch = found["match"]
    values = {
        "listed": shown.listed,
        "result": result_words(shown.listed),
        "kind": KINDS[shown.listed.kind],
        "public": shown.listed.kind in PUBLIC and not shown.held,
        "leave": shown.listed.state in (ASKED, LEASED) and bool(own_places(visit, shown)),
        "by_admin": shown.reason.startswith(BY_ADMIN),
        "changed": changed_settings(shown),
        "seats": figures_of(shown),
        "address": f"{own_address(visit)}/embed/{number}",
        **viewer_values(visit, shown),
    }
    return visit.page("match.html", **found, **values)


def own_address(visit: Visit) -> str:
    """Returns under which address this site is known."""
    return (visit.yard.config.public_url or str(visit.request.base_url)).rstrip("/")


def viewer_values(visit: Visit, match: ShownMatch) -> dict[str, Any]:
    """Returns what the viewer of a match has to know: whether there is a film, a live one, and turns to read."""
    live = is_live(visit.steward, match.listed.id)
    mine = own_places(visit, match)
    own = match.listed.released and any(seat.open_to(visit.caller) for seat in match.listed.seats)
    return {
        "live": live,
        "people": ",".join(map(str, mine)) if live else "",
        "film": live or match.listed.state == "done",
        "withheld": withheld(match, visit.caller) if live else "",
        "turns": own and match.turns is not None and not live,
    }


def own_places(visit: Visit, match: ShownMatch) -> list[int]:
    """Returns where the caller sits by hand, from 0."""
    return [seat.place - 1 for seat in match.listed.seats if seat.person and seat.person == visit.caller.person]


def changed_settings(match: ShownMatch) -> list[tuple[str, Any, Any]]:
    """Returns the settings of a match that differ from those of its game: name, value and what is usual."""
    if match.listed.game not in GAMES:
        return []
    usual: Settings = load(match.listed.game).settings.read({})
    return [
        (name, value, getattr(usual, name))
        for name, value in match.settings.items()
        if hasattr(usual, name) and as_json(getattr(usual, name)) != value
    ]


def as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """How the turns of a seat ended, and how long they took."""

    verdicts: dict[str, int]
    mean_ms: float | None
    longest_ms: float


def figures_of(match: ShownMatch) -> list[tuple[ListedSeat, SeatFigures]]:
    return [(seat, seat_figures(match.figures.get(str(seat.place), {}))) for seat in match.listed.seats]


def seat_figures(told: dict[str, Any]) -> SeatFigures:
    questions, whole, longest = told.get("timing", (0, 0.0, 0.0))
    return SeatFigures(told.get("verdicts", {}), whole / questions if questions else None, longest)


async def board(visit: Visit) -> Response:
    given = visit.word("tick", "0")
    tick = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    shown, found = await board_at(visit, tick)
    return visit.page("board.html", listed=shown.listed, board=found)


async def board_at(visit: Visit, tick: int) -> tuple[ShownMatch, TextBoard]:
    shown = await visit.ask(match_for, visit.number("number"), visit.caller)
    if shown.listed.state != "done":
        raise NotThere("there is no board yet", hint=shown.waits or f"the match is {shown.listed.state}")
    return shown, await visit.showroom.films.board(shown, tick)


async def replay(visit: Visit) -> Response:
    shown = await visit.ask(match_for, visit.number("number"), visit.caller)
    shown.need_replay()
    return download(await visit.showroom.films.replay(shown), f"match-{shown.listed.id}.replay")


async def turns(visit: Visit) -> Response:
    shown = await visit.ask(match_for, visit.number("number"), visit.caller)
    places = open_places(visit, shown)
    return download(await visit.showroom.films.turn_log(shown, places), f"match-{shown.listed.id}.replay.turns")


def download(content: bytes, name: str, kind: str = "application/octet-stream") -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


async def embed(visit: Visit) -> Response:
    shown = await visit.ask(match_for, visit.number("number"), visit.caller)
    return visit.page(
        "embed.html", match=shown, listed=shown.listed, title=title_of(shown.listed), **viewer_values(visit, shown)
    )


def title_of(match: ListedMatch) -> str:
    return " – ".join(seat.name for seat in match.seats)


PAGES = [
    get("/matches", matches),
    get("/matches/{number:int}", match),
    get("/matches/{number:int}/board", board),
    get("/matches/{number:int}/replay", replay, pace=STREAM),
    get("/matches/{number:int}/turns", turns, pace=STREAM),
    get("/embed/{number:int}", embed),
]
