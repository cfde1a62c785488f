"""The house bots of Hive Arena: legal everywhere, and as strong as they claim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.rule import INTERPRETED, opened
from botyard.match.series import play_house, seeds_from

BOOK = load("hive")
BOTS = list(BOOK.bots.HOUSE_BOTS)


def score_of(first: str, second: str, games: int, settings: HiveSettings | None = None) -> tuple[int, int]:
    results = list(play_house(BOOK, settings or HiveSettings(), [first, second], seeds_from(100, games)))
    assert not any(result.void for result in results)
    return sum(r.winner == 0 for r in results), sum(r.winner == 1 for r in results)


SMALL = HiveSettings(rows=9, cols=12, bees_per_player=3, flowers_min=12, flowers_max=12, stall_turns=300)


@pytest.mark.skipif(INTERPRETED, reason="takes hundreds of whole games")
@pytest.mark.parametrize("strong", ["forager", "raider", "learner"])
def test_bots_that_think_beat_the_wanderer(strong: str) -> None:
    wins, losses = score_of(strong, "wanderer", 100)
    assert wins >= 0.95 * (wins + losses)
    assert wins > 50


def test_the_raider_is_a_match_for_the_forager() -> None:
    games = 6 if INTERPRETED else 200
    wins, losses = score_of("raider", "forager", games, SMALL if INTERPRETED else None)
    assert wins + losses > 0
    if not INTERPRETED:
        assert wins > losses


@pytest.mark.skipif(INTERPRETED, reason="takes hundreds of whole games")
@pytest.mark.parametrize("rival", ["forager", "raider"])
def test_what_was_learned_beats_what_was_written(rival: str) -> None:
    wins, losses = score_of("learner", rival, 200)
    assert wins >= 0.6 * (wins + losses)


VARIED = [
    HiveSettings(),
    SMALL,
    HiveSettings(rows=3, cols=4, bees_per_player=1, hive_inset=0, bee_inset=1, flowers_min=2, flowers_max=4),
    HiveSettings(rows=5, cols=9, bees_per_player=5, flowers_min=20, flowers_max=20, view_distance=1, guard_sides=1),
    HiveSettings(view_distance=5, rows=11, cols=40, bees_per_player=1, hive_inset=7, flowers_min=5, flowers_max=9),
    HiveSettings(rows=7, cols=8, bees_per_player=7, hive_inset=2, bee_inset=0, carry_fail_sides=0),
]


TURNS = 12 if INTERPRETED else 250  # a decision of the learner takes 30 ms if it is interpreted


@pytest.mark.parametrize("at", range(len(VARIED)))
@pytest.mark.parametrize("bot", BOTS)
def test_no_bot_ever_forfeits(bot: str, at: int) -> None:
    settings = VARIED[at]
    for rival in BOTS:
        game = botyard.Game(BOOK, settings, 31 + at)
        players = [f"house:{bot}", f"house:{rival}"]
        played = botyard.play("hive", players, seed=31 + at, max_turns=TURNS, **rules_of(settings))
        assert not played.replay.missed
        assert played.replay.new_game().seats == game.seats


def decided(bot: str, drawing: str, bee: int, times: int = 12) -> set[str]:
    """What a bot of the first player may order for one of its bees, by what it sees alone."""
    game = Game.drawn("hive", drawing, HiveSettings(flowers_min=1, flowers_max=1))
    game.state.turn, game.state.bee = 2 * bee, bee
    memories = np.zeros(1, BOOK.layouts(game.settings).memory)
    arenas, _ = game.arrays
    view = opened(game.view(0).array)
    number = BOOK.bot_number(bot)
    orders = {int(BOOK.loops.decide_at(number, opened(arenas), view, opened(memories))) for _ in range(times)}
    return {BOOK.facts.orders[order] for order in orders}


def test_a_raider_with_nothing_left_to_wall_up_strolls_on() -> None:
    """The bee stands at the enemy's hive, whose surroundings are all taken."""
    orders = decided(
        "raider",
        """
        . . . . . . . . .
        . . a . b c . # #
        @ . . . . . B # &
        C . . . . . . # #
        A . . . . . . . .
        """,
        bee=1,
    )
    assert {order.split()[0] for order in orders} == {"move"}
    assert len(orders) > 1


def test_a_raider_leaves_a_carrier_alone_whose_flower_could_not_fall() -> None:
    penned_in, free = (
        decided(
            "raider",
            f"""
            . . . . . . . .
            . . # # {gap} . . .
            @ . A a* # . . &
            . . # # # . . .
            B C . . . b c .
            """,
            bee=0,
        )
        for gap in "#."
    )
    assert free == {"guard E"}
    assert "guard E" not in penned_in


def test_a_forager_that_is_shut_in_tries_any_way_out() -> None:
    orders = decided(
        "forager",
        """
        A B . . . . . .
        C a . . . . . .
        @ . . . . . . &
        . . . . . . . .
        . . . . b . . c
        """,
        bee=0,
    )
    assert {order.split()[0] for order in orders} == {"move"}
    assert len(orders) > 1


def rules_of(settings: HiveSettings) -> dict[str, Any]:
    rules = settings.of_group("rules")
    del rules["max_turns"]
    return rules
