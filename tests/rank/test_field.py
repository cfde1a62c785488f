"""What a field of results sums up for each bot, drawn: the results on the left, one bot's columns on the right."""

from __future__ import annotations

import pytest

from botyard.rank.results import parse_all
from botyard.rank.standings import Field

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
    field = Field(("A", "B", "C"))
    for result in parse_all(results):
        field.add(result)
    a = field.tallies["A"]
    assert (a.games, a.wins, a.draws, a.losses, a.score, a.best, a.forfeits) == sums


@pytest.mark.parametrize(
    ("bot", "rivals", "points"), [("A", "B", 0.5), ("A", "BC", 1.5), ("B", "A", 1.5), ("C", "AB", 0.5), ("B", "C", 0.5)]
)
def test_a_tie_gives_each_half_of_what_they_take_from_each_other(bot: str, rivals: str, points: float) -> None:
    field = Field(("A", "B", "C"))
    for result in parse_all("A=B A>C B>A B=C"):
        field.add(result)
    assert field.from_each(bot, rivals) == points
