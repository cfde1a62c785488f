"""What the tables of every format show, what decides in them, and how many games and seats they take."""

from __future__ import annotations

import re
from typing import Any

import pytest

from botyard.rank.formats import FORMATS
from botyard.rank.standings import concluded, first_place
from tests.rank.drawn import hold

# What the tables show: format, options, bots, results, the sentence, and the columns of every bot, best first
TABLES: list[tuple[str, dict[str, Any], str, str, str, list[dict[str, Any]]]] = [
    (
        "round_robin", {"bouts": 2}, "A B C", "A:3>B:1 A:2=B:2 C:9>A:0 A:5>C:1 B>C B!:7=C", "champion: A",
        [
            {"points": 2.5, "wins": 2, "draws": 1, "losses": 1, "score": 10, "games": 4},
            {"points": 2.0, "wins": 1, "draws": 2, "losses": 1, "score": 10, "games": 4},
            {"points": 1.5, "wins": 1, "draws": 1, "losses": 2, "score": 10, "games": 4},
        ],
    ),
    (
        "round_robin", {"bouts": 3, "count": "matches"}, "A B", "A:3>B:1 B:2>A:1 A=B", "shared by A and B",
        [
            {"matches": 0, "bouts": 1, "draws": 1, "losses": 1, "score": 4, "games": 3},
            {"matches": 0, "bouts": 1, "draws": 1, "losses": 1, "score": 3, "games": 3},
        ],
    ),
    (
        "round_robin", {"bouts": 3, "count": "matches"}, "A B C", "A>B B>A A>B C>A C>A A>C B=C B=C C>B", "champion: C",
        [
            {"matches": 2, "bouts": 3, "draws": 2, "losses": 1, "score": 0, "games": 6},
            {"matches": 1, "bouts": 3, "draws": 0, "losses": 3, "score": 0, "games": 6},
            {"matches": 0, "bouts": 1, "draws": 2, "losses": 3, "score": 0, "games": 6},
        ],
    ),
    (
        "best_of", {"games": 3, "bonus": 100}, "A B", "A:5>B:3 A:1=B:1 B:9>A:2 A:3>B:0", "A wins the match",
        [{"wins": 2, "score": 111, "games": 4}, {"wins": 1, "score": 13, "games": 4}],
    ),
    (
        "fixed", {"games": 3, "bonus": 100}, "A B", "A:5>B:3 B:9>A:2 A?B A:7=B:7", "the match has no winner",
        [{"wins": 1, "score": 19, "games": 3}, {"wins": 1, "score": 14, "games": 3}],
    ),
    (
        "fixed", {"games": 2, "bonus": 100}, "A B", "A:5>B:3 A:2=B:2", "A wins the match",
        [{"wins": 1, "score": 107, "games": 2}, {"wins": 0, "score": 5, "games": 2}],
    ),
    (
        "king_of_the_hill", {"solo_games": 1, "best_of": 1, "match_bonus": False}, "A B",
        "A:1 B:4 A:9>B:8", "champion: A",
        [
            {"solo score": 1, "solo rank": 2, "hill score": 9, "hill wins": 1, "hill rank": 1, "sum": 3},
            {"solo score": 4, "solo rank": 1, "hill score": 8, "hill wins": 0, "hill rank": 2, "sum": 3},
        ],
    ),
    (
        "king_of_the_hill", {"solo_games": 2, "best_of": 3}, "A B",
        "A:1 A:2 B:4 B:0 A:9>B:8 B:900>A:1 A:9>B:1", "champion: A",
        [
            {"solo score": 3, "solo rank": 2, "hill score": 2519, "hill wins": 2, "hill rank": 1, "sum": 3},
            {"solo score": 4, "solo rank": 1, "hill score": 909, "hill wins": 1, "hill rank": 2, "sum": 3},
        ],
    ),
    (
        "points_table", {"games": 2, "seats": 2}, "A B C", "B:3>C:1 A:8>C:-2", "champion: A",
        [
            {"score": 8, "wins": 1, "best": 8, "mean": 8.0, "games": 1},
            {"score": 3, "wins": 1, "best": 3, "mean": 3.0, "games": 1},
            {"score": -1, "wins": 0, "best": 1, "mean": -0.5, "games": 2},
        ],
    ),
    (
        "points_table", {"games": 3}, "A B", "A:1>B:0 B:1>A:0 A:0=B:0", "shared by A and B",
        [
            {"score": 1, "wins": 1, "best": 1, "mean": 0.3, "games": 3},
            {"score": 1, "wins": 1, "best": 1, "mean": 0.3, "games": 3},
        ],
    ),
    (
        "points_table", {"games": 1, "seats": 2}, "A B C", "B:3>C:1", "champion: B",
        [
            {"score": 3, "wins": 1, "best": 3, "mean": 3.0, "games": 1},
            {"score": 1, "wins": 0, "best": 1, "mean": 1.0, "games": 1},
            {"score": 0, "wins": 0, "best": "", "mean": "", "games": 0},
        ],
    ),
    (
        # Both of A's rivals have rested: that makes them no weaker
        "swiss", {"bouts": 2, "rounds": 2}, "A B C", "A:1>B:0 A=B A>C C>A", "champion: A",
        [
            {"points": 1.5, "buchholz": 5.0, "sonneborn_berger": 3.0, "score": 1, "wins": 2, "byes": 0, "games": 4},
            {"points": 1.5, "buchholz": 3.0, "sonneborn_berger": 1.5, "score": 0, "wins": 1, "byes": 1, "games": 2},
            {"points": 1.0, "buchholz": 3.0, "sonneborn_berger": 0.75, "score": 0, "wins": 0, "byes": 1, "games": 2},
        ],
    ),
    (
        "knockout", {"wins": 1, "third_place": True}, "A B C D", "A>D B>C A>B D>C", "champion: A",
        [
            {"rounds survived": 2, "wins": 2, "losses": 0, "games": 2},
            {"rounds survived": 1, "wins": 1, "losses": 1, "games": 2},
            {"rounds survived": 0, "wins": 1, "losses": 1, "games": 2},
            {"rounds survived": 0, "wins": 0, "losses": 2, "games": 2},
        ],
    ),
    (
        "gauntlet", {"bouts": 3, "swap": "none"}, "A B", "A=B B>A B=A", "A took 1 of 3 points",
        [
            {"share": 0.6667, "points": 2.0, "wins": 1, "draws": 2, "losses": 0, "games": 3},
            {"share": 0.3333, "points": 1.0, "wins": 0, "draws": 2, "losses": 1, "games": 3},
        ],
    ),
    (
        "gauntlet", {"bouts": 2, "swap": "none"}, "A B C", "A>B A=B C>A A>C", "A took 2.5 of 4 points",
        [
            {"share": 0.625, "points": 2.5, "wins": 2, "draws": 1, "losses": 1, "games": 4},
            {"share": 0.5, "points": 1.0, "wins": 1, "draws": 0, "losses": 1, "games": 2},
            {"share": 0.25, "points": 0.5, "wins": 0, "draws": 1, "losses": 1, "games": 2},
        ],
    ),
    (
        "rated_waves", {"waves": 1}, "A B", "A>B", "champion: A",
        [
            {"rating": 3.44, "mu": 27.64, "sigma": 8.07, "wins": 1, "draws": 0, "losses": 0, "games": 1},
            {"rating": -1.83, "mu": 22.36, "sigma": 8.07, "wins": 0, "draws": 0, "losses": 1, "games": 1},
        ],
    ),
    (
        "compare", {"most_pairs": 2}, "A B", "A>B B=A A>B B>A", "undecided (1 to 0 of 2 pairs, 1 even)",
        [
            {"pairs won": 1, "pairs even": 1, "wins": 2, "draws": 1, "losses": 1, "games": 4},
            {"pairs won": 0, "pairs even": 1, "wins": 1, "draws": 1, "losses": 2, "games": 4},
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options", "bots", "results", "verdict", "columns"), TABLES)
def test_a_table_shows_these_figures(
    kind: str, options: dict[str, Any], bots: str, results: str, verdict: str, columns: list[dict[str, Any]]
) -> None:
    course, asked = hold(kind, bots, results, **options)
    assert not asked
    assert concluded(course.standings(), over=True).verdict == verdict
    assert [dict(row.columns) for row in course.standings().rows] == columns


@pytest.mark.parametrize(("kind", "options", "bots", "results", "verdict"), [row[:5] for row in TABLES])
def test_the_sentence_below_a_table_calls_bots_by_their_names(
    kind: str, options: dict[str, Any], bots: str, results: str, verdict: str
) -> None:
    course, _ = hold(kind, bots, results, **options)
    course.names = {bot: f"{bot} (9b)" for bot in course.bots}
    expected = re.sub(rf"\b({'|'.join(course.bots)})\b", r"\1 (9b)", verdict)
    assert concluded(course.standings(), over=True, names=course.names).verdict == expected


# How many games: format, options, bots, at least and at most
ESTIMATES: list[tuple[str, dict[str, Any], int, tuple[int, int]]] = [
    ("round_robin", {"bouts": 3}, 4, (18, 18)),
    ("round_robin", {"bouts": 3, "swap": "same_seed"}, 4, (36, 36)),
    ("round_robin", {"seats": 3, "swap": "same_seed"}, 4, (12, 12)),
    ("best_of", {"games": 7}, 3, (4, 10)),
    ("best_of", {"games": 7, "match_games_cap": 6}, 3, (4, 6)),
    ("first_to", {"wins": 4, "match_games_cap": 3}, 3, (3, 3)),
    ("fixed", {"games": 7}, 3, (7, 7)),
    ("fixed", {"games": 7}, 0, (0, 0)),
    ("first_to", {"wins": 4}, 1, (4, 4)),
    ("king_of_the_hill", {"solo_games": 2, "best_of": 3}, 3, (8, 10)),
    ("king_of_the_hill", {"solo_games": 2, "best_of": 4}, 3, (8, 10)),
    ("king_of_the_hill", {"solo_games": 2, "best_of": 3}, 1, (4, 4)),
    ("king_of_the_hill", {}, 0, (0, 0)),
    ("points_table", {"games": 9}, 3, (9, 9)),
    ("swiss", {"bouts": 2}, 5, (12, 12)),
    ("swiss", {"rounds": 4, "swap": "same_seed"}, 4, (32, 32)),
    ("knockout", {"wins": 3}, 5, (12, 20)),
    ("knockout", {"wins": 3}, 1, (0, 0)),
    ("knockout", {"wins": 3}, 0, (0, 0)),
    ("gauntlet", {}, 0, (0, 0)),
    ("rated_waves", {}, 1, (0, 0)),
    ("points_table", {}, 0, (0, 0)),
    ("swiss", {}, 1, (0, 0)),
    ("knockout", {"wins": 2, "third_place": True}, 4, (8, 12)),
    ("knockout", {"wins": 2, "third_place": True}, 3, (4, 6)),
    ("gauntlet", {"bouts": 3}, 4, (18, 18)),
    ("gauntlet", {"bouts": 3, "swap": "alternate"}, 4, (9, 9)),
    ("rated_waves", {"waves": 3}, 5, (6, 6)),
    ("rated_waves", {"waves": 3}, 2, (3, 3)),
    ("rated_waves", {"waves": 3, "seats": 4}, 9, (6, 6)),
    ("rated_waves", {"waves": 3, "seats": 4}, 3, (3, 3)),
    ("compare", {}, 2, (64, 4000)),
    ("compare", {"most_pairs": 10}, 2, (20, 20)),
    ("compare", {"wave_pairs": 1}, 2, (42, 4000)),
]


@pytest.mark.parametrize(("kind", "options", "bots", "games"), ESTIMATES)
def test_a_format_says_how_many_games_it_takes(
    kind: str, options: dict[str, Any], bots: int, games: tuple[int, int]
) -> None:
    assert FORMATS[kind].read(options).estimate(bots) == games


TABLE_SIZES = [
    ("round_robin", {"seats": 3}, 5, (3,)), ("best_of", {}, 5, (5,)), ("king_of_the_hill", {}, 5, (1, 5)),
    ("points_table", {}, 5, (5,)), ("points_table", {"seats": 3}, 5, (3,)), ("points_table", {"seats": 9}, 5, (5,)),
    ("rated_waves", {"seats": 3}, 5, (3,)), ("rated_waves", {"seats": 3}, 2, (2,)), ("swiss", {}, 5, (2,)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options", "bots", "sizes"), TABLE_SIZES)
def test_a_format_says_how_many_meet_in_one_game(
    kind: str, options: dict[str, Any], bots: int, sizes: tuple[int, ...]
) -> None:
    assert FORMATS[kind].read(options).tables(bots) == sizes


CRITERIA = {
    "round_robin": ("points",),
    "best_of": ("match", "wins", "score"),
    "first_to": ("match", "wins", "score"),
    "fixed": ("match", "wins", "score"),
    "king_of_the_hill": ("sum of ranks", "hill rank", "solo rank"),
    "points_table": ("score", "wins", "best"),
    "swiss": ("points", "buchholz", "sonneborn_berger", "score"),
    "knockout": ("rounds survived",),
    "gauntlet": ("share of points",),
    "rated_waves": ("rating: mu - 3 sigma",),
    "compare": ("finding", "pairs won"),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_says_what_decides(kind: str) -> None:
    course, _ = hold(kind, "A B", "")
    assert course.standings().criteria == CRITERIA[kind]


def test_a_table_says_what_else_decides_where_that_was_chosen() -> None:
    for kind, options, criteria in (
        ("knockout", {"third_place": True}, ("rounds survived", "third place")),
        ("round_robin", {"count": "matches", "tie_breaks": "score"}, ("matches", "score")),
        ("swiss", {"tie_breaks": ""}, ("points",)),
    ):
        course, _ = hold(kind, "A B", "", **options)
        assert course.standings().criteria == criteria


def test_the_sentence_about_the_first_place_reads_well_whoever_shares_it() -> None:
    assert [first_place(list(bots), over=True) for bots in ("A", "AB", "ABC")] == [
        "champion: A", "shared by A and B", "shared by A, B and C",
    ]  # fmt: skip
    assert [first_place(list(bots), over=False) for bots in ("A", "ABC")] == ["A leads", "A, B and C lead"]
