"""States of versions: whatever happens in whatever order, a version, its tasks and its entries agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botyard.kernel.errors import YardError
from botyard.yard.bots.outcomes import record_begun, record_build, record_check, record_given_up, record_lost
from botyard.yard.bots.versions import (
    NEXT,
    activate,
    cancel_tasks,
    delete_bot,
    is_active,
    show_logs,
    try_again,
    want_active,
    withdraw,
    withdraw_all,
)
from botyard.yard.config import LadderPlan, Quotas
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import BOT, BUILD, CHECK, ENTRY, FIT, NOTICE, TASK, VERSION, VERSION_STATES
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.refusals import InTheWay, NotThere
from botyard.yard.site import Yard
from botyard.yard.work.building import BuildReport
from botyard.yard.work.checking import CheckReport, KeptFinding
from tests.yard.handing_in import GAME, add_person, hand_in

WRONG = KeptFinding("protocol", True, "it answered 'up!'", "answer with one word")
MANY = Quotas(uploads_a_day=1 << 30, unfinished_builds=1 << 30, bots=1 << 30)


@pytest.fixture
def ada(yard: Yard) -> int:
    """A person, in a yard with a ladder of the game that tests play."""
    with yard.database.writing() as connection:
        open_ladders(connection, (LadderPlan("first", GAME, predictable=True),), yard.clock())
        return add_person(connection, "Ada")


def built(connection: sa.Connection, yard: Yard, version: int) -> None:
    record_begun(connection, BUILD, version, 1)
    record_build(connection, yard.blobs, BuildReport(version, built=True, log=b"built\n"), 2)
    end_task(connection, BUILD, version)


def checked(connection: sa.Connection, yard: Yard, version: int, *findings: KeptFinding) -> None:
    record_begun(connection, CHECK, version, 3)
    report = CheckReport(version, not findings, findings[0].what if findings else "", findings, b"replay", b"turns")
    record_check(connection, yard.blobs, report, 4)
    end_task(connection, CHECK, version)


def end_task(connection: sa.Connection, kind: str, version: int) -> bool:
    """What the steward does in the same transaction; whether there was a task."""
    ended = sa.update(TASK).where(TASK.c.version == version, TASK.c.kind == kind)
    return connection.execute(ended.values(state="ended")).rowcount > 0


def fit(yard: Yard, person: int, content: str = "1", *, wanted: bool = False) -> int:
    accepted = hand_in(yard, person, content, activate=wanted)
    with yard.database.writing() as connection:
        built(connection, yard, accepted.version)
        checked(connection, yard, accepted.version)
    return accepted.version


def state_of(yard: Yard, version: int) -> str:
    with yard.database.reading() as connection:
        return str(connection.scalars(sa.select(VERSION.c.state).where(VERSION.c.id == version)).one())


def titles(yard: Yard) -> list[str]:
    with yard.database.reading() as connection:
        return list(connection.scalars(sa.select(NOTICE.c.title).order_by(NOTICE.c.id)))


def test_what_was_built_is_checked_and_what_is_fit_plays_if_that_was_wanted(yard: Yard, ada: int) -> None:
    first, second = fit(yard, ada, "1"), fit(yard, ada, "2", wanted=True)
    with yard.database.reading() as connection:
        assert not is_active(connection, first)
        assert is_active(connection, second)
    assert titles(yard) == ["Ant 1 is fit to play", "Ant 2 is fit and plays from now on"]


def test_what_is_wrong_with_a_version_is_told_to_its_owner_with_the_remedy(yard: Yard, ada: int) -> None:
    accepted = hand_in(yard, ada)
    with yard.database.writing() as connection:
        built(connection, yard, accepted.version)
        checked(connection, yard, accepted.version, WRONG)
        with pytest.raises(InTheWay, match="is unfit"):
            activate(connection, accepted.version, 5, person=ada)
    with yard.database.reading() as connection:
        notice = connection.execute(sa.select(NOTICE)).one()
        assert (notice.person, notice.link) == (ada, f"/bots/{accepted.bot}/versions/1")
        assert notice.body == f"{WRONG.what}\n{WRONG.remedy.capitalize()}"
        kinds = [event.kind for event in events_after(connection, 0, person=ada) if event.kind.startswith("version.")]
        assert kinds == [
            "version.uploaded", "version.building", "version.built", "version.checking", "version.unfit"
        ]  # fmt: skip


def test_a_version_that_was_withdrawn_stays_so_whatever_its_worker_reports(yard: Yard, ada: int) -> None:
    accepted = hand_in(yard, ada)
    with yard.database.writing() as connection:
        record_begun(connection, BUILD, accepted.version, 1)
        withdraw(connection, accepted.version, 2, person=ada)
        assert not record_build(connection, yard.blobs, BuildReport(accepted.version, built=True), 3)
        assert not record_lost(connection, BUILD, accepted.version, 3, "the worker died")
        assert connection.scalars(sa.select(TASK.c.state)).all() == ["cancelled"]
    assert state_of(yard, accepted.version) == "withdrawn"


def test_withdrawing_what_plays_takes_the_bot_off_the_ladder_and_another_version_does_not(yard: Yard, ada: int) -> None:
    first, second = fit(yard, ada, "1", wanted=True), fit(yard, ada, "2")
    with yard.database.writing() as connection:
        withdraw(connection, second, 5, person=ada)
        assert is_active(connection, first)
        withdraw(connection, first, 6, person=ada)
        entry = connection.execute(sa.select(ENTRY).where(ENTRY.c.bot.is_not(None))).one()
        assert (entry.state, entry.reason) == ("retired", "version 1 was withdrawn")


def test_going_back_to_an_earlier_version_is_activating_it(yard: Yard, ada: int) -> None:
    first, second = fit(yard, ada, "1", wanted=True), fit(yard, ada, "2", wanted=True)
    with yard.database.writing() as connection:
        activate(connection, first, 7, person=ada)
        assert (is_active(connection, first), is_active(connection, second)) == (True, False)


def test_a_second_bot_that_the_ladder_does_not_take_is_fit_and_its_owner_hears_why_it_does_not_play(
    yard: Yard, ada: int
) -> None:
    fit(yard, ada, "1", wanted=True)
    accepted = hand_in(yard, ada, "2", name="Bee", activate=True)
    with yard.database.writing() as connection:
        built(connection, yard, accepted.version)
        checked(connection, yard, accepted.version)
        assert not is_active(connection, accepted.version)
    assert state_of(yard, accepted.version) == FIT
    assert titles(yard)[-1] == "Bee 1 is fit, but was not activated"


def test_a_fault_of_ours_is_no_fault_of_the_bot_and_can_be_tried_again(yard: Yard, ada: int) -> None:
    accepted = hand_in(yard, ada)
    with yard.database.writing() as connection:
        record_begun(connection, BUILD, accepted.version, 1)
        record_given_up(connection, BUILD, accepted.version, 2, "no worker has room on its disk")
        end_task(connection, BUILD, accepted.version)
        row = connection.execute(sa.select(VERSION)).one()
        assert (row.state, row.reason) == ("unbuilt", "we failed, not the bot: no worker has room on its disk")
        try_again(connection, accepted.version, yard.config.quotas, 3, ada)
    assert state_of(yard, accepted.version) == "uploaded"


def test_a_deleted_bot_plays_no_more_and_is_not_found(yard: Yard, ada: int) -> None:
    version = fit(yard, ada, "1", wanted=True)
    with yard.database.writing() as connection:
        bot = connection.scalars(sa.select(BOT.c.id)).one()
        show_logs(connection, bot, True, 5, ada)
        delete_bot(connection, bot, 6, person=ada)
        assert not is_active(connection, version)
        with pytest.raises(NotThere):
            activate(connection, version, 7, person=ada)
        with pytest.raises(NotThere):
            show_logs(connection, bot, False, 8, ada)


def test_everything_of_a_banned_person_stops_playing_and_what_is_fit_stays_so(yard: Yard, ada: int) -> None:
    version = fit(yard, ada, "1", wanted=True)
    waiting = hand_in(yard, ada, "2")
    with yard.database.writing() as connection:
        withdraw_all(connection, ada, 9)
        assert not is_active(connection, version)
        assert connection.scalars(sa.select(TASK.c.state).where(TASK.c.version == waiting.version)).all() == [
            "cancelled"
        ]
    assert (state_of(yard, version), state_of(yard, waiting.version)) == (FIT, "withdrawn")


Step = Callable[[sa.Connection, Yard, int, int], object]

STEPS: dict[str, Step] = {
    "build begins": lambda c, _, v, __: lease(c, BUILD, v) and record_begun(c, BUILD, v, 1),
    "build ends well": lambda c, y, v, _: (
        record_build(c, y.blobs, BuildReport(v, built=True), 1) and end_task(c, BUILD, v)
    ),
    "build ends badly": lambda c, y, v, _: record_build(c, y.blobs, BuildReport(v), 1) and end_task(c, BUILD, v),
    "build is lost": lambda c, _, v, __: record_lost(c, BUILD, v, 1, "it died") and lease(c, BUILD, v, "waiting"),
    "build is given up": lambda c, _, v, __: record_given_up(c, BUILD, v, 1, "it died") and end_task(c, BUILD, v),
    "check begins": lambda c, _, v, __: lease(c, CHECK, v) and record_begun(c, CHECK, v, 1),
    "check ends well": lambda c, y, v, _: (
        record_check(c, y.blobs, CheckReport(v, fit=True), 1) and end_task(c, CHECK, v)
    ),
    "check ends badly": lambda c, y, v, _: record_check(c, y.blobs, CheckReport(v), 1) and end_task(c, CHECK, v),
    "check is lost": lambda c, _, v, __: record_lost(c, CHECK, v, 1, "it died") and lease(c, CHECK, v, "waiting"),
    "activate": lambda c, _, v, p: activate(c, v, 1, person=p),
    "want": lambda c, _, v, p: want_active(c, v, True, 1, p),
    "withdraw": lambda c, _, v, p: withdraw(c, v, 1, person=p),
    "again": lambda c, _, v, p: try_again(c, v, MANY, 1, p),
    "ban": lambda c, _, __, p: withdraw_all(c, p, 1),
}  # fmt: skip


def lease(connection: sa.Connection, kind: str, version: int, state: str = "leased") -> bool:
    """What the steward does with the task in the same transaction; whether there was one."""
    open_one = sa.update(TASK).where(TASK.c.version == version, TASK.c.kind == kind)
    changed = connection.execute(open_one.where(TASK.c.state.in_(("waiting", "leased"))).values(state=state))
    return changed.rowcount == 1


TASK_OF = {
    "uploaded": (BUILD, "waiting"),
    "building": (BUILD, "leased"),
    "built": (CHECK, "waiting"),
    "checking": (CHECK, "leased"),
}
LIKELY = {
    "uploaded": ["build begins", "build begins", "want"],
    "building": ["build ends well", "build ends well", "build ends badly", "build is lost", "build is given up"],
    "built": ["check begins", "check begins", "want"],
    "checking": ["check ends well", "check ends well", "check ends badly", "check is lost"],
    "fit": ["activate", "withdraw", "ban"],
    "unbuilt": ["again"],
    "unfit": ["again"],
    "withdrawn": ["again"],
}
"""What leads on from a state; anything else may happen as well."""


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_happens_a_version_its_tasks_and_its_entry_agree(yard: Yard, ada: int, data: st.DataObject) -> None:
    with yard.database.writing() as connection:
        for bot in connection.scalars(sa.select(BOT.c.id).where(BOT.c.deleted_ms.is_(None))).all():
            delete_bot(connection, bot, 1)
    version = hand_in(yard, ada, quotas=MANY).version
    state = "uploaded"
    for _ in range(20):
        likely = LIKELY[state] * (3 * len(STEPS) // len(LIKELY[state]))  # three of four steps
        step = data.draw(st.sampled_from([*likely, *sorted(STEPS)]))
        try:
            with yard.database.writing() as connection:
                STEPS[step](connection, yard, version, ada)
        except YardError:
            pass
        before, state = state, state_of(yard, version)
        assert state in VERSION_STATES
        assert state == before or state in NEXT[before], f"{step} led from {before} to {state}"
        with yard.database.reading() as connection:
            open_tasks = sa.select(TASK.c.kind, TASK.c.state).where(TASK.c.version == version)
            found = connection.execute(open_tasks.where(TASK.c.state.in_(("waiting", "leased")))).all()
            assert [tuple(row) for row in found] == ([TASK_OF[state]] if state in TASK_OF else []), step
            assert not plays(connection, version) or state == FIT, step


def plays(connection: sa.Connection, version: int) -> bool:
    asked = sa.select(ENTRY.c.id).where(ENTRY.c.version == version, ENTRY.c.state.in_(("settling", "active")))
    return connection.execute(asked).first() is not None


def test_a_version_that_plays_and_does_not_pass_a_later_check_is_benched(yard: Yard, ada: int) -> None:
    version = fit(yard, ada, "1", wanted=True)
    with yard.database.writing() as connection:
        for outcome in ("lost", "given up", "fit", "unfit"):
            assert plays(connection, version)
            recheck(connection, yard, version, outcome)
        assert not plays(connection, version)
    assert state_of(yard, version) == "unfit"
    assert "Ant is benched on" in titles(yard)[-1]


def recheck(connection: sa.Connection, yard: Yard, version: int, outcome: str) -> None:
    """What the steward does when the rules have changed."""
    assert record_begun(connection, CHECK, version, 5)
    if outcome == "lost":
        record_lost(connection, CHECK, version, 6, "the worker died")
    elif outcome == "given up":
        record_given_up(connection, CHECK, version, 6, "every worker died")
    else:
        record_check(connection, yard.blobs, CheckReport(version, outcome == "fit", "it answers nothing"), 6)


def test_cancelling_leaves_what_is_over_alone(yard: Yard, ada: int) -> None:
    version = fit(yard, ada)
    with yard.database.writing() as connection:
        cancel_tasks(connection, version, 9, "no more")
        assert set(connection.scalars(sa.select(TASK.c.state))) == {"ended"}
