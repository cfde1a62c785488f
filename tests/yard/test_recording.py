"""Leases and reports: whatever stewards and workers do, a match is recorded once, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import BadRecord
from botyard.yard.data.tables import (
    ASKED,
    BEGUN,
    CANCELLED,
    CLOSED,
    DONE,
    ENDED,
    ENTRY,
    FAILED,
    FAULT,
    LEASED,
    PAIR,
    RATING_STEP,
    TASK,
    VOID,
    WAITING,
)
from botyard.yard.ladders.pairs import cancel_pair
from botyard.yard.refusals import InTheWay
from botyard.yard.site import Yard
from botyard.yard.work.leasing import take_back_overdue, take_over
from botyard.yard.work.overview import again_by_admin
from botyard.yard.work.tasks import ATTEMPTS, FAULTS_MAX, TakenOver, leases, renew_lease
from botyard.yard.work.verifying import verified
from tests.yard.conftest import Hands
from tests.yard.league import LEASE_MS, League, carried_out, some_game


@pytest.fixture
def league(yard: Yard) -> League:
    league = League(yard)
    league.rivals("Ant", "Bee")
    return league


def faults(league: League) -> list[str]:
    return [row.reason for row in league.rows(FAULT)]


def test_a_report_is_recorded_once(league: League) -> None:
    match = league.matches(league.ask_pair())[0]
    lease = league.lease(match)
    assert league.record(lease)
    assert not league.record(lease)
    assert (league.match(match).state, league.task_of(match).state) == (DONE, ENDED)
    assert faults(league) == ["its report came when the lease was over"]


def test_a_worker_that_wakes_up_late_changes_nothing_and_is_noted(league: League) -> None:
    match = league.matches(league.ask_pair())[0]
    early = league.lease(match, "worker 1")
    assert league.fail(early, "it stood still") == WAITING
    late = league.lease(match, "worker 2")
    assert not league.record(early)
    assert league.match(match).state == LEASED
    assert league.record(late)
    assert not league.record(early)
    assert faults(league) == ["it stood still"]  # one lease went wrong, which is one fault


def test_a_second_steward_takes_all_leases_back_and_the_first_can_do_nothing_more(league: League) -> None:
    first, second = league.matches(league.ask_pair())
    old = league.lease(first)
    with league.yard.database.writing() as connection:
        fence = take_over(connection, league.yard.clock())
    assert league.task_of(first).state == WAITING
    with pytest.raises(TakenOver):
        league.lease(second)
    new = league.lease(first, fence=fence)
    assert not league.record(old)
    assert league.record(new)
    assert league.task_of(first).attempts == 0, "the server's end says nothing about a match"


def test_a_lease_of_an_earlier_steward_that_was_recorded_stays_recorded(league: League) -> None:
    match = league.matches(league.ask_pair())[0]
    league.record(league.lease(match))
    with league.yard.database.writing() as connection:
        take_over(connection, league.yard.clock())
    assert league.match(match).state == DONE
    assert faults(league) == []


def test_a_match_that_fails_five_times_is_void_and_voids_its_pair(league: League) -> None:
    pair = league.ask_pair()
    first, second = league.matches(pair)
    for _ in range(ATTEMPTS):
        assert league.match(first).state == ASKED
        state = league.fail(league.lease(first))
    assert state == FAILED
    assert (league.match(first).state, league.match(second).state) == (VOID, CANCELLED)
    assert (league.pair(pair).state, league.pair(pair).number) == (VOID, None)
    assert len(faults(league)) == ATTEMPTS
    assert "the worker died" in league.task_of(first).why
    assert league.rows(RATING_STEP) == []


def test_the_other_half_of_a_void_pair_is_played_to_its_end_and_stays_to_be_watched(league: League) -> None:
    pair = league.ask_pair()
    first, second = league.matches(pair)
    running = league.lease(second, "worker 2")
    for _ in range(ATTEMPTS):
        league.fail(league.lease(first))
    assert league.pair(pair).state == BEGUN
    assert league.record(running)
    assert (league.pair(pair).state, league.match(second).state) == (VOID, DONE)
    assert league.rows(RATING_STEP) == []


def test_a_void_pair_can_be_asked_again_and_counts_then(league: League) -> None:
    pair = league.ask_pair()
    first, second = league.matches(pair)
    running = league.lease(second, "worker 2")
    for _ in range(ATTEMPTS):
        league.fail(league.lease(first))
    league.record(running)
    admin, task = league.person("Ada"), league.task_of(first)
    before = {row.id: row.in_flight for row in league.rows(ENTRY)}
    with league.yard.database.writing() as connection:
        again_by_admin(connection, task.id, league.yard.clock(), by=admin)
    assert (league.pair(pair).state, league.waiting()) == (BEGUN, [first]), "what was played stays played"
    assert sum(row.in_flight - before[row.id] for row in league.rows(ENTRY)) == 2
    league.record(league.lease(first))
    assert (league.pair(pair).state, league.pair(pair).number, len(league.rows(RATING_STEP))) == (CLOSED, 1, 2)
    with league.yard.database.writing() as connection, pytest.raises(InTheWay, match="cannot be tried again"):
        again_by_admin(connection, task.id, league.yard.clock(), by=admin)


def test_a_match_that_ends_the_server_again_and_again_is_given_up_at_last(league: League) -> None:
    match = league.matches(league.ask_pair())[0]
    fence = league.fence
    for _ in range(FAULTS_MAX):
        assert league.task_of(match).state == WAITING
        league.lease(match, fence=fence)
        with league.yard.database.writing() as connection:
            fence = take_over(connection, league.yard.clock())
    assert league.task_of(match).state == FAILED


def test_a_lease_is_renewed_as_long_as_it_holds(league: League, hands: Hands) -> None:
    match = league.matches(league.ask_pair())[0]
    lease = league.lease(match)
    with league.yard.database.writing() as connection:
        assert renew_lease(connection, lease, 40, hands() + 3 * LEASE_MS)
    hands.pass_ms(2 * LEASE_MS)
    with league.yard.database.writing() as connection:
        assert leases(connection, ended_by=hands()) == []
        assert take_back_overdue(connection, [], hands()) == 0
    hands.pass_ms(2 * LEASE_MS)
    with league.yard.database.writing() as connection:
        assert take_back_overdue(connection, [lease.fence], hands()) == 0, "somebody knows of it"
        assert take_back_overdue(connection, [], hands()) == 1
        assert not renew_lease(connection, lease, 41, hands() + LEASE_MS)
    assert league.task_of(match).state == WAITING


def test_only_a_pair_that_has_not_begun_is_cancelled(league: League) -> None:
    pair = league.ask_pair()
    first, second = league.matches(pair)
    lease = league.lease(first)
    with league.yard.database.writing() as connection:
        assert not cancel_pair(connection, pair, "nobody wants it", league.yard.clock())
    assert league.task_of(second).state == WAITING
    assert league.record(lease)
    other = league.ask_pair()
    with league.yard.database.writing() as connection:
        assert cancel_pair(connection, other, "nobody wants it", league.yard.clock())
    assert [league.match(match).state for match in league.matches(other)] == [CANCELLED, CANCELLED]
    assert league.pair(pair).state == BEGUN


def test_a_pair_is_closed_with_its_last_game_and_numbered_in_that_order(league: League) -> None:
    early, late = league.ask_pair(), league.ask_pair()
    league.play(late)
    for match in reversed(league.matches(early)):
        league.record(league.lease(match))
    assert (league.pair(late).number, league.pair(early).number) == (1, 2)
    assert league.pair(early).state == CLOSED
    assert league.ladder.recorded == 2


def test_every_task_says_why_it_waits_is_at_work_or_has_ended(league: League) -> None:
    first, second = league.matches(league.ask_pair())
    league.fail(league.lease(first), "its machine is gone")
    league.lease(second, "worker 3")
    assert "its machine is gone" in league.task_of(first).why
    assert "worker 3" in league.task_of(second).why
    with league.yard.database.reading() as connection:
        assert connection.execute(sa.select(TASK.c.id).where(TASK.c.why == "")).all() == []


def test_a_report_counts_only_if_its_orders_lead_to_its_result(league: League) -> None:
    first, second = league.matches(league.ask_pair())
    work = league.work(first)
    report = carried_out(work)
    assert verified(work, report).report is report
    with pytest.raises(BadRecord, match="lead to"):
        verified(work, replace(report, result="p2:1>p1:0"))
    with pytest.raises(BadRecord, match="another game"):
        verified(replace(work, seed=work.seed ^ 1), report)
    with pytest.raises(BadRecord, match="no replay"):
        verified(work, replace(report, replay=None))
    assert league.work(second).seed == work.seed
    assert [player.name for player in league.work(second).players] == [p.name for p in reversed(work.players)]


def test_no_two_pairs_of_a_season_share_their_chance(league: League) -> None:
    for _ in range(3):
        league.play(league.ask_pair(), some_game())
    cancelled = league.ask_pair()
    with league.yard.database.writing() as connection:
        cancel_pair(connection, cancelled, "nobody wants it", league.yard.clock())
    league.ask_pair()
    chances = [row.chance for row in league.rows(PAIR)]
    assert len(set(chances)) == len(chances)
