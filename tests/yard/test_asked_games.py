"""Challenges and test games: what a person may ask for, and that nobody's rating depends on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from botyard.kernel.errors import UnknownName
from botyard.yard.config import LadderPlan, Quotas
from botyard.yard.data.tables import ENTRY, PAIR, RATING_STEP, SEAT, TASK
from botyard.yard.ladders.challenges import challenge, try_out
from botyard.yard.ladders.entries import retire
from botyard.yard.refusals import InTheWay, NotThere, Refusal, TooMuch
from botyard.yard.site import Yard
from tests.yard.league import SLUG, League, ended

QUOTAS = Quotas()


def owner_of(league: League, name: str) -> tuple[int, int, int]:
    """A person, their bot's entry and its version."""
    person = league.person(f"owner of {name}")
    row = league.entry(league.bot(person, name))
    return person, row.id, row.version


def test_a_challenge_is_a_pair_that_is_played_soon_and_not_rated(league: League) -> None:
    ada, _, own = owner_of(league, "Ant")
    _, rival, theirs = owner_of(league, "Bee")
    with league.yard.database.writing() as connection:
        pair = challenge(connection, QUOTAS, ada, SLUG, own, [rival], league.yard.clock())
    seats = sorted((row.match, row.place, row.version) for row in league.rows(SEAT))
    first, second = league.matches(pair)
    assert seats == [(first, 1, own), (first, 2, theirs), (second, 1, theirs), (second, 2, own)]
    assert {row.urgency for row in league.rows(TASK)} == {1}
    league.play(pair, ended("p1:3>p2:1"))
    assert (league.pair(pair).state, league.pair(pair).number) == ("closed", None)
    assert league.rows(RATING_STEP) == []
    assert {row.in_flight for row in league.rows(ENTRY)} == {0}


def test_a_test_game_is_one_game_against_a_house_bot_or_an_own_version(league: League) -> None:
    ada, entry, own = owner_of(league, "Ant")
    bot = next(row.bot for row in league.rows(ENTRY) if row.id == entry)
    other = league.version(bot)
    with league.yard.database.writing() as connection:
        house = try_out(connection, QUOTAS, ada, SLUG, other, league.yard.clock(), house="raider")
        mine = try_out(connection, QUOTAS, ada, SLUG, other, league.yard.clock(), rival=own)
        with pytest.raises(UnknownName):
            try_out(connection, QUOTAS, ada, SLUG, other, league.yard.clock(), house="nobody")
    assert [len(league.matches(pair)) for pair in (house, mine)] == [1, 1]
    assert len({league.pair(house).seed, league.pair(mine).seed}) == 2
    league.play(mine)
    assert league.pair(mine).state == "closed"


def test_nobody_plays_with_anothers_version_or_challenges_themselves(league: League) -> None:
    ada, own_entry, own = owner_of(league, "Ant")
    _, rival, theirs = owner_of(league, "Bee")
    now_ms = league.yard.clock()
    with league.yard.database.writing() as connection:
        with pytest.raises(NotThere):
            challenge(connection, QUOTAS, ada, SLUG, theirs, [rival], now_ms)
        with pytest.raises(NotThere):
            try_out(connection, QUOTAS, ada, SLUG, own, now_ms, rival=theirs)
        with pytest.raises(InTheWay, match="your own"):
            challenge(connection, QUOTAS, ada, SLUG, own, [own_entry], now_ms)
        with pytest.raises(Refusal, match="nobody is challenged"):
            challenge(connection, QUOTAS, ada, SLUG, own, [], now_ms)
        with pytest.raises(NotThere):
            challenge(connection, QUOTAS, ada, SLUG, own, [999], now_ms)
    assert league.rows(PAIR) == []


def test_what_a_bot_was_asked_for_is_cancelled_when_it_is_withdrawn(league: League) -> None:
    ada, entry, own = owner_of(league, "Ant")
    with league.yard.database.writing() as connection:
        pair = try_out(connection, QUOTAS, ada, SLUG, own, league.yard.clock(), house="raider")
        retire(connection, league.row(ENTRY, entry).bot, league.yard.clock())
    assert league.pair(pair).state == "cancelled"


def test_a_day_has_only_so_many_challenges_and_test_games(league: League) -> None:
    ada, _, own = owner_of(league, "Ant")
    _, rival, _ = owner_of(league, "Bee")
    few = replace(QUOTAS, challenges_a_day=1, test_games_a_day=1)
    now_ms = league.yard.clock()
    with league.yard.database.writing() as connection:
        challenge(connection, few, ada, SLUG, own, [rival], now_ms)
        try_out(connection, few, ada, SLUG, own, now_ms, house="raider")
        with pytest.raises(TooMuch):
            challenge(connection, few, ada, SLUG, own, [rival], now_ms)
        with pytest.raises(TooMuch):
            try_out(connection, few, ada, SLUG, own, now_ms, house="raider")


def test_house_bots_fill_the_seats_of_a_larger_table(one_yard: Yard) -> None:
    league = League(one_yard, LadderPlan(SLUG, "snakepit", seats=4))
    ada, _, own = owner_of(league, "Ant")
    _, rival, _ = owner_of(league, "Bee")
    with one_yard.database.writing() as connection:
        pair = challenge(connection, QUOTAS, ada, SLUG, own, [rival], one_yard.clock())
    [match] = league.matches(pair)
    assert [row.house is not None for row in league.rows(SEAT) if row.match == match] == [False, False, True, True]
