"""What pages read from the tables, on both databases: ladders, matches, the queue and how the yard is doing."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.tables import FAULT, WORKER
from botyard.yard.ladders.ladders import ladder_named
from botyard.yard.ladders.listing import TREND_PAIRS, bots_on_ladders, ladder_table, with_trends
from botyard.yard.ladders.match_lists import listed_matches, match_for, matches_of_bot, running_matches
from botyard.yard.refusals import NotThere
from botyard.yard.site import Yard
from botyard.yard.web.words import about_seconds, ordinal, queue_words
from botyard.yard.work.queue import QueueLine, overview, queue_line, queued_tasks
from tests.yard.conftest import Hands
from tests.yard.living import LivingYard
from tests.yard.test_pages import TWO


@pytest.fixture
def living(yard: Yard) -> LivingYard:
    living = LivingYard(yard)
    living.open(TWO)
    for name in ("Ada", "Bob", "Cyd"):
        living.bot(living.person(name), TWO, f"bot of {name}")
    return living


def test_a_table_is_in_the_order_of_mu_and_says_why_a_bot_has_no_rank(living: LivingYard) -> None:
    for _ in range(TREND_PAIRS + 1):
        living.play(TWO, "bot of Ada", "bot of Bob")
    with living.yard.database.reading() as connection:
        ladder = ladder_named(connection, TWO)
        lines = with_trends(connection, ladder_table(connection, ladder))
        assert bots_on_ladders(connection) == {ladder.id: 3}
    assert [line.mu for line in lines] == sorted((line.mu for line in lines), reverse=True)
    own = {line.name: line for line in lines if line.bot is not None}
    ranks = {line.name: place for place, line in enumerate(lines, 1) if line.rank is not None}
    assert {line.name: line.rank for line in lines if line.rank is not None} == ranks
    assert ranks.keys() == {"bot of Ada", "bot of Bob"}
    assert (own["bot of Cyd"].rank, own["bot of Cyd"].why) == (None, "0 of 10 pairs played")
    assert own["bot of Ada"].owner == "Ada"
    assert own["bot of Ada"].games == 2 * (TREND_PAIRS + 1)
    trends = [own[name].trend or 0.0 for name in ("bot of Ada", "bot of Bob")]
    assert trends[0] == pytest.approx(-trends[1])
    assert trends[0] != 0.0
    assert own["bot of Cyd"].trend is None


def test_lists_of_matches_go_by_ladder_game_and_bot(living: LivingYard) -> None:
    first = living.play(TWO, "bot of Ada", "bot of Bob")
    second = living.ask(TWO, "bot of Bob", "bot of Cyd")
    living.begin(second[1])
    with living.yard.database.reading() as connection:
        assert [match.id for match in listed_matches(connection)] == [second[1], first[1], first[0]]
        assert [match.id for match in running_matches(connection)] == [second[1]]
        assert [match.id for match in matches_of_bot(connection, 1)] == [first[1], first[0]]
        assert [match.id for match in matches_of_bot(connection, 1, before=first[1])] == [first[0]]
        assert [match.id for match in matches_of_bot(connection, 1, limit=1)] == [first[1]]
        assert matches_of_bot(connection, 99) == []
        assert [match.id for match in listed_matches(connection, before=first[1], limit=1)] == [first[0]]
        assert listed_matches(connection, game="nix") == listed_matches(connection, ladder=99) == []
        played = match_for(connection, first[0], Caller()).listed
        assert [seat.name for seat in played.seats] == ["bot of Ada", "bot of Bob"]
        assert sorted(seat.rank for seat in played.seats if seat.rank) == [1, 2]
        assert match_for(connection, first[0], Caller()).other == first[1]
        with pytest.raises(NotThere):
            match_for(connection, 99, Caller())


def test_nothing_of_half_a_pair_is_in_what_pages_read(living: LivingYard) -> None:
    first, second = living.ask(TWO, "bot of Ada", "bot of Bob")
    living.begin(first)
    living.end(first)
    with living.yard.database.reading() as connection:
        half = match_for(connection, first, Caller())
        assert (half.seed, half.figures, half.listed.result, half.listed.winners) == ("", {}, "", ())
        assert {(seat.rank, seat.score, seat.turns) for seat in half.listed.seats} == {(None, None, 0)}
        assert match_for(connection, second, Caller()).waits == "waits for a worker"
    living.begin(second)
    living.end(second)
    with living.yard.database.reading() as connection:
        whole = match_for(connection, first, Caller())
        assert whole.seed
        assert whole.listed.winners


def test_the_queue_tells_everybody_their_place(living: LivingYard, hands: Hands) -> None:
    first = living.ask(TWO, "bot of Ada", "bot of Bob")
    living.ask(TWO, "bot of Bob", "bot of Cyd")
    living.begin(first[0])
    hands.pass_ms(6000)
    living.end(first[0])
    with living.yard.database.reading() as connection:
        lines = {person: queue_line(connection, person) for person in (None, 1, 2, 3)}
        assert lines[None].waiting == 3
        assert [lines[person].mine for person in (1, 2, 3)] == [1, 1, 2]
        tasks = queued_tasks(connection, 3)
        assert [task.mine for task in tasks] == [False, True, True]
        assert tasks[1].names == ("bot of Bob", "bot of Cyd")
        assert queued_tasks(connection, None, ladder=99) == []
    assert queue_words(lines[3]).startswith("3 waiting, yours is second, ")


def test_the_overview_knows_workers_and_the_last_trouble(living: LivingYard, hands: Hands) -> None:
    match = living.ask(TWO, "bot of Ada", "bot of Bob")[0]
    living.begin(match)
    with living.yard.database.writing() as connection:
        connection.execute(sa.insert(FAULT).values(worker="local 1", reason="the disk is full", at_ms=hands.now_ms))
    with living.yard.database.reading() as connection:
        seen = overview(connection, hands.now_ms + 5)
    assert (seen.able, seen.running, seen.waiting) == (1, 1, {4: (1, hands.now_ms)})
    assert seen.last_fault == (hands.now_ms, "local 1", "the disk is full")
    assert seen.workers[0].task_match == match
    with living.yard.database.writing() as connection:
        connection.execute(sa.update(WORKER).values(state="gone"))
    with living.yard.database.reading() as connection:
        assert overview(connection, hands.now_ms).able == 0
        assert "no worker" in queue_words(queue_line(connection, None))


def test_queues_and_times_are_told_in_words() -> None:
    assert [ordinal(number) for number in (1, 3, 11, 12, 21, 22, 23, 101, 111)] == [
        "first", "third", "11th", "12th", "21st", "22nd", "23rd", "101st", "111th",
    ]  # fmt: skip
    assert [about_seconds(number) for number in (3, 42, 100, 7300)] == [
        "a few seconds", "about 40 s", "about 2 minutes", "about 2 hours",
    ]  # fmt: skip
    assert queue_words(QueueLine(12, 1, 3, 40, 2)) == "12 waiting, yours is third, about 40 s."
    assert queue_words(QueueLine(0, 0, None, None, 2)) == "Nothing waits."
    assert queue_words(QueueLine(0, 1, None, None, 2)) == "Nothing waits; 1 task at work."
