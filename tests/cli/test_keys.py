"""Bytes of terminals as names of keys."""

from __future__ import annotations

import pytest

from botyard.cli.keys import KeyDecoder


@pytest.mark.parametrize(
    ("sent", "names"),
    [
        (b"q", ["q"]),
        (b" ", [" "]),
        (b"Q?", ["Q", "?"]),
        (b"\r\n\t\x7f\x08", ["Enter", "Enter", "Tab", "Backspace", "Backspace"]),
        (b"\x01", ["Control+a"]),
        ("é→".encode(), ["é", "→"]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft"]),
        (b"\x1bOA\x1bOH\x1bOF", ["ArrowUp", "Home", "End"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["Home", "End"] * 3),
        (b"\x1b[3~\x1b[5~\x1b[6~", ["Delete", "PageUp", "PageDown"]),
        (b"\x1b[1;2C\x1b[1;5D\x1b[1;4A", ["Shift+ArrowRight", "Control+ArrowLeft", "Shift+Alt+ArrowUp"]),
        (b"\x1b[c\x1b[d", ["Shift+ArrowRight", "Shift+ArrowLeft"]),
        (b"\x1b[Z", ["Shift+Tab"]),
        (b"\x1bw\x1b\xc3\xa9", ["Alt+w", "Alt+é"]),
        (b"\x1b\x1b[A", ["Escape", "ArrowUp"]),
        (b"\x1b[?1;2c\x1b[200~x", ["x"]),  # answers and keys that we do not know are none
        (b"a\x1b[Ab", ["a", "ArrowUp", "b"]),
    ],
)
def test_keys_have_the_names_that_browsers_give_them(sent: bytes, names: list[str]) -> None:
    assert KeyDecoder().feed(sent) == names
    byte_by_byte = KeyDecoder()
    assert [name for byte in sent for name in byte_by_byte.feed(bytes([byte]))] == names


def test_an_escape_that_nothing_follows_is_a_key() -> None:
    decoder = KeyDecoder()
    assert (decoder.feed(b"\x1b"), decoder.waits) == ([], True)
    assert (decoder.flush(), decoder.waits) == (["Escape"], False)
    assert decoder.feed(b"[A") == ["[", "A"]


def test_a_sequence_that_breaks_off_is_a_key_with_alt() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1bO") == []
    assert decoder.flush() == ["Alt+O"]


def test_a_sequence_without_end_is_given_up() -> None:
    decoder = KeyDecoder()
    decoder.feed(b"\x1b[" + b"1" * 100)
    assert not decoder.waits
    assert decoder.feed(b"q")[-1] == "q"


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert KeyDecoder().feed(b"\xff\xfeq")[-1] == "q"
