"""Contests are run here: begun, asked wave by wave, amended when bots change, and ended.

The course of a contest follows from its games alone, so a server that was killed goes on where the tables stand. Games
are matches that wait for workers like all others; those that share their chance, and so their seed, are one pair.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Final

import sqlalchemy as sa

from botyard.contest.amendment import amendment_of
from botyard.contest.identity import Identity
from botyard.contest.plan import Plan
from botyard.contest.plan_json import plan_values
from botyard.contest.roots import derive_seed
from botyard.contest.runner import unfinished_wave
from botyard.kernel.errors import YardError
from botyard.rank.formats import Pairing
from botyard.rank.ladder import TaskClass
from botyard.yard.contests.changing import amend, recall_games
from botyard.yard.contests.contests import HELD, change_contest, locked_contest
from botyard.yard.contests.entrants import Entrant, entrants_of
from botyard.yard.contests.games import YardGames
from botyard.yard.contests.plans import obstacles, plan_now, played_plan, written_plan
from botyard.yard.data.contest_tables import CONTEST, CONTEST_GAME, OPEN, OVER, RUNNING
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ASKED, BEGUN, LEASED, MATCH, PAIR
from botyard.yard.ladders.pairs import CONTEST_PAIR, PairAsked, Seated, ask_pair
from botyard.yard.ladders.plans import settings_values

LEAST: Final = 24  # games of a contest that wait or are played; if there are fewer,
AHEAD: Final = 120  # so many are asked for

OPEN_GAMES = (
    sa.select(sa.func.count())
    .select_from(CONTEST_GAME)
    .join(MATCH, CONTEST_GAME.c.match == MATCH.c.id)
    .where(CONTEST_GAME.c.contest == sa.bindparam("contest"), MATCH.c.state.in_((ASKED, LEASED)))
)
PENDING = sa.select(
    CONTEST.c.id, CONTEST.c.state, CONTEST.c.due, CONTEST.c.deadline_ms, CONTEST.c.wanted, CONTEST.c.why
).where(CONTEST.c.state.in_((OPEN, RUNNING)))  # fmt: skip
IDLE: Final = "all games are played; a bot that comes or changes brings new ones"


def contests_to_tend(connection: sa.Connection, now_ms: int, asked: Collection[int] = ()) -> list[int]:
    """Returns the contests for which there may be something to do: whoever asks often should not have to write.

    `asked` are those of whose present wave no game is left to ask: they go on when all of them are over.
    """
    found = []
    for row in connection.execute(PENDING.order_by(CONTEST.c.id)).all():
        past = row.deadline_ms is not None and row.deadline_ms <= now_ms
        if row.state == OPEN:
            wanted = past or row.wanted
        elif row.why == IDLE and not past:
            wanted = row.due
        else:
            waiting = connection.execute(OPEN_GAMES, {"contest": row.id}).scalar_one()
            wanted = row.due or waiting < (1 if row.id in asked else LEAST)
        if wanted:
            found.append(row.id)
    return found


def tend_contest(connection: sa.Connection, contest: int, now_ms: int) -> bool:
    """Does what is due for a contest: begins it, amends it, asks for its next games, or ends it.

    Returns whether further games could be asked for already.
    """
    row = locked_contest(connection, contest)
    if row.state == OPEN:
        past = row.deadline_ms is not None and row.deadline_ms <= now_ms
        if not (row.wanted or past) or not begin_if_ready(connection, row, now_ms):
            return False
        row = locked_contest(connection, contest)
    if row.state != RUNNING:
        return False
    if row.due:
        if not take_changes(connection, row, now_ms):
            return False
        row = locked_contest(connection, contest)
    return go_on(connection, row, now_ms)


def begin_if_ready(connection: sa.Connection, row: sa.Row[Any], now_ms: int) -> bool:
    """Begins a contest; if it cannot begin, it says why, and waits."""
    plan = plan_now(connection, row)
    missing = obstacles(plan, entrants_of(connection, row.id))
    if missing:
        why = f"it cannot begin: {'; '.join(missing)}"
        if why != row.why:
            change_contest(connection, row.id, why=why)
        return False
    values = {"state": RUNNING, "why": "its games are played", "due": 0, "begun_ms": now_ms}
    change_contest(connection, row.id, **values, **written_plan(plan, plan.identity))
    note_event(
        connection, now_ms, "contest.begun", f"contest/{row.slug}", public=True, bots=len(plan.bots),
        root_hash=row.root_hash,
    )  # fmt: skip
    return True


def take_changes(connection: sa.Connection, row: sa.Row[Any], now_ms: int) -> bool:
    """Amends a contest whose bots have changed; returns whether it goes on now. What is being played is finished first:
    the numbers of games change, and no result may be lost on the way."""
    plan = plan_now(connection, row)
    missing = obstacles(plan, entrants_of(connection, row.id))
    if missing:
        change_if_new(connection, row, f"the change of a bot waits: {'; '.join(missing)}")
        return False
    before = Identity.of(json.loads(row.identity))
    games = YardGames(connection, row.id, bytes.fromhex(row.root), results_only=True)
    played = played_plan(row)
    try:
        amendment = amendment_of(played, before, plan, games.rows())
    except YardError as error:
        change_contest(connection, row.id, due=0, why=str(error))
        return True
    if amendment is None:
        change_contest(connection, row.id, due=0, plan=json.dumps(plan_values(plan)))
        return True
    recall_games(connection, row.id, "a bot of its contest has changed", now_ms)
    busy = sa.select(sa.func.count()).select_from(PAIR).where(PAIR.c.contest == row.id, PAIR.c.state == BEGUN)
    if connection.execute(busy).scalar_one():
        change_if_new(connection, row, "a bot has changed: the games that are being played are finished first")
        return False
    amend(connection, row, amendment, now_ms)
    return True


def change_if_new(connection: sa.Connection, row: sa.Row[Any], why: str) -> None:
    if row.why != why:
        change_contest(connection, row.id, why=why)


def go_on(connection: sa.Connection, row: sa.Row[Any], now_ms: int) -> bool:
    """Asks for the next games of a contest, or ends it; returns whether its present wave has further ones."""
    plan, root = played_plan(row), bytes.fromhex(row.root)
    _, first, wave = unfinished_wave(plan, YardGames(connection, row.id, root, results_only=True))
    if not wave:
        end_contest(connection, row, now_ms)
        return False
    asked = set(
        connection.scalars(
            sa.select(CONTEST_GAME.c.number).where(
                CONTEST_GAME.c.contest == row.id, CONTEST_GAME.c.number.between(first, first + len(wave) - 1)
            )
        )
    )
    missing = [(number, pairing) for number, pairing in enumerate(wave, first) if number not in asked]
    room = AHEAD - connection.execute(OPEN_GAMES, {"contest": row.id}).scalar_one()
    if not missing or room <= 0:
        return bool(missing)
    change_if_new(connection, row, "its games are played")
    chosen = chosen_games(missing, room)
    ask_games(connection, row, plan, chosen, now_ms)
    return sum(map(len, chosen)) < len(missing)


def chosen_games(missing: Sequence[tuple[int, Pairing]], room: int) -> list[list[tuple[int, Pairing]]]:
    """Returns the next games by their chance: those that share one are asked together, because they share a seed."""
    together: dict[str, list[tuple[int, Pairing]]] = {}
    for number, pairing in missing:
        together.setdefault(pairing.chance, []).append((number, pairing))
    chosen = []
    for games in together.values():
        if room <= 0:
            break
        chosen.append(games)
        room -= len(games)
    return chosen


def ask_games(
    connection: sa.Connection, row: sa.Row[Any], plan: Plan, pairs: list[list[tuple[int, Pairing]]], now_ms: int
) -> None:
    """Asks for games, each of which waits for a worker."""
    seats = {entrant.key: seated(entrant) for entrant in entrants_of(connection, row.id, gone=True)}
    settings, rules = json.dumps(settings_values(plan.settings), sort_keys=True), plan.book.facts.rules_version
    for games in pairs:
        chance = games[0][1].chance
        asked = PairAsked(
            kind=CONTEST_PAIR,
            contest=row.id,
            held=HELD[row.release],
            season=row.run,
            game=plan.game,
            settings=settings,
            rules=rules,
            chance=chance,
            seed=derive_seed(bytes.fromhex(row.root), chance),
            halves=tuple(tuple(seats[bot] for bot in pairing.bots) for _, pairing in games),
            urgency=int(TaskClass.CONTEST),
            why=f"{row.title}: {games[0][1].match}",
        )
        pair = ask_pair(connection, asked, now_ms)
        matches = connection.scalars(sa.select(MATCH.c.id).where(MATCH.c.pair == pair).order_by(MATCH.c.half)).all()
        rows = [
            game_values(row.id, number, pairing, match) for (number, pairing), match in zip(games, matches, strict=True)
        ]
        connection.execute(sa.insert(CONTEST_GAME), rows)


def game_values(contest: int, number: int, pairing: Pairing, match: int) -> dict[str, Any]:
    told = {"bots": json.dumps(pairing.bots), "name": pairing.match, "game": pairing.game, "chance": pairing.chance}
    return {"contest": contest, "number": number, "match": match, **told}


def seated(entrant: Entrant) -> Seated:
    return Seated(entrant.name, version=entrant.version, house=entrant.house or None)


def end_contest(connection: sa.Connection, row: sa.Row[Any], now_ms: int) -> None:
    """Ends a contest, whose root may be shown from now on; one that waits for changed bots goes on waiting."""
    if row.watched and (row.deadline_ms is None or now_ms < row.deadline_ms):
        change_if_new(connection, row, IDLE)
        return
    change_contest(connection, row.id, state=OVER, why="it is over", ended_ms=now_ms)
    note_event(connection, now_ms, "contest.over", f"contest/{row.slug}", public=True, title=row.title)
