"""Lost turns told once: what belongs to one stretch, and what does not."""

from __future__ import annotations

from botyard.kernel.verdict import Fault, Verdict
from botyard.match.player import Answer
from botyard.match.replay import Missed
from botyard.match.stretches import Stretch, stretches
from botyard.match.turns import START_TICK, Turn

DEAD = "the program ended: exit status 3"


def lost(tick: int, seat: int = 0, verdict: Verdict = Verdict.CRASHED, reason: str = DEAD) -> Missed:
    return Missed(tick, seat, verdict, reason)


def turn(miss: Missed | int, seat: int = 0) -> Turn:
    """A lost turn, or an answer in a tick."""
    if isinstance(miss, int):
        return Turn.of(miss, seat, Answer(0))
    return Turn.of(miss.tick, miss.seat, Answer(Fault(miss.verdict, miss.reason)))


def test_a_bot_that_died_is_one_stretch_whoever_plays_on_meanwhile() -> None:
    missed = [lost(tick) for tick in range(12, 212)]
    answers = [turn(tick) for tick in range(12)] + [turn(tick, 1) for tick in range(212)]
    found = stretches(missed, [*answers, *map(turn, missed)])
    assert found == [Stretch(0, Verdict.CRASHED, DEAD, 12, 211, 200)]
    assert found[0].when == "in ticks 12 to 211 (200 turns)"


def test_ticks_in_which_a_seat_is_not_asked_do_not_part_a_stretch() -> None:
    found = stretches([lost(tick) for tick in (4, 6, 8)], [turn(tick, 1) for tick in (5, 7, 9)])
    assert [(one.first, one.last, one.turns) for one in found] == [(4, 8, 3)]


def test_an_answer_parts_a_stretch() -> None:
    found = stretches([lost(2), lost(3), lost(5)], [turn(4)])
    assert [(one.first, one.last) for one in found] == [(2, 3), (5, 5)]
    assert found[1].when == "in tick 5"


def test_seats_verdicts_and_reasons_part_stretches_but_numbers_do_not() -> None:
    late = "answered after {} ms, the limit is 1000 ms"
    missed = [
        lost(0, 0, Verdict.LATE, late.format(1001)),
        lost(0, 1, Verdict.LATE, late.format(1002)),
        lost(1, 0, Verdict.LATE, late.format(1417)),
        lost(1, 1, Verdict.SILENT, late.format(1002)),
        lost(2, 0, Verdict.LATE, "it was a Monday"),
    ]
    found = stretches(missed, [])
    assert [(one.seat, one.first, one.turns) for one in found] == [(0, 0, 2), (1, 0, 1), (1, 1, 1), (0, 2, 1)]
    assert found[0].reason == late.format(1001)


def test_the_start_is_told_by_itself() -> None:
    found = stretches([lost(START_TICK), lost(0), lost(1)], [])
    assert [one.when for one in found] == ["at the start", "in ticks 0 to 1 (2 turns)"]
