"""What a session does where its original has nothing peculiar."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.kernel.session import MoveSession, Session, printable
from botyard.kernel.verdict import Fault


class Plain(Session):
    """As little as a protocol can be."""

    def ask(self, view: Any) -> bytes:
        return b"?"

    def receive(self, chunk: bytes) -> int | Fault | None:
        return 0 if chunk else None


def test_a_plain_bot_is_asked_at_once_and_answers_in_its_time() -> None:
    session = Plain(move_ms=20, settle_ms=5)
    assert (session.introduces, session.may_be_nameless, session.waits, session.game_number) == (False, False, False, 1)
    assert (session.connect_ms, session.start_ms, session.move_ms, session.settle_ms) == (0, 0, 20, 5)
    session.took(19.0, 0)
    assert session.move_ms == 20  # there is no time bank


def test_nobody_is_stopped_and_every_end_is_noticed_where_the_original_does_nothing_else() -> None:
    session = Plain()
    assert (session.stopped, session.notices_end, session.hang_ms) == (False, True, 0)


def test_a_plain_bot_is_told_nothing_but_the_question_and_what_comes_early_is_dropped() -> None:
    session = Plain()
    assert (session.greet(), session.opening(None), session.tell(None), session.closing(None)) == (b"", b"", b"", b"")
    assert session.introduce(b"ann") == ""
    assert session.unasked(b"early") == b"early"


@pytest.mark.parametrize("kind", [Session, MoveSession])
def test_a_protocol_without_a_question_is_none(kind: type[Session]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind()


def test_bytes_are_shown_quoted_and_cut() -> None:
    assert printable(b"a\x00\n") == r"'a\x00\n'"
    assert printable(b"x" * 100) == f"'{'x' * 60}'… (100 bytes)"
