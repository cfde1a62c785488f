"""An admin cancels a task that waits or is at work, with a reason that everybody reads whom it concerns.

The tables decide, in one transaction: the lease is over, so that no later report counts. The steward sees that when it
is woken, and ends the worker (`Steward.wake`).
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from botyard.kernel.plain import clean
from botyard.yard.bots.outcomes import record_cancelled_recheck
from botyard.yard.bots.versions import withdraw
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ASKED, BEGUN, BOT, LEASED, MATCH, PAIR, SEAT, TASK, VERSION, VOID, WAITING
from botyard.yard.ladders.closing import close_those_over, is_public, note_progress, void_pair
from botyard.yard.ladders.pairs import cancel_pair
from botyard.yard.people.notices import notify
from botyard.yard.refusals import InTheWay, NotThere, Refusal
from botyard.yard.work.tasks import cancel_open_tasks

REASON_MAX: Final = 300  # characters
BY_ADMIN: Final = "an admin cancelled it"  # how the reason of a match begins that was cancelled here
ORGANISERS: Final = 1  # what marks a pair of a contest that its organiser alone may see


def cancel_by_admin(connection: sa.Connection, task: int, reason: str, now_ms: int, *, by: int) -> None:
    """Cancels a task: of a match its pair, of a contest that game alone, of a build or a check the version itself."""
    told = checked_reason(reason)
    row = locked(connection, TASK, task)  # whoever records a game begins with its task, too
    if row is None:
        raise NotThere(f"there is no task {task}")
    if row.state not in (WAITING, LEASED):
        raise InTheWay(f"task {task} is {row.state}", hint="only what waits or is at work can be cancelled")
    why = f"{BY_ADMIN}: {told}"
    if row.match is not None:
        cancel_match(connection, row.match, why, now_ms)
    elif row.version is not None:
        cancel_trial(connection, row, f"an admin cancelled its {row.kind}: {told}", now_ms, by)
    else:
        cancel_open_tasks(connection, TASK.c.id == task, why, now_ms)
    note_event(connection, now_ms, "task.cancelled", f"task/{task}", person=by, reason=told)


def checked_reason(reason: str) -> str:
    told = clean(reason.strip())
    if not 1 <= len(told) <= REASON_MAX:
        raise Refusal(
            f"the reason has {len(told)} characters",
            hint=f"say in 1 to {REASON_MAX} why it is cancelled: those whom it concerns read it",
        )
    return told


# Builds and checks


def cancel_trial(connection: sa.Connection, task: sa.Row[Any], why: str, now_ms: int, by: int) -> None:
    """Withdraws the version that was to be built or checked: its owner may have it tried again on its page. One that
    plays goes on playing as it is, and is checked again after the next start."""
    cancel_open_tasks(connection, TASK.c.id == task.id, why, now_ms)
    if not record_cancelled_recheck(connection, task.kind, task.version, now_ms, why):
        withdraw(connection, task.version, now_ms, person=by, reason=why)


# Matches


def cancel_match(connection: sa.Connection, match: int, why: str, now_ms: int) -> None:
    """Ends the pair of a match, which counts for nobody. In a contest the other games of the pair go on."""
    number = connection.execute(sa.select(MATCH.c.pair).where(MATCH.c.id == match)).scalar_one()
    pair = locked(connection, PAIR, number)
    if pair is None or pair.state not in (ASKED, BEGUN):
        raise InTheWay(f"match {match} is over", hint="nothing is left to cancel")
    if pair.contest is not None:
        void_game(connection, pair, match, why, now_ms)
    elif not cancel_pair(connection, number, why, now_ms):
        void_pair(connection, number, why, now_ms)
    names = " – ".join(connection.scalars(sa.select(SEAT.c.name).where(SEAT.c.match == match).order_by(SEAT.c.place)))
    sentence = f"{why[:1].upper()}{why[1:]}"
    for person in concerned(connection, pair, match):
        notify(connection, person, f"A game was cancelled: {names}", sentence, now_ms, link=f"/matches/{match}")


def void_game(connection: sa.Connection, pair: sa.Row[Any], match: int, why: str, now_ms: int) -> None:
    """Ends one game of a contest, which counts for nobody."""
    assert pair.contest is not None, "elsewhere pairs end as a whole"
    cancel_open_tasks(connection, TASK.c.match == match, why, now_ms)
    connection.execute(sa.update(MATCH).where(MATCH.c.id == match).values(state=VOID, reason=why))
    connection.execute(sa.update(PAIR).where(PAIR.c.id == pair.id).values(state=BEGUN))
    public = is_public(pair)
    note_event(connection, now_ms, "match.void", f"match/{match}", public=public, pair=pair.id, reason=why)
    note_progress(connection, pair.contest)
    close_those_over(connection, [match], now_ms)


def concerned(connection: sa.Connection, pair: sa.Row[Any], match: int) -> list[int]:
    """Returns who has to do with a match and may know of it: who asked for it, its contest's organiser, and whose
    bots play in it unless the contest keeps its games back from them."""
    organiser = sa.select(CONTEST.c.organiser).where(CONTEST.c.id == pair.contest)
    found = {pair.person, *connection.scalars(organiser)}
    if pair.held != ORGANISERS:
        owners = sa.select(BOT.c.owner).join(VERSION, VERSION.c.bot == BOT.c.id)
        owners = owners.join(SEAT, SEAT.c.version == VERSION.c.id).where(SEAT.c.match == match)
        found.update(connection.scalars(owners))
    return sorted(person for person in found if person is not None)
