"""One game of a contest that is void can be played again, if nothing that was played since depends on it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from botyard.contest.runner import next_wave
from botyard.yard.contests.changing import need_state
from botyard.yard.contests.contests import change_contest
from botyard.yard.contests.games import YardGames
from botyard.yard.contests.plans import played_plan
from botyard.yard.data.contest_tables import CONTEST_GAME, OVER, RUNNING
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BEGUN, CANCELLED, MATCH, PAIR, VOID
from botyard.yard.ladders.again import wait_again
from botyard.yard.ladders.closing import note_progress
from botyard.yard.refusals import InTheWay, NotThere


def play_game_again(connection: sa.Connection, contest: int, number: int, person: int, now_ms: int) -> None:
    """Has a void game wait for a worker again, with its bots and its seed. A contest that is over goes on for it."""
    row = need_state(connection, contest, RUNNING, OVER)
    found = sa.select(CONTEST_GAME.c.match, MATCH.c.state, MATCH.c.pair)
    found = found.outerjoin(MATCH, CONTEST_GAME.c.match == MATCH.c.id)
    game = connection.execute(
        found.where(CONTEST_GAME.c.contest == contest, CONTEST_GAME.c.number == number)
    ).one_or_none()
    if game is None:
        raise NotThere(f"there is no game {number} in {row.title}")
    if game.state not in (VOID, CANCELLED):
        raise InTheWay(f"game {number} is not void", hint="only a game that counts for nobody is played again")
    if is_followed(connection, row, number):
        raise InTheWay(
            f"later games of {row.title} were paired without game {number}",
            hint="they would be others if it counted; run the contest again from zero when it is over",
        )
    wait_again(connection, MATCH.c.id == game.match, now_ms)
    connection.execute(sa.update(PAIR).where(PAIR.c.id == game.pair).values(state=BEGUN, closed_ms=None))
    change_contest(connection, contest, state=RUNNING, why=f"game {number} is played again", ended_ms=None)
    note_progress(connection, contest)
    note_event(
        connection, now_ms, "contest.game_again", f"contest/{row.slug}", person=person, public=True, game=number
    )  # fmt: skip


def is_followed(connection: sa.Connection, row: sa.Row[Any], number: int) -> bool:
    """Whether games were asked for that its format paired by the results of a wave with this game."""
    plan, games = played_plan(row), YardGames(connection, row.id, bytes.fromhex(row.root), results_only=True)
    course, first = plan.open_course(), 1
    while wave := next_wave(plan, course, first):
        last = first + len(wave) - 1
        if number <= last:
            later = sa.select(CONTEST_GAME.c.number).where(CONTEST_GAME.c.contest == row.id)
            return connection.execute(later.where(CONTEST_GAME.c.number > last).limit(1)).first() is not None
        for pairing, played in zip(wave, games.rows(first, last), strict=True):
            assert played.result is not None, "the next wave follows from it"
            course.add(pairing, played.result)
        first = last + 1
    return False
