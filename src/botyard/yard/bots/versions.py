"""Versions of bots: what their owner does with them.

A version is never changed but for its state. From the states of `NEXT` its owner, a build and a check move it on; what
plays on ladders is the version that an entry names, and an entry names only what is fit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from botyard.yard.config import Quotas
from botyard.yard.contests.entrants import follow_version, open_entries, take_out
from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import (
    BOT,
    BUILD,
    BUILDING,
    BUILT,
    CHECK,
    CHECKING,
    ENTRY,
    FIT,
    RETIRED,
    TASK,
    UNBUILT,
    UNFIT,
    UPLOADED,
    VERSION,
    WITHDRAWN,
)
from botyard.yard.ladders.entries import enter, retire
from botyard.yard.people.names import check_name, name_key
from botyard.yard.people.notices import notify
from botyard.yard.people.quotas import BUILDS, UPLOADS, check_quota
from botyard.yard.refusals import InTheWay, NotThere
from botyard.yard.work.tasks import ask_task, cancel_open_tasks

FIRST = 0  # the urgency of builds and checks: people wait for them

NEXT: dict[str, tuple[str, ...]] = {
    UPLOADED: (BUILDING, WITHDRAWN),
    BUILDING: (BUILT, UNBUILT, UPLOADED, WITHDRAWN),  # uploaded again: its worker was lost
    BUILT: (CHECKING, WITHDRAWN),
    CHECKING: (FIT, UNFIT, BUILT, WITHDRAWN),
    FIT: (CHECKING, WITHDRAWN),  # checked again: rules, settings or toolchains have changed
    UNBUILT: (UPLOADED, WITHDRAWN),
    UNFIT: (UPLOADED, CHECKING, WITHDRAWN),
    WITHDRAWN: (UPLOADED,),
}
"""Which states follow a state."""

UNFINISHED = UPLOADED, BUILDING, BUILT, CHECKING
TRIED_AGAIN = UNBUILT, UNFIT, WITHDRAWN


def version_row(connection: sa.Connection, version: int) -> sa.Row[Any]:
    """Returns a version that nobody else changes until this transaction ends."""
    row = locked(connection, VERSION, version)
    if row is None:
        raise NotThere(f"there is no version {version}")
    return row


def bot_row(connection: sa.Connection, bot: int) -> sa.Row[Any]:
    """Returns a bot that nobody else changes until this transaction ends; one that was deleted is not there."""
    row = locked(connection, BOT, bot)
    if row is None or row.deleted_ms is not None:
        raise NotThere(f"there is no bot {bot}")
    return row


def is_active(connection: sa.Connection, version: int) -> bool:
    """Whether a version is what plays for its bot."""
    played = sa.select(ENTRY.c.id).where(ENTRY.c.version == version, ENTRY.c.state != RETIRED)
    return connection.execute(played.limit(1)).first() is not None


def move(
    connection: sa.Connection, version: int, state: str, reason: str = "", *, since: tuple[str, ...] = (), **also: Any
) -> bool:
    """Moves a version on to a state; False, and nothing changes, if that state does not follow its own.

    `since` names the states that the caller knows it in, if others that precede the new one are not meant.
    """
    before = [earlier for earlier, later in NEXT.items() if state in later and (earlier in since or not since)]
    moved = sa.update(VERSION).where(VERSION.c.id == version, VERSION.c.state.in_(before))
    return connection.execute(moved.values(state=state, reason=reason, **also)).rowcount == 1


def ask_for(connection: sa.Connection, kind: str, version: int, now_ms: int, person: int | None = None) -> int:
    """Asks for a build or a check of a version."""
    return ask_task(connection, kind, FIRST, now_ms, version=version, person=person)


def cancel_tasks(connection: sa.Connection, version: int, now_ms: int, why: str) -> None:
    """Cancels what was asked for a version. A worker that is at it finds its lease gone."""
    cancel_open_tasks(connection, (TASK.c.version == version) & TASK.c.kind.in_((BUILD, CHECK)), why, now_ms)


def activate(connection: sa.Connection, version: int, now_ms: int, *, person: int | None = None) -> None:
    """Has a version play on the ladders of its game from now on; going back to an earlier one is the same."""
    row = version_row(connection, version)
    bot = bot_row(connection, row.bot)
    if row.state != FIT:
        raise InTheWay(f"version {row.number} of {bot.name} is {row.state}", hint=NOT_FIT[row.state])
    entered = open_entries(connection, bot.id, now_ms)
    enter(connection, bot.id, version, now_ms)
    follow_version(connection, entered, version, now_ms)
    connection.execute(sa.update(VERSION).where(VERSION.c.bot == bot.id).values(activate=0))
    note_event(
        connection, now_ms, "version.activated", f"bot/{bot.id}", person=person, concerns=bot.owner, version=version,
        number=row.number,
    )  # fmt: skip


NOT_FIT = {
    UPLOADED: "wait until it is built and checked; it can be activated by itself then",
    BUILDING: "wait until it is built and checked; it can be activated by itself then",
    BUILT: "wait until it is checked; it can be activated by itself then",
    CHECKING: "wait until it is checked; it can be activated by itself then",
    UNBUILT: "read its build log, mend it and upload it again",
    UNFIT: "read what the check found, mend it and upload it again",
    WITHDRAWN: "try it again first: it is built and checked anew",
}


def want_active(connection: sa.Connection, version: int, wanted: bool, now_ms: int, person: int) -> None:
    """Notes whether a version is to be activated as soon as it is fit; of a bot's versions it is one at most."""
    row = version_row(connection, version)
    if wanted and row.state not in UNFINISHED:
        raise InTheWay(f"version {row.number} is {row.state}", hint=NOT_FIT.get(row.state, "activate it now"))
    connection.execute(sa.update(VERSION).where(VERSION.c.bot == row.bot).values(activate=0))
    connection.execute(sa.update(VERSION).where(VERSION.c.id == version).values(activate=int(wanted)))
    note_event(
        connection, now_ms, "version.wanted", f"bot/{row.bot}", person=person, concerns=person, version=version,
        wanted=wanted,
    )  # fmt: skip


def withdraw(
    connection: sa.Connection, version: int, now_ms: int, *, person: int | None = None, reason: str = ""
) -> None:
    """Takes a version back: it plays no further games, and what was asked for it is cancelled."""
    row = version_row(connection, version)
    bot = bot_row(connection, row.bot)
    why = reason or "its owner withdrew it"
    entered = open_entries(connection, bot.id, now_ms)
    if not move(connection, version, WITHDRAWN, why, activate=0):
        raise InTheWay(f"version {row.number} of {bot.name} is withdrawn already", hint="nothing is left to do")
    cancel_tasks(connection, version, now_ms, why)
    if is_active(connection, version):
        retire(connection, bot.id, now_ms, f"version {row.number} was withdrawn")
    take_out(connection, [entry for entry in entered if entry.version == version], now_ms)
    if person is not None and bot.owner is not None and person != bot.owner:
        link = f"/bots/{bot.id}/versions/{row.number}"
        notify(connection, bot.owner, f"{bot.name} {row.number} was withdrawn", why, now_ms, link=link)
    note_event(
        connection, now_ms, "version.withdrawn", f"bot/{bot.id}", person=person, public=True, version=version,
        number=row.number, reason=why,
    )  # fmt: skip


def withdraw_all(connection: sa.Connection, person: int, now_ms: int, reason: str = "its owner was banned") -> None:
    """Takes all bots of a person out of play: entries retire, unfinished versions are withdrawn. Versions that are fit
    stay so, and can be activated again one day."""
    bots = connection.scalars(sa.select(BOT.c.id).where(BOT.c.owner == person, BOT.c.deleted_ms.is_(None))).all()
    for bot in bots:
        end_play(connection, bot, now_ms, reason)
    for bot in bots:
        note_event(connection, now_ms, "bot.withdrawn", f"bot/{bot}", concerns=person, public=True, reason=reason)


def end_play(connection: sa.Connection, bot: int, now_ms: int, reason: str) -> None:
    entered = open_entries(connection, bot, now_ms)
    retire(connection, bot, now_ms, reason)
    take_out(connection, entered, now_ms)
    unfinished = sa.select(VERSION.c.id).where(VERSION.c.bot == bot, VERSION.c.state.in_(UNFINISHED))
    for version in connection.scalars(unfinished).all():
        move(connection, version, WITHDRAWN, reason, activate=0)
        cancel_tasks(connection, version, now_ms, reason)


def delete_bot(connection: sa.Connection, bot: int, now_ms: int, *, person: int | None = None) -> None:
    """Deletes a bot: it plays no more and its name is free. Its games stay, under the name they were played with."""
    row = bot_row(connection, bot)
    end_play(connection, bot, now_ms, "its owner deleted it")
    gone = sa.update(BOT).where(BOT.c.id == bot)
    connection.execute(gone.values(deleted_ms=now_ms, name_key=f"deleted:{bot}"))
    note_event(connection, now_ms, "bot.deleted", f"bot/{bot}", person=person, public=True, name=row.name)


def show_logs(connection: sa.Connection, bot: int, public: bool, now_ms: int, person: int) -> None:
    """Decides whether everybody may see the build logs, findings and turn logs of a bot."""
    bot_row(connection, bot)
    connection.execute(sa.update(BOT).where(BOT.c.id == bot).values(logs_public=int(public)))
    note_event(connection, now_ms, "bot.logs", f"bot/{bot}", person=person, concerns=person, public_logs=public)


def rename_bot(connection: sa.Connection, bot: int, name: str, now_ms: int, *, person: int) -> str:
    """Gives a bot another name, if it is free; games that were played keep the old one."""
    row, new = bot_row(connection, bot), check_name(name, "name of the bot")
    taken = sa.select(BOT.c.id).where(BOT.c.game == row.game, BOT.c.name_key == name_key(new), BOT.c.id != bot)
    if connection.execute(taken).first() is not None:
        raise name_taken(new, row.game)
    connection.execute(sa.update(BOT).where(BOT.c.id == bot).values(name=new, name_key=name_key(new)))
    note_event(connection, now_ms, "bot.renamed", f"bot/{bot}", person=person, public=True, before=row.name, name=new)
    return new


def name_taken(name: str, game: str) -> InTheWay:
    return InTheWay(f"there is a bot {name} in {game} already", hint="choose another name")


def try_again(connection: sa.Connection, version: int, quotas: Quotas, now_ms: int, person: int) -> None:
    """Has a version built and checked anew that failed or was withdrawn; it counts like an upload."""
    need_room(connection, person, quotas, now_ms)
    row = version_row(connection, version)
    bot_row(connection, row.bot)
    if not move(
        connection,
        version,
        UPLOADED,
        since=TRIED_AGAIN,
        findings=None,
        check_replay=None,
        check_turns=None,
        build_log=None,
    ):
        raise InTheWay(f"version {row.number} is {row.state}", hint="only what failed or was withdrawn is tried again")
    ask_for(connection, BUILD, version, now_ms, person)
    note_event(
        connection, now_ms, "version.again", f"bot/{row.bot}", person=person, concerns=person, version=version,
        number=row.number,
    )  # fmt: skip


def asked_builds(person: int, since_ms: int) -> sa.Select[Any]:
    asked = (TASK.c.kind == BUILD) & (TASK.c.person == person) & (TASK.c.asked_ms > since_ms)
    return sa.select(TASK.c.asked_ms).where(asked)


ASKED_BUILDS = replace(UPLOADS, counted=asked_builds)
"""Uploads of a person, and versions that they had tried again: both cost a build."""


def need_room(connection: sa.Connection, person: int, quotas: Quotas, now_ms: int) -> None:
    """Refuses one more build of a person than their quotas allow; their row stays locked."""
    check_quota(connection, person, ASKED_BUILDS, quotas, now_ms)
    check_quota(connection, person, BUILDS, quotas, now_ms)
