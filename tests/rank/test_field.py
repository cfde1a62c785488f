"""What a field of results sums up for each bot, drawn: the results on the left, one bot's columns on the right."""

from __future__ import annotations

import pytest

from botyard.rank.results import parse_all
from botyard.rank.standings import TIE_BREAKS, ResultSums, Standings, rank, table

# results, then of A: games, wins, draws, losses, score, best, forfeits
SUMS = [
    ("A>B", (1, 1, 0, 0, 0, 0, 0)),
    ("B>A", (1, 0, 0, 1, 0, 0, 0)),
    ("A=B", (1, 0, 1, 0, 0, 0, 0)),
    ("B>A!", (1, 0, 0, 1, 0, 0, 1)),
    ("A?B", (0, 0, 0, 0, 0, None, 0)),
    ("A>B>C", (1, 1, 0, 0, 0, 0, 0)),
    ("A=B>C", (1, 0, 1, 0, 0, 0, 0)),
    ("B>A=C", (1, 0, 0, 1, 0, 0, 0)),
    ("B=C>A", (1, 0, 0, 1, 0, 0, 0)),
    ("A:3>B:1 B:5>A:2 A:4=B:4 A?B", (3, 1, 1, 1, 9, 4, 0)),
    ("B>C", (0, 0, 0, 0, 0, None, 0)),
]


@pytest.mark.parametrize(("results", "sums"), SUMS)
def test_results_add_up(results: str, sums: tuple[int | None, ...]) -> None:
    field = ResultSums(("A", "B", "C"))
    for result in parse_all(results):
        field.add(result)
    a = field.tallies["A"]
    assert (a.games, a.wins, a.draws, a.losses, a.score, a.best, a.forfeits) == sums


@pytest.mark.parametrize(
    ("bot", "rivals", "points"), [("A", "B", 0.5), ("A", "BC", 1.5), ("B", "A", 1.5), ("C", "AB", 0.5), ("B", "C", 0.5)]
)
def test_a_tie_gives_each_half_of_what_they_take_from_each_other(bot: str, rivals: str, points: float) -> None:
    field = ResultSums(("A", "B", "C"))
    for result in parse_all("A=B A>C B>A B=C"):
        field.add(result)
    assert field.from_each(bot, rivals) == points


def summed(results: str, bots: str = "ABCD") -> ResultSums:
    field = ResultSums(tuple(bots))
    for result in parse_all(results):
        field.add(result)
    return field


# results, tie-break, its figure for A, B, C and D
BREAKS = [
    ("A>B A>B B>C C=D", "buchholz", (2, 4.5, 1.5, 0.5)),
    ("A>B A>B B>C C=D", "sonneborn_berger", (2, 0.5, 0.25, 0.25)),
    ("A>B A>B B>C C=D", "wins", (2, 1, 0, 0)),
    ("A:9>B:4 A:2>B:1 C:7=D:7", "score", (11, 5, 7, 7)),
    ("A:9>B:4 A:2>B:1 C:-7=D:0", "best", (9, 4, -7, 0)),
    ("A>B! A>B! C!=D", "forfeits", (0, -2, -1, 0)),
    ("A>B B>C", "head_to_head", (1, 1, 0, 0)),
]


@pytest.mark.parametrize(("results", "name", "figures"), BREAKS)
def test_a_tie_break_gives_its_figures(results: str, name: str, figures: tuple[float, ...]) -> None:
    field = summed(results)
    assert tuple(TIE_BREAKS[name][1](field, bot, "ABCD") for bot in "ABCD") == figures


def test_a_bot_alone_neither_draws_nor_loses() -> None:
    alone = summed("A:5 A:0").tallies["A"]
    assert (alone.games, alone.wins, alone.draws, alone.losses, alone.score) == (2, 0, 0, 0, 5)


def test_ranks_of_sums_that_are_equal_but_for_rounding() -> None:
    third = 1 / 3
    assert rank([(third + third + third,), (1.0,), (0.9,)]) == [1, 1, 3]
    assert rank([(1 + 1e-8,), (1.0,)]) == [1, 2]
    assert rank([(3, 1), (3, 2), (3, 1), (2, 9)]) == [2, 1, 2, 4]
    assert rank([(3, 1), (3, 2), (3, 1), (2, 9)], "dense") == [2, 1, 2, 3]


def test_standings_name_their_leaders_and_their_columns() -> None:
    keys, columns = {"A": (1,), "B": (2,), "C": (2,)}, {bot: {"points": 1, "games": 2} for bot in "ABC"}
    standings = table("ABC", keys, columns, ("points",), "well played")
    assert (standings.leaders, standings.heads) == (("B", "C"), ("points", "games"))
    assert (standings.place("C"), standings.place("A"), str(standings)) == (1, 3, "1 B C  3 A")
    assert (standings.criteria, standings.verdict) == (("points",), "well played")
    assert table("A", {"A": (1,)}, {"A": {"points": 1}}, ("points",)).heads == ("points",)
    assert Standings((), ()).heads == Standings((), ()).leaders == ()
