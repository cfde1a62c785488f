"""A `py:` bot runs in this child interpreter, which loads a file and answers views with a function's orders.

Frames in both directions are a four-byte length and that many bytes. The first frame tells the game; each further one
is a four-byte number of the question and a view record. Answers are JSON: {"ready": true}, {"question": n, "order":
…} or {"question": n, "error": …}. Whatever the bot prints goes to standard error, so that it can print freely.
"""

from __future__ import annotations

import json
import os
import runpy
import struct
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

LENGTH = struct.Struct("<I")


def read_frame(stream: BinaryIO) -> bytes | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size = LENGTH.unpack(head)[0]
    return stream.read(size)


def write_frame(stream: BinaryIO, answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode()
    stream.write(LENGTH.pack(len(body)) + body)
    stream.flush()


def find_function(names: dict[str, Any], wanted: str) -> Callable[..., Any]:
    """The function asked for; without a name `bot`, or the only one the file defines."""
    own = {
        name: thing
        for name, thing in names.items()
        if callable(thing) and not name.startswith("_") and getattr(thing, "__module__", "") == "<bot>"
    }
    if wanted:
        if not callable(names.get(wanted)):
            raise LookupError(f"the file has no function {wanted!r}; it has {', '.join(own) or 'none'}")
        return names[wanted]  # type: ignore[no-any-return]
    if callable(names.get("bot")):
        return names["bot"]  # type: ignore[no-any-return]
    if len(own) == 1:
        return next(iter(own.values()))  # type: ignore[no-any-return]
    raise LookupError(f"which function? name it as py:FILE:FUNCTION; there are {', '.join(own) or 'none'}")


def as_order(given: Any) -> Any:
    """An order as JSON can carry it; anything odd travels as its text and is judged outside."""
    if isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool)):
        return given
    return int(given) if hasattr(given, "__index__") and not isinstance(given, bool) else {"odd": repr(given)[:200]}


def main() -> None:
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # print() must not disturb the frames
    sys.stdin = open(os.devnull)
    head = json.loads(read_frame(questions) or b"{}")
    try:
        sys.path.insert(0, os.path.dirname(os.path.abspath(head["file"])))
        function = find_function(runpy.run_path(head["file"], run_name="<bot>"), head["function"])

        import numpy as np

        from botyard.games import load
        from botyard.games.view import View

        book = load(head["game"])
        kind = book.layouts(book.settings.read(head["settings"])).view
    except BaseException as error:
        traceback.print_exc()
        write_frame(answers, {"error": "".join(traceback.format_exception_only(error)).strip()})
        return
    write_frame(answers, {"ready": True})
    while (frame := read_frame(questions)) is not None:
        number = LENGTH.unpack(frame[: LENGTH.size])[0]
        view = View(np.frombuffer(frame[LENGTH.size :], kind).copy(), book)
        try:
            answer = {"order": as_order(function(view))}
        except BaseException as error:
            traceback.print_exc()
            answer = {"error": "".join(traceback.format_exception_only(error)).strip()}
        sys.stdout.flush()  # what was printed belongs to this turn
        write_frame(answers, {"question": number, **answer})


if __name__ == "__main__":
    main()
