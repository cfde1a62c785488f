"""Whatever a bot printed can be read, and nothing obeys it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.render.escape import escaped, escaped_lines, escaped_text, quoted, visible


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"3,0\n", "3,0\\n"),
        (b"\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        (b"\xff\xfe\x00", "\\xff\\xfe\\x00"),
        ("☼●ü".encode(), "☼●ü"),
        ("\u202egnp\u200f".encode(), "\\u202egnp\\u200f"),
        ("\u009b31m".encode(), "\\u009b31m"),
        ("a\u0301\u0301".encode(), "a\\u0301\\u0301"),
        ("\U000e0041".encode(), "\\U000e0041"),
        (b"\\x1b", "\\\\x1b"),
        (b"a\tb\r", "a\\tb\\r"),
    ],
)
def test_what_a_terminal_would_obey_is_spelt_out(raw: bytes, shown: str) -> None:
    assert escaped(raw) == shown


@given(st.binary())
def test_every_sign_of_an_escaped_text_can_be_printed(raw: bytes) -> None:
    assert escaped(raw).isprintable()


@given(st.binary(), st.binary())
def test_different_bytes_look_different(one: bytes, other: bytes) -> None:
    assert (escaped(one) == escaped(other)) == (one == other)


def test_our_own_sentences_are_not_escaped_twice() -> None:
    assert visible("not an order: 'fly\\x1b' \x1b") == "not an order: 'fly\\x1b' \\x1b"


def test_long_texts_are_cut_with_a_count() -> None:
    assert quoted(b"abc\n", 10, 4) == '"abc\\n"'
    assert quoted(b"abcdef", 3, 1_000_000) == '"abc"… (1000000 bytes)'
    assert quoted("☼☼".encode(), 2, 6) == '"☼☼"'
    assert quoted(b"abc", 3, 4096) == '"abc"… (4096 bytes)'  # cut before we came


def test_of_many_lines_the_last_are_shown() -> None:
    assert escaped_lines("", 5, 10) == escaped_lines("\n\n", 5, 10) == []
    assert escaped_lines("a\nb\nc\n", 2, 10) == ["… 1 lines before …", "b", "c"]
    assert escaped_lines("x" * 30, 2, 10) == ["xxxxxxxxxx… (30 characters)"]


def test_escaped_text_keeps_letters_of_every_language() -> None:
    assert escaped_text("žluťoučký 狐 שלום") == "žluťoučký 狐 שלום"
