"""The page of one version: how its build goes, what the check found, its film, and what its owner does with it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from botyard.kernel.errors import BadRecord
from botyard.kernel.plain import clean_lines
from botyard.links.viewing.app import packed_response, seat_in
from botyard.links.viewing.packed import PackedFilm, packed
from botyard.links.viewing.screening import NothingToShow, checked_seat
from botyard.links.web.pace import STREAM
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.match.turn_sheet import turn_sheet
from botyard.match.turns import unpack_turns
from botyard.render.film import compact
from botyard.yard.bots.queries import BotFound, VersionFound, bot_at, note_look, version_at, version_source
from botyard.yard.bots.versions import UNFINISHED, activate, try_again, want_active, withdraw
from botyard.yard.caller import UPLOAD
from botyard.yard.web.build_logs import Look, Progress
from botyard.yard.web.forms import Typed
from botyard.yard.web.pages.matches import download
from botyard.yard.web.pages.show import told_as_json
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import queue_words
from botyard.yard.work.queue import queue_line

T = TypeVar("T")

COLOURS = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")  # what compilers write for terminals
LONGEST = 1 << 30
LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class AskedVersion:
    """A version that somebody asks for, and its bot."""

    bot: BotFound
    version: VersionFound


def asked(connection: sa.Connection, visit: Visit) -> AskedVersion:
    bot = bot_at(connection, visit.number("bot"))
    return AskedVersion(bot, version_at(connection, bot.id, visit.number("number")))


def asked_privately(connection: sa.Connection, visit: Visit) -> AskedVersion:
    found = asked(connection, visit)
    found.bot.need_open_to(visit.caller)
    return found


def log_so_far(connection: sa.Connection, visit: Visit, found: VersionFound) -> bytes:
    """Returns the build log: of a build at work as far as it has come, else as it was kept."""
    growing = visit.steward.build_log(found.line.id) if visit.steward else None
    if growing is not None:
        return growing
    if found.build_log is None:
        return b""
    try:
        return visit.yard.blobs.read(connection, found.build_log)
    except BadRecord as error:
        return f"{error.message}: {error.hint}\n".encode()


def readable_log(log: bytes) -> str:
    """Returns a log as pages show it: bots write what they like."""
    return clean_lines(COLOURS.sub(b"", log).decode("utf-8", "replace"))


async def looked(visit: Visit, read: Callable[[sa.Connection], T]) -> T:
    """Returns what is read; of an admin's look something may have to be noted."""
    return await (visit.change(read) if visit.caller.is_admin else visit.ask(read))


async def version(visit: Visit) -> Response:
    """The page. An admin who sees what is somebody else's leaves a note of it."""

    def read(connection: sa.Connection) -> dict[str, Any]:
        found = asked(connection, visit)
        opened = found.bot.open_to(visit.caller)
        log = log_so_far(connection, visit, found.version) if opened else b""
        if opened:
            note_look(connection, visit.caller, found.bot, found.version, "log", visit.yard.clock())
        task = found.version.line.task
        return {
            "bot": found.bot,
            "version": found.version,
            "line": found.version.line,
            "opened": opened,
            "managed": found.bot.managed_by(visit.caller),
            "log": readable_log(log),
            "log_size": len(log),
            "unfinished": found.version.line.state in UNFINISHED,
            "queue": queue_words(queue_line(connection, found.bot.owner)) if task else "",
        }

    values = await looked(visit, read)
    return visit.page("version.html", **values, known=visit.word("known") == "yes")


def progress_at(visit: Visit) -> Look:
    """Returns what looks how far the version that is asked for has come."""

    def look(connection: sa.Connection, at: int) -> Progress:
        found = asked_privately(connection, visit)
        log, line = log_so_far(connection, visit, found.version), found.version.line
        unfinished = line.state in UNFINISHED
        end = log.rfind(b"\n") + 1 if unfinished else len(log)  # no letter is cut in two
        why = line.task.why if line.task else ""
        queue = queue_words(queue_line(connection, found.bot.owner)) if line.task else ""
        return Progress(line.state, max(at, end), readable_log(log[at:end]), unfinished, why, queue)

    return look


async def progress(visit: Visit) -> Response:
    """What has come since the page was made, for a module that keeps it up to date."""
    given = visit.word("at", "0")
    at = min(int(given), LONGEST) if given.isascii() and given.isdigit() and len(given) < 12 else 0
    return await progress_answer(visit, at, follow=visit.word("follow") == "yes")


async def progress_answer(visit: Visit, at: int, *, follow: bool) -> Response:
    """Tells how far a version has come, as a line of JSON; one that follows gets a line for every change."""
    look, logs, headers = progress_at(visit), visit.showroom.build_logs, {"Cache-Control": "no-store"}
    seen = await visit.ask(look, at)
    if not follow:
        return Response(line_of(seen), media_type=LINES, headers=headers)
    reader = str(visit.caller.person or visit.caller.address)
    logs.need_place(reader)

    async def told() -> AsyncIterator[bytes]:
        async with contextlib.aclosing(logs.follow(reader, look, at)) as coming:
            async for seen in coming:
                yield line_of(seen)

    return StreamingResponse(told(), media_type=LINES, headers=headers)


def line_of(seen: Progress | None) -> bytes:
    return b"\n" if seen is None else compact(asdict(seen)).encode() + b"\n"


async def log(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> bytes:
        found = asked_privately(connection, visit)
        note_look(connection, visit.caller, found.bot, found.version, "log", visit.yard.clock())
        return log_so_far(connection, visit, found.version)

    return PlainTextResponse(readable_log(await looked(visit, read)))


async def source(visit: Visit) -> Response:
    """The source, for its owner and admins alone, whatever else of a bot is public."""

    def read(connection: sa.Connection) -> tuple[str, bytes]:
        found = asked(connection, visit)
        found.bot.need_managed_by(visit.caller, UPLOAD)
        name = f"bot-{found.bot.id}-version-{found.version.line.number}.tar.gz"
        now = visit.yard.clock()
        return name, version_source(connection, visit.yard.blobs, visit.caller, found.bot, found.version, now)

    name, content = await looked(visit, read)
    return download(content, name, "application/gzip")


# The game of the check


async def check_film(visit: Visit) -> PackedFilm:
    found = await visit.ask(asked_privately, visit)
    seat, digest = seat_in(visit.request), found.version.check_replay
    if digest is None:
        raise NothingToShow("there is no film of this check", hint="it has not begun, or the bot did not start")
    made = film_maker(visit, digest, seat)
    return await visit.showroom.workshop.film(("check", digest, seat), made)


def film_maker(visit: Visit, digest: str, seat: int | None) -> Callable[[], PackedFilm]:
    def made() -> PackedFilm:
        replay = kept_replay(visit, digest)
        return PackedFilm(film_of(replay, checked_seat(seat, len(replay.names))))

    return made


def kept_replay(visit: Visit, digest: str) -> Replay:
    with visit.yard.database.reading() as connection:
        return Replay.from_bytes(visit.yard.blobs.read(connection, digest), "the game of the check")


async def film(visit: Visit) -> Response:
    return packed_response(visit.request, (await check_film(visit)).opening)


async def block(visit: Visit) -> Response:
    made, at = await check_film(visit), visit.number("block")
    if at >= len(made.blocks):
        raise NothingToShow(f"there is no block {at}")
    return packed_response(visit.request, made.blocks[at])


async def turns(visit: Visit) -> Response:
    found = await visit.ask(asked_privately, visit)
    version = found.version
    if version.check_replay is None or version.check_turns is None:
        raise NothingToShow("there is no turn log of this check")
    return packed_response(visit.request, await visit.showroom.workshop.make(check_sheet, visit, version))


def check_sheet(visit: Visit, version: VersionFound) -> bytes:
    """Returns what became of every turn of the bot in its check, packed; the house bot it met has no words."""
    assert version.check_replay is not None
    assert version.check_turns is not None
    replay = kept_replay(visit, version.check_replay)
    with visit.yard.database.reading() as connection:
        log = unpack_turns(visit.yard.blobs.read(connection, version.check_turns), "the turn log of the check")
    log.turns = [turn for turn in log.turns if turn.seat == version.check_seat]
    sheet = turn_sheet(replay, log)
    for seat, told in enumerate(sheet["seats"]):
        told["private"] = seat != version.check_seat
    return packed(sheet)


# What its owner does


def changes(act: Callable[[sa.Connection, Visit, AskedVersion, int, Typed], None]) -> Callable[[Visit], Any]:
    """Returns the target of a form that does something with a version, and comes back to its page."""

    async def answer(visit: Visit) -> Response:
        typed = await Typed.of(visit)

        def change(connection: sa.Connection) -> AskedVersion:
            found = asked(connection, visit)
            person = found.bot.need_managed_by(visit.caller, UPLOAD)
            act(connection, visit, found, person, typed)
            return found

        found = await visit.change(change)
        if visit.steward is not None:
            visit.steward.wake()
        back = f"/bots/{found.bot.id}"
        return visit.go(back if typed.line("back") == "bot" else f"{back}/versions/{found.version.line.number}")

    return answer


@changes
def activate_it(connection: sa.Connection, visit: Visit, found: AskedVersion, person: int, _: Typed) -> None:
    activate(connection, found.version.line.id, visit.yard.clock(), person=person)


@changes
def withdraw_it(connection: sa.Connection, visit: Visit, found: AskedVersion, person: int, _: Typed) -> None:
    reason = "" if person == found.bot.owner else "an admin withdrew it"
    withdraw(connection, found.version.line.id, visit.yard.clock(), person=person, reason=reason)


@changes
def try_it_again(connection: sa.Connection, visit: Visit, found: AskedVersion, person: int, _: Typed) -> None:
    try_again(connection, found.version.line.id, visit.yard.config.quotas, visit.yard.clock(), person)


@changes
def want_it(connection: sa.Connection, visit: Visit, found: AskedVersion, person: int, typed: Typed) -> None:
    want_active(connection, found.version.line.id, typed.line("wanted") == "yes", visit.yard.clock(), person)


WAY = "/bots/{bot:int}/versions/{number:int}"
PAGES = [
    get(WAY, version),
    get(f"{WAY}/progress", told_as_json(progress), pace=STREAM),
    get(f"{WAY}/log", log),
    get(f"{WAY}/source", source, Access.PERSON, STREAM),
    get(f"{WAY}/check/film/{{game:int}}", told_as_json(film), pace=STREAM),
    get(f"{WAY}/check/film/{{game:int}}/block/{{block:int}}", told_as_json(block), pace=STREAM),
    get(f"{WAY}/check/turns/{{game:int}}", told_as_json(turns), pace=STREAM),
    post(f"{WAY}/activate", activate_it),
    post(f"{WAY}/withdraw", withdraw_it),
    post(f"{WAY}/again", try_it_again),
    post(f"{WAY}/want", want_it),
]
