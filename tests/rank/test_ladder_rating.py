"""Ratings of a ladder: step by step and all at once, versions, seasons, and the table that people see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.rank.ladder import (
    EntryState,
    LadderEvent,
    LadderPolicy,
    PairClosed,
    SeasonOpened,
    VersionActivated,
    activated,
    closed,
    doubted,
    places,
    rated_kept,
    rated_pair,
    ratings_after,
    voided,
    with_version,
)
from botyard.rank.ratings import START_SIGMA, Rating, rate, rated
from botyard.rank.results import Result, parse_all
from tests.rank.ladders import entry, settling
from tests.rank.test_results import results

BOTS = "ABCDEFG"


@given(st.lists(results(), max_size=8))
def test_stepping_from_stored_ratings_gives_what_the_fold_gives(games: list[Result]) -> None:
    stored = {bot: Rating() for bot in BOTS}
    for game in games:
        stored |= rated({bot: stored[bot] for bot in sorted(game.bots)}, game)
    assert stored == rate(BOTS, games)


@given(st.lists(results(), min_size=1, max_size=3))
def test_the_order_in_which_ratings_are_handed_in_does_not_matter(games: list[Result]) -> None:
    drawn = {bot: Rating(20.0 + at, 3.0 + at / 7) for at, bot in enumerate(BOTS)}
    assert rated_pair(drawn, games) == rated_pair(dict(reversed(drawn.items())), games)


def test_a_bot_without_a_rating_is_an_error() -> None:
    with pytest.raises(KeyError):
        rated({"A": Rating()}, parse_all("A>B")[0])


def test_a_half_that_stays_void_voids_the_pair() -> None:
    before = {"A": Rating(), "B": Rating(30.0, 2.0, 8)}
    assert rated_pair(before, parse_all("A>B B?A")) == before
    assert rated_pair(before, parse_all("A>B A>B"))["A"].mu > 25


# Versions


def test_a_new_version_keeps_mu_and_is_less_sure() -> None:
    assert activated(Rating(31.0, 1.5, 40), None) == Rating(31.0, START_SIGMA / 2, 40)
    assert activated(Rating(31.0, 6.0, 4), None) == Rating(31.0, 6.0, 4)


def test_going_back_restores_the_rating_the_version_had() -> None:
    assert activated(Rating(20.0, 4.0, 60), Rating(31.0, 1.5, 40)) == Rating(31.0, 1.5, 60)


def games(text: str, **versions: str) -> PairClosed:
    return PairClosed(tuple(parse_all(text)), {"A": "1", "B": "1"} | versions)


ENTERED: list[LadderEvent] = [VersionActivated("A", "1"), VersionActivated("B", "1")]


def test_a_version_is_rated_on_from_where_it_was_left() -> None:
    first: list[LadderEvent] = [*ENTERED, games("A>B A>B")]
    tried: list[LadderEvent] = [VersionActivated("A", "2"), games("B>A B>A", A="2"), VersionActivated("A", "1")]
    there, back = ratings_after(first), ratings_after([*first, *tried])
    assert (back["A"].mu, back["A"].sigma) == (there["A"].mu, there["A"].sigma)
    assert back["A"].games == 4
    assert back["B"].mu > there["B"].mu


def test_activating_the_active_version_again_changes_nothing() -> None:
    first = [*ENTERED, games("A>B A>B")]
    assert ratings_after([*first, VersionActivated("A", "1")]) == ratings_after(first)


def test_nobody_escapes_a_lost_pair_by_a_new_version() -> None:
    """The pair was asked with the first version, and is closed when the second one is active."""
    fresh = [*ENTERED, VersionActivated("A", "2")]
    lost = games("B>A B>A")
    assert ratings_after([*fresh, lost])["A"].mu < ratings_after(fresh)["A"].mu


def test_nor_by_a_new_version_and_back() -> None:
    away = [*ENTERED, VersionActivated("A", "2"), games("B>A B>A"), VersionActivated("A", "1")]
    stayed = [*ENTERED, games("B>A B>A")]
    assert ratings_after(away)["A"].mu == ratings_after(stayed)["A"].mu


def test_a_kept_rating_meets_the_ratings_of_the_others() -> None:
    before = {"A": Rating(30.0, 4.0, 9), "B": Rating(20.0, 2.0, 9)}
    kept = Rating(26.0, 1.0, 5)
    after = rated_kept(before, {"A": kept}, parse_all("A>B B>A"))
    assert after == {"A": rated_pair({"A": kept, "B": before["B"]}, parse_all("A>B B>A"))["A"]}


def test_all_steps_taken_at_once_are_the_steps_taken_one_by_one() -> None:
    now = {"A": Rating(), "B": Rating()}
    now |= rated_pair(now, parse_all("A>B A=B"))
    kept = now["A"]
    now["A"] = activated(now["A"], None)
    now |= rated_pair(now, parse_all("B>A B>A"))
    now, kept = {bot: doubted(rating) for bot, rating in now.items()}, doubted(kept)
    now["A"] = activated(now["A"], kept)
    events: list[LadderEvent] = [games("A>B A=B"), VersionActivated("A", "2"), games("B>A B>A", A="2"), SeasonOpened()]
    assert ratings_after([*ENTERED, *events, VersionActivated("A", "1")]) == now


def test_a_season_keeps_mu_and_raises_a_small_sigma() -> None:
    played = [*ENTERED, *[games("A>B B>A")] * 40]
    before, after = ratings_after(played), ratings_after([*played, SeasonOpened()])
    for bot in "AB":
        assert before[bot].sigma < START_SIGMA / 2
        assert after[bot] == replace(before[bot], sigma=START_SIGMA / 2)


# Entries


def test_an_entry_is_settled_after_sixteen_pairs_of_its_version() -> None:
    policy, rating = LadderPolicy(), Rating(26.0, 3.0, 32)
    before = settling("A", version_pairs=14, pairs=30, in_flight=2)
    once = closed(before, rating, policy)
    assert (once.state, once.version_pairs, once.pairs, once.in_flight) == (EntryState.SETTLING, 15, 31, 1)
    assert once.rating == rating
    assert closed(once, rating, policy, own_version=False).state is EntryState.SETTLING
    assert closed(once, rating, policy).state is EntryState.ACTIVE


def test_closing_a_pair_revives_nobody() -> None:
    away = entry("A", state=EntryState.BENCHED, in_flight=1)
    assert closed(away, Rating(), LadderPolicy()).state is EntryState.BENCHED


def test_a_void_pair_counts_for_nothing() -> None:
    assert voided(entry("A", in_flight=2)) == entry("A", in_flight=1)


def test_a_new_version_settles_and_one_that_has_settled_does_not_do_so_again() -> None:
    policy, rating = LadderPolicy(), Rating(26.0, START_SIGMA / 2, 40)
    new = with_version(entry("A", state=EntryState.BENCHED), "A.2", rating, 0, policy)
    assert (new.version, new.state, new.version_pairs, new.mu, new.pairs) == ("A.2", EntryState.SETTLING, 0, 26.0, 20)
    assert with_version(new, "A.1", rating, 16, policy).state is EntryState.ACTIVE


# The table


def test_the_table_is_in_the_order_of_mu_whatever_sigma_is() -> None:
    table = places([entry("A", mu=20, sigma=1.0), entry("B", mu=30, sigma=9.0)], LadderPolicy())
    assert [(place.entry.bot, place.rank) for place in table] == [("B", 1), ("A", 2)]
    assert table[1].margin == pytest.approx(1.96, abs=0.001)


def test_a_rank_is_shown_once_ten_pairs_are_played() -> None:
    entries = [entry("A", mu=40, pairs=9), entry("B", mu=30, pairs=10)]
    first, second = places(entries, LadderPolicy())
    assert (first.entry.bot, first.rank, first.why) == ("A", None, "9 of 10 pairs played")
    assert (second.entry.bot, second.rank, second.why) == ("B", 2, "")


def test_a_new_version_costs_no_rank() -> None:
    (place,) = places([settling("A", pairs=10, version_pairs=0)], LadderPolicy())
    assert place.rank == 1


def test_benched_entries_have_no_rank_and_retired_ones_are_not_in_the_table() -> None:
    entries = [entry("A", state=EntryState.BENCHED, mu=40), entry("B", state=EntryState.RETIRED), entry("C")]
    assert [(place.entry.bot, place.rank) for place in places(entries, LadderPolicy())] == [("A", None), ("C", 1)]


@pytest.mark.parametrize(("players", "shown"), [(7, True), (8, False)])
def test_house_bots_leave_the_table_when_enough_players_bots_play(players: int, shown: bool) -> None:
    entries = [entry(f"P{number}") for number in range(players)]
    entries += [entry("H", house=True, mu=99), entry("benched", state=EntryState.BENCHED)]
    table = places(entries, LadderPolicy())
    assert ("H" in [place.entry.bot for place in table]) is shown
    assert [place.rank for place in table if place.rank] == list(range(1, players + shown + 1))
