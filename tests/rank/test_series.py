"""Matches game by game: what is asked for next, on which chance, and what becomes of games that nobody won."""

from __future__ import annotations

from typing import Any

from botyard.rank.formats import FORMATS
from botyard.rank.formats.series import Series
from botyard.rank.results import parse_all
from tests.rank.drawn import hold, places

# One stream of draws for a match, and solo games that starved (Snakepit 2.4, 4.4)


def test_draws_that_go_on_make_a_game_depend_on_those_before_it() -> None:
    _, asked = hold("fixed", "A B", "", games=3, rng_per_game=False)
    assert [(p.game, p.chance) for p in asked] == [(1, "match/1 after")]
    _, one = hold("fixed", "A B", "A:3>B:1", games=3, rng_per_game=False)
    _, same = hold("fixed", "A B", "A:3>B:1", games=3, rng_per_game=False)
    _, other = hold("fixed", "A B", "A:4>B:1", games=3, rng_per_game=False)
    assert one == same
    assert [(p.game, p.chance) for p in one] == [(2, "match/2 after 3-1")]
    assert [(p.game, p.chance) for p in other] == [(2, "match/2 after 4-1")]


def test_draws_that_go_on_part_the_solo_matches_after_the_first_game() -> None:
    few: dict[str, Any] = {"solo_games": 2, "best_of": 1, "rng_per_game": False}
    _, first = hold("king_of_the_hill", "A B", "", **few)
    assert [(p.match, p.chance) for p in first] == [
        ("solo A", "solo/1 after"), ("solo B", "solo/1 after"), ("hill", "hill/1 after"),
    ]  # fmt: skip
    _, then = hold("king_of_the_hill", "A B", "A:9 B:5 A:30>B:1", **few)
    assert [(p.match, p.chance) for p in then] == [("solo A", "solo/2 after 9"), ("solo B", "solo/2 after 5")]


def test_a_solo_game_without_a_point_is_played_again_where_that_is_wanted() -> None:
    few: dict[str, Any] = {"solo_games": 2, "best_of": 1}
    course, asked = hold("king_of_the_hill", "A B", "A:9 A:0 B:5 B:6 A:30>B:1", **few)
    assert not asked
    course, asked = hold("king_of_the_hill", "A B", "A:9 A:0 B:5 B:6 A:30>B:1", **few, solo_replays=True)
    assert [(p.match, p.game, p.chance) for p in asked] == [("solo A", 3, "solo/3")]
    course, asked = hold("king_of_the_hill", "A B", "A:9 A:0 B:5 B:6 A:30>B:1 A:4", **few, solo_replays=True)
    assert not asked
    assert course.standings().rows[0].columns["solo score"] == 13


def test_a_bot_alone_wins_by_making_a_point() -> None:
    course, asked = hold("first_to", "A", "A:5 A:0", wins=2)
    assert [p.game for p in asked] == [3]
    assert course.standings().rows[0].columns["wins"] == 1
    assert places("first_to", "A", "A:5 A:0 A:1", wins=2) == "1 A"


def test_a_cap_bounds_what_the_hill_is_estimated_at() -> None:
    plain, capped = FORMATS["king_of_the_hill"].read({}), FORMATS["king_of_the_hill"].read({"match_games_cap": 7})
    assert plain.estimate(3) == (50, 30 + 58)
    assert capped.estimate(3) == (37, 37)


def test_a_match_asks_for_no_game_that_may_not_be_needed() -> None:
    for options, results, games in (
        ({"wins": 3}, "", [1, 2, 3]),
        ({"wins": 3}, "A>B B>A A=B", [4, 5]),
        ({"wins": 3, "match_games_cap": 4}, "A>B B>A A=B", [4]),
        ({"wins": 3, "wash_limit": 2}, "", [1, 2]),
        ({"wins": 3, "wash_limit": 2}, "A>B A=B", [3]),
        ({"wins": 3, "wash_limit": 0}, "", [1, 2, 3]),
        ({"wins": 3}, "A?B B?A A?B", [4, 5, 6]),
    ):
        _, asked = hold("first_to", "A B", results, **options)
        assert [pairing.game for pairing in asked] == games


def test_a_limit_of_one_game_ends_a_match_after_one() -> None:
    for series in (Series("AB", wins=3, wash_limit=1), Series("AB", wins=3, cap=1)):
        assert not series.over
        series.add(parse_all("A=B")[0])
        assert series.over


def test_a_match_that_nobody_wins_any_more_has_no_winner() -> None:
    course, asked = hold("first_to", "A B", "A:5>B:1 A=B A?B", wins=3, wash_limit=2, bonus=50)
    assert not asked
    assert [(row.place, row.bot, row.columns["score"]) for row in course.standings().rows] == [(1, "A", 5), (2, "B", 1)]
    assert course.standings().verdict == "the match has no winner"


def test_seats_turn_from_game_to_game_where_that_is_wanted() -> None:
    _, asked = hold("fixed", "A B C", "", games=4, rotate=True)
    assert ["".join(pairing.bots) for pairing in asked] == ["ABC", "BCA", "CAB", "ABC"]
    _, still = hold("fixed", "A B C", "", games=2)
    assert ["".join(pairing.bots) for pairing in still] == ["ABC", "ABC"]


def test_a_match_that_reaches_its_cap_goes_to_whoever_has_won_most() -> None:
    course, asked = hold("first_to", "A B", "A:5>B:1 A:2=B:2", wins=3, match_games_cap=2, bonus=50)
    assert not asked
    assert course.standings().verdict == "A wins the match"
    assert course.standings().rows[0].columns["score"] == 57


def test_nobody_wins_a_match_without_winning_a_game() -> None:
    course, asked = hold("fixed", "A", "A:0", games=1, bonus=50)
    assert not asked
    assert course.standings().verdict == "the match has no winner"
    assert course.standings().rows[0].columns["score"] == 0
