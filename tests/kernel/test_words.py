"""Errors, verdicts, outcomes, facts: the vocabulary."""

from __future__ import annotations

import errno

import pytest

from botyard.games.hive.facts import FACTS
from botyard.kernel.errors import UnknownName, YardError, quoted, refusal
from botyard.kernel.outcome import Outcome
from botyard.kernel.recording import Conformance, Difference
from botyard.kernel.session import printable
from botyard.kernel.verdict import MEANINGS, Fault, Verdict
from botyard.kernel.words import counted


def test_every_verdict_has_a_sentence_for_the_author() -> None:
    assert set(MEANINGS) == set(Verdict)
    assert Verdict.SILENT.meaning.startswith("No answer came in time")
    assert Fault(Verdict.LATE, "why").verdict == "LATE"


def test_an_error_carries_its_hint() -> None:
    assert str(YardError("broken")) == "broken"
    assert str(YardError("broken", hint="mend it")) == "broken: mend it"
    assert str(UnknownName("fruit", "aple", ["apple", "pear"])) == "unknown fruit 'aple': did you mean 'apple'?"
    assert str(UnknownName("fruit", "x", ["apple", "pear"])) == "unknown fruit 'x': known: apple, pear"
    told = YardError("broken", hint="mend it")
    assert (told.message, told.hint) == ("broken", "mend it")


def test_a_wrong_value_is_repeated_up_to_a_length() -> None:
    assert quoted("a" * 198) == f"'{'a' * 198}'"
    assert quoted("a" * 199) == f"'{'a' * 199}…"


def test_what_the_machine_refuses_is_no_mistake_of_a_user() -> None:
    full, missing = OSError(errno.ENOSPC, "No space left"), OSError(errno.ENOENT, "No such file")
    assert refusal("cannot read it", full) is full
    assert str(refusal("cannot read it", missing)) == "cannot read it: No such file"
    assert str(refusal("cannot read it", OSError("it is gone"))) == "cannot read it: it is gone"


def test_outcomes_have_ties() -> None:
    outcome = Outcome.from_places([1, 0, 1, 5], [3, 9, 3, 0])
    assert outcome.groups == ((1,), (0, 2), (3,))
    assert outcome.winner == 1
    assert not outcome.draw
    assert [outcome.place_of(seat) for seat in range(4)] == [2, 1, 2, 4]
    with pytest.raises(ValueError, match="seat 9"):
        outcome.place_of(9)


def test_a_draw_has_no_winner() -> None:
    assert Outcome.from_places([0, 0], [1, 1]).winner is None
    assert Outcome.from_places([0, 0], [1, 1]).draw
    assert Outcome.from_places([0, 0, 1], [1, 1, 0]).winner is None
    assert Outcome.from_places([0], [1]).winner is None  # there is nobody to be ahead of


def test_orders_are_found_by_name_and_by_number() -> None:
    assert FACTS.order_named("move NE") == 1
    assert FACTS.order_named("  MOVE   ne ") == 1
    assert [FACTS.order_named(text) for text in ("0", "17", "31")] == [0, 17, 31]
    with pytest.raises(UnknownName, match="did you mean 'move N'"):
        FACTS.order_named("move Nn")
    for wrong in ("-1", "32"):
        with pytest.raises(YardError, match="orders go from 0 to 31"):
            FACTS.order_named(wrong)


def test_the_number_of_bots_is_checked() -> None:
    FACTS.check_seats(2)
    with pytest.raises(YardError, match="3 bots for 2 seats: Hive Arena takes 2 bots"):
        FACTS.check_seats(3)


def test_seats_are_a_number_or_a_range() -> None:
    from dataclasses import replace

    assert FACTS.seats == "2"
    assert replace(FACTS, seats_max=15).seats == "2–15"


def test_bytes_of_a_bot_are_shown_escaped_and_cut() -> None:
    assert printable(b"\x1b[31m\n") == "'\\x1b[31m\\n'"
    assert printable(b"a" * 100) == f"'{'a' * 60}'… (100 bytes)"
    assert printable(b"a" * 60) == f"'{'a' * 60}'"


def test_conformance_counts_steps_and_keeps_the_first_difference() -> None:
    assert not Conformance("hive", "nothing checked").holds
    equal, result = Conformance("hive", "file"), Conformance("hive", "file")
    equal.count(None)
    assert equal.holds
    first, second = Difference("g", 1, "a", "x", "y"), Difference("g", 2, "b", "x", "y")
    for difference in (None, first, second):
        result.count(difference)
    assert (result.steps, result.equal, result.first) == (3, 1, first)
    assert not result.holds


def test_one_thing_is_told_from_several() -> None:
    assert [counted(number, "seat") for number in (0, 1, 2)] == ["0 seats", "1 seat", "2 seats"]
