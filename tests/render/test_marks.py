"""Marks: what is worth going to on a timeline."""

from __future__ import annotations

from botyard.kernel.scene import NOBODY, Words
from botyard.render.marks import Mark, marks_between


def words(*points: int, out: frozenset[int] = frozenset(), number: int = 0, steady: int = 0) -> Words:
    return Words("tick", {"points": points}, ("",) * len(points), out, number, steady)


def test_points_won_and_paid_are_marks() -> None:
    assert list(marks_between(7, words(3, 5, 1), words(5, 5, 0))) == [
        Mark(7, 0, "won", "+2 points"),
        Mark(7, 2, "paid", "-1 points"),
    ]


def test_points_that_every_tick_brings_are_none() -> None:
    assert list(marks_between(7, words(3, 5), words(4, 56, steady=1))) == [Mark(7, 1, "won", "+51 points")]


def test_who_falls_out_and_which_round_ends_is_marked_once() -> None:
    before, after = words(0, 0, number=1), words(0, 0, out=frozenset({1}), number=2)
    assert list(marks_between(4, before, after)) == [
        Mark(4, NOBODY, "round", "round 1 ends"),
        Mark(4, 1, "out", "is out"),
    ]
    assert list(marks_between(5, after, after)) == []
    assert list(marks_between(1, words(0, number=0), words(0, number=1))) == []
