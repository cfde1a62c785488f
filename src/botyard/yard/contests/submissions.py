"""An organiser hands in a folder of submissions: each is a bot of its entrant, who may have an account or none.

All of them are unpacked in one cage and then entered in one transaction. They are built and checked like uploads, but
count against nobody's quota. What was handed in before and is handed in again is a new version of the same entrant.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.unpacking import UnpackedSubmission, UnpackedUpload, unpack_submissions
from botyard.yard.bots.uploads import Accepted, add_version, check_game, told_of_room, unpacked_or_told
from botyard.yard.bots.versions import ask_for
from botyard.yard.contests.contests import Contest, change_contest
from botyard.yard.contests.entrants import add_entrant, need_entries
from botyard.yard.contests.files import SiteFile, read_site_file
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.contest_tables import ENTRANT
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, BUILD, PERSON, VERSION
from botyard.yard.people.names import name_key
from botyard.yard.site import Yard

FOLDER_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What became of one thing in a folder of submissions."""

    name: str
    key: str = ""
    words: str = ""  # what became of it
    refused: str = ""  # why it is not taken


async def accept_submissions(yard: Yard, person: int, slug: str, spool: Spool, *, accounts: bool) -> list[TakenIn]:
    """Takes in a folder of submissions; with `accounts` each belongs to the person who is called like it."""
    async with yard.unpacking.place(person):
        with told_of_room():
            found = await unpacked_or_told(yard, unpack_submissions(spool))
            for one in found:
                if one.upload is not None:
                    await asyncio.to_thread(yard.blobs.lay_down, one.upload.source)
            return await yard.change(enter_submissions, yard.blobs, person, slug, found, accounts, yard.clock())


def enter_submissions(
    connection: sa.Connection, blobs: Blobs, person: int, slug: str, found: list[UnpackedSubmission], accounts: bool,
    now_ms: int,
) -> list[TakenIn]:  # fmt: skip
    """Enters what was unpacked, all in one transaction."""
    contest = need_entries(connection, slug, now_ms)
    file = read_site_file(contest.file, predictable=True)
    taken = list[TakenIn]()
    for one in found:
        if one.upload is None:
            taken.append(TakenIn(one.name, refused=one.refused))
            continue
        try:
            check_game(one.upload, contest.game)
        except YardError as error:
            taken.append(TakenIn(one.name, refused=str(error)))
            continue
        owner = person_called(connection, one.name) if accounts else None
        taken.append(enter_submission(connection, blobs, contest, file, one.name, one.upload, owner, person, now_ms))
    change_contest(connection, contest.id, due=1)
    names = [one.name for one in taken if not one.refused]
    note_event(
        connection, now_ms, "contest.submissions", f"contest/{slug}", person=person, concerns=person, names=names
    )
    return taken


def person_called(connection: sa.Connection, name: str) -> int | None:
    chosen = sa.select(PERSON.c.id).where(PERSON.c.name_key == name_key(name), PERSON.c.state == "active")
    return connection.scalars(chosen).one_or_none()


def enter_submission(
    connection: sa.Connection, blobs: Blobs, contest: Contest, file: SiteFile, name: str, upload: UnpackedUpload,
    owner: int | None, person: int, now_ms: int,
) -> TakenIn:  # fmt: skip
    """Enters one submission: in the place that the file keeps for it, as it was entered before, or as a new entrant."""
    chosen = sa.select(BOT.c.id).where(BOT.c.contest == contest.id, BOT.c.name == name, BOT.c.deleted_ms.is_(None))
    bot = connection.scalars(chosen).one_or_none()
    if bot is None:
        row = {"game": contest.game, "name": name, "name_key": f"contest:{contest.id}:{name_key(name)}"}
        bot = inserted_id(connection, BOT, **row, owner=owner, contest=contest.id, logs_public=0, made_ms=now_ms)
    known = connection.execute(
        sa.select(VERSION.c.id, VERSION.c.number).where(VERSION.c.bot == bot, VERSION.c.tree == upload.tree)
    ).one_or_none()
    if known is None:
        added = add_version(connection, blobs, bot, upload, now_ms, by=person, of=owner)
        ask_for(connection, BUILD, added.version, now_ms)
    else:
        added = Accepted(bot, known.id, known.number, known=True)
    entered = sa.select(ENTRANT.c.id, ENTRANT.c.key).where(ENTRANT.c.contest == contest.id)
    versions = sa.select(VERSION.c.id).where(VERSION.c.bot == bot)
    place = file.place_of(name)
    before = connection.execute(
        entered.where(ENTRANT.c.key == place if place is not None else ENTRANT.c.version.in_(versions))
    ).one_or_none()
    if before is None:
        key = add_entrant(connection, contest, name, owner, added.version, now_ms)
    else:
        key = before.key
        values = {"version": added.version, "person": owner, "left_ms": None, "trouble": ""}
        connection.execute(sa.update(ENTRANT).where(ENTRANT.c.id == before.id).values(**values))
    return TakenIn(name, key, added.words)
