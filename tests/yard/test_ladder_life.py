"""Entries of a ladder: how they settle, change their version, are benched and revived, and how they are rated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.rank.ladder import NoPair, TaskClass
from botyard.rank.ratings import START_SIGMA
from botyard.yard.bots.orders import check_stamp, settings_of
from botyard.yard.data.ladder_tables import ENCOUNTER, KEPT_RATING, SEASON
from botyard.yard.data.tables import (
    ACTIVE,
    BEGUN,
    BENCHED,
    CANCELLED,
    CLOSED,
    ENTRY,
    LADDER,
    NOTICE,
    PAIR,
    RATING_STEP,
    RETIRED,
    SEAT,
    SETTLING,
    TASK,
    VERSION,
    VOID,
    WORKER,
)
from botyard.yard.data.times import DAY
from botyard.yard.keeping.backup import unseen
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.verify_ratings import verify_ratings
from botyard.yard.ladders.entries import retire, revive
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.ladders.rating import rebuild_ratings
from botyard.yard.ladders.rechecks import ask_rechecks
from botyard.yard.ladders.seasons import open_season, seasons_of
from botyard.yard.refusals import InTheWay, TooMuch
from botyard.yard.work.tasks import Lease
from tests.yard.conftest import Hands
from tests.yard.league import PLAN, League, ended, other_orders, some_game

WON, LOST = "p1:3>p2:1", "p2:3>p1:1"


def rating(row: sa.Row[Any]) -> tuple[float, float]:
    return row.mu, row.sigma


def table(league: League) -> list[tuple[Any, ...]]:
    """All that ratings are made of, as the rows hold it."""
    steps = [tuple(row) for row in league.rows(RATING_STEP)]
    entries = [(row.id, row.mu, row.sigma, row.games, row.pairs) for row in league.rows(ENTRY)]
    return [*sorted(steps, key=repr), *sorted(entries), *sorted(map(tuple, league.rows(KEPT_RATING)))]


def troubles(league: League) -> list[str]:
    """What `yard verify` says about ratings."""
    found = Findings()
    with league.yard.database.reading() as connection:
        verify_ratings(connection, found, unseen)
    return [str(finding) for finding in found.troubles]


def test_a_version_settles_with_sixteen_pairs_and_then_waits_its_turn(league: League, hands: Hands) -> None:
    (ant,) = league.rivals("Ant")
    for played in range(league.ladder.policy.settling_pairs):
        assert (league.entry(ant).state, league.entry(ant).pairs) == (SETTLING, played)
        asked = league.ask(TaskClass.SETTLING)
        assert not isinstance(asked, NoPair)
        league.play(asked.pair, other_orders(some_game()))
        hands.pass_ms(1000)
    assert league.entry(ant).state == ACTIVE
    assert isinstance(league.ask(TaskClass.SETTLING), NoPair)
    assert not isinstance(league.ask(TaskClass.STEADY), NoPair)


def test_a_settling_entry_is_not_asked_for_more_than_it_may_have_in_flight(league: League) -> None:
    league.rivals("Ant")
    for _ in range(league.ladder.policy.in_flight):
        league.ask_pair()
    refused = league.ask(TaskClass.SETTLING)
    assert isinstance(refused, NoPair)
    assert refused.why


def test_house_bots_host_a_pair_a_minute_while_fewer_than_two_players_bots_are_there(
    league: League, hands: Hands
) -> None:
    league.play(league.ask_pair())
    refused = league.ask(TaskClass.STEADY)
    assert isinstance(refused, NoPair)
    assert refused.again_ms == hands() + 60_000
    hands.pass_ms(60_000)
    league.play(league.ask_pair())
    league.rivals("Ant", "Bee")
    hands.pass_ms(60_000)
    for _ in range(2 * league.ladder.policy.in_flight):
        asked = league.ask(TaskClass.SETTLING)
        if isinstance(asked, NoPair):
            break
        [host] = {row.entry for row in league.rows(SEAT) if row.match == league.matches(asked.pair)[0]} & {
            row.id for row in league.rows(ENTRY) if row.bot is not None and row.hosted_ms == hands()
        }
        assert host
        hands.pass_ms(1)
    assert isinstance(league.ask(TaskClass.STEADY), NoPair)


def test_a_new_version_keeps_its_strength_and_is_doubted_and_going_back_restores_it(league: League) -> None:
    ant, _ = league.rivals("Ant", "Bee")
    first = league.entry(ant).version
    for _ in range(3):
        league.play(league.ask_pair(), other_orders(ended(WON)))
    before = league.entry(ant)
    assert before.sigma < START_SIGMA
    second = league.version(ant)
    league.enter(ant, second)
    now = league.entry(ant)
    assert rating(now) == (before.mu, max(before.sigma, START_SIGMA / 2))
    assert (now.state, now.version_pairs, now.version) == (SETTLING, 0, second)
    league.enter(ant, first)
    again = league.entry(ant)
    assert rating(again) == rating(before)
    assert again.version_pairs == before.version_pairs


def test_what_has_begun_counts_for_the_version_it_was_asked_with_and_the_rest_is_cancelled(league: League) -> None:
    ant, _ = league.rivals("Ant", "Bee")
    begun, waiting = league.ask_pair(), league.ask_pair()
    old = league.entry(ant).version
    first, second = league.matches(begun)
    league.record(league.lease(first))
    league.enter(ant, league.version(ant))
    assert (league.pair(begun).state, league.pair(waiting).state) == (BEGUN, CANCELLED)
    league.record(league.lease(second))
    assert league.pair(begun).state == CLOSED
    [step] = [row for row in league.rows(RATING_STEP) if row.entry == league.entry(ant).id]
    assert step.version == old
    assert (league.entry(ant).pairs, league.entry(ant).version_pairs) == (1, 0)
    assert {row.in_flight for row in league.rows(ENTRY)} == {0}


def test_nobody_escapes_a_lost_pair_by_a_new_version_nor_by_a_new_one_and_back(league: League) -> None:
    (ant,) = league.rivals("Ant")
    old, pair = league.entry(ant).version, pair_with(league, ant)
    lost = league.matches(pair)[0]
    lease = league.lease(lost)
    league.enter(ant, league.version(ant))
    left = league.entry(ant)
    silent_game(league, pair, ant, begun={lost: lease})
    assert league.entry(ant).mu < left.mu
    assert troubles(league) == []
    league.enter(ant, old)
    [step] = [row for row in league.rows(RATING_STEP) if row.entry == left.id]
    assert rating(league.entry(ant)) == rating(step), "as if it had stayed"
    before = table(league)
    with league.yard.database.writing() as connection:
        connection.execute(sa.update(KEPT_RATING).where(KEPT_RATING.c.version == old).values(mu=30.0))
    assert len(troubles(league)) == 1
    with league.yard.database.writing() as connection:
        rebuild_ratings(connection, league.id)
    assert table(league) == before


def test_who_withdraws_does_not_escape_a_pair_that_has_begun(league: League) -> None:
    ant, _ = league.rivals("Ant", "Bee")
    pair = league.ask_pair()
    lease = league.lease(league.matches(pair)[0])
    with league.yard.database.writing() as connection:
        retire(connection, ant, league.yard.clock())
    league.record(lease)
    league.record(league.lease(league.matches(pair)[1]))
    assert (league.pair(pair).rated, league.entry(ant).state, league.entry(ant).pairs) == (1, RETIRED, 1)


def test_a_person_enters_as_many_bots_as_the_ladder_takes(league: League) -> None:
    owner = league.person("Ada")
    ant = league.bot(owner, "Ant")
    with pytest.raises(InTheWay, match="takes 1 bot"):
        league.bot(owner, "Bee")
    with league.yard.database.writing() as connection:
        retire(connection, ant, league.yard.clock())
    league.bot(owner, "Cicada")
    with pytest.raises(InTheWay, match="takes 1 bot"):
        league.enter(ant, league.entry(ant).version)


def test_ratings_are_made_again_byte_for_byte(league: League) -> None:
    ant, _, _ = league.rivals("Ant", "Bee", "Cicada")
    first = league.entry(ant).version
    results = (WON, LOST, "p1:2=p2:2", "p1:4>p2!:0")
    for at in range(6):
        league.play(league.ask_pair(), other_orders(ended(results[at % len(results)])))
        if at == 2:
            league.enter(ant, league.version(ant))
        if at == 4:
            with league.yard.database.writing() as connection:
                open_season(connection, league.id, {}, "a test", league.yard.clock())
    league.enter(ant, first)
    before = table(league)
    assert troubles(league) == []
    with league.yard.database.writing() as connection:
        assert rebuild_ratings(connection, league.id) == len(league.rows(RATING_STEP))
    assert table(league) == before
    with league.yard.database.writing() as connection:
        connection.execute(sa.update(RATING_STEP).where(RATING_STEP.c.number == 2).values(mu=RATING_STEP.c.mu + 1e-9))
        connection.execute(sa.update(ENTRY).where(ENTRY.c.bot == ant).values(games=ENTRY.c.games + 1))
    assert len(troubles(league)) == 3
    with league.yard.database.writing() as connection:
        rebuild_ratings(connection, league.id)
    assert table(league) == before


def silent_game(league: League, pair: int, bot: int, begun: Mapping[int, Lease] | None = None) -> None:
    """Plays a pair in which one bot loses every turn, each game on another worker, or as it was begun."""
    entry = league.entry(bot).id
    for at, match in enumerate(league.matches(pair)):
        own = next(row.place for row in league.rows(SEAT) if row.match == match and row.entry == entry)
        result = f"p{3 - own}:3>p{own}:0"
        lease = (begun or {}).get(match) or league.lease(match, f"worker {at + 1}")
        league.record(lease, other_orders(ended(result, lost=f"p{own}")))


def pair_with(league: League, bot: int) -> int:
    entry = league.entry(bot).id
    pair = league.ask_pair()
    assert any(row.entry == entry for row in league.rows(SEAT) if row.match == league.matches(pair)[0])
    return pair


def test_a_bot_that_loses_every_turn_of_three_games_is_benched_with_a_notice(league: League, hands: Hands) -> None:
    (ant,) = league.rivals("Ant")
    silent_game(league, pair_with(league, ant), ant)
    assert league.entry(ant).state == SETTLING
    silent_game(league, pair_with(league, ant), ant)
    assert league.entry(ant).state == BENCHED
    [notice] = league.rows(NOTICE)
    first = league.matches(min(row.id for row in league.rows(PAIR)))[0]
    assert notice.link == f"/matches/{first}#t=0"
    assert "every" in notice.body or "all" in notice.body
    assert isinstance(league.ask(TaskClass.SETTLING), NoPair)
    owner = notice.person
    for _ in range(league.ladder.policy.tries_a_day):
        hands.pass_ms(1)
        with league.yard.database.writing() as connection:
            revive(connection, league.entry(ant).id, owner, league.yard.clock())
        assert league.entry(ant).state == SETTLING
        silent_game(league, pair_with(league, ant), ant)
        silent_game(league, pair_with(league, ant), ant)
        assert league.entry(ant).state == BENCHED
    with league.yard.database.writing() as connection, pytest.raises(TooMuch) as refused:
        revive(connection, league.entry(ant).id, owner, league.yard.clock())
    assert 0 < refused.value.retry_after_s <= DAY // 1000 + 1
    league.enter(ant, league.version(ant))
    assert league.entry(ant).state == SETTLING


def test_a_worker_on_which_nobody_answers_benches_nobody(league: League) -> None:
    ant, bee = league.rivals("Ant", "Bee")
    nobody = ended("p1:0=p2:0", lost="p1")
    nobody = other_orders(nobody)
    assert nobody.report.verdicts is not None
    nobody.report.verdicts["p2"] = {"LATE": 6}
    for _ in range(3):
        league.play(league.ask_pair(), other_orders(nobody))
    assert {league.entry(ant).state, league.entry(bee).state} == {SETTLING}


def test_versions_that_play_are_checked_anew_when_what_they_were_checked_with_has_changed(league: League) -> None:
    ant, bee = league.rivals("Ant", "Bee")
    cage, now_ms = league.yard.config.cage, league.yard.clock()
    with league.yard.database.writing() as connection:
        retire(connection, bee, now_ms)
        assert ask_rechecks(connection, cage, now_ms) == 0
        assert ask_rechecks(connection, replace(cage, memory_mb=77), now_ms) == 1
        assert ask_rechecks(connection, replace(cage, memory_mb=77), now_ms) == 0, "one is waiting"
    assert [(row.kind, row.version) for row in league.rows(TASK)] == [("check", league.entry(ant).version)]


def test_what_was_checked_on_a_worker_elsewhere_is_checked_anew_when_toolchains_change_there(league: League) -> None:
    league.rivals("Ant")
    cage, now_ms, game = league.yard.config.cage, league.yard.clock(), league.plan.game
    with league.yard.database.writing() as connection:
        elsewhere = check_stamp(game, settings_of(connection, game), cage, "theirs")
        connection.execute(sa.update(VERSION).values(checked_with=elsewhere))
        about = json.dumps({"toolchains": "theirs"})
        connection.execute(sa.insert(WORKER).values(name="w1", state="idle", about=about, seen_ms=now_ms))
        assert ask_rechecks(connection, cage, now_ms) == 0, "the server's own toolchains do not matter"
        connection.execute(sa.update(WORKER).values(about=json.dumps({"toolchains": "newer"})))
        assert ask_rechecks(connection, cage, now_ms) == 1


def test_a_pair_of_versions_that_repeats_itself_is_settled(league: League) -> None:
    league.rivals("Ant")
    met: set[str] = set()
    while len(met) < 2:
        league.play(league.ask_pair(), some_game())
        met = {row.other for row in league.rows(ENCOUNTER)} | {row.one for row in league.rows(ENCOUNTER)}
    for _ in range(4):
        league.play(league.ask_pair(), some_game())
    assert any(row.settled for row in league.rows(ENCOUNTER) if row.pairs >= 2)
    for row in league.rows(ENCOUNTER):
        assert bool(row.settled) == (row.pairs >= 2)


def test_other_settings_open_a_season_and_its_root_is_shown_when_it_has_ended(league: League) -> None:
    league.rivals("Ant", "Bee")
    league.play(league.ask_pair())
    begun, waiting = league.ask_pair(), league.ask_pair()
    lease = league.lease(league.matches(begun)[0])
    root = league.row(LADDER, league.id).root
    with league.yard.database.writing() as connection:
        assert [season.root for season in seasons_of(connection, league.id)] == [""]
        changed = PLAN.__class__(PLAN.slug, PLAN.game, settings={**PLAN.settings, "max_turns": 14})
        open_ladders(connection, (changed,), league.yard.clock())
        now, before = seasons_of(connection, league.id)
    assert (now.number, now.root, before.root) == (2, "", root)
    assert (league.pair(begun).state, league.pair(waiting).state) == (VOID, CANCELLED)
    assert not league.record(lease)
    assert {row.sigma >= START_SIGMA / 2 for row in league.rows(ENTRY)} == {True}
    assert {row.in_flight for row in league.rows(ENTRY)} == {0}
    assert league.row(LADDER, league.id).root not in {row.root for row in league.rows(SEASON) if row.number == 1}
    with league.yard.database.writing() as connection:
        open_ladders(connection, (changed,), league.yard.clock())
    assert league.ladder.season == 2
    assert troubles(league) == []
