"""A ladder on which something is played, as tests of the steward need it: bots, pairs, leases and reports.

Games are real and short. Where only the tables matter, bots of players are played by a house bot, and a game that was
played once is reported for many.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import sqlalchemy as sa

from botyard.contest.messages import CageOptions, GameReport
from botyard.contest.worker import Worker
from botyard.kernel.settings import fresh_seed
from botyard.rank.ladder import NoPair, TaskClass
from botyard.rank.results import parse
from botyard.yard.bots.orders import check_stamp, settings_of
from botyard.yard.config import LadderPlan
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, ENTRY, FIT, MATCH, PAIR, PERSON, TASK, VERSION, WAITING
from botyard.yard.ladders.asking import Asked, KnownEntries, ask_next
from botyard.yard.ladders.entries import enter
from botyard.yard.ladders.ladders import Ladder, ladder_named
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.ladders.plans import checked_ladder
from botyard.yard.site import Yard
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.orders import match_work
from botyard.yard.work.recording import begin, record_failure, record_match
from botyard.yard.work.tasks import Fence, Lease
from botyard.yard.work.verifying import PlayedMatch, verified
from tests.waiting import finished

GAME = "hive"
SHORT = {"max_turns": 12, "reply_timeout_ms": 60_000, "name_timeout_ms": 60_000}
SLUG = "league"
PLAN = LadderPlan(SLUG, GAME, settings=SHORT)
LEASE_MS = 60_000


class League:
    """One ladder of a yard, and a steward's hands that do one thing at a time."""

    def __init__(self, yard: Yard, plan: LadderPlan = PLAN) -> None:
        self.yard, self.plan = yard, plan
        with yard.database.writing() as connection:
            open_ladders(connection, (plan,), yard.clock())
            self.fence = Fence.raise_one(connection)
            self.id = ladder_named(connection, plan.slug).id
        self.known = KnownEntries(self.id)

    # Who is there

    def person(self, name: str) -> int:
        row = {"name": name, "name_key": name.lower(), "role": "player", "state": "active", "made_ms": 1}
        with self.yard.database.writing() as connection:
            return inserted_id(connection, PERSON, **row)

    def bot(self, owner: int, name: str) -> int:
        """A bot with its first version, which is on the ladder; returns the bot."""
        row = {"owner": owner, "game": self.plan.game, "name": name, "name_key": name.lower(), "made_ms": 1}
        with self.yard.database.writing() as connection:
            bot = inserted_id(connection, BOT, **row)
        self.enter(bot, self.version(bot))
        return bot

    def version(self, bot: int, source: bytes = b"") -> int:
        """Another version of a bot, which is fit."""
        with self.yard.database.writing() as connection:
            number = 1 + len(connection.execute(sa.select(VERSION.c.id).where(VERSION.c.bot == bot)).all())
            kept = self.yard.blobs.keep(connection, source or f"bot {bot} version {number}".encode(), 1)
            stamp = check_stamp(self.plan.game, settings_of(connection, self.plan.game), self.yard.config.cage)
            row = {"bot": bot, "number": number, "tree": f"{bot}/{number}", "source": kept, "checked_with": stamp}
            row |= {"state": FIT, "manifest": "{}", "language": "python", "made_ms": 1}
            version = inserted_id(connection, VERSION, **row)
            note_event(connection, 1, "version.fit", f"bot/{bot}", version=version, number=number)
            return version

    def enter(self, bot: int, version: int) -> int:
        with self.yard.database.writing() as connection:
            return enter(connection, bot, version, self.yard.clock())[0]

    def rivals(self, *names: str) -> list[int]:
        """Bots of as many persons."""
        return [self.bot(self.person(f"owner of {name}"), name) for name in names]

    # What is asked, leased and reported

    @property
    def ladder(self) -> Ladder:
        with self.yard.database.reading() as connection:
            return ladder_named(connection, self.plan.slug)

    def entry(self, bot: int) -> sa.Row[Any]:
        with self.yard.database.reading() as connection:
            return connection.execute(sa.select(ENTRY).where(ENTRY.c.bot == bot, ENTRY.c.ladder == self.id)).one()

    def ask(self, task_class: TaskClass = TaskClass.SETTLING) -> Asked | NoPair:
        with self.yard.database.writing() as connection:
            answers = ask_next(connection, self.known, self.id, [task_class], self.yard.clock())
        return answers.asked[0] if answers.asked else answers.none[task_class]

    def ask_pair(self) -> int:
        for task_class in (TaskClass.SETTLING, TaskClass.STEADY):
            asked = self.ask(task_class)
            if isinstance(asked, Asked):
                return asked.pair
        raise AssertionError(asked)

    def matches(self, pair: int) -> list[int]:
        with self.yard.database.reading() as connection:
            chosen = sa.select(MATCH.c.id).where(MATCH.c.pair == pair).order_by(MATCH.c.half)
            return list(connection.scalars(chosen))

    def task_of(self, match: int) -> sa.Row[Any]:
        with self.yard.database.reading() as connection:
            return connection.execute(sa.select(TASK).where(TASK.c.match == match)).one()

    def waiting(self) -> list[int]:
        """The matches that wait, in their order."""
        with self.yard.database.reading() as connection:
            return list(connection.scalars(sa.select(TASK.c.match).where(TASK.c.state == WAITING).order_by(TASK.c.id)))

    def lease(self, match: int, worker: str = "worker 1", fence: Fence | None = None) -> Lease:
        now_ms = self.yard.clock()
        with self.yard.database.writing() as connection:
            task = connection.execute(sa.select(TASK).where(TASK.c.match == match)).one()
            lease = begin(connection, task, fence or self.fence, worker, now_ms + LEASE_MS, now_ms)
        assert lease is not None
        return lease

    def record(self, lease: Lease, played: PlayedMatch | None = None) -> bool:
        with self.yard.database.writing() as connection:
            return record_match(connection, self.yard.blobs, lease, played or some_game(), self.yard.clock())

    def fail(self, lease: Lease, reason: str = "the worker died") -> str | None:
        with self.yard.database.writing() as connection:
            return record_failure(connection, lease, reason, self.yard.clock())

    def play(self, pair: int, played: PlayedMatch | None = None, worker: str = "worker 1") -> None:
        """Has all games of a pair end like this one, one after another."""
        for match in self.matches(pair):
            self.record(self.lease(match, worker), played)

    def row(self, table: sa.Table, number: int) -> sa.Row[Any]:
        with self.yard.database.reading() as connection:
            return connection.execute(sa.select(table).where(table.c.id == number)).one()

    def pair(self, number: int) -> sa.Row[Any]:
        return self.row(PAIR, number)

    def match(self, number: int) -> sa.Row[Any]:
        return self.row(MATCH, number)

    def rows(self, table: sa.Table) -> list[sa.Row[Any]]:
        with self.yard.database.reading() as connection:
            return list(connection.execute(sa.select(table).order_by(*table.primary_key)))

    def work(self, match: int) -> MatchWork:
        """A match as work, in which a house bot plays for every bot."""
        with self.yard.database.reading() as connection:
            work = match_work(connection, self.yard.blobs, CageOptions(), match)
        return replace(work, players=tuple(MatchPlayer(player.name, house="forager") for player in work.players))


def carried_out(work: MatchWork) -> GameReport:
    return finished(work.done_by(Worker(), lambda sign: None))


@cache
def some_game(seed: int = 7) -> PlayedMatch:
    """A game that was played once, for tests that look only at what becomes of its report."""
    players = (MatchPlayer("one", house="forager"), MatchPlayer("other", house="wanderer"))
    work = MatchWork(1, GAME, checked_ladder(PLAN).settings, seed, players)
    return verified(work, carried_out(work))


def ended(result: str, *, lost: str = "", ticks: int = 12) -> PlayedMatch:
    """A game with another result; `lost` is a player who lost all turns. It is recorded and not verified."""
    game = some_game()
    verdicts: dict[str, dict[str, int]] = {player: {"OK": 6} for player in parse(result).bots}
    if lost:
        verdicts[lost] = {"LATE": 6}
    report = replace(game.report, result=result, verdicts=verdicts, ticks=ticks)
    return replace(game, report=report, result=parse(result))


def other_orders(played: PlayedMatch) -> PlayedMatch:
    """The same with orders that nobody gave before."""
    return replace(played, orders_hash=f"{fresh_seed():x}")
