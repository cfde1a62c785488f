"""Matches: lists, one match, and what can be taken home of it."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query
from starlette.responses import Response

from botyard.games import GAMES
from botyard.kernel.errors import UnknownName
from botyard.links.web.pace import STREAM
from botyard.yard.api.fields import Asked, Cursor, Limit, ListPart, Number, Place, Told, number_in, part_of
from botyard.yard.api.routing import JSON, Call, Need, Section, SocketDoor, get
from botyard.yard.ladders.ladders import ladder_named
from botyard.yard.ladders.match_lists import ListedMatch, ShownMatch, listed_matches, match_for, running_matches
from botyard.yard.web.pages import matches as pages
from botyard.yard.web.pages import show
from botyard.yard.web.pages.play import seat
from botyard.yard.web.text_boards import TextBoard
from botyard.yard.web.visit import LARGEST
from botyard.yard.web.words import result_words

Seat = Annotated[int | None, Query(ge=0, le=LARGEST, description="Show only what this seat saw; from 0")]

Tick = Annotated[int, Query(ge=0, le=LARGEST, description="Counted from 0")]


class SeatAnswer(Told):
    """Who played in a match. Ranks, scores and turns are known once both games of the pair are over."""

    place: int
    name: str
    bot: int | None
    version: int | None
    owner_name: str
    house: str
    """The house bot in this seat; empty: somebody's bot, or a person."""
    rank: int | None
    score: int | None
    turns: int
    lost_turns: int
    forfeited: bool


class MatchAnswer(Told):
    """A match as lists name it."""

    id: int
    game: str
    state: str
    """`asked`, `leased` while it is played, `done`, `void` or `cancelled`."""
    kind: str
    """`ladder`, `final`, `challenge`, `contest`, `test`, or `hand`."""
    half: int
    ladder: str
    """The slug of its ladder; empty: it belongs to none."""
    contest: str
    """The slug of its contest; empty: it belongs to none."""
    released: bool
    """Whether result, replay, turns and seed are shown: when both games of its pair are over."""
    result: str
    """In the notation of results, players by their places: `p1>p2`; empty until it is released."""
    ticks: int
    asked_ms: int
    begun_ms: int | None
    done_ms: int | None
    why: str
    """Why these bots were asked."""
    seats: list[SeatAnswer]


class FiguresAnswer(Told):
    """How the turns of a seat ended, and how long they took."""

    verdicts: dict[str, int]
    mean_ms: float | None
    longest_ms: float


class ShownMatchAnswer(Told):
    """All that everybody may know of a match."""

    match: MatchAnswer
    words: str
    """How it ended, in a sentence."""
    other: int | None
    """The other game of its pair."""
    waits: str
    """Why it waits, if it does."""
    reason: str
    """Why it is void or was cancelled, if it was."""
    seed: str
    """Empty until it is released."""
    settings: dict[str, Any]
    rules: int
    botyard: str
    worker: str
    live: bool
    """Whether it is being played and can be watched."""
    film: bool
    """Whether there is a film of it."""
    turns: bool
    """Whether there is a turn log that you may read."""
    figures: dict[int, FiguresAnswer]
    """By place; empty until it is released."""


class BoardSeatAnswer(Told):
    name: str
    words: str


class BoardAnswer(Told):
    """One tick of a game as text."""

    tick: int
    last: int
    """The last tick of the game."""
    rows: list[str]
    headline: str
    seats: list[BoardSeatAnswer]
    legend: dict[str, str]
    """By sign."""


def tell_match(match: ListedMatch) -> MatchAnswer:
    return MatchAnswer.model_validate(match)


async def list_matches(
    call: Call, game: Asked = "", ladder: Asked = "", cursor: Cursor = "", limit: Limit = 30
) -> ListPart[MatchAnswer]:
    """Lists matches, the last asked first; of one game or one ladder, if named."""
    before = number_in(cursor)
    if game and game not in GAMES:
        raise UnknownName("game", game, GAMES)

    def read(connection: sa.Connection) -> ListPart[MatchAnswer]:
        of = ladder_named(connection, ladder).id if ladder else None
        found = listed_matches(connection, ladder=of, game=game, before=before, limit=limit + 1)
        return part_of(found, limit, tell_match, lambda match: match.id)

    return await call.ask(read)


async def list_running(call: Call, limit: Limit = 12) -> ListPart[MatchAnswer]:
    """Lists the matches that are being played now."""
    return ListPart(items=[tell_match(match) for match in await call.ask(running_matches, limit)])


async def one_match(call: Call, number: Number) -> ShownMatchAnswer:
    """Tells all that may be known of a match."""
    return shown_answer(call, await call.ask(match_for, number, call.caller))


def shown_answer(call: Call, shown: ShownMatch) -> ShownMatchAnswer:
    viewer = pages.viewer_values(call, shown)
    figures = pages.figures_of(shown) if shown.figures else []
    return ShownMatchAnswer(
        match=tell_match(shown.listed),
        words=result_words(shown.listed),
        other=shown.other,
        waits=shown.waits,
        reason=shown.reason,
        seed=shown.seed,
        settings=shown.settings,
        rules=shown.rules,
        botyard=shown.botyard,
        worker=shown.worker,
        live=viewer["live"],
        film=viewer["film"],
        turns=viewer["turns"],
        figures={seat.place: FiguresAnswer.model_validate(told) for seat, told in figures},
    )


async def match_replay(call: Call, number: Number) -> Response:
    """Gives the replay of a match as a file, once both games of its pair are over."""
    return await pages.replay(call)


async def match_turn_log(call: Call, number: Number) -> Response:
    """Gives the turn log of a match as a file: what was sent to your seats, what they answered and printed."""
    return await pages.turns(call)


async def match_turns(call: Call, number: Number) -> Response:
    """Gives the report of every turn of your seats, as the viewer shows it beside the board."""
    return await show.turns(call)


async def match_film(call: Call, number: Number, seat: Seat = None) -> Response:
    """Gives the film of a match: how it opens, and how many blocks follow. With `seat` what that seat saw of it."""
    return await show.film(call)


async def match_film_block(call: Call, number: Number, block: Place, seat: Seat = None) -> Response:
    """Gives a block of the film of a match."""
    return await show.block(call)


async def match_board(call: Call, number: Number, tick: Tick = 0) -> BoardAnswer:
    """Gives the board of a tick as text, or that of the last tick if there are not so many."""
    return tell_board((await pages.board_at(call, tick))[1])


def tell_board(found: TextBoard) -> BoardAnswer:
    return BoardAnswer(
        tick=found.tick,
        last=found.last,
        rows=list(found.rows),
        headline=found.headline,
        seats=[BoardSeatAnswer(name=name, words=words) for name, words in found.seats],
        legend=dict(found.legend),
    )


SECTION = Section.of(
    "Matches",
    "Games that were played, are played or wait. What belongs to a pair is shown when both of its games are over. A "
    "WebSocket at /api/v1/matches/NUMBER/seats/SEAT, the seat counted from 0, is yours to play in a game by hand: it "
    "tells what you are asked, and takes `order` by name, `withdraw` and `resign`.",
    get("/matches", list_matches),
    get("/matches/running", list_running),
    get("/matches/{number}", one_match),
    get("/matches/{number}/board", match_board),
    get("/matches/{number}/replay", match_replay, gives="application/octet-stream", pace=STREAM),
    get("/matches/{number}/turns", match_turns, gives=JSON, pace=STREAM),
    get("/matches/{number}/turn-log", match_turn_log, gives="application/octet-stream", pace=STREAM),
    get("/matches/{number}/film", match_film, gives=JSON, pace=STREAM),
    get("/matches/{number}/film/blocks/{block}", match_film_block, gives=JSON, pace=STREAM),
    sockets=(SocketDoor("/matches/{number:int}/seats/{seat:int}", seat, Need.PLAY),),
)
