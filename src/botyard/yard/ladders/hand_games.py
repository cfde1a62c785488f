"""Games by hand: a person against house bots or own versions. They are played on a worker, and are not rated."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.games import load
from botyard.kernel.settings import fresh_seed
from botyard.rank.ladder import TaskClass
from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ASKED, BOT, FIT, LEASED, MATCH, PAIR, PERSON, VERSION, WORKER
from botyard.yard.ladders.challenges import own_version
from botyard.yard.ladders.pairs import HAND, PairAsked, Seated, ask_pair, cancel_pair
from botyard.yard.ladders.plans import settings_values
from botyard.yard.refusals import InTheWay, NotThere, Refusal

NONCE_BYTES = 8
HOUSE, VERSION_OF = "house", "version"
"""How a rival is named: house:NAME, or version:NUMBER of an own version."""


@dataclass(frozen=True, slots=True)
class OwnRival:
    """An own version that could be played against."""

    version: int
    name: str


def own_rivals(connection: sa.Connection, person: int, game: str) -> list[OwnRival]:
    """Returns a person's versions that are fit for a game, the newest first."""
    chosen = (
        sa.select(VERSION.c.id, VERSION.c.number, BOT.c.name)
        .join(BOT, VERSION.c.bot == BOT.c.id)
        .where(BOT.c.owner == person, BOT.c.game == game, BOT.c.deleted_ms.is_(None), VERSION.c.state == FIT)
        .order_by(VERSION.c.id.desc())
    )
    return [OwnRival(row.id, f"{row.name} {row.number}") for row in connection.execute(chosen)]


def open_hand_game(connection: sa.Connection, person: int) -> int | None:
    """Returns the match that a person plays by hand, or is about to play."""
    chosen = sa.select(MATCH.c.id).join(PAIR, MATCH.c.pair == PAIR.c.id)
    mine = (PAIR.c.kind == HAND) & (PAIR.c.person == person) & MATCH.c.state.in_([ASKED, LEASED])
    return connection.execute(chosen.where(mine).order_by(MATCH.c.id).limit(1)).scalar_one_or_none()


def ask_hand_game(
    connection: sa.Connection, person: int, game: str, rivals: Sequence[str], place: int, now_ms: int
) -> int:
    """Asks for a game of a person against these rivals; returns its match. A person plays one at a time."""
    row = locked(connection, PERSON, person)
    if row is None:
        raise NotThere("there is no such person")
    if open_hand_game(connection, person) is not None:
        raise InTheWay("you are at a board already", hint="play that game to its end first, or leave it")
    check_workers(connection)
    book = load(game)
    book.facts.check_seats(1 + len(rivals))
    if not 1 <= place <= 1 + len(rivals):
        raise Refusal(f"there is no place {place} at this table", hint=f"choose 1 to {1 + len(rivals)}")
    table = [rival_named(connection, person, game, rival) for rival in rivals]
    table.insert(place - 1, Seated(row.name, person=person))
    settings = book.settings.read({}).seated(len(table)).with_fixed_seats()
    asked = PairAsked(
        kind=HAND,
        game=game,
        settings=json.dumps(settings_values(settings), sort_keys=True),
        rules=book.facts.rules_version,
        chance=f"{HAND}/{secrets.token_hex(NONCE_BYTES)}",
        seed=fresh_seed(),
        halves=(tuple(table),),
        urgency=int(TaskClass.CHALLENGE),
        why="a person wants to play",
        person=person,
    )
    pair = ask_pair(connection, asked, now_ms)
    note_event(connection, now_ms, "hand.asked", f"pair/{pair}", person=person, concerns=person, game=game)
    return int(connection.execute(sa.select(MATCH.c.id).where(MATCH.c.pair == pair)).scalar_one())


def check_workers(connection: sa.Connection) -> None:
    """Refuses a game by hand while as many are played as workers can be spared."""
    able = sa.select(sa.func.count()).select_from(WORKER).where(WORKER.c.state.in_(["idle", "busy"]))
    playing = sa.select(sa.func.count()).select_from(MATCH).join(PAIR, MATCH.c.pair == PAIR.c.id)
    playing = playing.where(PAIR.c.kind == HAND, MATCH.c.state.in_([ASKED, LEASED]))
    most = max(1, connection.execute(able).scalar_one() - 1)
    if connection.execute(playing).scalar_one() >= most:
        hint = "a person keeps a worker busy; try again in a few minutes"
        raise InTheWay(f"{most} {'person plays' if most == 1 else 'people play'} by hand already", hint=hint)


def rival_named(connection: sa.Connection, person: int, game: str, rival: str) -> Seated:
    kind, _, rest = rival.partition(":")
    if kind == HOUSE and rest in load(game).bots.HOUSE_BOTS:
        return Seated(rest, house=rest)
    if kind == VERSION_OF and rest.isascii() and rest.isdigit() and len(rest) < 16:
        return own_version(connection, person, int(rest), game)
    raise Refusal("there is no such rival", hint="choose a house bot, or a version of yours that passed its check")


def leave_hand_game(connection: sa.Connection, person: int, now_ms: int) -> int | None:
    """Cancels the game that a person asked for; returns its match if it has begun, because then it is to be resigned
    where it is played."""
    match = open_hand_game(connection, person)
    if match is None:
        return None
    pair = connection.execute(sa.select(MATCH.c.pair).where(MATCH.c.id == match)).scalar_one()
    cancelled = cancel_pair(connection, pair, "the person has left", now_ms)
    kind = "hand.cancelled" if cancelled else "hand.resigned"
    note_event(connection, now_ms, kind, f"pair/{pair}", person=person, concerns=person)
    return None if cancelled else match
