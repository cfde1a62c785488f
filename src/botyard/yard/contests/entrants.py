"""Entrants: the bots of a contest. People enter with a version that is fit, and may change or leave until the deadline.

A contest follows its bots: whoever activates another version of an entered bot plays with that one, as long as the
contest takes entries. What was entered when they froze is what plays, whatever becomes of it elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.contest.reading import NAME_MAX
from botyard.contest.submissions import first_free, key_of
from botyard.kernel.words import counted
from botyard.yard.contests.contests import Contest, change_contest, contest_named, locked_contest
from botyard.yard.data.contest_tables import CONTEST, ENTRANT, GIVEN_UP, OPEN, OVER
from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, FIT, PERSON, VERSION
from botyard.yard.refusals import InTheWay, NotThere

ENTRANTS_MOST = 500


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of a contest."""

    id: int
    key: str
    name: str
    house: str
    bot: int | None
    version: int | None
    number: int | None  # of the version
    person: int | None
    owner: str  # their name
    guest: bool
    submitted: bool  # handed in by the organiser
    state: str  # of its version
    trouble: str

    @property
    def spec(self) -> str:
        """What tells its program from others; the plan of a contest names it so."""
        return f"house:{self.house}" if self.house else f"upload:{self.bot}/{self.number}"

    @property
    def plays(self) -> bool:
        return bool(self.house) or self.version is not None

    @property
    def built(self) -> bool:
        return self.state != "unbuilt"


ENTRANTS = (
    sa.select(
        ENTRANT, BOT.c.id.label("bot"), BOT.c.contest.label("of_contest"), VERSION.c.number, VERSION.c.state,
        VERSION.c.reason, PERSON.c.name.label("owner"),
    )
    .outerjoin(VERSION, ENTRANT.c.version == VERSION.c.id)
    .outerjoin(BOT, VERSION.c.bot == BOT.c.id)
    .outerjoin(PERSON, ENTRANT.c.person == PERSON.c.id)
    .order_by(ENTRANT.c.id)
)  # fmt: skip


def entrant_of(row: sa.Row[Any]) -> Entrant:
    trouble = row.trouble or (f"{row.state}: {row.reason}" if row.state in ("unbuilt", "unfit") else "")
    return Entrant(
        row.id, row.key, row.name, row.house or "", row.bot, row.version, row.number, row.person, row.owner or "",
        bool(row.guest), row.of_contest is not None, row.state or "", trouble,
    )  # fmt: skip


def entrants_of(connection: sa.Connection, contest: int, *, gone: bool = False) -> list[Entrant]:
    """Returns the bots of a contest in the order of registration; those that have left only if they are asked for."""
    chosen = ENTRANTS.where(ENTRANT.c.contest == contest)
    rows = connection.execute(chosen if gone else chosen.where(ENTRANT.c.left_ms.is_(None)))
    return [entrant_of(row) for row in rows]


def bots_to_enter(connection: sa.Connection, contest: Contest, person: int) -> list[sa.Row[Any]]:
    """Returns the versions with which a person may enter: of each bot of theirs the newest that is fit."""
    newest = (
        sa.select(sa.func.max(VERSION.c.number))
        .where(VERSION.c.bot == BOT.c.id, VERSION.c.state == FIT)
        .correlate(BOT)
        .scalar_subquery()
    )
    chosen = sa.select(BOT.c.id, BOT.c.name, VERSION.c.id.label("version"), VERSION.c.number)
    chosen = chosen.join(VERSION, (VERSION.c.bot == BOT.c.id) & (VERSION.c.number == newest))
    own = (BOT.c.owner == person) & (BOT.c.game == contest.game) & BOT.c.deleted_ms.is_(None)
    return list(connection.execute(chosen.where(own).order_by(BOT.c.id)))


def need_entries(connection: sa.Connection, slug: str, now_ms: int) -> Contest:
    """Returns a contest that takes entries, which nobody else changes until this transaction ends."""
    locked_contest(connection, contest_named(connection, slug).id)
    contest = contest_named(connection, slug)
    if not contest.takes_entries(now_ms):
        hint = "its deadline is over" if contest.state == OPEN else f"it is {contest.state}"
        raise InTheWay(f"{contest.title} takes no entries any more", hint=hint)
    return contest


def enter_contest(connection: sa.Connection, slug: str, person: int, bot: int, version: int, now_ms: int) -> str:
    """Enters a bot with a version, or changes the version it is entered with; returns its key."""
    locked(connection, PERSON, person)
    contest = need_entries(connection, slug, now_ms)
    row = connection.execute(
        sa.select(BOT.c.id, BOT.c.name, BOT.c.game, VERSION.c.state, VERSION.c.number)
        .join(VERSION, VERSION.c.bot == BOT.c.id)
        .where(BOT.c.id == bot, BOT.c.owner == person, BOT.c.deleted_ms.is_(None), VERSION.c.id == version)
    ).one_or_none()
    if row is None:
        raise NotThere("you have no such bot", hint="choose one of yours")
    if row.game != contest.game:
        raise InTheWay(f"{row.name} plays {row.game}", hint=f"{contest.title} is a contest of {contest.game}")
    if row.state != FIT:
        raise InTheWay(f"version {row.number} of {row.name} is {row.state}", hint="enter with one that is fit")
    before = entered_bot(connection, contest.id, bot)
    if before is None:
        key = add_entrant(connection, contest, row.name, person, version, now_ms)
    else:
        key = before.key
        values = {"version": version, "left_ms": None, "trouble": ""}
        connection.execute(sa.update(ENTRANT).where(ENTRANT.c.id == before.id).values(**values))
    check_room(connection, contest, person)
    change_contest(connection, contest.id, due=1)
    note_event(
        connection, now_ms, "contest.entered", f"contest/{slug}", person=person, public=True, concerns=person,
        name=row.name, key=key, bot=bot, version=row.number,
    )  # fmt: skip
    return key


def entered_bot(connection: sa.Connection, contest: int, bot: int) -> sa.Row[Any] | None:
    return connection.execute(ENTRANTS.where(ENTRANT.c.contest == contest, BOT.c.id == bot)).one_or_none()


def check_room(connection: sa.Connection, contest: Contest, person: int) -> None:
    """Refuses one more bot of a person than the contest takes, and more bots than a site can handle."""
    there = sa.select(ENTRANT.c.name).where(ENTRANT.c.contest == contest.id, ENTRANT.c.left_ms.is_(None))
    own = list(connection.scalars(there.where(ENTRANT.c.person == person)))
    if len(own) > contest.bots_per_person:
        most = contest.bots_per_person
        others = ", ".join(own[: most + 1])
        hint = f"these would be {others}; withdraw one from the contest first"
        raise InTheWay(f"{contest.title} takes {counted(most, 'bot')} of a person", hint=hint)
    if len(list(connection.scalars(there))) > ENTRANTS_MOST:
        raise InTheWay(f"{contest.title} has {ENTRANTS_MOST} bots already", hint="no more fit into one contest")


def add_entrant(
    connection: sa.Connection, contest: Contest, name: str, person: int | None, version: int, now_ms: int, key: str = ""
) -> str:
    """Adds a bot under a key and a name that no other bot of the contest has; returns its key."""
    rows = connection.execute(sa.select(ENTRANT.c.key, ENTRANT.c.name).where(ENTRANT.c.contest == contest.id)).all()
    key = key or first_free(key_of(name), {row.key.casefold() for row in rows}, "{}-{}")
    name = first_free(name[:NAME_MAX], {row.name.casefold() for row in rows}, "{} ({})")
    row = {"contest": contest.id, "key": key, "name": name, "person": person, "version": version, "made_ms": now_ms}
    connection.execute(sa.insert(ENTRANT).values(**row))
    return key


def leave_contest(connection: sa.Connection, slug: str, key: str, now_ms: int, *, person: int, rules: bool) -> None:
    """Takes a bot out of a contest; its owner may do that, and whoever rules over the contest."""
    contest = need_entries(connection, slug, now_ms)
    row = connection.execute(
        ENTRANTS.where(ENTRANT.c.contest == contest.id, ENTRANT.c.key == key, ENTRANT.c.left_ms.is_(None))
    ).one_or_none()
    if row is None or not (rules or row.person == person):
        raise NotThere("no such bot of yours is entered", hint="look at the contest's page")
    connection.execute(sa.update(ENTRANT).where(ENTRANT.c.id == row.id).values(left_ms=now_ms))
    change_contest(connection, contest.id, due=1)
    about = {"name": row.name, "key": key}
    note_event(
        connection, now_ms, "contest.left", f"contest/{slug}", person=person, public=True, concerns=row.person, **about
    )


def open_entries(connection: sa.Connection, bot: int, now_ms: int) -> list[sa.Row[Any]]:
    """Returns where a bot is entered in contests that still take changes, with the contests locked. Whoever changes
    something on ladders as well asks for them first: nobody waits in a circle then."""
    chosen = (
        sa.select(ENTRANT.c.id, ENTRANT.c.contest, ENTRANT.c.key, ENTRANT.c.version, CONTEST.c.slug)
        .join(CONTEST, ENTRANT.c.contest == CONTEST.c.id)
        .join(VERSION, ENTRANT.c.version == VERSION.c.id)
        .where(VERSION.c.bot == bot, ENTRANT.c.left_ms.is_(None), CONTEST.c.state.not_in((OVER, GIVEN_UP)))
        .order_by(ENTRANT.c.contest)
    )
    found = list[sa.Row[Any]]()
    for row in list[sa.Row[Any]](connection.execute(chosen)):
        locked_contest(connection, row.contest)
        if contest_named(connection, row.slug).takes_entries(now_ms):
            found.append(row)
    return found


def follow_version(connection: sa.Connection, entries: list[sa.Row[Any]], version: int, now_ms: int) -> None:
    """Has the version that became active play where the bot is entered."""
    for row in entries:
        if row.version != version:
            connection.execute(sa.update(ENTRANT).where(ENTRANT.c.id == row.id).values(version=version))
            change_contest(connection, row.contest, due=1)
            note_event(connection, now_ms, "contest.followed", f"contest/{row.slug}", public=True, key=row.key)


def take_out(connection: sa.Connection, entries: list[sa.Row[Any]], now_ms: int) -> None:
    """Takes a bot that was withdrawn or deleted out of the contests where it is entered."""
    for row in entries:
        connection.execute(sa.update(ENTRANT).where(ENTRANT.c.id == row.id).values(left_ms=now_ms))
        change_contest(connection, row.contest, due=1)
        note_event(connection, now_ms, "contest.left", f"contest/{row.slug}", public=True, key=row.key)
