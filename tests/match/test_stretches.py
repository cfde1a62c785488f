"""Lost turns told once: what belongs to one stretch, and what does not."""

from __future__ import annotations

from collections.abc import Iterable

from botyard.kernel.verdict import Fault, Verdict
from botyard.match.player import Answer
from botyard.match.stretches import Stretch, listed_turns, stretches
from botyard.match.turns import START_TICK, Turn

DEAD = "the program ended: exit status 3"


def lost(
    tick: int, seat: int = 0, verdict: Verdict = Verdict.CRASHED, reason: str = DEAD, received: bytes = b""
) -> Turn:
    return Turn.of(tick, seat, Answer(Fault(verdict, reason), received=received))


def answered(tick: int, seat: int = 0) -> Turn:
    return Turn.of(tick, seat, Answer(0))


def lost_stretches(turns: Iterable[Turn], words_matter: bool = False) -> list[Stretch]:
    listed = listed_turns(sorted(turns, key=lambda turn: turn.tick), words_matter=words_matter)
    return stretches(one for one in listed if one.turn.verdict is not Verdict.OK)


def spans(found: list[Stretch]) -> list[tuple[int, int, int, int]]:
    """Seat, first tick, last tick and number of turns."""
    return [(one.first.seat, one.first.tick, one.last.tick, len(one.turns)) for one in found]


def test_a_bot_that_died_is_one_stretch_whoever_plays_on_meanwhile() -> None:
    answers = [answered(tick) for tick in range(12)] + [answered(tick, 1) for tick in range(212)]
    found = lost_stretches([*answers, *(lost(tick) for tick in range(12, 212))])
    assert spans(found) == [(0, 12, 211, 200)]
    assert found[0].ticks == "ticks 12 to 211 (200 turns)"


def test_ticks_in_which_a_seat_is_not_asked_do_not_part_a_stretch() -> None:
    found = lost_stretches([*(lost(tick) for tick in (4, 6, 8)), *(answered(tick, 1) for tick in (5, 7, 9))])
    assert spans(found) == [(0, 4, 8, 3)]


def test_an_answer_parts_a_stretch() -> None:
    found = lost_stretches([lost(2), lost(3), answered(4), lost(5)])
    assert spans(found) == [(0, 2, 3, 2), (0, 5, 5, 1)]
    assert found[1].ticks == "tick 5"


def test_seats_verdicts_and_reasons_part_stretches_but_numbers_do_not() -> None:
    late = "answered after {} ms; the limit is 1000 ms"
    found = lost_stretches(
        [
            lost(0, 0, Verdict.LATE, late.format(1001)),
            lost(0, 1, Verdict.LATE, late.format(1002)),
            lost(1, 0, Verdict.LATE, late.format(1417)),
            lost(1, 1, Verdict.SILENT, late.format(1002)),
            lost(2, 0, Verdict.LATE, "it was a Monday"),
        ]
    )
    assert spans(found) == [(0, 0, 1, 2), (1, 0, 0, 1), (1, 1, 1, 1), (0, 2, 2, 1)]
    assert found[0].first.reason == late.format(1001)


def test_the_start_is_told_by_itself() -> None:
    found = lost_stretches([lost(START_TICK), lost(0), lost(1)])
    assert [one.ticks for one in found] == ["start", "ticks 0 to 1 (2 turns)"]


def test_where_words_matter_a_turn_with_words_stands_alone_and_so_does_the_next() -> None:
    turns = [lost(0), lost(1), lost(2, received=b"fly"), lost(3), lost(4)]
    assert spans(lost_stretches(turns)) == [(0, 0, 4, 5)]
    assert spans(lost_stretches(turns, words_matter=True)) == [(0, 0, 1, 2), (0, 2, 2, 1), (0, 3, 4, 2)]
