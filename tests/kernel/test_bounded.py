"""Files from strangers: what is too large, too deep or too long is refused before it costs anything."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.kernel import bounded
from botyard.kernel.bounded import (
    DEPTH_MAX,
    DOTS_MAX,
    MEMBERS_MAX,
    TOML_MAX,
    VALUES_MAX,
    json_of,
    read_bounded,
    read_toml,
    toml_of,
    unpacked,
    unpacked_lines,
)
from botyard.kernel.errors import BadRecord, YardError
from tests.waiting import PATIENCE_S

MEBIBYTE = 1 << 20
HELLO = gzip.compress(b"hello")


# TOML


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"a." * 8000 + b"a = 1", "key of more than 16 parts"),  # the parser takes seconds for 16 KB of it
        (b"[" + b"'a' . " * 2500 + b"a]", "key of more than 16 parts"),
        (b"a = {" + b'"x".' * 4000 + b"y = 1}", "key of more than 16 parts"),
        (b"a = " + b"[" * 8000, "brackets nested more than 32 levels deep"),
        (b"a = " + b"{a=" * 4000, "brackets nested more than 32 levels deep"),
        (b"a = " + b"[" * 33 + b"]" * 33, "brackets nested more than 32 levels deep"),
        (b"a = " + b"[[]," * 8000, "brackets nested more than 32 levels deep"),
        (b'a = """\n"""\nb = ' + b"[" * 8000, "brackets nested more than 32 levels deep"),
        (b"a = '''\n'''\nb = " + b"[" * 8000, "brackets nested more than 32 levels deep"),
        (b"a.a.a.a.a.a.a.a.a.a={" * 4 + b"b=1" + b"}" * 4, "nested more than 32 levels deep"),
        (b"a = " + b"9" * 5000, "does it contain a number with thousands of digits?"),
        (b"a = 0x" + b"f" * 5000, "number of more than 64 bits"),
        (b"a = 18446744073709551616", "number of more than 64 bits"),
        (b"a = -18446744073709551616", "number of more than 64 bits"),
        (b"a = [nan]", "has the number nan"),
        (b"a = 1e999", "has the number inf"),
        (b'a = "\\u0000"', "has a zero byte"),
        (b'"\\u0000" = 1', "has a zero byte"),
        (b"a = '\xff'", "is not UTF-8 text: TOML files must be UTF-8; look at byte 5"),
        (b"a\0 = 1", "is not valid TOML"),
        (b"a = ", "is not valid TOML"),
        (b"#" * (TOML_MAX + 1), "is larger than 256 KiB"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_toml_that_nobody_writes_is_refused(raw: bytes, complaint: str) -> None:
    with pytest.raises(YardError, match=r"x\.toml") as refused:
        toml_of(raw, "x.toml")
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "." * 99 + '"',
        "a = '" + "[" * 99 + "'",
        'a = """\n' + "[.\n" * 99 + '""\\""""',
        "a = '''\n" + "{.''\n" * 99 + "'''''",
        "# " + "." * 99 + "[" * 99 + "\na = 1",
        'a = "\\"' + "." * 99 + '"',
    ],
)
def test_dots_and_brackets_in_texts_and_comments_are_nobodys_business(text: str) -> None:
    assert toml_of(text.encode(), "x.toml") == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = []\nb = " + "[" * DEPTH_MAX + "]" * DEPTH_MAX,
        "b.c = 1\n" + "a." * DOTS_MAX + "a = 1",
    ],
)
def test_what_closes_or_ends_is_not_counted_with_what_follows(text: str) -> None:
    assert toml_of(text.encode(), "x.toml") == tomllib.loads(text)


@given(st.text(st.sampled_from("ab=.[]{}#\"'\\\n, 1"), max_size=DOTS_MAX))
def test_the_guard_before_the_parser_changes_nothing_of_small_files(text: str) -> None:
    def parsed() -> Any:
        try:
            return toml_of(text.encode(), "x.toml")
        except YardError:
            return None

    try:
        assert parsed() == tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert parsed() is None


ENDLESS = """
import resource
from pathlib import Path
from botyard.kernel.bounded import read_toml

resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    read_toml(Path("/dev/zero"))
except ValueError as error:
    print(error)
"""


def test_a_file_without_an_end_is_read_no_further_than_its_bound() -> None:
    """In a process with little memory and little time: read to its end, it would fill this machine."""
    told = subprocess.run(
        [sys.executable, "-c", ENDLESS], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert told.stdout.startswith("/dev/zero is larger than 256 KiB"), told.stderr


def test_a_file_is_read_up_to_its_bound_and_refused_beyond(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text("a = 1\n")
    assert read_toml(file, 6) == {"a": 1}
    with pytest.raises(YardError, match=r"bot\.toml is larger than"):
        read_toml(file, 5)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(YardError, match=r"cannot read .*: embedded null byte"):
        read_bounded(tmp_path / "\0", 10)
    with pytest.raises(YardError, match="cannot read"):
        read_bounded(tmp_path / ("x" * 300), 10)
    with pytest.raises(YardError, match="cannot read"):
        read_bounded(tmp_path, 10)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(YardError, match=r"loop: Too many levels of symbolic links$"):
        read_bounded(tmp_path / "loop", 10)
    (tmp_path / "exact").write_bytes(bytes(10))
    assert read_bounded(tmp_path / "exact", 10) == bytes(10)


# JSON


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 100_000, "nested more than 32 levels deep"),
        ("[" * (DEPTH_MAX + 2) + "]" * (DEPTH_MAX + 2), "nested more than 32 levels deep"),
        ('{"a":' * 99 + "1" + "}" * 99, "nested more than 32 levels deep"),
        ("[" + "[]," * (VALUES_MAX // 2) + "0]", f"holds more than {VALUES_MAX} values"),
        ("9" * 5000, "a number has 5000 digits"),
        ("123456789012345678901", "a number has 21 digits"),
        ("[NaN]", "NaN is not allowed as a number"),
        ("[-Infinity]", "-Infinity is not allowed as a number"),
        ("[1e999]", "the number 1e999 is too large"),
        ("1" * 99 + "e999", f"the number {'1' * 40} is too large"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (f'{{"{"a" * 99}": 1, "{"a" * 99}": 2}}', f"the key '{'a' * 40}' occurs twice"),
        ("{" + "".join(f'"{n}":1,' for n in range(50_000)) + '"7":1}', "the key '7' occurs twice"),
        ("", "is not valid JSON"),
    ],
    ids=lambda value: value[:30],
)
def test_json_that_nobody_writes_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadRecord, match=r"x\.json") as refused:
        json_of(text, "x.json")
    assert complaint in str(refused.value)


def test_json_may_be_as_deep_and_its_numbers_as_long_as_the_bounds_say() -> None:
    deep = "[" * (DEPTH_MAX + 1) + "]" * (DEPTH_MAX + 1)
    assert json_of(deep, "x.json") == json.loads(deep)
    assert json_of(str(2**64 - 1), "x.json") == 2**64 - 1


def test_lists_objects_and_commas_count_as_values(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[[], {}]"
    monkeypatch.setattr(bounded, "VALUES_MAX", 4)
    assert json_of(text, "x.json") == [[], {}]
    monkeypatch.setattr(bounded, "VALUES_MAX", 3)
    with pytest.raises(BadRecord, match="holds more than 3 values"):
        json_of(text, "x.json")


def test_bytes_that_are_no_text_are_no_json() -> None:
    with pytest.raises(BadRecord, match="is not valid JSON"):
        json_of(b'"\xff"', "x.json")
    assert json_of(b'{"a": [1, 2.5, null, "\\ud800"]}', "x.json") == {"a": [1, 2.5, None, "\ud800"]}


# gzip


def test_what_unpacks_to_more_than_it_may_is_refused_at_once() -> None:
    bomb = gzip.compress(bytes(64 * MEBIBYTE))
    with pytest.raises(BadRecord, match="unpacks to more than 1 MiB"):
        unpacked(bomb, MEBIBYTE, "x.gz")
    assert len(unpacked(gzip.compress(bytes(MEBIBYTE)), MEBIBYTE, "x.gz")) == MEBIBYTE
    with pytest.raises(BadRecord, match="unpacks to more than 1 MiB"):
        unpacked(gzip.compress(bytes(MEBIBYTE)) + gzip.compress(b"1"), MEBIBYTE, "x.gz")


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "is cut off"),
        (HELLO[:-1], "is cut off"),
        (HELLO[:12], "is cut off"),
        (HELLO + b"junk", "is damaged"),
        (HELLO + b"\0junk", "is damaged"),
        (HELLO[:-8] + bytes(8), "is damaged"),
        (b"hello", "is damaged"),
        (zlib.compress(b"hello"), "is damaged"),
        (gzip.compress(b"") * (MEMBERS_MAX + 1), "more than 1000 gzip parts"),
    ],
    ids=[
        "nothing",
        "one byte less",
        "half",
        "junk behind",
        "junk behind zeros",
        "wrong sum",
        "no gzip",
        "no header",
        "parts",
    ],
)
def test_a_damaged_archive_is_refused(raw: bytes, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        unpacked(raw, MEBIBYTE, "x.gz")


def test_several_parts_are_one_and_zero_bytes_may_follow() -> None:
    assert unpacked(gzip.compress(b"a") + gzip.compress(b"b") + bytes(512), 10, "x.gz") == b"ab"


def test_lines_come_one_by_one_and_none_is_too_long() -> None:
    lines = [b"a" * 50_000, b"", b"b" * 100_000, b"c"]
    raw = gzip.compress(b"\n".join(lines))
    assert list(unpacked_lines(raw, MEBIBYTE, 100_000, "x.gz")) == lines
    assert list(unpacked_lines(gzip.compress(b"a\n"), 10, 10, "x.gz")) == [b"a"]
    assert list(unpacked_lines(gzip.compress(b"a" * 10), 10, 10, "x.gz")) == [b"a" * 10]
    for bad in (raw, gzip.compress(b"a" * 100_000)):  # a line that has no end yet, too
        with pytest.raises(BadRecord, match="a line longer than 97 KiB"):
            list(unpacked_lines(bad, MEBIBYTE, 99_999, "x.gz"))
