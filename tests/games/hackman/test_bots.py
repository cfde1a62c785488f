"""The house bots: what they do in a given place, and that the better ones win."""

from __future__ import annotations

import numpy as np
import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.rule import INTERPRETED, opened
from botyard.match.series import play_house
from tests.games.hackman.table import bare, hackman, rings

GAMES = 1 if INTERPRETED else 60


def answer(bot: str, game: Game, seat: int = 0, before: Game | None = None) -> str:
    """What a bot does, having seen the game a round before or nothing yet."""
    book = load("hackman")
    memories = np.zeros(1, book.layouts(game.settings).memory)
    order = 0
    for shown in (before, game):
        if shown is not None:
            view = shown.view(seat).array
            order = book.loops.decide_at(book.bot_number(bot), opened(game.arrays[0]), opened(view), opened(memories))
    return book.facts.orders[order]


def test_a_wanderer_takes_any_open_way() -> None:
    game, memories = hackman(rings(r0c3="0", r0c6="1")), np.zeros(1, load("hackman").layouts(bare()).memory)
    book, seen = load("hackman"), set()
    for _ in range(60):
        view = game.view(0).array
        seen.add(int(book.loops.decide_at(0, opened(game.arrays[0]), opened(view), opened(memories))))
    assert {book.facts.orders[order] for order in seen} == {"down", "left", "right"}


def test_a_wanderer_that_is_walled_in_passes() -> None:
    game = hackman("0 x . g s\nx x . x x\n. . . . 1", map_check=False)
    assert answer("wanderer", game) == "pass"


def test_a_collector_goes_for_the_nearest_snippet() -> None:
    assert answer("collector", hackman(rings(r0c0="0", r0c2="C", r2c2="C", r2c6="1"))) == "right"


def test_a_collector_leaves_a_snippet_that_the_opponent_has_first() -> None:
    assert answer("collector", hackman(rings(r0c1="0", r0c3="C", r0c4="1", r2c1="C"))) == "left"


def test_a_collector_waits_if_there_is_nothing_to_do() -> None:
    assert answer("collector", hackman(rings(r0c1="0", r0c6="1"))) == "pass"


def test_a_collector_does_not_run_into_a_bug() -> None:
    assert answer("collector", hackman(rings(r0c1="0", r0c3="C<", r0c6="1"))) == "left"


def test_a_bug_in_the_server_room_comes_out_by_the_gate() -> None:
    assert answer("collector", hackman(rings(r2c2="0", r2c4="C", r3c3="^", r0c6="1"))) != "right"
    assert answer("collector", hackman(rings(r2c1="0", r2c2="C", r3c3="^", r0c6="1"))) == "right"


def test_a_bug_that_goes_away_may_be_followed() -> None:
    before = hackman(rings(r0c0="0", r0c1=">", r2c6="1"))
    after = hackman(rings(r0c0="0", r0c1="C", r0c2=">", r2c6="1"))
    assert answer("collector", after) == "down"
    assert answer("collector", after, before=before) == "right"


def test_a_bug_that_may_have_come_from_two_places_is_not_trusted() -> None:
    before = hackman(rings(r0c0="0", r0c1=">", r0c3="<", r2c6="1"))
    after = hackman(rings(r0c0="0", r0c1="C", r0c2=">", r2c6="1"))
    assert answer("collector", after, before=before) == "down"


def test_a_bug_in_a_dead_end_will_turn_round() -> None:
    before = hackman("> . . g s\nx x . x x\n. . . 0 1".replace(">", "."))
    after = hackman("< 0 . g s\nx x . x x\nC . . . 1")
    assert answer("collector", after, before=before) == "right"
    seen = hackman(". < 0 g s\nx x . x x\n. . . . 1".replace("g s", "g s"))
    assert answer("collector", hackman("< . 0 g s\nx x . x x\n. . . . 1"), before=seen) in ("pass", "down", "left")


def test_between_two_bugs_any_step_is_as_bad() -> None:
    assert answer("collector", hackman(rings(r0c0=">", r0c1="0", r0c2="<", r2c6="1"))) == "pass"


def test_a_hunter_fetches_a_weapon_before_a_snippet() -> None:
    assert answer("hunter", hackman(rings(r0c3="0", r0c1="C", r0c6="W", r2c2="1"))) == "right"


def test_a_hunter_takes_the_snippet_if_the_weapon_is_far() -> None:
    assert answer("hunter", hackman(rings(r0c0="0", r0c1="C", r2c6="W", r2c2="1"))) == "right"
    assert answer("hunter", hackman(rings(r0c0="0", r2c6="W", r0c6="1"))) in ("right", "down")


def test_an_armed_hunter_goes_after_a_near_opponent() -> None:
    armed = "player 0: 0 snippets, weapon"
    assert answer("hunter", hackman(rings(armed, r0c1="0", r0c0="C", r0c3="1"))) == "right"
    assert answer("hunter", hackman(rings(armed, r0c1="0", r0c0="C", r2c6="1"))) == "left"


def test_a_hunter_keeps_away_from_an_armed_opponent() -> None:
    armed = "player 1: 0 snippets, weapon"
    assert answer("hunter", hackman(rings(armed, r0c1="0", r0c2="C", r0c3="1"))) == "left"
    still = "player 1: 0 snippets, weapon, paralysed 1"
    assert answer("hunter", hackman(rings(still, r0c1="0", r0c2="C", r0c3="1"))) == "right"


@pytest.mark.parametrize("bot", ["collector", "hunter"])
def test_the_better_bots_beat_the_wanderer(bot: str) -> None:
    book = load("hackman")
    results = list(play_house(book, book.settings(), [bot, "wanderer"], list(range(GAMES))))
    results += list(play_house(book, book.settings(), ["wanderer", bot], list(range(GAMES, 2 * GAMES))))
    assert not any(result.void for result in results)
    wins = [result.winner == (0 if at < GAMES else 1) for at, result in enumerate(results)]
    assert sum(wins) >= 0.95 * len(wins)


@pytest.mark.skipif(INTERPRETED, reason="takes many games")
def test_the_hunter_has_the_upper_hand_over_the_collector() -> None:
    book = load("hackman")
    first = [result.winner for result in play_house(book, book.settings(), ["hunter", "collector"], range(400))]
    second = [result.winner for result in play_house(book, book.settings(), ["collector", "hunter"], range(400))]
    assert first.count(0) + second.count(1) > 1.1 * (first.count(1) + second.count(0))
