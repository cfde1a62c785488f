"""The store of a contest: one SQLite file beside the contest file, in which every game is recorded exactly once.

What a crash leaves: games that were asked for, leased or done. A game is done in one transaction with all that is
kept of it; whoever is killed before leaves a lease, which the next run takes back. Running again is always safe.

One run writes at a time. It holds the store by a note with its process and a beat; a note whose process is dead, or
whose beat has stopped, is taken over, and its former holder can record nothing any more.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, OperationalError

from botyard.contest.database import open_database
from botyard.contest.lease import is_elsewhere, is_held, new_token
from botyard.contest.messages import GameReport, Job
from botyard.contest.schema import (
    ABOUT,
    ASKED,
    DAMAGED,
    DONE,
    FAULTS,
    GAMES,
    LEASED,
    REPLAYS,
    TABLES,
    VOID,
    GameRow,
    asked_row,
    check_schema,
    checked,
    pairing_of,
    read_row,
    read_seed,
    recorded_row,
    seated,
)
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, YardError, quoted
from botyard.rank.formats import Pairing
from botyard.rank.results import Result

VERSION = 1
MARK = "botyard contest"
BEAT_S = 2.0
LISTEN_S, LISTEN_PAUSE_S = 4 * BEAT_S, 0.1
PAGE = 5000  # games that are read at a time


@dataclass(frozen=True, slots=True)
class Counts:
    """How far a contest is."""

    asked: int
    leased: int
    done: int
    void: int
    faults: int

    @property
    def recorded(self) -> int:
        return self.done + self.void

    @property
    def all(self) -> int:
        return self.asked + self.leased + self.recorded


class Store:
    """An open store. `hold` before anything is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.token = ""
        self._beaten = 0.0
        self._engine = open_database(path)
        self._connection: sa.Connection | None = None

    # Opening

    @classmethod
    def create(cls, path: Path, identity: Mapping[str, Any], fingerprint: str) -> Store:
        """A fresh store, whole or not there: it is made beside and renamed."""
        beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.new")
        store = cls(beside)
        about = {"mark": MARK, "version": str(VERSION), "identity": json.dumps(identity), "fingerprint": fingerprint}
        try:
            with store.writing() as connection:
                TABLES.create_all(connection)
                connection.execute(sa.insert(ABOUT), [{"key": key, "value": value} for key, value in about.items()])
            store.close()
            beside.replace(path)
        except OSError as error:
            raise YardError(f"cannot write {path}", hint=error.strerror or str(error)) from None
        finally:
            with contextlib.suppress(OSError):
                cls.remove(beside)
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> Store:
        """An existing store; what is no store, is damaged or of another version is refused with a hint."""
        if not path.is_file():
            raise YardError(f"no store {path}", hint="the contest has not begun: `botyard contest run` starts it")
        store = cls(path)
        with store.reading() as connection:
            check_schema(connection, path)
            if connection.exec_driver_sql("PRAGMA quick_check").scalar() != "ok":
                raise damaged(path, "its pages contradict each other")
        about = store.about()
        if about.get("mark") != MARK:
            raise BadRecord(f"{path} is no store of a contest", hint="it belongs to something else")
        if about.get("version") != str(VERSION):
            raise BadRecord(
                f"{path} is a store of version {about.get('version', '')[:20]}",
                hint=f"this Botyard reads version {VERSION}; finish the contest with the one that began it, or --anew",
            )
        return store

    @staticmethod
    def remove(path: Path) -> None:
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self.close()

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[sa.Connection]:
        """Either all of it happens, or nothing. Damage and a full disk are told as such."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            self._connection.execution_options(writes=writes)
            with self._connection.begin():
                yield self._connection
        except OperationalError as error:
            self.close()
            raise YardError(f"cannot use {self.path}", hint=str(error.orig)) from None
        except (DatabaseError, sqlite3.DatabaseError, UnicodeDecodeError) as error:  # it may quote what is no text
            self.close()
            raise damaged(self.path, str(getattr(error, "orig", error))) from None

    def reading(self) -> AbstractContextManager[sa.Connection]:
        return self._transaction(writes=False)

    def writing(self) -> AbstractContextManager[sa.Connection]:
        return self._transaction(writes=True)

    def about(self) -> dict[str, str]:
        with self.reading() as connection:
            lines = connection.execute(sa.select(ABOUT.c.key, ABOUT.c.value))
            return {key: value for key, value in lines if isinstance(key, str) and isinstance(value, str)}

    @property
    def identity(self) -> dict[str, Any]:
        """What the contest was when it began; nothing of a store that does not say."""
        told = json_of(self.about().get("identity", ""), f"the identity in {self.path}")
        return told if isinstance(told, dict) else {}

    # Holding

    def hold(self) -> None:
        """Takes the store for this process, and what a former holder left; refused while that one lives."""
        token, silent = new_token(), self._listen()
        with self.writing() as connection:
            holder = connection.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "holder")).scalar()
            if isinstance(holder, str) and (is_held(holder) or holder != silent):
                machine, process = holder.split("/")[:2]
                raise YardError(
                    f"{self.path.name} is being run by process {process} on {machine}",
                    hint="`botyard contest status` follows it; stop that process first to run it here",
                )
            connection.execute(sa.delete(ABOUT).where(ABOUT.c.key == "holder"))
            connection.execute(sa.insert(ABOUT), [{"key": "holder", "value": f"{token}@{time.time()}"}])
            back = sa.update(GAMES).where(GAMES.c.state == LEASED).values(state=ASKED, owner="", progress=0)
            connection.execute(back)
        self.token, self._beaten = token, time.monotonic()

    def _listen(self) -> str:
        """The holder's note, which says nothing new. Who seems to be silent may have a clock unlike ours: if it is on
        another machine, it is listened to for some of its beats by our own time."""
        noted = self.about().get("holder", "")
        until = time.monotonic() + LISTEN_S
        while noted and is_elsewhere(noted) and not is_held(noted) and time.monotonic() < until:
            time.sleep(LISTEN_PAUSE_S)
            if self.about().get("holder", "") != noted:
                break  # it beats, or has released the store: the note is compared when the store is taken
        return noted

    def release(self) -> None:
        if self.token:
            with self.writing() as connection:
                mine = ABOUT.c.value.startswith(self.token, autoescape=True)
                connection.execute(sa.delete(ABOUT).where(ABOUT.c.key == "holder", mine))
            self.token = ""

    def beat(self) -> None:
        """Says that this process is still at work; often called, seldom written."""
        if time.monotonic() - self._beaten >= BEAT_S:
            with self.writing() as connection:
                self._check_held(connection)
                stamp = f"{self.token}@{time.time()}"
                connection.execute(sa.update(ABOUT).where(ABOUT.c.key == "holder").values(value=stamp))
            self._beaten = time.monotonic()

    def _check_held(self, connection: sa.Connection) -> None:
        holder = connection.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "holder")).scalar()
        if not isinstance(holder, str) or holder.rsplit("@", 1)[0] != self.token:
            raise YardError(f"{self.path.name} was taken over by another run", hint="this one records nothing more")

    # Games

    def ask(self, first: int, wave: Sequence[Pairing], seeds: Sequence[int]) -> None:
        """Enters a wave of games. One that is there already must be the same."""
        with self.writing() as connection:
            self._check_held(connection)
            there = {
                row.number: pairing_of(row)
                for row in connection.execute(
                    sa.select(GAMES).where(GAMES.c.number.between(first, first + len(wave) - 1))
                )
            }
            fresh = []
            for number, (pairing, seed) in enumerate(zip(wave, seeds, strict=True), first):
                if number not in there:
                    fresh.append(asked_row(number, pairing, seed))
                elif there[number] != pairing:
                    raise BadRecord(
                        f"game {number} of {self.path.name} is {there[number]}, the format asks for {pairing}",
                        hint="the store was made by another version of Botyard; run --anew",
                    )
            if fresh:
                connection.execute(sa.insert(GAMES), fresh)

    def waiting(self, first: int, count: int) -> list[Job]:
        """The games of a wave that are not recorded yet, in their order."""
        within = GAMES.c.number.between(first, first + count - 1)
        query = sa.select(GAMES.c.number, GAMES.c.bots, GAMES.c.seed, GAMES.c.faults, GAMES.c.game)
        with self.reading() as connection:
            rows = connection.execute(query.where(within, GAMES.c.state.in_((ASKED, LEASED))).order_by(GAMES.c.number))
            return [
                Job(row.number, seated(row.bots), read_seed(row.seed), faults + 1, game)
                for row in rows
                for faults, game in [checked(row, faults=int, game=int)]
            ]

    def lease(self, numbers: Sequence[int], worker: str) -> None:
        with self.writing() as connection:
            self._check_held(connection)
            wanted = GAMES.c.number.in_(numbers) & GAMES.c.state.in_((ASKED, LEASED))
            connection.execute(
                sa.update(GAMES).where(wanted).values(state=LEASED, owner=f"{self.token}/{worker}", progress=0)
            )

    def note_progress(self, number: int, ticks: int) -> None:
        with self.writing() as connection:
            mine = (GAMES.c.number == number) & (GAMES.c.state == LEASED)
            connection.execute(sa.update(GAMES).where(mine).values(progress=ticks))

    def record(self, reports: Iterable[GameReport]) -> int:
        """Finished games, in one transaction; how many are new. What is recorded already stays as it is."""
        with self.writing() as connection:
            self._check_held(connection)
            given = {report.number: report for report in reports}
            open_games = sa.select(GAMES.c.number).where(GAMES.c.number.in_(given), GAMES.c.state.in_((ASKED, LEASED)))
            fresh = [given[number] for number in connection.execute(open_games).scalars()]
            if fresh:
                change = sa.update(GAMES).where(GAMES.c.number == sa.bindparam("at"))
                connection.execute(change, [recorded_row(report) for report in fresh])
            kept = [{"number": report.number, "replay": report.replay} for report in fresh if report.replay]
            if kept:
                connection.execute(sa.insert(REPLAYS), kept)
        return len(fresh)

    def fault(self, jobs: Iterable[Job], worker: str, reason: str, attempts: int) -> list[Job]:
        """Our own fault spoiled these games: they are to be played again; given up as void after so many attempts."""
        again = []
        with self.writing() as connection:
            self._check_held(connection)
            for job in jobs:
                number = job.number
                given_up = job.attempt >= attempts
                values: dict[str, Any] = {"state": VOID if given_up else ASKED, "owner": "", "faults": job.attempt}
                if given_up:
                    values["result"] = str(Result.nothing(job.bots))
                open_game = (GAMES.c.number == number) & GAMES.c.state.in_((ASKED, LEASED))
                if connection.execute(sa.update(GAMES).where(open_game).values(**values)).rowcount:
                    connection.execute(sa.insert(FAULTS), [{"number": number, "owner": worker, "reason": reason}])
                    if not given_up:
                        again.append(replace(job, attempt=job.attempt + 1))
        return again

    # Looking

    def counts(self) -> Counts:
        with self.reading() as connection:
            query = sa.select(GAMES.c.state, sa.func.count()).group_by(GAMES.c.state)
            states: dict[str, int] = {state: count for state, count in connection.execute(query)}  # noqa: C416
            faults = connection.execute(sa.select(sa.func.count()).select_from(FAULTS)).scalar() or 0
        return Counts(states.get(ASKED, 0), states.get(LEASED, 0), states.get(DONE, 0), states.get(VOID, 0), faults)

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """Games in their order."""
        return map(read_row, self._pages(sa.select(GAMES), first, last))

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Every game as it is written: number, match, game, bots, seed, result, ticks, faults."""
        columns = (GAMES.c[name] for name in ("number", "match", "game", "bots", "seed", "result", "ticks", "faults"))
        for row in self._pages(sa.select(*columns), 1, None):
            number, match, game, bots, *rest = row
            yield (number, match, game, " ".join(seated(bots)), *rest)

    def _pages(self, query: sa.Select[Any], first: int, last: int | None) -> Iterator[Any]:
        """A page at a time: nobody waits for a long look."""
        query = query.order_by(GAMES.c.number).limit(PAGE)
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
            raise YardError(f"no game {number} in {self.path.name}", hint=f"{self.counts().all} games were asked for")
        return found

    def replay(self, number: int) -> bytes | None:
        with self.reading() as connection:
            kept = connection.execute(sa.select(REPLAYS.c.replay).where(REPLAYS.c.number == number)).scalar()
        if kept is not None and not isinstance(kept, bytes):
            raise BadRecord(f"the replay of game {number} in {self.path.name} is {quoted(kept)}", hint=DAMAGED)
        return kept

    def faults(self) -> list[tuple[int, str, str]]:
        """Our own faults: game, worker, reason."""
        query = sa.select(FAULTS.c.number, FAULTS.c.owner, FAULTS.c.reason).order_by(FAULTS.c.id)
        with self.reading() as connection:
            return [(number, owner, reason) for number, owner, reason in connection.execute(query)]

    @property
    def holder(self) -> str:
        """Who is at work, as `machine/process`; nothing if nobody is."""
        holder = self.about().get("holder", "")
        return "/".join(holder.split("/")[:2]) if is_held(holder) else ""


def damaged(path: Path, reason: str) -> BadRecord:
    return BadRecord(f"{path} is damaged or no store of a contest ({reason})", hint="restore a copy, or run --anew")
