"""Bots: what everybody may know of them, and what their owners do with them."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query

from botyard.links.web.pace import UPLOAD as UPLOAD_PACE
from botyard.yard.api.fields import Asked, Cursor, Limit, Line, ListPart, Number, Told, Wanted, number_in, part_of
from botyard.yard.api.matches import MatchAnswer, tell_match
from botyard.yard.api.routing import Call, Need, Section, get, post, put, remove, wake
from botyard.yard.bots.history import rating_points
from botyard.yard.bots.queries import BotFound, VersionLine, bot_at, entries_of, versions_of
from botyard.yard.bots.versions import delete_bot, rename_bot, show_logs
from botyard.yard.caller import UPLOAD, Caller
from botyard.yard.ladders.entries import revive
from botyard.yard.ladders.match_lists import matches_of_bot
from botyard.yard.people.registry import PAGE_LENGTH, find_bots
from botyard.yard.refusals import NotAllowed, NotThere, Refusal
from botyard.yard.web.bot_histories import BotHistory
from botyard.yard.web.pages.uploads import received


class StandingAnswer(Told):
    """How a bot stands on a ladder."""

    id: int
    """The number of its entry there."""
    slug: str
    title: str
    mu: float
    sigma: float
    pairs: int
    games: int
    state: str
    reason: str
    version: int | None
    """The number of the version that plays."""


class VersionAnswer(Told):
    """A version of a bot."""

    number: int
    state: str
    """uploaded, building, built, checking, fit; unbuilt, unfit, withdrawn."""
    reason: str
    """Why it is in that state; only who may see its logs is told."""
    language: str
    active: bool
    """Whether it is what plays for its bot."""
    wanted: bool
    """Whether it is to be activated as soon as it is fit."""
    waits: str
    """What it waits for, and why; empty: for nothing."""
    made_ms: int
    message: str
    """What its owner says has changed; only who may see its logs is told."""


class BotAnswer(Told):
    """A bot."""

    id: int
    name: str
    owner: str
    game: str
    made_ms: int
    logs_public: bool
    managed: bool
    """Whether you may activate, withdraw, change and delete it."""
    opened: bool
    """Whether you may see its build logs, findings, checks and turn logs."""
    entries: list[StandingAnswer]
    versions: list[VersionAnswer]
    """The newest first."""


class BotLineAnswer(Told):
    """A bot as lists name it."""

    id: int
    name: str
    game: str
    owned_by: str
    made_ms: int


class RatingAnswer(Told):
    """A rating after one pair."""

    number: int
    """Of the pair on its ladder."""
    at_ms: int
    games: int
    version: int | None
    mu: float
    sigma: float


class RivalAnswer(Told):
    """Games against one rival."""

    name: str
    bot: int | None
    """Null: a house bot, or a bot that was deleted."""
    won: int
    lost: int
    drawn: int
    last: int
    """The newest match."""


class VerdictAnswer(Told):
    """Turns that were lost in one way; the place of the first of them in the newest game, for who may see it."""

    verdict: str
    turns: int
    games: int
    match: int | None
    tick: int | None
    reason: str
    remedy: str


class LostAnswer(Told):
    """What became of the turns of a bot since its last upload."""

    since_ms: int
    games: int
    turns: int
    verdicts: list[VerdictAnswer]


class AcceptedAnswer(Told):
    """What became of an upload."""

    bot: int
    number: int
    """Of the version."""
    known: bool
    """Whether the same files were uploaded before, so that nothing new was made."""
    words: str


class RenameForm(Wanted):
    name: Line


class LogsForm(Wanted):
    public: bool


UPLOAD_FORM: dict[str, Any] = {
    "type": "object",
    "required": ["files"],
    "properties": {
        "files": {
            "type": "array",
            "items": {"type": "string", "format": "binary"},
            "description": "A file, an archive (zip, tar, tar.gz), or several files with their paths as names",
        },
        "activate": {"type": "string", "description": "yes: have it play as soon as it is fit"},
        "message": {"type": "string", "description": "What has changed, for yourself"},
    },
}
NEW_FORM: dict[str, Any] = {
    **UPLOAD_FORM,
    "required": ["files", "game"],
    "properties": {
        "game": {"type": "string", "description": "The game that the bot plays"},
        "name": {"type": "string", "description": "Its name; if left out, what its manifest says"},
        **UPLOAD_FORM["properties"],
    },
}


def tell_version(line: VersionLine, opened: bool) -> VersionAnswer:
    return VersionAnswer(
        number=line.number,
        state=line.state,
        reason=line.reason if opened else "",
        language=line.language,
        active=line.active,
        wanted=line.wanted,
        waits=line.task.why if line.task else "",
        made_ms=line.made_ms,
        message=line.message if opened else "",
    )


def tell_bot(connection: sa.Connection, bot: BotFound, caller: Caller) -> BotAnswer:
    opened = bot.open_to(caller)
    return BotAnswer(
        id=bot.id,
        name=bot.name,
        owner=bot.owner_name,
        game=bot.game,
        made_ms=bot.made_ms,
        logs_public=bot.logs_public,
        managed=bot.managed_by(caller),
        opened=opened,
        entries=[StandingAnswer.model_validate(entry) for entry in entries_of(connection, bot.id)],
        versions=[tell_version(line, opened) for line in versions_of(connection, bot.id)],
    )


# Looking


async def list_bots(call: Call, words: Asked = "", game: Asked = "", cursor: Cursor = "") -> ListPart[BotLineAnswer]:
    """Lists bots, the latest first; those with these words in their names, or in their owners'."""
    found = await call.ask(find_bots, words, game, number_in(cursor) or 0)
    following = str(found[-1].id) if len(found) == PAGE_LENGTH else None
    return ListPart(items=[BotLineAnswer.model_validate(one) for one in found], next=following)


async def one_bot(call: Call, bot: Number) -> BotAnswer:
    """Tells about a bot: where it stands, and its versions."""

    def read(connection: sa.Connection) -> BotAnswer:
        return tell_bot(connection, bot_at(connection, bot), call.caller)

    return await call.ask(read)


async def bot_matches(call: Call, bot: Number, cursor: Cursor = "", limit: Limit = 30) -> ListPart[MatchAnswer]:
    """Lists the matches of a bot, the last asked first."""
    before = number_in(cursor)

    def read(connection: sa.Connection) -> ListPart[MatchAnswer]:
        found = matches_of_bot(connection, bot_at(connection, bot).id, before=before, limit=limit + 1)
        return part_of(found, limit, tell_match, lambda match: match.id)

    return await call.ask(read)


async def bot_ratings(call: Call, bot: Number, entry: Number) -> ListPart[RatingAnswer]:
    """Lists the rating of a bot on one ladder after each of its pairs, the oldest first."""

    def read(connection: sa.Connection) -> list[RatingAnswer]:
        need_entry(connection, bot, entry)
        return [RatingAnswer.model_validate(point) for point in rating_points(connection, entry)]

    return ListPart(items=await call.ask(read))


async def bot_rivals(call: Call, bot: Number) -> ListPart[RivalAnswer]:
    """Lists the record of a bot by rival, whom it met most often first."""

    _, history = await call.ask(history_of, call, bot)
    return ListPart(items=[RivalAnswer.model_validate(one) for one in history.rivals])


async def bot_lost_turns(call: Call, bot: Number) -> LostAnswer:
    """Tells which turns a bot has lost since its last upload, and why."""

    (found, since_ms), history = await call.ask(history_of, call, bot)
    opened, lost = found.open_to(call.caller), history.lost
    verdicts = [
        VerdictAnswer(
            verdict=one.verdict,
            turns=one.turns,
            games=one.games,
            match=one.match if opened else None,
            tick=one.tick if opened else None,
            reason=one.reason if opened else "",
            remedy=one.remedy if opened else "",
        )
        for one in lost.verdicts
    ]
    return LostAnswer(since_ms=since_ms, games=lost.games, turns=lost.turns, verdicts=verdicts)


def history_of(connection: sa.Connection, call: Call, bot: int) -> tuple[tuple[BotFound, int], BotHistory]:
    """Returns a bot, when it was last uploaded, and how it has fared."""
    found, lines = bot_at(connection, bot), versions_of(connection, bot)
    since_ms = lines[0].made_ms if lines else found.made_ms
    entries = entries_of(connection, bot)
    return (found, since_ms), call.showroom.histories.read(connection, found, entries, since_ms, call.yard.clock())


# Uploading


async def upload_new(call: Call) -> AcceptedAnswer:
    """Uploads a bot of a game. One of yours with this name gets a new version. It is built and checked next."""
    return await uploaded(call, None)


async def upload_version(call: Call, bot: Number) -> AcceptedAnswer:
    """Uploads a version of one of your bots. It is built and checked next."""
    found = await call.ask(bot_at, bot)
    if found.owner != call.caller.need(UPLOAD):
        raise NotAllowed(f"{found.name} is somebody else's bot", hint="upload a bot of your own")
    return await uploaded(call, found)


async def uploaded(call: Call, bot: BotFound | None) -> AcceptedAnswer:
    accepted = await received(call, bot, {})
    wake(call)
    return AcceptedAnswer.model_validate(accepted)


# Changing


async def rename_own(call: Call, bot: Number, form: RenameForm) -> BotAnswer:
    """Gives a bot another name. Games that were played keep the old one."""

    def change(connection: sa.Connection) -> BotAnswer:
        person = bot_at(connection, bot).need_managed_by(call.caller, UPLOAD)
        rename_bot(connection, bot, form.name.strip(), call.yard.clock(), person=person)
        return tell_bot(connection, bot_at(connection, bot), call.caller)

    return await call.change(change)


async def publish_logs(call: Call, bot: Number, form: LogsForm) -> None:
    """Decides whether everybody may see the build logs, findings and turn logs of a bot."""

    def change(connection: sa.Connection) -> None:
        person = bot_at(connection, bot).need_managed_by(call.caller, UPLOAD)
        show_logs(connection, bot, form.public, call.yard.clock(), person)

    await call.change(change)


async def delete_own(call: Call, bot: Number, sure: Annotated[str, Query(description="The name of the bot")]) -> None:
    """Deletes a bot. It plays no more and its name is free; its games stay."""

    def change(connection: sa.Connection) -> None:
        found = bot_at(connection, bot)
        person = found.need_managed_by(call.caller, UPLOAD)
        if sure != found.name:
            raise Refusal(f"bot {bot} has another name", hint="send the name of the bot to be deleted as `sure`")
        delete_bot(connection, bot, call.yard.clock(), person=person)

    await call.change(change)
    wake(call)


async def revive_entry(call: Call, bot: Number, entry: Number) -> None:
    """Lets a benched bot play again as it is, a few times a day."""

    def change(connection: sa.Connection) -> None:
        person = bot_at(connection, bot).need_managed_by(call.caller, UPLOAD)
        need_entry(connection, bot, entry)
        revive(connection, entry, person, call.yard.clock())

    await call.change(change)
    wake(call)


def need_entry(connection: sa.Connection, bot: int, entry: int) -> None:
    if entry not in [one.id for one in entries_of(connection, bot_at(connection, bot).id)]:
        raise NotThere(f"bot {bot} has no entry {entry}", hint="its entries are told with the bot")


SECTION = Section.of(
    "Bots",
    "Source, build logs and turn logs belong to the owner of a bot; its games and ratings are for all.",
    post("/bots", upload_new, Need.UPLOAD, status=201, takes=NEW_FORM, pace=UPLOAD_PACE),
    get("/bots", list_bots),
    get("/bots/{bot}", one_bot),
    post("/bots/{bot}/versions", upload_version, Need.UPLOAD, status=201, takes=UPLOAD_FORM, pace=UPLOAD_PACE),
    get("/bots/{bot}/matches", bot_matches),
    get("/bots/{bot}/rivals", bot_rivals),
    get("/bots/{bot}/lost-turns", bot_lost_turns),
    get("/bots/{bot}/entries/{entry}/ratings", bot_ratings),
    post("/bots/{bot}/entries/{entry}/revive", revive_entry, Need.UPLOAD, status=204),
    put("/bots/{bot}/name", rename_own, Need.UPLOAD),
    put("/bots/{bot}/logs-public", publish_logs, Need.UPLOAD, status=204),
    remove("/bots/{bot}", delete_own, Need.UPLOAD, status=204),
)
