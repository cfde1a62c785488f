"""What a bot prints beside its answers, for its author."""

from __future__ import annotations

from botyard.jail.printed import HEAD_BYTES, TAIL_BYTES, Printed


def test_of_much_the_beginning_and_the_end_are_kept_and_the_rest_is_counted() -> None:
    printed = Printed()
    for chunk in (b"a" * HEAD_BYTES, b"b" * 10, b"c" * TAIL_BYTES):
        printed.add(chunk)
    assert printed.take() == "a" * HEAD_BYTES + "\n… 10 bytes dropped …\n" + "c" * TAIL_BYTES
    assert printed.total == HEAD_BYTES + 10 + TAIL_BYTES


def test_what_was_taken_is_gone_and_nothing_is_missing_from_what_comes_next() -> None:
    printed = Printed()
    printed.add(b"x" * (HEAD_BYTES + TAIL_BYTES + 1))
    assert "1 bytes dropped" in printed.take()
    assert printed.take() == ""
    printed.add(b"y" * (HEAD_BYTES + TAIL_BYTES))
    assert printed.take() == "y" * (HEAD_BYTES + TAIL_BYTES)
