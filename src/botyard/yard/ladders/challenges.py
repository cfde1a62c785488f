"""Challenges and test games: games that a person asks for. They are not rated, and a day has only so many of them.

A challenge is a pair with the seats swapped, like those of the ladder, against bots of others. A test game is a single
game of an own version against a house bot or another own version.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from botyard.contest.roots import derive_seed, fresh_root
from botyard.games import load
from botyard.kernel.words import counted
from botyard.rank.ladder import TaskClass
from botyard.yard.config import Quotas
from botyard.yard.data.database import insert_new
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ACTIVE, BOT, ENTRY, FACT, FIT, LADDER, SETTLING, VERSION
from botyard.yard.ladders.ladders import CLOSED, Ladder, ladder_named
from botyard.yard.ladders.pairs import CHALLENGE, TEST, PairAsked, Seated, ask_pair
from botyard.yard.ladders.rows import ENTRIES, player_word
from botyard.yard.people.quotas import CHALLENGES, TEST_GAMES, check_quota
from botyard.yard.refusals import InTheWay, NotThere, Refusal

ROOT: Final = "challenge_root"  # the fact with the root of games that people ask for
NONCE_BYTES: Final = 8


def challenge(
    connection: sa.Connection,
    quotas: Quotas,
    person: int,
    slug: str,
    version: int,
    rivals: Sequence[int],
    now_ms: int,
) -> int:
    """Asks for a challenge of entries of a ladder by an own version; returns the pair's number.

    At a table of more than two, seats that nobody was named for are taken by house bots.
    """
    check_quota(connection, person, CHALLENGES, quotas, now_ms)
    ladder = playing_ladder(connection, slug)
    own = own_version(connection, person, version, ladder.game)
    others = [rival_entry(connection, ladder, person, rival) for rival in dict.fromkeys(rivals)]
    if not others:
        raise Refusal("nobody is challenged", hint="choose a bot of the ladder")
    return ask_for_game(connection, ladder, CHALLENGE, person, [own, *others], now_ms)


def try_out(
    connection: sa.Connection,
    quotas: Quotas,
    person: int,
    slug: str,
    version: int,
    now_ms: int,
    *,
    house: str = "",
    rival: int | None = None,
) -> int:
    """Asks for a test game of an own version under the settings of a ladder, against a house bot or another own
    version; returns the pair's number, which has this one game."""
    check_quota(connection, person, TEST_GAMES, quotas, now_ms)
    ladder = playing_ladder(connection, slug)
    own = own_version(connection, person, version, ladder.game)
    if rival is not None:
        other = own_version(connection, person, rival, ladder.game)
    else:
        load(ladder.game).bot_number(house)
        other = Seated(house, house=house)
    return ask_for_game(connection, ladder, TEST, person, [own, other], now_ms)


def playing_ladder(connection: sa.Connection, slug: str) -> Ladder:
    ladder = ladder_named(connection, slug)
    if ladder.state == CLOSED:
        raise InTheWay(f"the ladder {slug} is closed", hint="its games can still be watched")
    return ladder


def own_version(connection: sa.Connection, person: int, version: int, game: str) -> Seated:
    """Returns an own version that can play, as it sits in a match."""
    chosen = sa.select(VERSION.c.state, VERSION.c.number, BOT.c.name).join(BOT, VERSION.c.bot == BOT.c.id)
    own = (VERSION.c.id == version) & (BOT.c.owner == person) & (BOT.c.game == game) & BOT.c.deleted_ms.is_(None)
    row = connection.execute(chosen.where(own)).one_or_none()
    if row is None:
        raise NotThere(f"you have no version {version} of a bot for {game}")
    if row.state != FIT:
        raise InTheWay(f"version {row.number} of {row.name} is {row.state}", hint="only what passed its check can play")
    return Seated(f"{row.name} {row.number}", version=version)


def rival_entry(connection: sa.Connection, ladder: Ladder, person: int, entry: int) -> Seated:
    """Returns an entry of somebody else that plays on a ladder, with its active version."""
    row = connection.execute(ENTRIES.where(ENTRY.c.id == entry, ENTRY.c.ladder == ladder.id)).one_or_none()
    if row is None:
        raise NotThere(f"there is no entry {entry} on the ladder {ladder.slug}")
    if row.owner == person:
        raise InTheWay(f"{row.name} is your own", hint="ask for a test game against it")
    if row.state not in (SETTLING, ACTIVE):
        raise InTheWay(f"{row.house or row.name} is {row.state}", hint="challenge a bot that plays")
    return Seated(row.house or row.name, version=row.version, house=row.house)


@dataclass(frozen=True, slots=True)
class LadderRival:
    """A bot of somebody else that plays on a ladder."""

    entry: int
    name: str


def rivals_on(connection: sa.Connection, ladder: Ladder, person: int) -> list[LadderRival]:
    """Returns whom a person can challenge on a ladder, the best first."""
    playing = (ENTRY.c.ladder == ladder.id) & ENTRY.c.state.in_((SETTLING, ACTIVE)) & (BOT.c.owner != person)
    rows = connection.execute(ENTRIES.where(playing).order_by(ENTRY.c.mu.desc(), ENTRY.c.id))
    return [LadderRival(row.id, row.name) for row in rows]


def ask_for_game(
    connection: sa.Connection, ladder: Ladder, kind: str, person: int, seats: list[Seated], now_ms: int
) -> int:
    table = filled(ladder, seats)
    halves = (tuple(table), tuple(reversed(table))) if len(table) == 2 and kind == CHALLENGE else (tuple(table),)
    words = "+".join(player_word(seat.version, seat.house) for seat in table)
    chance = f"{kind}/{words}/{secrets.token_hex(NONCE_BYTES)}"
    settings = connection.execute(sa.select(LADDER.c.settings).where(LADDER.c.id == ladder.id)).scalar_one()
    asked = PairAsked(
        kind=kind,
        game=ladder.game,
        settings=settings,
        rules=ladder.rules,
        chance=chance,
        seed=derive_seed(root_of_challenges(connection), chance),
        halves=halves,
        urgency=int(TaskClass.CHALLENGE),
        why=f"a {'challenge' if kind == CHALLENGE else 'test game'} that was asked for",
        person=person,
    )
    pair = ask_pair(connection, asked, now_ms)
    names = [seat.name for seat in table]
    about: dict[str, Any] = {"pair": pair, "names": names, "ladder": ladder.slug}
    note_event(
        connection, now_ms, f"{kind}.asked", f"pair/{pair}", person=person, public=kind == CHALLENGE,
        concerns=person, **about,
    )  # fmt: skip
    return pair


def filled(ladder: Ladder, seats: list[Seated]) -> list[Seated]:
    """Returns the seats of a table, the empty ones filled with house bots in turn."""
    wanted = ladder.policy.seats
    if len(seats) > wanted:
        raise Refusal(f"{counted(len(seats), 'bot')} at a table of {wanted}", hint=f"name {wanted - 1} rivals at most")
    house = list(load(ladder.game).bots.HOUSE_BOTS)
    more = [Seated(house[at % len(house)], house=house[at % len(house)]) for at in range(wanted - len(seats))]
    return [*seats, *more]


def root_of_challenges(connection: sa.Connection) -> bytes:
    """Returns the root of games that people ask for; their seeds are shown one by one, when they are over."""
    insert_new(connection, FACT, {"name": ROOT, "value": fresh_root().hex()})
    return bytes.fromhex(connection.execute(sa.select(FACT.c.value).where(FACT.c.name == ROOT)).scalar_one())
