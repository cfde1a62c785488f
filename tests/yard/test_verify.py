"""`botyard yard verify`: a yard in which pairs were played is found to be well, and every kind of damage is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.contest.worker import Worker
from botyard.games import GAMES
from botyard.match.replay import Replay
from botyard.rank.ladder import TaskClass
from botyard.yard.config import LadderPlan
from botyard.yard.data.events import note_event
from botyard.yard.data.ladder_tables import SEASON
from botyard.yard.data.tables import (
    BLOB,
    COUNTER,
    ENTRY,
    EVENT,
    LADDER,
    MATCH,
    PAIR,
    PERSON,
    RATING_STEP,
    RETIRED,
    SEAT,
    TASK,
)
from botyard.yard.data.times import HOUR
from botyard.yard.keeping.pruning import prune
from botyard.yard.keeping.verify import look_at, verify
from botyard.yard.ladders.asking import KnownEntries, ask_next
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.site import Yard
from botyard.yard.work.leasing import next_tasks, take_over
from botyard.yard.work.matches import MatchWork
from botyard.yard.work.orders import work_of
from botyard.yard.work.recording import begin, record_match
from botyard.yard.work.verifying import verified
from tests.links.matches import short_match
from tests.waiting import finished
from tests.yard.planting import add_entry, add_person

GAME = sorted(GAMES)[0]
PAIRS = 2


@pytest.fixture
def played(yard: Yard) -> Yard:
    """A yard whose house bots have played two pairs, and in which a third one waits."""
    plan = LadderPlan("spring", GAME, settings=short_match(GAME), predictable=True)
    with yard.database.writing() as connection:
        (ladder,) = open_ladders(connection, (plan,), yard.clock())
        fence = take_over(connection, yard.clock())
        add_person(connection, "Ada", "admin")
    known, worker = KnownEntries(ladder.id), Worker()
    for pair in range(PAIRS + 1):
        now_ms = yard.clock() + pair * HOUR
        with yard.database.writing() as connection:
            assert ask_next(connection, known, ladder.id, [TaskClass.STEADY], now_ms).asked
            tasks = next_tasks(connection, TaskClass.STEADY, 9) if pair < PAIRS else []
        for task in tasks:
            with yard.database.writing() as connection:
                lease = begin(connection, task, fence, "worker 1", now_ms + HOUR, now_ms)
                assert lease is not None
                work = work_of(connection, yard.blobs, yard.config.cage, lease)
            assert isinstance(work, MatchWork)
            report = finished(work.done_by(worker, lambda sign: None))
            with yard.database.writing() as connection:
                record_match(connection, yard.blobs, lease, verified(work, report), now_ms)
    return yard


def set_all(table: sa.Table, where: Any = None, **values: Any) -> Callable[[sa.Connection, Yard], None]:
    """Damage: other values in some rows."""

    def act(connection: sa.Connection, _: Yard) -> None:
        changed = sa.update(table).values(**values)
        connection.execute(changed if where is None else changed.where(where))

    return act


def alter_replay(change: Callable[[Replay], object]) -> Callable[[sa.Connection, Yard], None]:
    """Damage: a replay that is whole, but another one."""

    def act(connection: sa.Connection, yard: Yard) -> None:
        kept = connection.scalars(sa.select(MATCH.c.replay).where(MATCH.c.id == 1)).one()
        replay = Replay.from_bytes(yard.blobs.read(connection, kept))
        change(replay)
        other = yard.blobs.keep(connection, replay.to_bytes(), 1)
        connection.execute(sa.update(MATCH).where(MATCH.c.id == 1).values(replay=other))

    return act


def unfit_version(connection: sa.Connection, yard: Yard) -> None:
    entry = add_entry(connection, yard, 1, 1, "unfit")
    version = connection.scalars(sa.select(ENTRY.c.version).where(ENTRY.c.id == entry)).one()
    connection.execute(sa.update(SEAT).where(SEAT.c.match == 1, SEAT.c.place == 1).values(house=None, version=version))


def tell_seed(connection: sa.Connection, yard: Yard) -> None:
    seed = connection.scalars(sa.select(PAIR.c.seed).where(PAIR.c.state == "asked")).one()
    note_event(connection, yard.clock(), "match.seen", "match/5", public=True, seed=seed)


def forget_event(connection: sa.Connection, _: Yard) -> None:
    connection.execute(sa.delete(EVENT).where(EVENT.c.number == 2))


FIRST = MATCH.c.id == 1
DAMAGE: dict[str, tuple[str, Callable[[sa.Connection, Yard], None]]] = {
    "another result": ("replays", set_all(MATCH, FIRST, result="p1=p2")),
    "no result at all": ("ratings", set_all(MATCH, FIRST, result="whatever")),
    "other ticks": ("replays", set_all(MATCH, FIRST, ticks=7)),
    "another score": ("replays", set_all(SEAT, SEAT.c.match == 1, score=77)),
    "another seed": ("replays", alter_replay(lambda replay: setattr(replay, "seed", 7))),
    "orders that lead elsewhere": ("replays", alter_replay(lambda replay: replay.ticks.pop())),
    "another outcome": ("replays", alter_replay(lambda replay: setattr(replay, "final", "0" * 64))),
    "no replay": ("matches", set_all(MATCH, FIRST, replay=None)),
    "a result too early": ("matches", set_all(MATCH, MATCH.c.state == "asked", done_ms=1)),
    "a version that was never fit": ("versions", unfit_version),
    "a gap in the numbers": ("numbers", set_all(PAIR, PAIR.c.number == 2, number=3)),
    "a ladder that recorded more": ("numbers", set_all(LADDER, recorded=9)),
    "another root": ("numbers", set_all(SEASON, root="00" * 32)),
    "a seed from elsewhere": ("pairs", set_all(PAIR, PAIR.c.id == 1, seed="7")),
    "other orders": ("pairs", set_all(PAIR, PAIR.c.id == 1, orders_hash="")),
    "closed too early": ("pairs", set_all(PAIR, PAIR.c.state == "asked", state="closed")),
    "a rating": ("ratings", set_all(ENTRY, ENTRY.c.pairs > 0, mu=25.0)),
    "a step of a rating": ("ratings", set_all(RATING_STEP, RATING_STEP.c.number == 1, sigma=1.0)),
    "pairs": ("tallies", set_all(ENTRY, ENTRY.c.pairs > 0, pairs=9)),
    "a tally": ("tallies", set_all(ENTRY, in_flight=5)),
    "a seed that was told": ("secrets", tell_seed),
    "a gap in the events": ("events", forget_event),
    "another counter": ("events", set_all(COUNTER, COUNTER.c.name == "event", value=99)),
    "a task that is gone": ("tasks", set_all(TASK, TASK.c.state == "waiting", state="ended")),
    "a blob that was altered": ("blobs", set_all(BLOB, content=b"other")),
    "a blob of another size": ("blobs", set_all(BLOB, size=7)),
    "a blob without a file": ("blobs", set_all(BLOB, content=None)),
    "no admin": ("people", set_all(PERSON, state="banned")),
}


class Undone(Exception):
    """Ends a transaction without a trace."""


@contextmanager
def undone(yard: Yard) -> Iterator[sa.Connection]:
    with pytest.raises(Undone), yard.database.writing() as connection:  # noqa: PT012
        yield connection
        raise Undone


def test_a_yard_is_found_well_and_every_damage_is_found(played: Yard) -> None:
    found = verify(played)
    assert found.troubles == []
    assert (found.checked["replays"], found.checked["pairs"]) == (2 * PAIRS, PAIRS + 1)
    every = 1 if played.database.on_sqlite else 6  # what is made of the rows is the same on both
    for what, (check, act) in list(DAMAGE.items())[::every]:
        with undone(played) as connection:
            act(connection, played)
            checks = {trouble.check for trouble in look_at(connection, played.blobs).troubles}
            assert check in checks, f"{what}: {checks or 'nothing was found'}"
    check_pruned(played)


def check_pruned(played: Yard) -> None:
    """What was pruned is accepted."""
    with played.database.writing() as connection:
        connection.execute(sa.update(ENTRY).values(state=RETIRED))
    prune(played.database, played.blobs, 0, played.clock() + 9 * HOUR)
    found = verify(played)
    assert found.troubles == []
    assert found.checked["replays that were pruned"] == 2 * PAIRS
