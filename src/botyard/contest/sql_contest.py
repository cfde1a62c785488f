"""A contest in an SQL database, which may hold many: what it is, which rows are its own, and who holds it.

One run writes at a time. It holds the contest by a note that names its process and the time of its last beat. If that
process is dead or its beat has stopped, another run may take over, and the former holder can record nothing more.
SQLite lets in one writer after another; in other databases a writer locks the note first.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, OperationalError

from botyard.contest.identity import Identity
from botyard.contest.lease import is_elsewhere, is_held, new_token
from botyard.contest.roots import ROOT_BYTES
from botyard.contest.schema import (
    ABOUT,
    ASKED,
    CONTESTS,
    DAMAGED,
    GAMES,
    LEASED,
    NO_LEASE,
    TABLES,
    VERSION,
    check_version,
)
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, YardError, quoted

MARK = "botyard contest"
BEAT_S = 2.0
LISTEN_S, LISTEN_PAUSE_S = 4 * BEAT_S, 0.1


class SqlContest:
    """One contest in a database: what it is, and which process runs it."""

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

    def begin(self, identity: Identity, root: bytes, plan: Mapping[str, Any]) -> None:
        """Adds the contest to the database, and makes the tables if there are none."""
        about = {"mark": MARK, "version": str(VERSION), "root": root.hex(), **self._described(identity, plan)}
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

    @staticmethod
    def _described(identity: Identity, plan: Mapping[str, Any]) -> dict[str, str]:
        return {"identity": json.dumps(identity.values), "plan": json.dumps(plan)}

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
        check_version(about.get("version"), self.place)

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
    def identity(self) -> Identity:
        """What the contest was when it began, or was last amended; empty if the store does not say."""
        return Identity.of(json_of(self.about().get("identity", ""), f"the identity in {self.place}"))

    @property
    def plan_values(self) -> Any:
        """The plan by which the contest was last played, as plain values."""
        return json_of(self.about().get("plan", ""), f"the plan in {self.place}")

    @property
    def root(self) -> bytes:
        kept = self.about().get("root", "")
        try:
            root = bytes.fromhex(kept)
        except ValueError:
            root = b""
        if len(root) != ROOT_BYTES:
            raise BadRecord(f"the root {quoted(kept)} in {self.place}", hint=DAMAGED)
        return root

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
            raise YardError(f"{self.name} was taken over by another run", hint="this one records nothing more")

    def _noted_holder(self, connection: sa.Connection) -> Any:
        """Returns the holder's note, and locks it until the transaction is over."""
        return connection.execute(sa.select(ABOUT.c.value).where(self._about("holder")).with_for_update()).scalar()

    @property
    def holder(self) -> str:
        """The run at work, as `machine/process`; empty if there is none."""
        holder = self.about().get("holder", "")
        return "/".join(holder.split("/")[:2]) if is_held(holder) else ""

    # Which rows belong to this contest

    def _of(self, table: sa.Table) -> sa.ColumnElement[bool]:
        """The condition that selects the rows of this contest."""
        return table.c.contest == self._id

    def _about(self, key: str) -> sa.ColumnElement[bool]:
        return self._of(ABOUT) & (ABOUT.c.key == key)

    def _open_games(self) -> sa.ColumnElement[bool]:
        """The condition that selects the games that are not recorded yet."""
        return self._of(GAMES) & GAMES.c.state.in_((ASKED, LEASED))


def contests_of(connection: sa.Connection) -> list[str]:
    """Returns the names of the contests that a database holds."""
    found = connection.execute(sa.select(CONTESTS.c.name).order_by(CONTESTS.c.id)).scalars()
    return [contest for contest in found if isinstance(contest, str)]


def damaged(place: str, reason: str) -> BadRecord:
    return BadRecord(
        f"{place} is damaged or not the store of a contest ({reason})",
        hint="restore a copy of it, or begin again with --anew",
    )
