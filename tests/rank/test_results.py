"""The notation of results: what it says, that it reads back, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.kernel.errors import BadRecord
from botyard.kernel.outcome import Outcome
from botyard.rank.results import Result, parse, parse_all, points_of

LINES = ["A>B", "A=B", "A>B=C>D", "A:1200>B:50", "A>B!", "A?B", "A?", "A:300", "A", "A:-3=B!:0>my-bot_2.1", "A?B?C"]


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_back(line: str) -> None:
    assert str(parse(line)) == line


@st.composite
def results(draw: st.DrawFn) -> Result:
    bots = draw(st.lists(st.sampled_from("ABCDEFG"), min_size=1, unique=True))
    if draw(st.booleans()) and draw(st.booleans()):
        return Result.nothing(bots)
    ranks = draw(st.lists(st.integers(0, 3), min_size=len(bots), max_size=len(bots)))
    groups = [[bot for bot, rank in zip(bots, ranks, strict=True) if rank == at] for at in sorted(set(ranks))]
    scores = {bot: draw(st.integers(-9, 9)) for bot in bots if draw(st.booleans())}
    return Result.of(groups, scores, draw(st.sets(st.sampled_from(bots))))


@given(results())
def test_every_result_reads_back(result: Result) -> None:
    assert parse(str(result)) == result


@given(results())
def test_a_game_hands_out_half_a_point_for_every_bot(result: Result) -> None:
    shared = sum(points_of(result).values())
    expected = 0 if result.void or len(result.bots) < 2 else len(result.bots) / 2
    assert shared == pytest.approx(expected)


def test_places_winners_and_draws() -> None:
    result = parse("A=B>C:4")
    assert (result.place("A"), result.place("B"), result.place("C")) == (1, 1, 3)
    assert result.winner is None
    assert not result.drawn
    assert parse("B>A").winner == "B"
    assert parse("A=B").drawn
    assert parse("A").winner is None
    assert not parse("A").drawn
    assert parse("A?B").winner is None
    assert (result.score("C"), result.score("A")) == (4, 0)
    with pytest.raises(KeyError):
        result.place("Z")


def test_an_outcome_by_seats_becomes_a_result_by_names() -> None:
    outcome = Outcome(((1,), (0, 2)), (3, 9, 3))
    assert str(Result.of_outcome(outcome, ("x", "y", "z"), ["z"])) == "y:9>x:3=z!:3"


def test_a_void_game_says_nothing() -> None:
    assert parse("A?B").duels() == []
    assert set(points_of(parse("A?B")).values()) == {0.0}


@pytest.mark.parametrize("line", ["A>", ">A", "A B>", "A>A", "A>B?C", "A:x>B", "A=B?", "", "A!!>B", "A >"])
def test_what_is_no_result_is_refused(line: str) -> None:
    with pytest.raises(BadRecord, match="the result"):
        parse(line) if " " not in line else parse_all(line)


def test_duels_name_the_better_first_and_tell_ties() -> None:
    assert parse("A=B>C").duels() == [("A", "B", 0), ("A", "C", 1), ("B", "C", 1)]
    assert parse("A?B").duels() == []


@pytest.mark.parametrize("text", ["A?B>C", "A=B?C"])
def test_a_void_game_has_no_places(text: str) -> None:
    with pytest.raises(BadRecord, match="a void game has no places"):
        parse(text)
