"""This module makes text from strangers safe to show: it hides whatever would steer a terminal or mislead a reader."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

HIDDEN = "·"  # stands for what is not shown
BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # seen as nothing, counted as letters
VARIANTS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))  # marks that change nothing one could see
MOST_MARKS = 2  # on one letter: more are piled up to cover other lines


def clean(text: str) -> str:
    """Returns the text with a dot for every control character, line break, change of direction and invisible letter."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = MOST_MARKS  # there is no letter yet that could carry one
    for sign in text:
        if not sign.isprintable() or sign in BLANK_LETTERS or any(ord(sign) in part for part in VARIANTS):
            shown.append(HIDDEN)
            marks = MOST_MARKS
        elif unicodedata.category(sign).startswith("M"):
            marks += 1
            if marks <= MOST_MARKS:
                shown.append(sign)
        else:
            shown.append(sign)
            marks = 0
    return "".join(shown)


def clean_lines(text: str) -> str:
    """Cleans each line of a text that may have several."""
    return "\n".join(clean(line) for line in text.replace("\r\n", "\n").split("\n"))


UNPRINTED = re.compile(r"[^\n -~]")


def json_text(value: Any) -> str:
    """Returns JSON that is safe in a terminal: it escapes every character that cannot be seen."""
    return UNPRINTED.sub(escaped_unseen, json.dumps(value, indent=2, ensure_ascii=False))


def escaped_unseen(found: re.Match[str]) -> str:
    sign = found[0]
    return sign if sign.isprintable() else json.dumps(sign)[1:-1]
