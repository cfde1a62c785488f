"""After a deadline: nothing more is activated, what has begun is finished, and a final is played from zero."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from botyard.rank.ladder import NoPair, TaskClass
from botyard.yard.data.tables import ENTRY, LADDER, PAIR, RATING_STEP, SEAT, TASK
from botyard.yard.ladders import finals
from botyard.yard.ladders.finals import final_format, tend_deadlines
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.ladders.seasons import seasons_of
from botyard.yard.refusals import InTheWay
from botyard.yard.site import Yard
from tests.yard.conftest import Hands
from tests.yard.league import PLAN, League, ended, other_orders

DEADLINE_MS = 1_800_000_000_000 + 3_600_000
PLANNED = replace(PLAN, deadline="2027-01-15T09:00:00+00:00")


@pytest.fixture
def league(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> League:
    monkeypatch.setattr(finals, "MEETINGS", 1)  # a final of few games
    return League(yard, PLANNED)


def tend(league: League) -> str:
    with league.yard.database.writing() as connection:
        tend_deadlines(connection, league.yard.clock())
    return league.ladder.state


def standings(league: League) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(league.row(LADDER, league.id).standings)
    return told


def test_a_ladder_freezes_finishes_what_has_begun_and_plays_its_final(league: League, hands: Hands) -> None:
    assert league.ladder.deadline_ms == DEADLINE_MS
    ant, bee, cicada = league.rivals("Ant", "Bee", "Cicada")
    begun, waiting = league.ask_pair(), league.ask_pair()
    lease = league.lease(league.matches(begun)[0])
    assert tend(league) == "open"
    hands.pass_ms(3_600_000)
    assert tend(league) == "frozen"
    assert league.pair(waiting).state == "cancelled"
    assert isinstance(league.ask(TaskClass.SETTLING), NoPair)
    with pytest.raises(InTheWay, match="no ladder"):
        league.enter(ant, league.version(ant))
    assert tend(league) == "frozen", "a pair has begun"
    league.record(lease, ended("p1:3>p2:1"))
    league.record(league.lease(league.matches(begun)[1]), ended("p1:3>p2:1"))
    rated = len(league.rows(RATING_STEP))
    assert tend(league) == "final"
    pairs = [row.id for row in league.rows(PAIR) if row.kind == "final"]
    assert len(pairs) == 3
    assert {row.urgency for row in league.rows(TASK) if row.match in league.matches(pairs[0])} == {TaskClass.CONTEST}
    order = [league.entry(bot).id for bot in (cicada, ant, bee)]  # the best first
    for pair in pairs:
        for match in league.matches(pair):
            assert tend(league) == "final"
            seats = [row for row in league.rows(SEAT) if row.match == match]
            first, second = sorted(seats, key=lambda seat: order.index(seat.entry))
            league.record(league.lease(match), other_orders(ended(f"p{first.place}:2>p{second.place}:1")))
    assert tend(league) == "closed"
    told = standings(league)
    assert [(row["place"], row["entry"]) for row in told["rows"]] == list(enumerate(order, 1))
    assert len(league.rows(RATING_STEP)) == rated, "a final changes no rating"
    assert {row.in_flight for row in league.rows(ENTRY)} == {0}
    with league.yard.database.reading() as connection:
        assert seasons_of(connection, league.id)[0].root == league.row(LADDER, league.id).root


def test_a_closed_ladder_stays_closed_at_the_next_start_until_it_gets_a_later_deadline(
    league: League, hands: Hands
) -> None:
    hands.pass_ms(3_600_000)
    states = [tend(league) for _ in range(2)]
    assert states == ["frozen", "closed"], "nobody is there who could play"
    with league.yard.database.writing() as connection:
        open_ladders(connection, (PLANNED,), hands())
    assert league.ladder.state == "closed"
    with league.yard.database.writing() as connection:
        open_ladders(connection, (replace(PLAN, deadline="2030-01-01T00:00:00+00:00"),), hands())
    assert (league.ladder.state, league.ladder.season) == ("open", 2)


def test_the_best_bot_of_each_person_plays_the_final(yard: Yard, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finals, "MEETINGS", 1)
    league = League(yard, replace(PLANNED, bots_per_person=2))
    ada, bob = league.person("Ada"), league.person("Bob")
    ant, bee, cicada = league.bot(ada, "Ant"), league.bot(ada, "Bee"), league.bot(bob, "Cicada")
    league.play(league.ask_pair(), ended("p1:3>p2:1"))
    better = max((ant, bee), key=lambda bot: (league.entry(bot).mu, -league.entry(bot).id))
    hands.pass_ms(3_600_000)
    tend(league)
    for pair in [row.id for row in league.rows(PAIR) if row.state in ("asked", "begun")]:
        league.play(pair)
    tend(league)
    assert set(standings(league)["entries"]) == {league.entry(better).id, league.entry(cicada).id}


def test_a_final_has_a_format_for_few_and_for_many_bots_and_for_larger_tables() -> None:
    assert [final_format(bots, seats).NAME for bots, seats in ((5, 2), (200, 2), (9, 5))] == [
        "round_robin", "swiss", "rated_waves",
    ]  # fmt: skip
    assert final_format(3, 2).estimate(3).least == 60
