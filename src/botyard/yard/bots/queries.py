"""This module reads bots and their versions for people and programs, and says who may see and do what with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.events import note_event
from botyard.yard.data.statements import among
from botyard.yard.data.tables import (
    BENCHED,
    BOT,
    BUILD,
    CHECK,
    ENTRY,
    LADDER,
    LEASED,
    PERSON,
    RETIRED,
    TASK,
    VERSION,
    WAITING,
)
from botyard.yard.refusals import NotAllowed, NotThere


@dataclass(frozen=True, slots=True)
class BotFound:
    """A bot, and whose it is."""

    id: int
    name: str
    game: str
    owner: int | None  # nobody's: handed in for a contest
    owner_name: str
    logs_public: bool
    made_ms: int
    organiser: int | None = None  # of the contest that it was handed in for
    contest: str = ""  # its address

    def owned_by(self, caller: Caller) -> bool:
        return self.owner is not None and self.owner == caller.person

    def managed_by(self, caller: Caller) -> bool:
        """Whether a caller may activate, withdraw, change and delete it, and see its source."""
        return caller.owns(self.owner)

    def open_to(self, caller: Caller) -> bool:
        """Whether a caller may see build logs, findings, checks and turn logs."""
        hosts = self.organiser is not None and caller.is_organiser and caller.person == self.organiser
        return self.logs_public or hosts or caller.owns(self.owner)

    def need_managed_by(self, caller: Caller, scope: str) -> int:
        """Returns who manages it; refuses everybody else."""
        person = caller.need(scope)
        if not self.managed_by(caller):
            raise NotAllowed(f"{self.name} is somebody else's bot", hint="only its owner may do this")
        return person

    def need_open_to(self, caller: Caller) -> None:
        if not self.open_to(caller):
            raise NotAllowed(f"the logs of {self.name} are shown to its owner alone", hint="sign in, if that is you")


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """What a version waits for, and why."""

    kind: str
    state: str
    why: str
    asked_ms: int


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version as lists show it."""

    id: int
    number: int
    state: str
    reason: str
    language: str
    active: bool
    wanted: bool  # to be activated as soon as it is fit
    made_ms: int
    message: str  # what its owner says has changed
    task: WaitingTask | None


@dataclass(frozen=True, slots=True)
class VersionFound:
    """A version with all that is kept of it."""

    line: VersionLine
    tree: str
    source: str
    manifest: dict[str, Any]
    build_log: str | None
    findings: list[dict[str, Any]] | None  # none: not checked yet
    check_replay: str | None
    check_turns: str | None
    check_seat: int


@dataclass(frozen=True, slots=True)
class EntryLine:
    """How a bot stands on a ladder."""

    id: int
    ladder: int
    slug: str
    title: str
    version: int | None  # its number
    state: str
    reason: str
    mu: float
    sigma: float
    games: int
    pairs: int

    @property
    def benched(self) -> bool:
        return self.state == BENCHED


# Written down once: building a query takes longer than asking it.
NUMBERED = (
    sa.select(BOT, PERSON.c.name.label("owner_name"), CONTEST.c.organiser, CONTEST.c.slug)
    .outerjoin(PERSON, PERSON.c.id == BOT.c.owner)
    .outerjoin(CONTEST, CONTEST.c.id == BOT.c.contest)
    .where(BOT.c.id == sa.bindparam("number"))
)
VERSIONS = sa.select(VERSION).where(VERSION.c.bot == sa.bindparam("of")).order_by(VERSION.c.number.desc())
PLAYING = sa.select(ENTRY.c.version).where(
    ENTRY.c.version.in_(sa.bindparam("versions", expanding=True)), ENTRY.c.state != RETIRED
)
UNDER_WAY = (
    sa.select(TASK.c.version, TASK.c.kind, TASK.c.state, TASK.c.why, TASK.c.asked_ms)
    .where(
        TASK.c.version.in_(sa.bindparam("versions", expanding=True)),
        among(TASK.c.state, WAITING, LEASED),
        among(TASK.c.kind, BUILD, CHECK),
    )
    .order_by(TASK.c.id)
)
PLACES = (
    sa.select(ENTRY, LADDER.c.slug, LADDER.c.title, VERSION.c.number)
    .join(LADDER, LADDER.c.id == ENTRY.c.ladder)
    .outerjoin(VERSION, VERSION.c.id == ENTRY.c.version)
    .where(ENTRY.c.bot == sa.bindparam("of"))
    .order_by(ENTRY.c.ladder)
)


def bot_at(connection: sa.Connection, bot: int) -> BotFound:
    """Returns a bot by its number."""
    row = connection.execute(NUMBERED, {"number": bot}).one_or_none()
    if row is None:
        raise NotThere("there is no such bot", hint="all that play are listed on their ladders")
    if row.deleted_ms is not None:
        raise NotThere("this bot was deleted", hint="the games it played are still there, under Matches")
    return BotFound(
        row.id, row.name, row.game, row.owner, row.owner_name or "", bool(row.logs_public), row.made_ms, row.organiser,
        row.slug or "",
    )  # fmt: skip


def bots_of(connection: sa.Connection, person: int) -> list[BotFound]:
    """Returns the bots of a person, the newest first."""
    own = sa.select(BOT.c.id).where(BOT.c.owner == person, BOT.c.deleted_ms.is_(None)).order_by(BOT.c.id.desc())
    return [bot_at(connection, bot) for bot in connection.scalars(own).all()]


def versions_of(connection: sa.Connection, bot: int) -> list[VersionLine]:
    """Returns all versions of a bot, the newest first."""
    return lines_of(connection, list(connection.execute(VERSIONS, {"of": bot})))


def lines_of(connection: sa.Connection, rows: list[sa.Row[Any]]) -> list[VersionLine]:
    of = {"versions": [row.id for row in rows]}
    active = set(connection.scalars(PLAYING, of))
    tasks = {version: WaitingTask(*told) for version, *told in connection.execute(UNDER_WAY, of)}
    return [
        VersionLine(
            row.id, row.number, row.state, row.reason, row.language, row.id in active, bool(row.activate), row.made_ms,
            row.message, tasks.get(row.id),
        )
        for row in rows
    ]  # fmt: skip


def version_at(connection: sa.Connection, bot: int, number: int) -> VersionFound:
    """Returns a version by its number within its bot."""
    row = connection.execute(sa.select(VERSION).where(VERSION.c.bot == bot, VERSION.c.number == number)).one_or_none()
    if row is None:
        raise NotThere(f"there is no version {number} of this bot", hint="its page lists those there are")
    findings = None if row.findings is None else json.loads(row.findings)
    return VersionFound(
        lines_of(connection, [row])[0], row.tree, row.source, json.loads(row.manifest), row.build_log, findings,
        row.check_replay, row.check_turns, row.check_seat,
    )  # fmt: skip


def version_source(
    connection: sa.Connection, blobs: Blobs, caller: Caller, bot: BotFound, version: VersionFound, now_ms: int
) -> bytes:
    """Returns the source of a version for its owner; that an admin looked at it is noted."""
    note_look(connection, caller, bot, version, "source", now_ms)
    return blobs.read(connection, version.source)


def note_look(
    connection: sa.Connection, caller: Caller, bot: BotFound, version: VersionFound, what: str, now_ms: int
) -> None:
    """Notes that an admin has looked at what is private to somebody else, who may know of it."""
    if caller.person == bot.owner or (bot.logs_public and what != "source"):
        return
    note_event(
        connection, now_ms, "version.seen", f"bot/{bot.id}", person=caller.person, concerns=bot.owner,
        version=version.line.id, number=version.line.number, what=what,
    )  # fmt: skip


def entries_of(connection: sa.Connection, bot: int) -> list[EntryLine]:
    """Returns where a bot stands, on every ladder that it plays or played on."""
    return [
        EntryLine(
            row.id, row.ladder, row.slug, row.title, row.number, row.state, row.reason, row.mu, row.sigma, row.games,
            row.pairs,
        )
        for row in connection.execute(PLACES, {"of": bot})
    ]  # fmt: skip
