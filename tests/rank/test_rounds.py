"""The order of games in a round robin keeps the table comparable at any moment."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as some

from botyard.rank.formats import FORMATS
from botyard.rank.formats.rounds import in_rounds


def names(count: int) -> list[str]:
    return [f"b{number:02}" for number in range(count)]


@given(some.integers(0, 12), some.integers(2, 5))
def test_every_group_plays_once_and_sits_in_the_order_of_registration(count: int, seats: int) -> None:
    groups = list(in_rounds(names(count), seats))
    assert sorted(groups) == list(combinations(names(count), seats))
    assert len(groups) == comb(count, seats)


@given(some.integers(2, 14), some.integers(2, 5))
def test_at_any_moment_everybody_has_played_about_equally_often(count: int, seats: int) -> None:
    played = Counter(dict.fromkeys(names(count), 0))
    for group in in_rounds(names(count), seats):
        played.update(group)
        assert max(played.values()) - min(played.values()) <= (1 if seats == 2 and count % 2 == 0 else seats)


def test_the_first_rounds_of_four() -> None:
    pairs = ["".join(pair) for pair in in_rounds("ABCD", 2)]
    assert pairs == ["AD", "BC", "AC", "BD", "AB", "CD"]


@pytest.mark.parametrize(
    ("kind", "options"), [("round_robin", {"bouts": 3}), ("gauntlet", {"bouts": 3, "swap": "none"})]
)
def test_all_play_their_first_bout_before_anybody_plays_a_second(kind: str, options: dict[str, object]) -> None:
    games = FORMATS[kind].read(options).open(names(5)).wave()
    assert [game.game for game in games] == sorted(game.game for game in games)


def test_the_two_halves_of_a_bout_on_one_seed_follow_each_other() -> None:
    games = FORMATS["round_robin"].read({"bouts": 2, "swap": "same_seed"}).open(names(4)).wave()
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.match, one.chance, one.bots) == (other.match, other.chance, other.bots[::-1])
