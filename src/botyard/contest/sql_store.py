"""This module keeps the games of a contest in an SQL database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from botyard.contest.amendment import Amendment
from botyard.contest.log_bound import drop_oldest, size_of_logs
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.renumbering import forfeit, keep_only
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
    DAMAGED,
    DONE,
    FAULTS,
    GAMES,
    LEASED,
    NO_LEASE,
    REPLAYS,
    TURN_LOGS,
    VOID,
)
from botyard.contest.sql_contest import SqlContest
from botyard.contest.store import Counts, HouseFault
from botyard.kernel.errors import BadRecord, YardError, quoted
from botyard.rank.formats import Pairing
from botyard.rank.results import Result

PAGE = 5000  # how many games are read at a time


class SqlStore(SqlContest):
    """The store of one contest in a database."""

    _log_size: int | None = None  # of all turn logs, as far as this process knows; only the holder changes it

    # Games

    def amend(self, amendment: Amendment, plan: Mapping[str, Any]) -> None:
        """Keeps the games that stay, under their new numbers, and notes what the contest is now: all or nothing."""
        with self.writing() as connection:
            self._check_held(connection)
            self._log_size = None
            keep_only(connection, self._id, amendment.kept)
            forfeit(connection, self._id, amendment.forfeits, amendment.changes.left)
            for key, value in self._described(amendment.identity, plan).items():
                connection.execute(sa.update(ABOUT).where(self._about(key)).values(value=value))

    def restate(self, plan: Mapping[str, Any]) -> None:
        """Notes a plan by which the same games are played, and shown otherwise: by a new title, for one."""
        with self.writing() as connection:
            self._check_held(connection)
            connection.execute(sa.update(ABOUT).where(self._about("plan")).values(value=json.dumps(plan)))

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
            self._keep_logs(connection, {report.number: report.turn_log for report in fresh if report.turn_log})
        return len(fresh)

    def _keep_logs(self, connection: sa.Connection, logs: Mapping[int, bytes]) -> None:
        """Keeps turn logs; if there are too many by then, the oldest are dropped in the same transaction."""
        if not logs:
            return
        known, self._log_size = self._log_size, None  # unknown, if this transaction fails
        self._keep(connection, TURN_LOGS, logs)
        size = size_of_logs(connection, self._id) if known is None else known + sum(map(len, logs.values()))
        self._log_size = drop_oldest(connection, self._id, size)

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
