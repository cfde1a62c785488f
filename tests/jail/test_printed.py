"""What a bot prints beside its answers, for its author."""

from __future__ import annotations

import asyncio
import os

from botyard.jail.printed import HEAD_BYTES, TAIL_BYTES, Printed, PrintedReader
from tests.waiting import finished


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


def test_who_prints_one_byte_more_than_the_limit_has_overrun_it() -> None:
    overruns: list[None] = []
    reader = PrintedReader(Printed(), 10, lambda: overruns.append(None))
    reader.data_received(b"x" * 10)
    assert overruns == []
    reader.data_received(b"x")
    assert overruns == [None]


def test_what_still_lies_in_the_pipe_of_a_program_that_has_ended_was_printed_too() -> None:
    async def printed_at_the_end() -> str:
        read, write = os.pipe()
        printed = Printed()
        reader = PrintedReader(printed, 100, lambda: None)
        with os.fdopen(read, "rb", 0) as pipe:
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: reader, pipe)
            os.write(write, b"last words")
            reader.read_rest()  # before the event loop has looked
            transport.close()
        os.close(write)
        return printed.take()

    assert finished(printed_at_the_end()) == "last words"
