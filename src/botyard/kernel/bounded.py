"""This module reads files that anybody may have written, within bounds: bytes, gzip, TOML and JSON.

Whoever wrote such a file may mean harm: a few bytes unpack to gigabytes, a key with thousands of dots keeps a parser
busy for minutes, nesting and long numbers make it fail in ways of its own. So every reader checks the size before it
unpacks or parses anything, and the shape before it returns anything. It returns a value or raises a YardError.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from botyard.kernel.errors import BadRecord, YardError

TOML_MAX = 256 * 1024  # bytes: a contest of a thousand bots
DEPTH_MAX = 32  # nested lists and tables; nothing of ours has more than eight
DOTS_MAX = 16  # in one key; the parser's time grows with their square
NUMBER_BITS = 64  # of a whole number: those of a seed
DIGITS_MAX = 20  # of one, sign included
VALUES_MAX = 5_000_000  # in one JSON text: an empty list takes two bytes there, and sixty in memory
MEMBERS_MAX = 1000  # parts that a gzip file is put together of; ours have one
CHUNK = 64 * 1024
ZEROS = bytes.maketrans(b"123456789", b"000000000")
NOT_OURS = "no file that Botyard writes is like that; is it the right file?"


def read_bounded(path: Path, most: int) -> bytes:
    """Returns all bytes of a file, and refuses a larger one without reading on, because it may have no end."""
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise YardError(f"cannot read {path}", hint=getattr(error, "strerror", None) or str(error)) from None
    if len(raw) > most:
        raise YardError(
            f"{path} is larger than {size_text(most)}", hint="Botyard needs no file that large; is it the right one?"
        )
    return raw


def size_text(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


# gzip


def unpacked(raw: bytes, most: int, name: str) -> bytes:
    """Returns what was compressed, and refuses what unpacks to more than `most` bytes."""
    return b"".join(unpacked_chunks(raw, most, name))


def unpacked_lines(raw: bytes, most: int, longest: int, name: str) -> Iterator[bytes]:
    """Yields what was compressed line by line, without line ends, and holds only a chunk and a line in memory."""
    left = b""
    for chunk in unpacked_chunks(raw, most, name):
        *lines, left = (left + chunk).split(b"\n")
        if len(left) > longest or any(len(line) > longest for line in lines):
            raise BadRecord(
                f"{name} has a line longer than {size_text(longest)}",
                hint="no file that Botyard writes has one; is it the right file?",
            )
        yield from lines
    if left:
        yield left


def unpacked_chunks(raw: bytes, most: int, name: str) -> Iterator[bytes]:
    """Yields a gzip file in pieces of bounded size. Zero bytes may follow its last part, as disks leave them."""
    at = total = 0
    for _ in range(MEMBERS_MAX):
        unpacking = zlib.decompressobj(wbits=31)
        while not unpacking.eof:
            fed = raw[at : at + CHUNK]
            if not fed:
                raise BadRecord(f"{name} is cut off", hint="its end is missing; copy it again")
            try:
                piece = unpacking.decompress(fed, CHUNK * 16)
            except zlib.error:
                raise BadRecord(f"{name} is damaged", hint="it cannot be unpacked; copy it again") from None
            at += len(fed) - len(unpacking.unconsumed_tail) - len(unpacking.unused_data)
            total += len(piece)
            if total > most:
                raise BadRecord(f"{name} unpacks to more than {size_text(most)}", hint=NOT_OURS)
            yield piece
        if at == len(raw) or (raw[at] == 0 and not raw[at:].strip(b"\0")):
            return
    raise BadRecord(f"{name} has more than {MEMBERS_MAX} gzip parts", hint="unpack it and compress it again")


# TOML


def read_toml(path: Path, most: int = TOML_MAX) -> dict[str, Any]:
    return toml_of(read_bounded(path, most), str(path), most)


def toml_of(raw: bytes, name: str, most: int = TOML_MAX) -> dict[str, Any]:
    """Returns the content of a TOML file, whose numbers have at most 64 bits and whose texts hold no zero bytes."""
    if len(raw) > most:
        raise YardError(f"{name} is larger than {size_text(most)}", hint="shorten it")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise YardError(
            f"{name} is not UTF-8 text", hint=f"TOML files must be UTF-8; look at byte {error.start}"
        ) from None
    check_signs(text, name)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise YardError(f"{name} is not valid TOML", hint=str(error)) from None
    except (ValueError, RecursionError):  # a number that Python will not convert, or a shape of the parser's own
        raise YardError(
            f"{name} cannot be read as TOML", hint="does it contain a number with thousands of digits?"
        ) from None
    check_depth(content, name)
    check_plain(content, name)
    return content


def check_plain(content: Any, name: str) -> None:
    """Refuses what TOML may hold and nobody expects: numbers without an end, and zero bytes, which end file names."""
    inner = [content]
    while inner:
        value = inner.pop()
        inner += within(value)
        inner += value if isinstance(value, dict) else ()
        if isinstance(value, int) and abs(value) >> NUMBER_BITS:
            raise YardError(f"{name} has a number of more than {NUMBER_BITS} bits", hint="write a smaller number")
        if isinstance(value, float) and not math.isfinite(value):
            raise YardError(f"{name} has the number {value}", hint="write a finite number")
        if isinstance(value, str) and "\0" in value:
            raise YardError(f"{name} has a zero byte in a string", hint="remove it")


SIGN = re.compile(r"""[#"'.\[\]{}=,\n]""")


def check_signs(text: str, name: str) -> None:
    """Refuses what keeps the parser busy, before it sees it: many dots in a key, many brackets in each other.

    It skips texts and comments just as TOML does. Where it would skip something else than the parser, the file is not
    TOML, and the parser says so.
    """
    at = dots = depth = 0
    while found := SIGN.search(text, at):
        sign, at = found[0], found.end()
        if sign == ".":
            dots += 1
        elif sign in "\"'":
            at = end_of_text(text, found.start())
        elif sign == "#":
            at = text.find("\n", at)
        else:
            dots = 0
            depth = depth + 1 if sign in "[{" else max(depth - 1, 0) if sign in "]}" else depth
        if dots > DOTS_MAX:
            raise YardError(
                f"{name} has a key of more than {DOTS_MAX} parts", hint="shorten the key, or check for missing quotes"
            )
        if depth > DEPTH_MAX:
            raise YardError(f"{name} has brackets nested more than {DEPTH_MAX} levels deep", hint="use fewer levels")
        if at < 0:
            return


ENDS = {
    '"""': re.compile(r'(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"(?:[^']++|'{1,2}(?!'))*+'{3,5}"),
    '"': re.compile(r'(?:[^"\\\n]++|\\.)*+"'),
    "'": re.compile(r"[^'\n]*+'"),
}


def end_of_text(text: str, start: int) -> int:
    """Returns where a quoted text that begins at `start` has ended, or -1 if it never ends."""
    mark = text[start : start + 3]
    mark = mark if mark in ENDS else mark[0]
    found = ENDS[mark].match(text, start + len(mark))
    return found.end() if found else -1


# JSON


class BadJson(BadRecord):
    """The error for a text that is no JSON."""


def json_of(text: str | bytes, name: str) -> Any:
    """Returns the value of a JSON text; refuses repeated keys, NaN, numbers of more than 64 bits and deep nesting."""
    try:
        whole = text.decode("utf-8") if isinstance(text, bytes) else text
        if whole.count(",") + whole.count("[") + whole.count("{") > VALUES_MAX:
            raise BadRecord(f"{name} holds more than {VALUES_MAX} values", hint=NOT_OURS)
        # A call for each number would take longer than all the rest.
        numbers = short if has_long_numbers(text) else None
        value = json.loads(
            whole, object_pairs_hook=single, parse_int=numbers, parse_float=finite, parse_constant=no_number
        )
    except BadRecord:
        raise
    except RecursionError:
        raise too_deep(name) from None
    except ValueError as error:
        raise BadJson(f"{name} is not valid JSON", hint=str(error)) from None
    check_depth(value, name)
    return value


def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice[:40]!r} occurs twice")
    return made


def has_long_numbers(text: str | bytes) -> bool:
    """Whether so many digits stand in a row anywhere that a number may be too long."""
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return b"0" * DIGITS_MAX in raw.translate(ZEROS)


def short(digits: str, most: int = DIGITS_MAX) -> int:
    if len(digits) > most:
        raise ValueError(f"a number has {len(digits)} digits; at most {most} are allowed")
    return int(digits)


def finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def no_number(word: str) -> Any:
    raise ValueError(f"{word} is not allowed as a number")


# Both


NESTING = frozenset((list, dict))


def check_depth(value: Any, name: str) -> None:
    inner = [value]
    for _ in range(DEPTH_MAX + 2):
        if NESTING.isdisjoint(map(type, inner)):  # a look at all at once: most values are numbers in short lists
            return
        level = [value for value in inner if type(value) in NESTING]
        inner = []
        for outer in level:
            inner += outer.values() if type(outer) is dict else outer
    raise too_deep(name)


def within(value: Any) -> Iterable[Any]:
    """Returns the values in a list or a table; any other value holds none."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def too_deep(name: str) -> BadRecord:
    return BadRecord(f"{name} is nested more than {DEPTH_MAX} levels deep", hint=NOT_OURS)
