"""What everybody may see of a pair while it is played: boards, and nothing that would help in its other game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import ENTRY, LADDER, MATCH
from botyard.yard.ladders.ladders import all_ladders
from botyard.yard.ladders.listing import ladder_table
from botyard.yard.ladders.match_lists import listed_matches, match_at, match_for, running_matches
from botyard.yard.ladders.seasons import seasons_of
from botyard.yard.site import Yard
from botyard.yard.work.queue import overview, queue_line, queued_tasks
from botyard.yard.work.verifying import PlayedMatch
from tests.yard.league import League, ended

ODD_SCORE = 31_337
PUBLIC: dict[str, Callable[[sa.Connection, League], Any]] = {
    "lists": lambda connection, league: listed_matches(connection),
    "running": lambda connection, league: running_matches(connection),
    "ladders": lambda connection, league: all_ladders(connection),
    "table": lambda connection, league: ladder_table(connection, all_ladders(connection)[0]),
    "seasons": lambda connection, league: seasons_of(connection, league.id),
    "queue": lambda connection, league: queued_tasks(connection, None),
    "line": lambda connection, league: queue_line(connection, None),
    "status": lambda connection, league: overview(connection, league.yard.clock()),
    "events": lambda connection, league: events_after(connection, 0, admin=True),
    "matches": lambda connection, league: [
        match_at(connection, number) for number in connection.scalars(sa.select(MATCH.c.id))
    ],
    "for owners": lambda connection, league: [
        match_for(connection, number, Caller(person, "somebody", "admin"))
        for number in connection.scalars(sa.select(MATCH.c.id))
        for person in (None, 1)
    ],
}
"""Everything that pages and the API read, as one text each."""


def odd_game() -> PlayedMatch:
    game = ended(f"p1:{ODD_SCORE}>p2:1")
    return replace(game, orders_hash="0ddba11")


def told(league: League) -> dict[str, str]:
    with league.yard.database.reading() as connection:
        return {name: repr(read(connection, league)) for name, read in PUBLIC.items()}


@pytest.fixture
def league(yard: Yard) -> League:
    league = League(yard)
    league.rivals("Ant", "Bee")
    return league


def test_nothing_that_is_read_tells_a_seed_a_root_or_a_result_while_the_pair_is_played(league: League) -> None:
    league.play(league.ask_pair(), ended("p1:3>p2:1"))
    pair = league.ask_pair()
    before = [(row.id, row.mu, row.sigma) for row in league.rows(ENTRY)]
    league.record(league.lease(league.matches(pair)[0]), odd_game())
    league.lease(league.matches(pair)[1])
    secrets = {"seed": league.pair(pair).seed, "root": league.row(LADDER, league.id).root, "score": str(ODD_SCORE)}
    for name, text in told(league).items():
        assert not [word for word, secret in secrets.items() if secret in text], name
    assert [(row.id, row.mu, row.sigma) for row in league.rows(ENTRY)] == before


def test_all_of_it_is_shown_when_both_games_are_over_but_for_the_root(league: League) -> None:
    pair = league.ask_pair()
    league.play(pair, odd_game())
    text = told(league)
    assert league.pair(pair).seed in text["matches"]
    assert str(ODD_SCORE) in text["lists"]
    assert str(ODD_SCORE) in text["events"]
    root = league.row(LADDER, league.id).root
    assert not [name for name, words in text.items() if root in words]


def test_the_game_of_a_void_pair_that_was_played_is_shown(league: League) -> None:
    pair = league.ask_pair()
    first, second = league.matches(pair)
    league.record(league.lease(first), odd_game())
    for _ in range(5):
        league.fail(league.lease(second))
    assert str(ODD_SCORE) in told(league)["lists"]
