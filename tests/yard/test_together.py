"""Games that are leased and recorded together: nothing is other than if it had been done one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.rank.ladder import TaskClass
from botyard.yard.data import database as databases
from botyard.yard.data.all_tables import ALL_TABLES
from botyard.yard.data.database import Database, DatabaseAway
from botyard.yard.data.ladder_tables import ENCOUNTER
from botyard.yard.data.tables import ASKED, BEGUN, CANCELLED, CLOSED, DONE, LEASED, PAIR, SEAT, TASK, WAITING
from botyard.yard.ladders.asking import ask_next
from botyard.yard.work.grouping import Grouped
from botyard.yard.work.hand_seats import HandSeats
from botyard.yard.work.leasing import Applicant, Patience
from botyard.yard.work.lessor import Lessor
from botyard.yard.work.matches import MatchWork
from botyard.yard.work.recording import record_match, record_matches
from botyard.yard.work.tasks import ATTEMPTS, Fence, Lease, TakenOver
from botyard.yard.work.verifying import PlayedMatch
from tests.waiting import finished
from tests.yard.league import League, ended, other_orders, some_game

Reports = Sequence[tuple[Lease, PlayedMatch]]
COUNTED_OTHERWISE = {"changed", "changes"}  # one change for several pairs
OWN_NUMBERS = {"event": "number", "fault": "id", "notice": "id"}


class Undone(Exception):
    """Takes back what a transaction has done."""


def left_behind(league: League, act: Callable[[sa.Connection], object]) -> dict[str, list[str]]:
    """What all tables hold after something has happened, which is undone then. Events are told without their numbers:
    pairs that are closed together are told of together. Faults and notices get numbers that are not given back."""
    found: dict[str, list[str]] = {}
    with suppress(Undone), league.yard.database.writing() as connection:
        act(connection)
        for table in ALL_TABLES.sorted_tables:
            left_out = OWN_NUMBERS.get(table.name, "")
            columns = [one for one in table.c if one.name not in COUNTED_OTHERWISE and one.name != left_out]
            found[table.name] = sorted(map(repr, connection.execute(sa.select(*columns)).all()))
        raise Undone
    return found


def same_either_way(league: League, reports: Reports) -> dict[str, list[str]]:
    """Records reports one by one and together; returns what both have left behind."""
    blobs, now_ms = league.yard.blobs, league.yard.clock()

    def one_by_one(connection: sa.Connection) -> None:
        for lease, played in reports:
            record_match(connection, blobs, lease, played, now_ms)

    alone = left_behind(league, one_by_one)
    together = left_behind(league, lambda connection: record_matches(connection, blobs, reports, now_ms))
    for table, rows in alone.items():
        assert together[table] == rows, table
    return alone


def begun_pairs(league: League, pairs: int) -> list[Lease]:
    """The leases of all games of so many pairs, each half on another worker."""
    asked = [league.matches(league.ask_pair()) for _ in range(pairs)]
    return [league.lease(match, f"worker {at}") for halves in asked for at, match in enumerate(halves, 1)]


def test_matches_that_are_recorded_together_leave_what_they_leave_one_by_one(league: League) -> None:
    league.rivals("Ant", "Bee", "Cicada")
    leases = begun_pairs(league, 3)
    results = "p1:3>p2:1", "p2:3>p1:1", "p1:2=p2:2", "p1:4>p2!:0"
    reports = [(lease, other_orders(ended(results[at % len(results)]))) for at, lease in enumerate(leases)]
    late = leases[2]
    league.fail(late, "it stood still")
    reports.append((league.lease(late.match or 0), some_game()))
    for order in (reports, reports[::-1], reports[::2] + reports[1::2]):
        left = same_either_way(league, order)
        assert (len(left["rating_step"]), len(left["fault"])) == (6, 1)
    same_either_way(league, reports[:5])  # one pair stays open


def test_a_bot_that_is_silent_in_games_recorded_together_is_benched_as_if_one_by_one(league: League) -> None:
    (ant,) = league.rivals("Ant")
    entry = league.entry(ant).id
    reports: list[tuple[Lease, PlayedMatch]] = []
    for lease in begun_pairs(league, 2):
        seats = {(row.match, row.entry): row.place for row in league.rows(SEAT)}
        own = seats[lease.match or 0, entry]
        reports.append((lease, other_orders(ended(f"p{3 - own}:3>p{own}:0", lost=f"p{own}"))))
    assert len(same_either_way(league, reports)["notice"]) == 1


def test_a_pair_with_a_void_game_is_void_when_the_other_one_is_recorded_with_others(league: League) -> None:
    league.rivals("Ant", "Bee", "Cicada")
    leases = begun_pairs(league, 2)
    void = leases[0]
    for _ in range(ATTEMPTS - 1):
        league.fail(void)
        void = league.lease(void.match or 0)
    league.fail(void)
    left = same_either_way(league, [(lease, other_orders(some_game())) for lease in leases[1:]])
    assert len(left["rating_step"]) == 2


def test_a_report_that_cannot_be_recorded_costs_no_other_one(league: League) -> None:
    league.rivals("Ant", "Bee", "Cicada")
    yard, leases = league.yard, begun_pairs(league, 2)
    sizes: list[int] = []

    async def record(reports: Reports) -> list[bool]:
        sizes.append(len(reports))
        return await yard.change(record_matches, yard.blobs, reports, yard.clock())

    async def all_at_once() -> list[bool | BaseException]:
        grouped = Grouped(record, 16)
        bad = replace(some_game(), report=replace(some_game().report, result=""))  # no game is done without a result
        reports = [(lease, bad if at == 1 else some_game()) for at, lease in enumerate(leases)]
        return await asyncio.gather(*(grouped.do(report) for report in reports), return_exceptions=True)

    told = finished(all_at_once())
    assert [outcome is True for outcome in told] == [True, False, True, True]
    assert isinstance(told[1], sa.exc.IntegrityError)
    assert sizes == [4, 1, 1, 1, 1]
    assert [league.match(lease.match or 0).state for lease in leases] == [DONE, LEASED, DONE, DONE]
    assert [row.state for row in league.rows(PAIR)] == [BEGUN, CLOSED]
    assert not any(finished(record([(lease, some_game())]))[0] for lease in leases if lease is not leases[1])


def lessor_of(league: League) -> Lessor:
    lessor = Lessor(league.yard, HandSeats(), Patience())
    lessor.fence = league.fence
    return lessor


WORKERS = [Applicant(f"worker {at}") for at in range(1, 6)]
SETTLING, STEADY = TaskClass.SETTLING, TaskClass.STEADY


def test_idle_workers_get_tasks_together_in_their_order_and_a_class_that_ends_is_named(league: League) -> None:
    league.rivals("Ant", "Bee", "Cicada")
    waiting = [match for _ in range(2) for match in league.matches(league.ask_pair())]
    handed = finished(lessor_of(league).hand_out([SETTLING] * 3, WORKERS, league.yard.clock()))
    assert [(lease.match, lease.worker) for lease, _ in handed.given] == [
        (match, worker.name) for match, worker in zip(waiting[:3], WORKERS[:3], strict=True)
    ]
    assert [work.match for _, work in handed.given if isinstance(work, MatchWork)] == waiting[:3]
    assert handed.none is None
    assert len({lease.fence for lease, _ in handed.given}) == 3
    rest = finished(lessor_of(league).hand_out([SETTLING, SETTLING, STEADY], WORKERS[3:], league.yard.clock()))
    assert ([lease.match for lease, _ in rest.given], rest.none) == (waiting[3:], SETTLING)
    assert all(row.why == f"at work on {row.worker}" for row in league.rows(TASK))


def test_a_task_that_is_not_wanted_any_more_is_cancelled_and_the_others_are_given(league: League) -> None:
    league.rivals("Ant", "Bee", "Cicada")
    unwanted, wanted = league.ask_pair(), league.ask_pair()
    with league.yard.database.writing() as connection:  # its tasks still wait, as if it were cancelled just now
        connection.execute(sa.update(PAIR).where(PAIR.c.id == unwanted).values(state=CANCELLED))
    handed = finished(lessor_of(league).hand_out([SETTLING] * 2, WORKERS, league.yard.clock()))
    assert [lease.match for lease, _ in handed.given] == league.matches(wanted)
    assert {league.task_of(match).state for match in league.matches(unwanted)} == {CANCELLED}


def test_a_task_is_not_given_to_the_worker_where_it_failed(league: League) -> None:
    league.rivals("Ant", "Bee")
    first, second = league.matches(league.ask_pair())
    failed = replace(WORKERS[0], avoids=frozenset([league.task_of(first).id]))
    handed = finished(lessor_of(league).hand_out([SETTLING] * 2, [failed, WORKERS[1]], league.yard.clock()))
    assert [(lease.match, lease.worker) for lease, _ in handed.given] == [(second, "worker 1"), (first, "worker 2")]


def test_a_steward_of_the_past_leases_nothing_together_either(league: League) -> None:
    league.rivals("Ant", "Bee")
    match = league.matches(league.ask_pair())[0]
    lessor = lessor_of(league)
    with league.yard.database.writing() as connection:
        Fence.raise_one(connection)
    with pytest.raises(TakenOver):
        finished(lessor.hand_out([SETTLING] * 2, WORKERS, league.yard.clock()))
    assert (league.match(match).state, league.task_of(match).state) == (ASKED, WAITING)


def test_pairs_that_are_asked_together_never_share_their_chance(league: League) -> None:
    league.rivals("Ant", "Bee")
    with league.yard.database.writing() as connection:
        answers = ask_next(connection, league.known, league.id, [SETTLING] * 4, league.yard.clock())
    pairs = league.rows(PAIR)
    assert len(answers.asked) == len(pairs) == len({pair.chance for pair in pairs}) > 1
    assert [asked.pair for asked in answers.asked] == sorted(pair.id for pair in pairs)
    assert sum(row.pairs for row in league.rows(ENCOUNTER)) == len(pairs)
    assert all(len(league.matches(pair.id)) == 2 for pair in pairs)


def test_whoever_changes_something_within_a_change_is_refused_and_does_not_wait_for_ever(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_S", 0.05)
    with own_database.writing(), pytest.raises(DatabaseAway, match="another change"), own_database.writing():
        pass
    with own_database.writing():
        pass


@pytest.fixture
def own_database(tmp_path: Path) -> Database:
    return Database.in_file(tmp_path / "own.db")
