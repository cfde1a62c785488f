"""A protocol of lines: what is asked and understood, and that no bytes of a bot can do harm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.kernel.facts import Facts
from botyard.kernel.line_session import LINE_BYTES, LineSession
from botyard.kernel.verdict import Fault, Verdict

FACTS = Facts(
    name="g", title="G", summary="S.", seats_min=1, seats_max=2, usual_seats=2, simultaneous=True, link="process",
    rules_version=1, orders=("go up", "go down"),
)  # fmt: skip


class Session(LineSession):
    def question(self, view: Any) -> str:
        return f"you see {view}"


def session() -> Session:
    return Session(FACTS, 700)


def test_a_question_is_a_line_and_an_order_is_its_name_or_its_number() -> None:
    talk = session()
    assert (talk.opening(3), talk.ask(3), talk.closing(None)) == (b"", b"you see 3\n", b"")
    assert (talk.move_ms, talk.introduces, talk.settle_ms) == (700, False, 250)
    assert [talk.receive(line) for line in (b"go down\n", b"GO  UP\r\n", b"1\n")] == [1, 0, 1]
    talk.took(3.0, 1)
    assert talk.move_ms == 700


def test_a_line_may_come_in_pieces() -> None:
    talk = session()
    assert [talk.receive(piece) for piece in (b"", b"go ", b"up\ngo down\n", b"")] == [None, None, 0, 1]


def test_what_came_before_the_question_is_dropped_line_by_line() -> None:
    talk = session()
    assert talk.unasked(b"go up\ngo do") == b"go up\n"
    assert talk.receive(b"wn\n") == 1


@pytest.mark.parametrize("line", [b"jump\n", b"\n", b"2\n", b"\xff\xfe\n"])
def test_what_is_no_order_is_garbled(line: bytes) -> None:
    fault = session().receive(line)
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.GARBLED
    assert fault.reason.startswith("not one of go up, go down: ")


def test_a_line_without_an_end_is_given_up() -> None:
    talk = session()
    assert talk.receive(b"x" * LINE_BYTES) is None
    fault = talk.receive(b"x")
    assert isinstance(fault, Fault)
    assert "200 bytes without a line end" in fault.reason
    assert talk.receive(b"go up\n") == 0


def test_a_game_must_say_what_its_bots_are_told() -> None:
    with pytest.raises(NotImplementedError):
        LineSession(FACTS, 1).ask(None)


@given(st.lists(st.binary(max_size=300)))
def test_no_bytes_raise(chunks: list[bytes]) -> None:
    talk = session()
    for chunk in chunks:
        talk.unasked(chunk)
        answer = talk.receive(chunk)
        assert answer is None or isinstance(answer, (int, Fault))
