"""This module escapes what a bot printed, so that no terminal, editor or page obeys anything in it.

Letters and signs stay as they are. Everything else becomes an escape: `\\n`, `\\x1b` for an ASCII control or a byte
that is no UTF-8, `\\u202e` for a character that cannot be seen, such as a mark that reverses the writing. A backslash
is doubled, so that every escape can be told from text that looks like one.
"""

from __future__ import annotations

import unicodedata

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
ASCII = 0x80
BMP = 0x10000
LONE_BYTES = range(0xDC80, 0xDD00)  # the characters that surrogateescape makes of bytes that are no UTF-8


class Escapes(dict[int, str]):
    """A table for str.translate, which works out the escape of each character when it first meets it."""

    def __missing__(self, code: int) -> str:
        self[code] = sign = escaped_sign(chr(code))
        return sign


def escaped_sign(sign: str) -> str:
    if sign in SHORT:
        return SHORT[sign]
    # Marks that combine with the letter before them can be stacked to any height.
    if sign.isprintable() and not unicodedata.category(sign).startswith("M"):
        return sign
    code = ord(sign)
    if code in LONE_BYTES:
        return f"\\x{code - 0xDC00:02x}"
    if code < ASCII:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < BMP else f"\\U{code:08x}"


ESCAPES = Escapes()


def escaped_text(text: str) -> str:
    return text.translate(ESCAPES)


def visible(sentence: str) -> str:
    """Escapes a sentence of ours. It may quote a bot in escaped form; those escapes are not escaped again."""
    return escaped_text(sentence).replace("\\\\", "\\")


def escaped(raw: bytes) -> str:
    """Returns bytes as escaped text; what is UTF-8 is decoded."""
    return escaped_text(raw.decode("utf-8", "surrogateescape"))


def quoted(raw: bytes, most: int, in_all: int) -> str:
    """Returns the first characters of some bytes in quotes, and how many bytes there were if it is cut."""
    text = raw.decode("utf-8", "surrogateescape")
    whole = len(text) <= most and len(raw) >= in_all
    return f'"{escaped_text(text[:most])}"' + ("" if whole else f"… ({in_all} bytes)")


def escaped_lines(text: str, most: int, width: int) -> list[str]:
    """Returns the last lines of a text, each escaped and cut, after a line that says how many came before."""
    lines = text.rstrip("\n").split("\n") if text.strip("\n") else []
    shown = [
        escaped_text(line[:width]) + (f"… ({len(line)} characters)" if len(line) > width else "")
        for line in lines[-most:]
    ]
    before = len(lines) - len(shown)
    return [f"… {before} lines before …", *shown] if before else shown
