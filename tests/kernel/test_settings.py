"""Settings: every mistake names the key, the value and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from botyard.kernel.errors import SettingsError, UnknownName, YardError
from botyard.kernel.settings import (
    Settings,
    checked_seed,
    describe,
    fresh_seed,
    seed_in,
    seed_word,
    setting,
    split_seed,
)


@dataclass(frozen=True, kw_only=True)
class Tea(Settings):
    cups: int = setting(2, "how many", at_least=1, at_most=9)
    grams: int = setting(5, "how strong")
    hot: bool = setting(True, "or iced", group="display")
    leaf: str = setting("green", "which", group="match", choices=("green", "black"))
    label: str = setting("", "any words", group="wire")

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {"document": {}, "program": {"leaf": "black"}}

    def check(self) -> None:
        if self.cups > self.grams:
            raise SettingsError("cups", got=self.cups, hint="more grams")


def test_text_is_converted_to_the_type_of_the_field() -> None:
    tea = Tea.read({"cups": "3", "hot": "false", "leaf": "black", "label": "mine"})
    assert (tea.cups, tea.hot, tea.leaf, tea.label) == (3, False, "black", "mine")


def test_a_preset_is_a_starting_point() -> None:
    assert Tea.read(preset="program").leaf == "black"
    assert Tea.read({"profile": "program"}).leaf == "black"
    assert Tea.read({"preset": "program", "leaf": "green"}).leaf == "green"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cups": 0}, "setting cups = 0: must be at least 1"),
        ({"cups": 10}, "setting cups = 10: must be at most 9"),
        ({"grams": 10**10}, "setting grams = 10000000000: must be at most 1000000000"),
        ({"cups": "many"}, "setting cups = 'many': must be a whole number"),
        ({"cups": 1.5}, "setting cups = 1.5: must be a whole number"),
        ({"cups": True}, "setting cups = True: must be a whole number"),
        ({"hot": "warm"}, "setting hot = 'warm': must be true or false"),
        ({"hot": 1}, "setting hot = 1: must be true or false"),
        ({"leaf": "red"}, "setting leaf = 'red': must be one of green, black"),
        ({"label": 5}, "setting label = 5: must be a string"),
        ({"cups": 7}, "setting cups = 7: more grams"),
    ],
)
def test_an_impossible_value_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tea.read(values)
    assert str(caught.value) == message
    assert caught.value.key in values


def test_values_reach_up_and_down_to_their_limits() -> None:
    assert (Tea(cups=1).cups, Tea(cups=9, grams=10**9).cups) == (1, 9)


def test_an_unknown_key_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="unknown setting 'cupps': did you mean 'cups'"):
        Tea.read({"cupps": 3})
    with pytest.raises(UnknownName, match="unknown preset 'programme': did you mean 'program'"):
        Tea.read(preset="programme")
    with pytest.raises(UnknownName, match="unknown preset"):
        Tea.read({"preset": ["program"]})


def test_settings_come_in_groups() -> None:
    assert Tea().of_group("rules") == {"cups": 2, "grams": 5}
    assert Tea().of_group("wire") == {"label": ""}


def test_the_table_of_settings_tells_everything() -> None:
    rows = {row.key: row for row in describe(Tea)}
    assert [rows[key].allowed for key in ("cups", "grams", "hot", "leaf", "label")] == [
        "1 … 9",
        "…",
        "true, false",
        "green, black",
        "text",
    ]
    assert rows["leaf"].program == "black"
    assert set(rows) == {"cups", "grams", "hot", "leaf", "label", "seed", "profile"}


def test_a_seed_has_sixty_four_bits() -> None:
    assert checked_seed(2**64 - 1) == 2**64 - 1
    assert split_seed({"seed": "12", "cups": 1}) == (12, {"cups": 1})
    assert split_seed({}) == (None, {})
    assert checked_seed(0) == 0
    for wrong in (-1, 2**64, 1.5, True):
        with pytest.raises(SettingsError, match="seed"):
            checked_seed(wrong)
    with pytest.raises(YardError, match="a whole number"):
        split_seed({"seed": "x"})


def test_compiled_rules_take_a_seed_as_a_signed_number_of_the_same_bits() -> None:
    assert [seed_word(seed) for seed in (0, 2**63 - 1, 2**63, 2**64 - 1)] == [0, 2**63 - 1, -(2**63), -1]


def test_fresh_seeds_are_not_repeated() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100


def test_a_seed_is_read_from_text_or_not_at_all() -> None:
    assert seed_in(str(2**64 - 1)) == 2**64 - 1
    assert [seed_in(text) for text in (7, "-1", "²", "9" * 30, str(2**64))] == [None] * 5
