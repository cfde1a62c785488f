"""Names: what is one, and which of them people would take for another."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.yard.people.names import LONGEST, BadName, check_name, key_of, name_key


@pytest.mark.parametrize(
    "name", ["Ada", "ada_lovelace", "R2-D2", "Bot 7", "Łukasz", "Νίκος", "Оля", "李雷", "محمد", "रमा"]
)
def test_names_of_all_alphabets_are_kept_as_they_are(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("a" * 33, "33 characters"),
        ("\ufdfa" * 2, "36 characters"),  # one character that stands for eighteen
        ("Ada  Lovelace", "two spaces"),
        ("Ada\tLovelace", "CHARACTER|U\\+0009"),
        ("Ada\nLovelace", "U\\+000A"),
        ("Ada\x00", "U\\+0000"),
        ("Ada\u202eevil", "RIGHT-TO-LEFT OVERRIDE"),
        ("Ada\u200b", "ZERO WIDTH SPACE"),
        ("A\u200dda", "ZERO WIDTH JOINER"),
        ("Ada\u2066", "LEFT-TO-RIGHT ISOLATE"),
        ("Ada\ufeff", "ZERO WIDTH NO-BREAK SPACE"),
        ("Ada\u3164", "cannot be seen"),
        ("Ada\u034f", "cannot be seen"),
        ("Ada\ufe0f", "cannot be seen"),
        ("Ada\u180b", "in it"),
        ("\u0301Ada", "begins with"),
        ("Z" + "\u0301" * 9, "too many marks"),
        ("-Ada", "begins with"),
        ("..", "begins with"),
        ("=1+1", "in it"),
        ("a/b", "in it"),
        ("a<b>", "in it"),
        ("Ада Lovelace", "mixes Cyrillic and Latin"),
        ("pаypal", "mixes Cyrillic and Latin"),
        ("\ud800", "in it"),
        ("A\U000e0041", "in it"),
    ],
)
def test_what_cannot_be_read_or_told_apart_is_no_name(typed: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        check_name(typed)
    assert key_of(typed) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "Ａｄａ"),
        ("Ada", " Ada "),
        ("Ada L", "Ada\u00a0L"),
        ("Straße", "STRASSE"),
        ("ﬁn", "fin"),
        ("é", "e\u0301"),
        ("İnci", "inci"),
        ("Alı", "Ali"),
        ("соса", "coca"),  # all of the first one is Cyrillic
        ("ορο", "opo"),  # Greek
        ("x²", "x2"),
    ],
)
def test_names_that_people_would_take_for_one_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other) != ""


@given(st.text(st.characters(categories=["L", "Nd", "Mn"]), max_size=12) | st.text(max_size=12))
def test_a_name_that_is_kept_is_plain_and_stays_what_it_is(typed: str) -> None:
    try:
        name = check_name(typed)
    except BadName:
        return
    assert check_name(name) == name
    assert name.isprintable()
    assert 0 < len(name) <= LONGEST
    assert name_key(name)
    assert name_key(name_key(name)) == name_key(name.upper()) == name_key(name)
