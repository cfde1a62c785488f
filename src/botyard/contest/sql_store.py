"""This module keeps the store of a contest in an SQL database, which may hold many contests.

One run writes at a time. It holds the contest by a note that names its process and the time of its last beat. If that
process is dead or its beat has stopped, another run may take over, and the former holder can record nothing more.
SQLite lets in one writer after another; in other databases a writer locks the note first.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, OperationalError

from botyard.contest.lease import is_elsewhere, is_held, new_token
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.rows import (
    GameRow,
    LeasedGame,
    asked_row,
    read_bots,
    read_job,
    read_lease,
    read_pairing,
    read_row,
    recorded_row,
)
from botyard.contest.schema import (
    ABOUT,
    ASKED,
    CONTESTS,
    DAMAGED,
    DONE,
    FAULTS,
    GAMES,
    LEASED,
    NO_LEASE,
    REPLAYS,
    TABLES,
    TURN_LOGS,
    VOID,
)
from botyard.contest.store import Counts, HouseFault
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, YardError, quoted
from botyard.rank.formats import Pairing
from botyard.rank.results import Result

VERSION = 1
MARK = "botyard contest"
BEAT_S = 2.0
LISTEN_S, LISTEN_PAUSE_S = 4 * BEAT_S, 0.1
PAGE = 5000  # how many games are read at a time


class SqlStore:
    """The store of one contest in a database."""

    def __init__(self, engine: sa.Engine, contest: str, place: str) -> None:
        self.contest, self.place = contest, place
        self.token = ""
        self._id = 0  # the contest's number in this database, after `begin` or `find`
        self._beaten = 0.0
        self._engine = engine
        self._connection: sa.Connection | None = None

    @property
    def name(self) -> str:
        """The name of the store in short messages."""
        return self.place.rpartition("/")[2]

    # Opening

    def begin(self, identity: Mapping[str, Any]) -> None:
        """Adds the contest to the database, and makes the tables if there are none."""
        about = {"mark": MARK, "version": str(VERSION), "identity": json.dumps(identity)}
        with self.writing() as connection:
            TABLES.create_all(connection)
            if self.contest in contests_of(connection):
                raise YardError(
                    f"{self.place} already has a contest {quoted(self.contest)}",
                    hint="go on with it, or give the new one another name",
                )
            entered = connection.execute(sa.insert(CONTESTS).values(name=self.contest)).inserted_primary_key
            self._id = int(entered[0]) if entered else 0
            rows = [{"contest": self._id, "key": key, "value": value} for key, value in about.items()]
            connection.execute(sa.insert(ABOUT), rows)

    def find(self) -> None:
        """Finds the contest in the database; refuses what is none, and one that another version of Botyard began."""
        with self.reading() as connection:
            found = connection.execute(sa.select(CONTESTS.c.id).where(CONTESTS.c.name == self.contest)).scalar()
        if found is None:
            raise YardError(f"there is no contest {quoted(self.contest)} in {self.place}", hint="it has not begun")
        self._id = int(found)
        about = self.about()
        if about.get("mark") != MARK:
            raise BadRecord(f"{self.place} is not the store of a contest", hint="another program made this database")
        if about.get("version") != str(VERSION):
            raise BadRecord(
                f"{self.place} is a store of version {about.get('version', '')[:20]}",
                hint=f"this Botyard reads version {VERSION}; finish with the one that began it, or use --anew",
            )

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self.close()

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[sa.Connection]:
        """A transaction, of which all happens or nothing. A damaged file and a full disk become errors that say so."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            self._connection.execution_options(writes=writes)
            with self._connection.begin():
                yield self._connection
        except OperationalError as error:
            self.close()
            raise YardError(f"cannot use {self.place}", hint=str(error.orig)) from None
        except (DatabaseError, sqlite3.DatabaseError, UnicodeDecodeError) as error:  # it may quote what is not text
            self.close()
            raise damaged(self.place, str(getattr(error, "orig", error))) from None

    def reading(self) -> AbstractContextManager[sa.Connection]:
        return self._transaction(writes=False)

    def writing(self) -> AbstractContextManager[sa.Connection]:
        return self._transaction(writes=True)

    def about(self) -> dict[str, str]:
        with self.reading() as connection:
            lines = connection.execute(sa.select(ABOUT.c.key, ABOUT.c.value).where(self._of(ABOUT)))
            return {key: value for key, value in lines if isinstance(key, str) and isinstance(value, str)}

    @property
    def identity(self) -> dict[str, Any]:
        """What the contest was when it began; empty if the store does not say."""
        told = json_of(self.about().get("identity", ""), f"the identity in {self.place}")
        return told if isinstance(told, dict) else {}

    # Holding

    def hold(self) -> None:
        """Takes the store, and the leases of a former holder, for this process; refused while that holder lives."""
        token, silent = new_token(), self._listen()
        with self.writing() as connection:
            connection.execute(sa.select(ABOUT.c.value).where(self._about("mark")).with_for_update())
            holder = self._noted_holder(connection)
            if isinstance(holder, str) and (is_held(holder) or holder != silent):
                machine, process = holder.split("/")[:2]
                raise YardError(
                    f"{self.name} is being run by process {process} on {machine}",
                    hint="`botyard contest status` follows it; stop that process first to run it here",
                )
            connection.execute(sa.delete(ABOUT).where(self._about("holder")))
            note = {"contest": self._id, "key": "holder", "value": f"{token}@{time.time()}"}
            connection.execute(sa.insert(ABOUT), [note])
            left = self._of(GAMES) & (GAMES.c.state == LEASED)
            connection.execute(sa.update(GAMES).where(left).values(state=ASKED, **NO_LEASE))
        self.token, self._beaten = token, time.monotonic()

    def _listen(self) -> str:
        """Returns the holder's note. A holder on another machine that seems silent may have a clock unlike ours, so we
        first wait a few beats, by our own clock, to see whether the note changes."""
        noted = self.about().get("holder", "")
        until = time.monotonic() + LISTEN_S
        while noted and is_elsewhere(noted) and not is_held(noted) and time.monotonic() < until:
            time.sleep(LISTEN_PAUSE_S)
            if self.about().get("holder", "") != noted:
                break  # it is alive, or has released the store: `hold` compares the notes
        return noted

    def release(self) -> None:
        if self.token:
            with self.writing() as connection:
                mine = ABOUT.c.value.startswith(self.token, autoescape=True)
                connection.execute(sa.delete(ABOUT).where(self._about("holder"), mine))
            self.token = ""

    def beat(self) -> None:
        """Notes that this process is still at work. It may be called often: it writes only once per `BEAT_S`."""
        if time.monotonic() - self._beaten >= BEAT_S:
            with self.writing() as connection:
                self._check_held(connection)
                stamp = f"{self.token}@{time.time()}"
                connection.execute(sa.update(ABOUT).where(self._about("holder")).values(value=stamp))
            self._beaten = time.monotonic()

    def _check_held(self, connection: sa.Connection) -> None:
        holder = self._noted_holder(connection)
        if not isinstance(holder, str) or holder.rsplit("@", 1)[0] != self.token:
            raise YardError(f"{self.name} was taken over by another run", hint="this run stops recording")

    def _noted_holder(self, connection: sa.Connection) -> Any:
        """Returns the holder's note, and locks it until the transaction is over."""
        return connection.execute(sa.select(ABOUT.c.value).where(self._about("holder")).with_for_update()).scalar()

    # Which rows belong to this contest

    def _of(self, table: sa.Table) -> sa.ColumnElement[bool]:
        """The condition that selects the rows of this contest."""
        return table.c.contest == self._id

    def _about(self, key: str) -> sa.ColumnElement[bool]:
        return self._of(ABOUT) & (ABOUT.c.key == key)

    def _open_games(self) -> sa.ColumnElement[bool]:
        """The condition that selects the games that are not recorded yet."""
        return self._of(GAMES) & GAMES.c.state.in_((ASKED, LEASED))

    # Games

    def ask(self, first: int, wave: Sequence[Pairing], seeds: Sequence[int]) -> None:
        """Adds a wave of games. A game that is there already must be the same."""
        with self.writing() as connection:
            self._check_held(connection)
            asked = self._of(GAMES) & GAMES.c.number.between(first, first + len(wave) - 1)
            rows = connection.execute(sa.select(GAMES).where(asked))
            there = {row.number: read_pairing(row, self.name) for row in rows}
            fresh = []
            for number, (pairing, seed) in enumerate(zip(wave, seeds, strict=True), first):
                if number not in there:
                    fresh.append(asked_row(self._id, number, pairing, seed))
                elif there[number] != pairing:
                    raise BadRecord(
                        f"game {number} of {self.name} is {there[number]}, but the format asks for {pairing}",
                        hint="the store was made by another version of Botyard; begin again with --anew",
                    )
            if fresh:
                connection.execute(sa.insert(GAMES), fresh)

    def waiting(self, first: int, count: int) -> list[Job]:
        """Returns the games of a wave that are not recorded yet, in their order."""
        within = self._open_games() & GAMES.c.number.between(first, first + count - 1)
        with self.reading() as connection:
            rows = connection.execute(sa.select(GAMES).where(within).order_by(GAMES.c.number))
            return [read_job(row, self.name) for row in rows]

    def lease(self, numbers: Sequence[int], worker: str) -> None:
        with self.writing() as connection:
            self._check_held(connection)
            wanted = self._open_games() & GAMES.c.number.in_(numbers)
            leased = {**NO_LEASE, "state": LEASED, "owner": f"{self.token}/{worker}"}
            connection.execute(sa.update(GAMES).where(wanted).values(**leased))

    def note_progress(self, sign: Sign) -> None:
        with self.writing() as connection:
            mine = self._of(GAMES) & (GAMES.c.number == sign.number) & (GAMES.c.state == LEASED)
            told = {"progress": sign.ticks, "orders": json.dumps(sign.orders)}
            connection.execute(sa.update(GAMES).where(mine).values(**told))

    def record(self, reports: Iterable[GameReport]) -> int:
        """Records finished games in one transaction and returns how many are new; recorded ones stay as they are."""
        with self.writing() as connection:
            self._check_held(connection)
            given = {report.number: report for report in reports}
            unrecorded = sa.select(GAMES.c.number).where(self._open_games(), GAMES.c.number.in_(given))
            fresh = [given[number] for number in connection.execute(unrecorded).scalars()]
            if fresh:
                change = sa.update(GAMES).where(self._of(GAMES), GAMES.c.number == sa.bindparam("at"))
                connection.execute(change, [recorded_row(report) for report in fresh])
            self._keep(connection, REPLAYS, {report.number: report.replay for report in fresh})
            self._keep(connection, TURN_LOGS, {report.number: report.turn_log for report in fresh})
        return len(fresh)

    def _keep(self, connection: sa.Connection, table: sa.Table, contents: Mapping[int, bytes | None]) -> None:
        rows = [
            {"contest": self._id, "number": number, "content": content}
            for number, content in contents.items()
            if content
        ]
        if rows:
            connection.execute(sa.insert(table), rows)

    def fault(self, jobs: Iterable[Job], worker: str, reason: str, attempts: int) -> list[Job]:
        """Notes a fault of ours that spoiled these games. Returns those to play again; the others are void for good."""
        again = []
        with self.writing() as connection:
            self._check_held(connection)
            for job in jobs:
                number = job.number
                given_up = job.attempt >= attempts
                values: dict[str, Any] = {**NO_LEASE, "state": VOID if given_up else ASKED, "faults": job.attempt}
                if given_up:
                    values["result"] = str(Result.nothing(job.bots))
                open_game = self._open_games() & (GAMES.c.number == number)
                if connection.execute(sa.update(GAMES).where(open_game).values(**values)).rowcount:
                    told = {"contest": self._id, "number": number, "owner": worker, "reason": reason}
                    connection.execute(sa.insert(FAULTS), [told])
                    if not given_up:
                        again.append(replace(job, attempt=job.attempt + 1))
        return again

    # Reading

    def counts(self) -> Counts:
        with self.reading() as connection:
            query = sa.select(GAMES.c.state, sa.func.count()).where(self._of(GAMES)).group_by(GAMES.c.state)
            states: dict[str, int] = {state: count for state, count in connection.execute(query)}  # noqa: C416
            told = sa.select(sa.func.count()).select_from(FAULTS).where(self._of(FAULTS))
            faults = connection.execute(told).scalar() or 0
        return Counts(states.get(ASKED, 0), states.get(LEASED, 0), states.get(DONE, 0), states.get(VOID, 0), faults)

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """Yields games in their order."""
        return (read_row(row, self.name) for row in self._pages(sa.select(GAMES), first, last))

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Yields the columns of every game as stored: number, match, game, bots, seed, result, ticks, faults."""
        columns = (GAMES.c[name] for name in ("number", "match", "game", "bots", "seed", "result", "ticks", "faults"))
        for row in self._pages(sa.select(*columns), 1, None):
            number, match, game, bots, *rest = row
            yield (number, match, game, " ".join(read_bots(bots, f"game {quoted(number)} in {self.name}")), *rest)

    def _pages(self, query: sa.Select[Any], first: int, last: int | None) -> Iterator[Any]:
        """Yields rows, reading a page at a time, so that a long look blocks nobody."""
        query = query.where(self._of(GAMES)).order_by(GAMES.c.number).limit(PAGE)
        if last is not None:
            query = query.where(GAMES.c.number <= last)
        while True:
            with self.reading() as connection:
                page = connection.execute(query.where(GAMES.c.number >= first)).all()
            yield from page
            if len(page) < PAGE:
                return
            first = page[-1].number + 1

    def row(self, number: int) -> GameRow:
        found = next(self.rows(number, number), None)
        if found is None:
            raise YardError(
                f"there is no game {number} in {self.name}", hint=f"{self.counts().all} games were asked for"
            )
        return found

    def replay(self, number: int) -> bytes | None:
        return self._kept(REPLAYS, number, "replay")

    def turn_log(self, number: int) -> bytes | None:
        return self._kept(TURN_LOGS, number, "turn log")

    def _kept(self, table: sa.Table, number: int, what: str) -> bytes | None:
        with self.reading() as connection:
            query = sa.select(table.c.content).where(self._of(table), table.c.number == number)
            content = connection.execute(query).scalar()
        if content is not None and not isinstance(content, bytes):
            raise BadRecord(f"the {what} of game {number} in {self.name} is {quoted(content)}", hint=DAMAGED)
        return content

    def faults(self) -> list[HouseFault]:
        query = (
            sa.select(FAULTS.c.number, FAULTS.c.owner, FAULTS.c.reason).where(self._of(FAULTS)).order_by(FAULTS.c.id)
        )
        with self.reading() as connection:
            return [HouseFault(*row) for row in connection.execute(query)]

    def leased(self) -> list[LeasedGame]:
        query = sa.select(GAMES).where(self._of(GAMES), GAMES.c.state == LEASED).order_by(GAMES.c.number)
        with self.reading() as connection:
            return [read_lease(row, self.name) for row in connection.execute(query)]

    @property
    def holder(self) -> str:
        """The run at work, as `machine/process`; empty if there is none."""
        holder = self.about().get("holder", "")
        return "/".join(holder.split("/")[:2]) if is_held(holder) else ""


def contests_of(connection: sa.Connection) -> list[str]:
    """Returns the names of the contests that a database holds."""
    found = connection.execute(sa.select(CONTESTS.c.name).order_by(CONTESTS.c.id)).scalars()
    return [contest for contest in found if isinstance(contest, str)]


def damaged(place: str, reason: str) -> BadRecord:
    return BadRecord(
        f"{place} is damaged or not the store of a contest ({reason})",
        hint="restore a copy of it, or begin again with --anew",
    )
