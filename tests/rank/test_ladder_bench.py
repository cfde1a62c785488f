"""When an entry is benched: it answers nobody any more, and no worker is to blame."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.rank.ladder import GameSeen, LadderPolicy, benched, tries_left
from botyard.rank.ladder.policy import DAY_MS


def lost(number: int, worker: str = "w1", *answered: str, turns: int = 7, lost: int | None = None) -> GameSeen:
    gone = turns if lost is None else lost
    return GameSeen(game=f"g{number}", worker=worker, turns=turns, lost=gone, answered=frozenset(answered))


def test_three_lost_games_on_two_workers_bench_an_entry() -> None:
    found = benched([lost(1), lost(2), lost(3, "w2")])
    assert found
    assert found.why == "all 21 turns of its last 3 games were lost, on 2 workers"
    assert found.first_game == "g1"


def test_three_lost_games_against_two_rivals_who_answered_bench_an_entry() -> None:
    found = benched([lost(1, "w1", "X"), lost(2, "w1", "Y"), lost(3, "w1", "X")])
    assert found
    assert found.why == "all 21 turns of its last 3 games were lost, against 2 rivals who answered"


def test_a_worker_with_a_full_disk_benches_nobody() -> None:
    assert benched([lost(number) for number in range(20)]) is None


def test_one_rival_who_answered_is_not_enough_on_one_worker() -> None:
    assert benched([lost(number, "w1", "X") for number in range(5)]) is None


def test_games_of_one_turn_count_as_well() -> None:
    assert benched([lost(number, f"w{number}", turns=1) for number in range(3)])


def test_two_lost_games_are_not_enough() -> None:
    assert benched([lost(1, "w1", "X"), lost(2, "w2", "Y")]) is None


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_game_with_one_answer_ends_the_row(at: int) -> None:
    games = [lost(1, "w1", "X"), lost(2, "w2", "Y"), lost(3, "w1", "Z")]
    games[at - 1] = lost(at, "w1", "X", turns=7, lost=6)
    assert benched(games) is None


def test_a_game_that_was_over_before_the_entry_was_asked_says_nothing() -> None:
    assert benched([lost(1), lost(2), lost(3, turns=0), lost(4, "w2")])
    assert benched([lost(1), lost(2, "w2"), lost(3, turns=0)]) is None


def test_the_row_goes_back_as_far_as_nothing_was_answered() -> None:
    found = benched([lost(1, lost=3), lost(2, "w2"), lost(3), lost(4), lost(5)])
    assert found
    assert found.first_game == "g2"


@given(st.lists(st.builds(lost, st.integers(0, 9), st.sampled_from("ab"), lost=st.sampled_from([3, 7])), max_size=9))
def test_who_answered_in_one_of_its_last_three_games_is_not_benched(games: list[GameSeen]) -> None:
    if any(game.lost < game.turns for game in games[-3:]):
        assert benched(games) is None


def test_a_benched_entry_may_try_again_three_times_a_day() -> None:
    policy, now = LadderPolicy(), 10 * DAY_MS
    assert tries_left([], now, policy) == 3
    assert tries_left([now - 5, now - DAY_MS + 1], now, policy) == 1
    assert tries_left([now - DAY_MS], now, policy) == 3
    assert tries_left([now - 1] * 4, now, policy) == 0
