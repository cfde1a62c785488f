"""An upload becomes a version of a bot, whole or not at all.

It is unpacked in a cage first. Then its archive is written to the disk, and at last one transaction names it: version,
build and event. What the uploader was told is there stays there.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from botyard.games import GAMES
from botyard.kernel.errors import OurFault, UnknownName
from botyard.kernel.plain import clean
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.unpacking import UnpackedUpload, unpack_upload
from botyard.yard.bots.versions import (
    TRIED_AGAIN,
    activate,
    ask_for,
    bot_row,
    name_taken,
    need_room,
    try_again,
    want_active,
)
from botyard.yard.config import Quotas
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.database import insert_new, inserted_id, locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import (
    BOT,
    BUILD,
    FAULT,
    FIT,
    LADDER,
    PERSON,
    UPLOADED,
    VERSION,
)
from botyard.yard.people.names import check_name, name_key
from botyard.yard.people.quotas import BOTS, check_quota
from botyard.yard.refusals import InTheWay, NotThere, Refusal
from botyard.yard.site import Yard

MESSAGE_LENGTH = 200  # letters
T = TypeVar("T")


class NoRoom(Refusal):
    """The disk of the server is full; nothing was kept."""

    status = 507


class NotNow(Refusal):
    """The server failed, not who asked; nothing was kept."""

    status = 503


@dataclass(frozen=True, slots=True)
class UploadTarget:
    """What an upload is for: a bot that is there, or one by its name, which is made if need be."""

    bot: int | None = None
    game: str = ""
    name: str = ""  # empty: what the manifest says
    activate: bool = False  # as soon as it is fit
    message: str = ""  # what has changed, in the owner's words


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of an upload."""

    bot: int
    version: int
    number: int  # of the version
    known: bool = False  # the same content was there already
    again: bool = False  # and is built and checked anew, because it failed or was withdrawn

    @property
    def words(self) -> str:
        if not self.known:
            return f"version {self.number} is uploaded, and is built next"
        return f"this is version {self.number} already" + (", which is tried again" if self.again else "")


async def accept_upload(yard: Yard, person: int, target: UploadTarget, spool: Spool) -> Accepted:
    """Takes in an upload of a person, who may upload to this target."""
    async with yard.unpacking.place(person):
        with told_of_room():
            unpacked = await unpacked_or_told(yard, unpack_upload(spool))
            await asyncio.to_thread(yard.blobs.lay_down, unpacked.source)
            return await yard.change(
                enter_upload, yard.blobs, yard.config.quotas, person, target, unpacked, yard.clock()
            )


async def unpacked_or_told(yard: Yard, unpacking: Awaitable[T]) -> T:
    """Returns what was unpacked; if we fail at that, it is noted, and who uploads is told that it is not theirs."""
    try:
        return await unpacking
    except OurFault as fault:
        await yard.change(note_trouble, str(fault), yard.clock())
        raise NotNow("uploads cannot be unpacked now", hint="we were told; try again later") from fault


@contextlib.contextmanager
def told_of_room() -> Iterator[None]:
    """Turns a disk that is full into an answer that says so."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise NoRoom("the disk of this server is full", hint="nothing was kept; tell an admin, try again") from error


def note_trouble(connection: sa.Connection, reason: str, now_ms: int) -> None:
    connection.execute(sa.insert(FAULT).values(worker="server", reason=reason, at_ms=now_ms))


def check_target(connection: sa.Connection, quotas: Quotas, person: int, target: UploadTarget, now_ms: int) -> None:
    """Refuses what can be refused before a byte of an upload is read; `enter_upload` looks again."""
    game = target.game
    if target.bot is not None:
        game = bot_row(connection, target.bot).game
    elif target.name:
        find_bot(connection, person, target.game, check_name(target.name, "name of the bot"))
    need_game(connection, game)
    need_room(connection, person, quotas, now_ms)


def need_game(connection: sa.Connection, game: str) -> None:
    """Refuses games that there are none of, and those whose uploads are frozen."""
    if game not in GAMES:
        raise UnknownName("game", game, GAMES) if game else Refusal("no game was named", hint="choose one")
    states = set(connection.scalars(sa.select(LADDER.c.state).where(LADDER.c.game == game)))
    if states and "open" not in states:
        raise InTheWay(f"uploads for {game} are closed", hint="its deadline is over; look at its ladder")


def find_bot(connection: sa.Connection, person: int, game: str, name: str) -> int | None:
    """Returns the person's own bot of a name, if there is one; somebody else's is in the way."""
    found = sa.select(BOT.c.id, BOT.c.owner).where(BOT.c.game == game, BOT.c.name_key == name_key(name))
    row = connection.execute(found).one_or_none()
    if row is not None and row.owner != person:
        raise name_taken(name, game)
    return None if row is None else int(row.id)


def enter_upload(
    connection: sa.Connection, blobs: Blobs, quotas: Quotas, person: int, target: UploadTarget,
    unpacked: UnpackedUpload, now_ms: int,
) -> Accepted:  # fmt: skip
    """Makes a version of what was unpacked, or finds that it is there."""
    locked(connection, PERSON, person)  # before any row of theirs, here as everywhere: nobody waits in a circle
    bot = target.bot if target.bot is not None else named_bot(connection, quotas, person, target, unpacked, now_ms)
    row = bot_row(connection, bot)
    if row.owner != person:
        raise NotThere(f"there is no bot {bot} of yours", hint="look at your page for those there are")
    need_game(connection, row.game)
    check_game(unpacked, row.game)
    known = sa.select(VERSION).where(VERSION.c.bot == bot, VERSION.c.tree == unpacked.tree)
    version = connection.execute(known).one_or_none()
    if version is not None:
        return enter_known(connection, quotas, person, version, target.activate, now_ms)
    need_room(connection, person, quotas, now_ms)
    added = add_version(connection, blobs, bot, unpacked, now_ms, by=person, of=person, message=target.message)
    if target.activate:
        want_active(connection, added.version, True, now_ms, person)
    ask_for(connection, BUILD, added.version, now_ms, person)
    return added


def add_version(
    connection: sa.Connection, blobs: Blobs, bot: int, unpacked: UnpackedUpload, now_ms: int, *, by: int,
    of: int | None, message: str = "",
) -> Accepted:  # fmt: skip
    """Adds a version of a bot; `by` whom it was handed in, and `of` whom it is."""
    last = connection.scalars(sa.select(sa.func.max(VERSION.c.number)).where(VERSION.c.bot == bot)).one()
    number = 1 + (last or 0)
    source = blobs.keep(connection, unpacked.source, now_ms)
    made = inserted_id(
        connection, VERSION, bot=bot, number=number, tree=unpacked.tree, source=source, state=UPLOADED,
        manifest=json.dumps(unpacked.manifest), language=unpacked.manifest["language"], made_ms=now_ms,
        message=clean(message.strip())[:MESSAGE_LENGTH],
    )  # fmt: skip
    about: dict[str, Any] = {"version": made, "number": number, "files": unpacked.files, "bytes": unpacked.size}
    note_event(connection, now_ms, "version.uploaded", f"bot/{bot}", person=by, concerns=of, **about)
    return Accepted(bot, made, number)


def named_bot(
    connection: sa.Connection, quotas: Quotas, person: int, target: UploadTarget, unpacked: UnpackedUpload, now_ms: int
) -> int:
    """Returns the person's bot of a name, which is made if it is not there."""
    name = check_name(target.name or unpacked.manifest["name"], "name of the bot")
    need_game(connection, target.game)
    check_game(unpacked, target.game)
    found = find_bot(connection, person, target.game, name)
    if found is not None:
        return found
    check_quota(connection, person, BOTS, quotas, now_ms)
    row = {"owner": person, "game": target.game, "name": name, "name_key": name_key(name), "made_ms": now_ms}
    insert_new(connection, BOT, {**row, "logs_public": 0})
    made = find_bot(connection, person, target.game, name)
    assert made is not None, "it was made, or somebody else's is in the way"
    note_event(connection, now_ms, "bot.made", f"bot/{made}", person=person, public=True, game=target.game, name=name)
    return made


def check_game(unpacked: UnpackedUpload, game: str) -> None:
    """Refuses a bot that says of itself that it plays another game."""
    said = unpacked.manifest["game"]
    if said and said != game:
        hint = "upload it to a bot of that game, or change the line game = … in botyard.toml"
        raise Refusal(f"its botyard.toml says it plays {said}, not {game}", hint=hint)


def enter_known(
    connection: sa.Connection, quotas: Quotas, person: int, version: sa.Row[Any], wanted: bool, now_ms: int
) -> Accepted:
    """Has a version that is there already tried again, if it failed, or activated, if that was wanted."""
    again = version.state in TRIED_AGAIN
    if again:
        try_again(connection, version.id, quotas, now_ms, person)
    if wanted and version.state == FIT:
        activate(connection, version.id, now_ms, person=person)
    elif wanted:
        want_active(connection, version.id, True, now_ms, person)
    return Accepted(version.bot, version.id, version.number, known=True, again=again)
