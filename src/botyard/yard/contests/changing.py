"""What becomes of a contest that does not simply run to its end: its bots change, or somebody pauses or cancels it."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from botyard.contest.amendment import Amendment
from botyard.contest.renumbering import forfeited_by, keep_only
from botyard.contest.roots import fresh_root, root_hash
from botyard.yard.contests.contests import change_contest, locked_contest, waits_for
from botyard.yard.contests.files import read_site_file
from botyard.yard.contests.plans import written_plan
from botyard.yard.data.contest_tables import CONTEST_GAME, GIVEN_UP, OPEN, OVER, PAUSED, RUNNING
from botyard.yard.data.database import insert_new
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ASKED, CANCELLED, MATCH, PAIR
from botyard.yard.ladders.pairs import cancel_pairs
from botyard.yard.refusals import InTheWay


def amend(connection: sa.Connection, row: sa.Row[Any], amendment: Amendment, now_ms: int) -> None:
    """Keeps the games that stay, under their new numbers; the others are played anew, and can still be watched."""
    games = connection.execute(sa.select(CONTEST_GAME).where(CONTEST_GAME.c.contest == row.id)).all()
    recall_games(connection, row.id, "a bot of its contest has changed", now_ms)
    keep_only(connection, row.id, amendment.kept, (CONTEST_GAME,))
    forfeits = [game for game in games if game.number in amendment.forfeits]
    for game in forfeits:
        result = str(forfeited_by(tuple(json.loads(game.bots)), amendment.changes.left))
        about = {"bots": game.bots, "name": game.name, "game": game.game, "chance": game.chance, "result": result}
        number = amendment.kept[game.number]
        insert_new(connection, CONTEST_GAME, {"contest": row.id, "number": number, **about})
    kept = written_plan(amendment.plan, amendment.identity)
    change_contest(connection, row.id, due=0, why="its games are played", **kept)
    told = list(amendment.lines)
    note_event(connection, now_ms, "contest.amended", f"contest/{row.slug}", public=True, told=told)


def recall_games(connection: sa.Connection, contest: int, reason: str, now_ms: int) -> None:
    """Takes back all games of a contest that no worker has begun; they can be asked again."""
    waiting = sa.select(PAIR.c.id).where(PAIR.c.contest == contest, PAIR.c.state == ASKED)
    cancel_pairs(connection, list(connection.scalars(waiting)), reason, now_ms)
    cancelled = sa.select(MATCH.c.id).join(PAIR, MATCH.c.pair == PAIR.c.id)
    cancelled = cancelled.where(PAIR.c.contest == contest, MATCH.c.state == CANCELLED)
    gone = sa.delete(CONTEST_GAME).where(CONTEST_GAME.c.contest == contest, CONTEST_GAME.c.match.in_(cancelled))
    connection.execute(gone)


def begin_contest(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    """Has a contest begin as soon as all its bots are checked."""
    row = need_state(connection, contest, OPEN)
    change_contest(connection, contest, wanted=1, why="it begins now")
    note_event(connection, now_ms, "contest.wanted", f"contest/{row.slug}", person=person, public=True)


def pause_contest(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    """Has no further game of a contest begin; those that are being played end, and count."""
    row = need_state(connection, contest, RUNNING)
    recall_games(connection, contest, "its contest is paused", now_ms)
    change_contest(connection, contest, state=PAUSED, why="its organiser has paused it")
    note_event(connection, now_ms, "contest.paused", f"contest/{row.slug}", person=person, public=True)


def resume_contest(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    row = need_state(connection, contest, PAUSED)
    change_contest(connection, contest, state=RUNNING, why="its games are played")
    note_event(connection, now_ms, "contest.resumed", f"contest/{row.slug}", person=person, public=True)


def cancel_contest(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    """Gives a contest up; what was played can still be seen."""
    row = need_state(connection, contest, OPEN, RUNNING, PAUSED)
    recall_games(connection, contest, "its contest was cancelled", now_ms)
    change_contest(connection, contest, state=GIVEN_UP, why="its organiser has cancelled it", ended_ms=now_ms)
    note_event(connection, now_ms, "contest.cancelled", f"contest/{row.slug}", person=person, public=True)


def end_watching(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    """Freezes the entries of a contest that is run again on every change; it is over when its last game is."""
    row = need_state(connection, contest, RUNNING, PAUSED)
    if not row.watched:
        raise InTheWay(f"{row.title} ends by itself", hint="after its last game")
    change_contest(connection, contest, deadline_ms=now_ms, state=RUNNING)
    note_event(connection, now_ms, "contest.frozen", f"contest/{row.slug}", person=person, public=True)


def run_again(connection: sa.Connection, contest: int, person: int, now_ms: int) -> None:
    """Has a contest begin from zero: it takes entries again, and draws a new root unless its file names one. What was
    played before can still be watched, and counts for nothing."""
    row = need_state(connection, contest, OVER, GIVEN_UP)
    named = read_site_file(row.file, predictable=True).plan.root
    root = fresh_root() if named is None else named
    connection.execute(sa.delete(CONTEST_GAME).where(CONTEST_GAME.c.contest == contest))
    values = {"state": OPEN, "why": waits_for(None), "plan": None, "identity": None, "wanted": 0, "due": 0}
    values |= {"begun_ms": None, "ended_ms": None, "deadline_ms": None}
    values |= {"run": row.run + 1, "past": json.dumps([*json.loads(row.past), row.root])}
    change_contest(connection, contest, root=root.hex(), root_hash=root_hash(root), **values)
    note_event(connection, now_ms, "contest.again", f"contest/{row.slug}", person=person, public=True)


def need_state(connection: sa.Connection, contest: int, *states: str) -> sa.Row[Any]:
    row = locked_contest(connection, contest)
    if row.state not in states:
        raise InTheWay(f"{row.title} is {row.state}", hint=f"this can be done while it is {' or '.join(states)}")
    return row


DEEDS = {
    "begin": begin_contest,
    "pause": pause_contest,
    "resume": resume_contest,
    "cancel": cancel_contest,
    "finish": end_watching,
    "again": run_again,
}
"""What an organiser can do with a contest, by the word for it."""
