"""How games of Snakepit end, and what they are worth (specification 3.6, 4)."""

from __future__ import annotations

import pytest

from tests.games.numbers import places_of
from tests.games.snakepit.table import snakepit

# Hunger and the end (3.1, 3.6, 4.2)


def test_a_game_ends_when_one_of_several_is_left() -> None:
    game = snakepit("a A . .\n. . . .\n. . . B\n. . . b").play(A="u", B="u")
    assert game.over
    assert game.scores == (1, 1001)
    assert game.outcome is not None
    assert game.outcome.winner == 1


def test_hunger_ends_a_game_as_a_wash() -> None:
    game = snakepit("a A . .\n. . . .\n. . . .\n. . b B", tick_timeout=2)
    assert [game.play(A="r", B="u").over, game.play(A="d", B="u").over] == [False, True]
    assert game.state.starved
    assert game.scores == (0, 0)
    assert game.outcome is not None
    assert game.outcome.draw


def test_deaths_are_tested_before_hunger() -> None:
    game = snakepit("a A . .\n. . . .\n. . . .\n. . b B", tick_timeout=1).play(A="u", B="u")
    assert not game.state.starved
    assert game.scores == (1, 1001)


def test_a_pellet_begins_the_hunger_anew_or_only_stops_it() -> None:
    drawing = "tick 3, hunger 3, pellet 3,1\nA facing r, pellets 0, growing 0, body 2,1 l\na A * .\n. . . ."
    assert snakepit(drawing).play(A="r", pellet=(1, 2)).state.hunger == 0
    assert snakepit(drawing, tick_timeout_resets=False).play(A="r", pellet=(1, 2)).state.hunger == 3


@pytest.mark.parametrize(("solo_starved", "points"), [("zero", 0), ("score", 51), ("replay", 0)])
def test_a_starved_solo_game(solo_starved: str, points: int) -> None:
    drawing = "tick 0, hunger 0, pellet 1,2\nA facing r, pellets 1, growing 0, body 2,1 l\na A . .\n* . . ."
    game = snakepit(drawing, tick_timeout=1, solo_starved=solo_starved).play(A="r")
    assert game.over
    assert game.scores == (points,)


def test_a_solo_game_has_no_last_man() -> None:
    game = snakepit("a A . .\n. . . .").play(A="u")
    assert game.scores == (1,)
    assert game.state.last_man == -1


LAST_TWO = """
    tick 9, hunger 9, pellet 1,1
    A facing r, pellets {}, growing 0, body 3,1 l
    B facing l, pellets {}, growing 0, body 5,1 r
    * a A . B b
    . . . . . .
"""


def test_when_all_are_dead_the_one_who_ate_most_takes_the_bonus() -> None:
    assert snakepit(LAST_TWO.format(1, 2)).play(A="r", B="l").scores == (60, 1110)
    assert snakepit(LAST_TWO.format(3, 2)).play(A="r", B="l").scores == (1160, 110)


def test_when_all_are_dead_and_ate_as_much_nobody_gets_a_point() -> None:
    game = snakepit(LAST_TWO.format(2, 2)).play(A="r", B="l")
    assert game.state.wash
    assert game.scores == (0, 0)
    assert game.outcome is not None
    assert game.outcome.draw


def test_dying_together_can_always_be_a_wash() -> None:
    assert snakepit(LAST_TWO.format(3, 2), simultaneous_death="wash").play(A="r", B="l").state.wash


# Winners (4.3)

EARLY_DEAD = """
    tick 9, hunger 0, pellet 1,1
    A died 5, facing r, pellets {}, growing 0, length 90
    B facing r, pellets 0, growing 0, body 4,1 l
    C facing r, pellets 0, growing 0, body 4,2 l
    * . b B .
    . . c C .
"""


def test_the_winner_has_the_most_points_even_if_it_died_early() -> None:
    game = snakepit(EARLY_DEAD.format(30)).play(B="r", C="u")
    assert game.scores == (1505, 1010, 10)
    assert game.outcome is not None
    assert game.outcome.groups == ((0,), (1,), (2,))
    assert places_of(game) == [0, 1, 2]


def test_the_winner_may_be_the_last_man() -> None:
    game = snakepit(EARLY_DEAD.format(30), game_winner="last_man").play(B="r", C="u")
    assert game.outcome is not None
    assert game.outcome.groups == ((1,), (0,), (2,))
    assert places_of(game) == [1, 0, 2]


def test_of_equal_points_the_lower_id_wins() -> None:
    game = snakepit(EARLY_DEAD.format(20), last_man_standing=995).play(B="r", C="u")
    assert game.scores == (1005, 1005, 10)
    assert game.outcome is not None
    assert game.outcome.groups == ((0,), (1,), (2,))


def test_a_solo_game_is_won_by_its_snake() -> None:
    game = snakepit("a A . .\n. . . .", game_winner="last_man").play(A="u")
    assert game.outcome is not None
    assert game.outcome.groups == ((0,),)


def test_the_program_compares_pellets_of_the_dead_even_where_all_dead_would_be_a_wash() -> None:
    drawing = """
        tick 9, hunger 9, pellet 1,1
        A facing r, pellets 2, growing 0, body 3,1 l
        B facing l, pellets 1, growing 0, body 5,1 r
        C facing l, pellets 0, growing 0, body 3,3 r
        * a A . B b
        . . . . . .
        . . C c . .
    """
    game = snakepit(drawing, survivor_takes_bonus=False, simultaneous_death="wash").play(A="r", B="l", C="l")
    assert game.scores == (1110, 60, 10)
