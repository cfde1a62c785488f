"""Strangers' words for people to read, and JSON of them."""

from __future__ import annotations

import json

import pytest

from botyard.kernel.plain import clean, clean_lines, json_text


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("anna", "anna"),
        ("Änne ☼ 蛇", "Änne ☼ 蛇"),
        ("a\x1b[2Jb", "a·[2Jb"),
        ("one\ntwo", "one·two"),
        ("\u202eevil", "·evil"),
        ("a\u200bb\u3164c", "a·b·c"),
        ("e\ufe0fe", "e·e"),
        ("z\u0300\u0301\u0302\u0303lgo", "z\u0300\u0301lgo"),  # two marks on a letter are a language, four are a trick
        ("\u0300a", "a"),
    ],
)
def test_nothing_is_left_that_anybody_would_obey(words: str, shown: str) -> None:
    assert clean(words) == shown


def test_lines_stay_lines_where_several_are_meant() -> None:
    assert clean_lines("one\r\ntwo\x07\n") == "one\ntwo·\n"


def test_json_says_the_same_in_signs_that_can_be_looked_at() -> None:
    value = {"name": "Änne\x1b[2J\u202e\ud800 ☼"}
    text = json_text(value)
    assert text == '{\n  "name": "Änne\\u001b[2J\\u202e\\ud800 ☼"\n}'
    assert json.loads(text) == value
