"""Which games each format asks for: who sits where, in which match, as which game of it, and on which seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.kernel.errors import SettingsError
from botyard.rank.formats import FORMATS, Pairing, swiss
from botyard.rank.formats.rated_waves import RatedWavesCourse
from botyard.rank.formats.swiss import SwissCourse
from botyard.rank.results import Result
from tests.rank.drawn import hold

# format, options, bots, results so far, then the games of the next wave: seats, match, game, word of the seed
WAVES: list[tuple[str, dict[str, Any], str, str, list[tuple[str, str, int, str]]]] = [
    (
        "round_robin", {"bouts": 2, "swap": "same_seed"}, "A B", "",
        [
            ("AB", "A vs B", 1, "A vs B/1"), ("BA", "A vs B", 2, "A vs B/1"),
            ("AB", "A vs B", 3, "A vs B/2"), ("BA", "A vs B", 4, "A vs B/2"),
        ],
    ),
    (
        "round_robin", {"bouts": 3, "swap": "alternate"}, "A B", "",
        [("AB", "A vs B", 1, "A vs B/1"), ("BA", "A vs B", 2, "A vs B/2"), ("AB", "A vs B", 3, "A vs B/3")],
    ),
    (
        "gauntlet", {"bouts": 1, "swap": "none"}, "A B C", "",
        [("AB", "against B", 1, "against B/1"), ("AC", "against C", 1, "against C/1")],
    ),
    (
        "compare", {"wave_pairs": 2}, "A B", "",
        [
            ("AB", "pair 1", 1, "pair 1"), ("BA", "pair 1", 2, "pair 1"),
            ("AB", "pair 2", 1, "pair 2"), ("BA", "pair 2", 2, "pair 2"),
        ],
    ),
    (
        "compare", {"wave_pairs": 2, "most_pairs": 3}, "A B", "A>B B>A A>B B>A",
        [("AB", "pair 3", 1, "pair 3"), ("BA", "pair 3", 2, "pair 3")],
    ),
    (
        "points_table", {"games": 3}, "A B C", "",
        [("ABC", "points", 1, "field/1"), ("BCA", "points", 2, "field/2"), ("CAB", "points", 3, "field/3")],
    ),
    (
        "rated_waves", {"waves": 3}, "A B C D", "",
        [("AB", "wave 1", 1, "wave 1/1"), ("CD", "wave 1", 2, "wave 1/2")],
    ),
    (
        "rated_waves", {"waves": 3}, "A B C D", "A=B C=D",
        [("AC", "wave 2", 1, "wave 2/1"), ("BD", "wave 2", 2, "wave 2/2")],
    ),
    (
        # Five at tables of two: one sits out, and is the first to be seated next time
        "rated_waves", {"waves": 3}, "A B C D E", "A=B C=D",
        [("EA", "wave 2", 1, "wave 2/1"), ("BC", "wave 2", 2, "wave 2/2")],
    ),
    (
        "swiss", {"bouts": 1}, "A B C D", "A>B C>D",
        [("AC", "round 2 match 1", 1, "round 2 match 1/1"), ("BD", "round 2 match 2", 1, "round 2 match 2/1")],
    ),
    (
        "knockout", {"wins": 2}, "A B C D", "",
        [
            ("AD", "round 1 match 1", 1, "round 1 match 1/1"), ("DA", "round 1 match 1", 2, "round 1 match 1/2"),
            ("BC", "round 1 match 2", 1, "round 1 match 2/1"), ("CB", "round 1 match 2", 2, "round 1 match 2/2"),
        ],
    ),
    (
        "knockout", {"wins": 1, "third_place": True}, "A B C D", "A>D B>C",
        [("AB", "final", 1, "final/1"), ("CD", "third place", 1, "third place/1")],
    ),
    ("swiss", {}, "A", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options", "bots", "results", "games"), WAVES)
def test_a_format_asks_for_these_games(
    kind: str, options: dict[str, Any], bots: str, results: str, games: list[tuple[str, str, int, str]]
) -> None:
    _, asked = hold(kind, bots, results, **options)
    assert asked == [Pairing(tuple(seats), match, game, chance) for seats, match, game, chance in games]


def test_everybody_is_on_the_field_equally_often() -> None:
    _, asked = hold("points_table", "A B C D E", "", games=10, seats=2)
    seated = [bot for pairing in asked for bot in pairing.bots]
    assert {bot: seated.count(bot) for bot in "ABCDE"} == dict.fromkeys("ABCDE", 4)
    for count in range(1, 11):  # at any time
        seated = [bot for pairing in asked[:count] for bot in pairing.bots]
        assert max(map(seated.count, "ABCDE")) - min(map(seated.count, "ABCDE")) <= 1


def test_everybody_gets_a_fair_share_of_rated_games_and_of_first_seats() -> None:
    course = FORMATS["rated_waves"].read({"waves": 10, "seats": 3}).open("ABCDE")
    asked: list[Pairing] = []
    while wave := course.wave():
        asked += wave
    seated = [bot for pairing in asked for bot in pairing.bots]
    assert {bot: seated.count(bot) for bot in "ABCDE"} == dict.fromkeys("ABCDE", 6)
    first = [pairing.bots[0] for pairing in asked]
    assert max(map(first.count, "ABCDE")) - min(map(first.count, "ABCDE")) <= 1


SWAPS = [
    ("round_robin", "same_seed", True), ("round_robin", "alternate", False), ("gauntlet", "same_seed", True),
    ("gauntlet", "none", False), ("swiss", "same_seed", True), ("swiss", "none", False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "swap", "swaps"), SWAPS)
def test_a_format_says_whether_it_swaps_seats_on_one_seed(kind: str, swap: str, swaps: bool) -> None:
    assert FORMATS[kind].read({"swap": swap}).swaps is swaps


@pytest.mark.parametrize("kind", ["round_robin", "points_table", "swiss"])
def test_a_tie_break_that_is_none_is_refused_before_anything_is_played(kind: str) -> None:
    with pytest.raises(SettingsError, match="tie_breaks"):
        FORMATS[kind].read({"tie_breaks": "wins, coin"})


def test_each_meeting_with_a_rival_weighs_two_points_of_rating() -> None:
    course, _ = hold("rated_waves", "A B", "A=B A=B A=B", waves=4)
    assert isinstance(course, RatedWavesCourse)
    apart = abs(course.ratings["A"].mu - course.ratings["B"].mu)
    assert course._distance("A", "B") == pytest.approx(apart + 6)
    assert hold("rated_waves", "A B", "", waves=4)[0]._distance("A", "B") == 0  # type: ignore[attr-defined]


def test_of_eight_the_two_who_lost_before_the_final_play_for_the_third_place() -> None:
    course = FORMATS["knockout"].read({"wins": 1, "third_place": True}).open("ABCDEFGH")
    asked: list[Pairing] = []
    while wave := course.wave():
        asked += wave
        for pairing in wave:
            course.add(pairing, Result.of([[bot] for bot in sorted(pairing.bots)]))
    assert [pairing.match for pairing in asked[-2:]] == ["final", "third place"]
    assert str(course.standings()) == "1 A  2 B  3 C  4 D  5 E F G H"


def test_who_is_alone_in_a_swiss_contest_has_no_bye() -> None:
    course, _ = hold("swiss", "A", "")
    [row] = course.standings().rows
    assert (row.columns["points"], row.columns["byes"]) == (0, 0)


def second_meetings(pairs: list[tuple[str, str]], met: set[frozenset[str]]) -> int:
    return sum(frozenset(pair) in met for pair in pairs)


def every_pairing(bots: list[str]) -> Iterator[list[tuple[str, str]]]:
    if not bots:
        yield []
    for rival in bots[1:]:
        for others in every_pairing([bot for bot in bots[1:] if bot != rival]):
            yield [(bots[0], rival), *others]


@given(st.sets(st.frozensets(st.sampled_from("ABCDEF"), min_size=2, max_size=2)))
def test_a_swiss_round_has_no_more_second_meetings_than_it_must(met: set[frozenset[str]]) -> None:
    course = FORMATS["swiss"].read({}).open("ABCDEF")
    assert isinstance(course, SwissCourse)
    course.met = set(met)
    fewest = min(second_meetings(pairs, met) for pairs in every_pairing(list("ABCDEF")))
    assert second_meetings(course._pairs(), met) == fewest


def test_looking_for_a_swiss_round_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven have met none of each other, nor have eleven more, but all of the others: somebody must meet again, and
    the ways to avoid that are too many to be tried."""
    some, others = "ABCDEFGHIJK", "LMNOPQRSTUV"
    monkeypatch.setattr(swiss, "TRIES", 1000)
    course = FORMATS["swiss"].read({}).open(some + others)
    assert isinstance(course, SwissCourse)
    course.met = {frozenset(pair) for pair in product(some, others)}
    looks = []
    pair_up = course._pair_up

    def counted(order: list[str], again: int) -> list[tuple[str, str]] | None:
        looks.append(order)
        return pair_up(order, again)

    monkeypatch.setattr(course, "_pair_up", counted)
    assert second_meetings(course._pairs(), course.met) <= 2
    assert len(looks) < 1000


def test_standings_of_a_swiss_round_count_the_games_that_are_in() -> None:
    course = FORMATS["swiss"].read({"bouts": 1, "tie_breaks": ""}).open("ABCD")
    first, _ = course.wave()
    course.add(first, Result.of([["B"], ["A"]]))
    assert str(course.standings()) == "1 B  2 A C D"
