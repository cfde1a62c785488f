"""An admin cancels what waits and what is at work: who is told, what counts, and what can be asked again."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.executors.local import Local
from botyard.yard.bots.uploads import UploadTarget, enter_upload
from botyard.yard.bots.versions import ask_for, try_again
from botyard.yard.data.tables import (
    BEGUN,
    CANCELLED,
    CHECK,
    CLOSED,
    DONE,
    EVENT,
    FAULT,
    FIT,
    LEASED,
    NOTICE,
    RATING_STEP,
    SETTLING,
    TASK,
    UPLOADED,
    VERSION,
    VOID,
    WITHDRAWN,
)
from botyard.yard.keeping.backup import unseen
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.verify_ladders import verify_flights, verify_pairs
from botyard.yard.keeping.verify_tables import verify_tasks
from botyard.yard.refusals import InTheWay, Refusal
from botyard.yard.work.building import BuildReport
from botyard.yard.work.cancelling import cancel_by_admin
from botyard.yard.work.overview import again_by_admin, tasks_in
from botyard.yard.work.recording import begin, record_tried
from botyard.yard.work.tasks import Lease
from tests.waiting import finished, soon, until
from tests.yard.hall import Hall
from tests.yard.handing_in import unpacked
from tests.yard.league import GAME, League
from tests.yard.test_contests import FILE, enter, play_all
from tests.yard.test_steward import asked_game_of, open_yard, playing, serving

WHY = "it keeps everybody waiting"


@pytest.fixture
def admin(league: League) -> int:
    return league.person("Root")


def cancel(league: League, task: int, by: int, reason: str = WHY) -> None:
    with league.yard.database.writing() as connection:
        cancel_by_admin(connection, task, reason, league.yard.clock(), by=by)


def told(league: League, person: int) -> list[str]:
    """What somebody was told of it."""
    return [row.body for row in league.rows(NOTICE) if row.person == person]


def kinds(league: League) -> list[str]:
    with league.yard.database.reading() as connection:
        return list(connection.scalars(sa.select(EVENT.c.kind).order_by(EVENT.c.number)))


def troubles(league: League) -> list[str]:
    """What `yard verify` finds wrong with pairs and tasks."""
    found = Findings()
    with league.yard.database.reading() as connection:
        verify_pairs(connection, found, unseen)
        verify_flights(connection, found)
        verify_tasks(connection, found)
    return [str(trouble) for trouble in found.troubles]


# Matches


def test_a_match_being_played_is_cancelled_with_its_pair_and_a_later_report_is_noted_and_changes_nothing(
    league: League, admin: int
) -> None:
    ada, other = league.person("Ada"), league.person("Bob")
    bot = league.bot(ada, "Ant")  # it meets a house bot
    pair = league.ask_pair()
    first, second = league.matches(pair)
    league.record(league.lease(first))
    lease = league.lease(second)
    cancel(league, league.task_of(second).id, admin)
    assert league.pair(pair).state == VOID
    assert (league.match(first).state, league.match(second).state) == (DONE, VOID)
    assert WHY in league.match(second).reason
    assert (league.task_of(second).state, WHY in league.task_of(second).why) == (CANCELLED, True)
    assert ([WHY in body for body in told(league, ada)], told(league, other)) == ([True], [])
    assert league.entry(bot).in_flight == 0
    assert {"pair.void", "task.cancelled"} <= set(kinds(league))
    assert not league.record(lease), "its lease is over"
    assert league.match(second).state == VOID
    assert kinds(league)[-1] == "task.late"
    assert (league.rows(FAULT), league.rows(RATING_STEP)) == ([], [])
    assert troubles(league) == []


def test_a_pair_that_waits_is_cancelled_and_says_why(league: League, admin: int) -> None:
    league.rivals("ant", "bee")
    first, second = league.matches(league.ask_pair())
    cancel(league, league.task_of(first).id, admin)
    assert {league.match(match).state for match in (first, second)} == {CANCELLED}
    assert WHY in league.match(second).reason
    with pytest.raises(InTheWay, match="is cancelled"):
        cancel(league, league.task_of(second).id, admin)


def test_what_was_cancelled_while_it_was_played_can_be_asked_again_and_counts_then(league: League, admin: int) -> None:
    league.rivals("ant", "bee")
    pair = league.ask_pair()
    first, second = league.matches(pair)
    league.lease(first)
    task = league.task_of(first).id
    cancel(league, task, admin)
    with league.yard.database.writing() as connection:
        assert {line.id for line in tasks_in(connection, (CANCELLED,)) if line.again} == {
            task, league.task_of(second).id,
        }  # fmt: skip
        again_by_admin(connection, task, league.yard.clock(), by=admin)
    assert (league.pair(pair).state, troubles(league)) == (BEGUN, [])
    league.play(pair)
    assert (league.pair(pair).state, bool(league.rows(RATING_STEP))) == (CLOSED, True)


def test_a_game_of_a_contest_is_void_alone(league: League, admin: int) -> None:
    hall = Hall(league.yard)
    contest = hall.announce(FILE)
    enter(hall, contest, league.bot(league.person("Ada"), "Ant"))
    hall.do("begin", contest)
    hall.tend()
    first, second = (game.match for game in hall.games(contest))
    cancel(league, league.task_of(first).id, admin)
    assert (league.match(first).state, league.match(second).state) == (VOID, "asked")
    assert len(told(league, hall.organiser)) == 1
    assert troubles(league) == []
    play_all(hall, league)
    hall.tend()
    assert hall.contest(contest.slug).state == "over"
    assert league.match(second).state == DONE


def test_cancelling_needs_a_reason(league: League, admin: int) -> None:
    league.rivals("ant", "bee")
    task = league.task_of(league.matches(league.ask_pair())[0]).id
    for reason in ("", "   ", "x" * 301):
        with pytest.raises(Refusal, match="the reason has"):
            cancel(league, task, admin, reason)
    assert league.row(TASK, task).state == "waiting"


# Builds and checks


def leased_trial(league: League, version: int) -> Lease:
    """The build or check of a version, given to a worker."""
    now_ms = league.yard.clock()
    with league.yard.database.writing() as connection:
        open_ones = TASK.c.state == "waiting"
        task = connection.execute(sa.select(TASK).where(TASK.c.version == version, open_ones)).one()
        lease = begin(connection, task, league.fence, "worker 1", now_ms + 1000, now_ms)
    assert lease is not None
    return lease


def test_a_build_at_work_is_cancelled_and_its_owner_may_have_it_tried_again(league: League, admin: int) -> None:
    ada, yard = league.person("Ada"), league.yard
    with yard.database.writing() as connection:
        target, quotas = UploadTarget(game=GAME, name="Ant", activate=True), yard.config.quotas
        version = enter_upload(connection, yard.blobs, quotas, ada, target, unpacked(), yard.clock()).version
    lease = leased_trial(league, version)
    cancel(league, lease.task, admin)
    row = league.row(VERSION, version)
    assert (row.state, row.reason) == (WITHDRAWN, f"an admin cancelled its build: {WHY}")
    assert [WHY in body for body in told(league, ada)] == [True]
    with yard.database.writing() as connection:
        report = BuildReport(version, built=True, log=b"built\n")
        assert not record_tried(connection, yard.blobs, lease, report, yard.clock())
    assert league.row(VERSION, version).state == WITHDRAWN
    assert kinds(league)[-1] == "task.late"
    with yard.database.writing() as connection:
        try_again(connection, version, quotas, yard.clock(), ada)
    assert league.row(VERSION, version).state == UPLOADED


@pytest.mark.parametrize("begun", [False, True])
def test_a_version_that_plays_goes_on_playing_when_its_new_check_is_cancelled(
    league: League, admin: int, begun: bool
) -> None:
    ada = league.person("Ada")
    bot = league.bot(ada, "Ant")
    version = league.entry(bot).version
    with league.yard.database.writing() as connection:
        task = ask_for(connection, CHECK, version, league.yard.clock())
    if begun:
        leased_trial(league, version)
    cancel(league, task, admin)
    assert league.row(VERSION, version).state == FIT
    assert league.entry(bot).state == SETTLING
    assert league.row(TASK, task).state == CANCELLED
    assert ["goes on playing" in body for body in told(league, ada)] == [True]


# The worker


def test_the_worker_of_a_cancelled_match_is_ended_and_does_the_next_one(tmp_path: Path) -> None:
    yard = open_yard(f"sqlite:///{tmp_path / 'own.db'}", tmp_path)
    league = League(yard)
    bot = playing(league, "Snail", seconds=60.0)
    [match] = league.matches(asked_game_of(league, bot))
    root, executors = league.person("Root"), [Local(1)]

    async def stop_it() -> None:
        async with serving(yard, lambda: executors[0]) as steward:
            await until(lambda: match in list(steward.live))
            [worker] = executors[0].processes
            await soon(yard.change(cancel_by_admin, league.task_of(match).id, WHY, yard.clock(), by=root))
            steward.wake()
            await until(lambda: worker not in executors[0].processes and match not in list(steward.live))
            await until(lambda: any(row.state == LEASED and row.match != match for row in league.rows(TASK)))

    finished(stop_it())
    assert (league.match(match).state, league.task_of(match).state) == (VOID, CANCELLED)
    assert not league.rows(FAULT), "nobody has failed"
    yard.close()
