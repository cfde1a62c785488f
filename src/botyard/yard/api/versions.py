"""Versions of bots: how their builds go, what checks found, and what plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query
from starlette.responses import Response

from botyard.links.web.pace import STREAM
from botyard.yard.api.bots import VersionAnswer, tell_version
from botyard.yard.api.fields import Number, Place, Told, Wanted
from botyard.yard.api.matches import Seat
from botyard.yard.api.routing import JSON, Call, Need, Section, get, post, put, wake
from botyard.yard.bots.queries import note_look, version_at, version_source
from botyard.yard.bots.versions import activate, try_again, want_active, withdraw
from botyard.yard.caller import READ, UPLOAD
from botyard.yard.web.pages import versions as pages
from botyard.yard.web.pages.matches import download
from botyard.yard.web.pages.versions import AskedVersion, asked, looked


class ShownVersionAnswer(Told):
    """A version; findings and manifest only for who may see them."""

    version: VersionAnswer
    opened: bool
    """Whether you may see its build log, findings and check."""
    findings: list[dict[str, Any]] | None
    """What the check found, with remedies; null: it was not checked, or you may not know."""
    run: list[str]
    """How it is started; only its owner is told."""
    film: bool
    """Whether there is a film of its check that you may see."""


LogPlace = Annotated[int, Query(ge=0, le=pages.LONGEST, description="How much of the log you know: the last `at`")]


class WantedForm(Wanted):
    wanted: bool


async def one_version(call: Call, bot: Number, number: Number) -> ShownVersionAnswer:
    """Tells about a version: its state, and what the check found."""

    def read(connection: sa.Connection) -> ShownVersionAnswer:
        found = asked(connection, call)
        opened = found.bot.open_to(call.caller)
        if opened:
            note_look(connection, call.caller, found.bot, found.version, "log", call.yard.clock())
        managed = found.bot.managed_by(call.caller)
        return ShownVersionAnswer(
            version=tell_version(found.version.line, opened),
            opened=opened,
            findings=found.version.findings if opened else None,
            run=found.version.manifest.get("run", []) if managed else [],
            film=opened and found.version.check_replay is not None,
        )

    return await looked(call, read)


async def build_log(call: Call, bot: Number, number: Number) -> Response:
    """Gives the build log of a version: of a build at work, as far as it has come."""
    return await pages.log(call)


async def progress(call: Call, bot: Number, number: Number, after: LogPlace = 0, follow: bool = False) -> Response:
    """Tells how far a version has come, and what has come of its build log. It is a line of JSON: `state`, `at`,
    `text`, `unfinished` and `why` it waits. Send `at` as `after` the next time. With `follow` there is a line for every
    change until the version is built and checked, for a quarter of an hour at most; an empty line says that nothing
    has happened for a while."""
    return await pages.progress_answer(call, after, follow=follow)


async def source(call: Call, bot: Number, number: Number) -> Response:
    """Gives the source of a version as tar.gz, to its owner."""

    def read(connection: sa.Connection) -> bytes:
        found = asked(connection, call)
        found.bot.need_managed_by(call.caller, READ)
        now = call.yard.clock()
        return version_source(connection, call.yard.blobs, call.caller, found.bot, found.version, now)

    return download(await looked(call, read), f"bot-{bot}-version-{number}.tar.gz", "application/gzip")


# The game of the check


async def check_film(call: Call, bot: Number, number: Number, seat: Seat = None) -> Response:
    """Gives the film of the game that a version was checked in: how it opens, and how many blocks follow."""
    return await pages.film(call)


async def check_film_block(call: Call, bot: Number, number: Number, block: Place, seat: Seat = None) -> Response:
    """Gives a block of that film."""
    return await pages.block(call)


async def check_turns(call: Call, bot: Number, number: Number) -> Response:
    """Gives the report of every turn of the bot in that game."""
    return await pages.turns(call)


# What its owner does

Deed = Callable[[sa.Connection, AskedVersion, int], None]


async def changed(call: Call, deed: Deed) -> VersionAnswer:
    """Does something with a version that is asked for, and tells what became of it."""

    def change(connection: sa.Connection) -> VersionAnswer:
        found = asked(connection, call)
        deed(connection, found, found.bot.need_managed_by(call.caller, UPLOAD))
        return tell_version(version_at(connection, found.bot.id, found.version.line.number).line, True)

    told = await call.change(change)
    wake(call)
    return told


async def activate_it(call: Call, bot: Number, number: Number) -> VersionAnswer:
    """Has a version play from now on. Going back to an earlier one is the same."""

    def deed(connection: sa.Connection, found: AskedVersion, person: int) -> None:
        activate(connection, found.version.line.id, call.yard.clock(), person=person)

    return await changed(call, deed)


async def withdraw_it(call: Call, bot: Number, number: Number) -> VersionAnswer:
    """Takes a version back. It plays no further games, and what was asked for it is cancelled."""

    def deed(connection: sa.Connection, found: AskedVersion, person: int) -> None:
        reason = "" if person == found.bot.owner else "an admin withdrew it"
        withdraw(connection, found.version.line.id, call.yard.clock(), person=person, reason=reason)

    return await changed(call, deed)


async def try_it_again(call: Call, bot: Number, number: Number) -> VersionAnswer:
    """Has a version built and checked anew that failed or was withdrawn. It counts like an upload."""

    def deed(connection: sa.Connection, found: AskedVersion, person: int) -> None:
        try_again(connection, found.version.line.id, call.yard.config.quotas, call.yard.clock(), person)

    return await changed(call, deed)


async def want_it(call: Call, bot: Number, number: Number, form: WantedForm) -> VersionAnswer:
    """Decides whether a version is activated as soon as it is fit."""

    def deed(connection: sa.Connection, found: AskedVersion, person: int) -> None:
        want_active(connection, found.version.line.id, form.wanted, call.yard.clock(), person)

    return await changed(call, deed)


WAY = "/bots/{bot}/versions/{number}"
SECTION = Section.of(
    "Versions",
    "An upload becomes a version, is built and checked, and plays once it is fit and activated.",
    get(WAY, one_version),
    get(f"{WAY}/log", build_log, gives="text/plain"),
    get(f"{WAY}/progress", progress, gives=pages.LINES, pace=STREAM),
    get(f"{WAY}/source", source, Need.READ, gives="application/gzip", pace=STREAM),
    get(f"{WAY}/check/film", check_film, gives=JSON, pace=STREAM),
    get(f"{WAY}/check/film/blocks/{{block}}", check_film_block, gives=JSON, pace=STREAM),
    get(f"{WAY}/check/turns", check_turns, gives=JSON, pace=STREAM),
    post(f"{WAY}/activate", activate_it, Need.UPLOAD),
    post(f"{WAY}/withdraw", withdraw_it, Need.UPLOAD),
    post(f"{WAY}/again", try_it_again, Need.UPLOAD),
    put(f"{WAY}/wanted", want_it, Need.UPLOAD),
)
