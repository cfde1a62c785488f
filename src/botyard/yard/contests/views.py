"""This module reads contests for pages and programs: how far they are, and the games of their matches."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from botyard.rank.results import parse
from botyard.yard.caller import Caller
from botyard.yard.contests.contests import Contest
from botyard.yard.contests.games import GAMES, game_state, named
from botyard.yard.data.contest_tables import CONTEST, CONTEST_GAME, ENTRANT, OVER, OWN_GAMES
from botyard.yard.data.tables import BOT, SEAT, VERSION
from botyard.yard.ladders.match_lists import RELEASED

MATCHES_SHOWN = 400
ENTERED = (
    sa.select(ENTRANT.c.contest, sa.func.count())
    .where(ENTRANT.c.version.is_not(None), ENTRANT.c.left_ms.is_(None))
    .group_by(ENTRANT.c.contest)
)
ENTERED_WITH = (
    sa.select(CONTEST.c.slug, CONTEST.c.title, CONTEST.c.state, CONTEST.c.why, VERSION.c.number)
    .join(ENTRANT, ENTRANT.c.contest == CONTEST.c.id)
    .join(VERSION, ENTRANT.c.version == VERSION.c.id)
    .where(VERSION.c.bot == sa.bindparam("of"), ENTRANT.c.left_ms.is_(None))
    .order_by(CONTEST.c.id.desc())
)


@dataclass(frozen=True, slots=True)
class ContestProgress:
    """How many games of a contest were asked for, and what became of them."""

    asked: int = 0
    playing: int = 0
    done: int = 0
    void: int = 0

    @property
    def all(self) -> int:
        return self.asked + self.playing + self.done + self.void


@dataclass(frozen=True, slots=True)
class ContestGame:
    """A game of a contest, for those who may see it."""

    number: int
    match: int | None  # where it is shown; none: it was forfeited before it was played
    game: int  # within its match of the format
    state: str
    result: str  # by key; empty until it is known
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContestMatch:
    """The games that a format puts into one match: a bout of a pair, a pairing of a round, a duel of a bracket."""

    name: str
    bots: tuple[str, ...]
    games: tuple[ContestGame, ...] = field(default=())

    @property
    def wins(self) -> dict[str, int]:
        """How many games each of them has won so far."""
        won = [parse(game.result).winner for game in self.games if game.result]
        return {bot: won.count(bot) for bot in self.bots}

    @property
    def over(self) -> bool:
        return all(game.state in ("done", "void") for game in self.games)


def progress_of(connection: sa.Connection, contest: Contest) -> ContestProgress:
    states = [game_state(row) for row in connection.execute(GAMES.where(CONTEST_GAME.c.contest == contest.id))]
    return ContestProgress(*(states.count(state) for state in ("asked", "leased", "done", "void")))


def games_for(connection: sa.Connection, contest: Contest, caller: Caller) -> list[tuple[str, ContestGame]]:
    """Returns the games that a caller may see, each with the name of its match in the format."""
    if not contest.shows_all_to(caller) and contest.release != OWN_GAMES:
        return []
    chosen = GAMES.where(CONTEST_GAME.c.contest == contest.id)
    if not contest.shows_all_to(caller):
        if caller.person is None:
            return []
        own = sa.select(SEAT.c.match).join(VERSION, SEAT.c.version == VERSION.c.id).join(BOT, VERSION.c.bot == BOT.c.id)
        chosen = chosen.where(CONTEST_GAME.c.match.in_(own.where(BOT.c.owner == caller.person)))
    return [(row.name, game_of(row)) for row in connection.execute(chosen)]


def game_of(row: sa.Row[Any]) -> ContestGame:
    bots = tuple(json.loads(row.bots))
    result = row.forfeit
    if row.result and row.pair_state in RELEASED:
        result = str(named(parse(row.result), bots))
    return ContestGame(row.number, row.match, row.game, game_state(row), result, bots)


def matches_in(games: list[tuple[str, ContestGame]]) -> list[ContestMatch]:
    """Returns games as the matches of the format, in the order in which they were asked."""
    found: dict[str, ContestMatch] = {}
    for name, game in games:
        match = found.get(name) or ContestMatch(name, tuple(sorted(game.bots)))
        found[name] = replace(match, games=(*match.games, game))
    return list(found.values())


def rounds_in(matches: list[ContestMatch]) -> dict[str, list[ContestMatch]]:
    """Returns matches by their round, where the format has rounds; else all of them under one word."""
    rounds: dict[str, list[ContestMatch]] = {}
    for match in matches[:MATCHES_SHOWN]:
        head, between, _ = match.name.partition(" match ")
        rounds.setdefault(head.capitalize() if between or head == "final" else "", []).append(match)
    return rounds


def entered_numbers(connection: sa.Connection) -> dict[int, int]:
    """Returns how many bots of players are entered in each contest."""
    return {row[0]: row[1] for row in connection.execute(ENTERED)}


def contests_of_bot(connection: sa.Connection, bot: int) -> list[sa.Row[Any]]:
    """Returns where a bot is entered, the newest contest first."""
    return list[sa.Row[Any]](connection.execute(ENTERED_WITH, {"of": bot}))


def file_of(contest: Contest, caller: Caller) -> str:
    """Returns the contest file, if the caller may see it: it may name the seed, and a seed is secret until the end."""
    return contest.file if contest.state == OVER or contest.ruled_by(caller) else ""
