"""Where bots are uploaded: a plain form, which a module makes take whole folders and show how far it is."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import JSONResponse, Response

from botyard.games import GAMES, load
from botyard.jail.languages import LANGUAGES
from botyard.kernel.errors import YardError
from botyard.links.web.pace import UPLOAD as UPLOAD_PACE
from botyard.yard.bots.queries import BotFound, bot_at, bots_of
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.uploads import Accepted, UploadTarget, accept_upload, check_target, told_of_room
from botyard.yard.caller import UPLOAD
from botyard.yard.refusals import NotAllowed, Refusal, TooMuch, status_of
from botyard.yard.web.receiving import receive_form
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit

TICKED = "yes"


async def new_bot(visit: Visit) -> Response:
    return await form_page(visit, None, {"game": visit.word("game"), "name": visit.word("name")})


async def form_page(
    visit: Visit, bot: BotFound | None, typed: dict[str, str], error: YardError | None = None
) -> Response:
    """Returns the form, with what was typed and what is wrong with it; files have to be chosen again."""
    person = visit.caller.need()

    def read(connection: sa.Connection) -> list[BotFound]:
        return bots_of(connection, person)

    own = [] if bot else await visit.ask(read)
    quotas = visit.yard.config.quotas
    values: dict[str, Any] = {
        "bot": bot, "own": own, "typed": typed, "error": error, "quotas": quotas, "languages": list(LANGUAGES),
        "games": {name: load(name).facts.title for name in GAMES},
    }  # fmt: skip
    answer = visit.page("upload.html", status_of(error) if error else 200, **values)
    if isinstance(error, TooMuch):
        answer.headers["Retry-After"] = str(error.retry_after_s)
    return answer


async def upload_new(visit: Visit) -> Response:
    return await upload(visit, None)


async def upload_version(visit: Visit) -> Response:
    bot = await visit.ask(bot_at, visit.number("bot"))
    if bot.owner != visit.caller.need(UPLOAD):
        raise NotAllowed(f"{bot.name} is somebody else's bot", hint="upload a bot of your own")
    return await upload(visit, bot)


async def upload(visit: Visit, bot: BotFound | None) -> Response:
    """Takes in an upload. A module asks for JSON, which says where to go; a plain form is sent there."""
    wants_json = "application/json" in visit.request.headers.get("accept", "")
    fields: dict[str, str] = {}
    try:
        accepted = await received(visit, bot, fields)
    except YardError as error:
        if not wants_json:
            return await form_page(visit, bot, fields, error)
        again = {"Retry-After": str(error.retry_after_s)} if isinstance(error, TooMuch) else None
        return JSONResponse({"error": error.message, "hint": error.hint}, status_of(error), again)
    if visit.steward is not None:
        visit.steward.wake()
    way = f"/bots/{accepted.bot}/versions/{accepted.number}" + ("?known=yes" if accepted.known else "")
    return JSONResponse({"to": way, "words": accepted.words}) if wants_json else visit.go(way)


async def received(visit: Visit, bot: BotFound | None, fields: dict[str, str]) -> Accepted:
    """Reads the form, whose fields are put where the caller can see them whatever goes wrong later."""
    person, quotas = visit.caller.need(UPLOAD), visit.yard.config.quotas
    with told_of_room():
        spool = Spool(visit.yard.config.folder / "incoming", quotas.upload_bytes)
    with spool, told_of_room():
        await receive_form(visit.request, spool, fields)
        wanted, said = fields.get("activate") == TICKED, fields.get("message", "")
        if bot is not None:
            target = UploadTarget(bot=bot.id, activate=wanted, message=said)
        elif fields.get("game") in GAMES:
            name = fields.get("name", "").strip()
            target = UploadTarget(game=fields["game"], name=name, activate=wanted, message=said)
        else:
            raise Refusal("no game was chosen", hint="choose the game that the bot plays")
        await visit.change(check_target, quotas, person, target, visit.yard.clock())
        return await accept_upload(visit.yard, person, target, spool)


PAGES = [
    get("/bots/new", new_bot, Access.PERSON),
    post("/bots", upload_new, pace=UPLOAD_PACE),
    post("/bots/{bot:int}/versions", upload_version, pace=UPLOAD_PACE),
]
