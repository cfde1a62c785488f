"""What a batch is asked about its games: who is asked, which orders do something, who came where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard import Batch, Outcome
from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.restarts import seed_words
from botyard.kernel.rule import INTERPRETED
from botyard.testing.parity import order_table
from tests.sim.plain_drill import SMALL

COUNT, SEED = 4, 40
SURVEYED = [SMALL] if INTERPRETED else list(GAMES)
"""The loops are the same for every game: interpreted, which is slow, the smallest is enough."""


def small(game: str, **options: Any) -> Batch:
    """A batch on a small board, where games soon end."""
    return Batch(game, load(game).samples.golden, COUNT, seed=SEED, **options)


def tables(games: Batch) -> list[Any]:
    """Orders for each tick, some of them illegal, until games have ended."""
    return list(order_table(len(games.book.facts.orders), games.seats, games.book.samples.interpreted_ticks, COUNT))


def useful(game: Game, seat: int) -> list[int]:
    """The orders that `Game` says can do something, as a row of a mask."""
    names = game.orders(seat)
    return [int(name in names) for name in game.book.facts.orders]


class Beside:
    """Games one by one that go the way of a batch."""

    def __init__(self, games: Batch) -> None:
        self.book, self.settings, self.mode = games.book, games.settings, games.autoreset
        self.games = [Game(self.book, self.settings, SEED + at) for at in range(COUNT)]
        self.told: list[Outcome | None] = [None] * COUNT

    def step(self, orders: Any) -> None:
        for at, row in enumerate(orders.tolist()):
            if self.mode == "next_step" and self.games[at].over:
                self.begin(at)
            else:
                self.games[at].step_orders(dict(enumerate(row)))
            self.told[at] = self.games[at].outcome
            if self.mode == "same_step" and self.games[at].over:
                self.begin(at)

    def begin(self, at: int) -> None:
        self.games[at] = Game(self.book, self.settings, self.games[at].seed + COUNT)


@pytest.mark.parametrize("game", SURVEYED)
@pytest.mark.parametrize("mode", AUTORESET)
def test_a_batch_tells_of_its_games_what_each_tells_of_itself(game: str, mode: Any) -> None:
    games, ended = small(game, autoreset=mode), 0
    beside, seats = Beside(games), range(games.seats)
    for orders in tables(games):
        games.step(orders)
        beside.step(orders)
        assert games.asked.tolist() == [[int(seat in one.asked) for seat in seats] for one in beside.games]
        assert games.masks.tolist() == [[useful(one, seat) for seat in seats] for one in beside.games]
        assert games.outcomes == beside.told
        assert games.places.tolist() == [[one.place_of(seat) if one else 0 for seat in seats] for one in beside.told]
        ended += sum(one is not None for one in beside.told)
    assert ended


def test_the_arrays_are_made_once_and_belong_to_one_batch() -> None:
    games = small("hive")
    twin = games.clone()
    forms = {"asked": ("u1", (COUNT, 2)), "masks": ("u1", (COUNT, 2, 32)), "places": ("i4", (COUNT, 2))}
    for what, (kind, shape) in forms.items():
        array = getattr(games, what)
        assert (array.dtype, array.shape) == (np.dtype(kind), shape)
        assert getattr(games, what) is array
        assert not np.shares_memory(getattr(twin, what), array)


# Starting some games again


SHOWN = ("states", "views", "scores", "over", "seeds", "steps", "finals")


def rows(games: Batch, which: Any) -> list[bytes]:
    return [getattr(games, name)[which].tobytes() for name in SHOWN]


@pytest.mark.parametrize("game", SURVEYED)
def test_starting_some_games_again_touches_no_other(game: str) -> None:
    games = small(game, autoreset="same_step")
    for orders in tables(games)[:20]:
        games.step(orders)
    before, seeds = games.clone(), games.seeds[:, 0] | games.seeds[:, 1].astype(np.uint64) << np.uint64(32)
    chosen = np.array([True, False, True, False])
    games.reset(chosen=chosen)
    assert rows(games, ~chosen) == rows(before, ~chosen)
    fresh = small(game)
    fresh.reset(seeds + np.uint64(COUNT))
    for name in ("states", "scores", "over", "seeds"):
        assert getattr(games, name)[chosen].tobytes() == getattr(fresh, name)[chosen].tobytes()
    assert games.asked[chosen].tolist() == fresh.asked[chosen].tolist()
    asked = fresh.asked[0] != 0
    assert games.views[0][asked].tobytes() == fresh.views[0][asked].tobytes()
    assert not games.places[chosen].any()


@pytest.mark.parametrize(
    ("seed", "chosen", "seeds"),
    [
        (None, None, [44, 45, 46, 47]),
        (None, [1, 3], [40, 45, 42, 47]),
        (None, np.array([0, 1, 1, 0], np.uint8), [40, 45, 46, 43]),
        (None, [], [40, 41, 42, 43]),
        (7, [True, False, False, True], [7, 41, 42, 10]),
        ([7, 8], (3, 0), [8, 41, 42, 7]),
        ([1, 2, 3, 4], [2], [40, 41, 3, 43]),
        (np.array([-1]), [2], [40, 41, 2**64 - 1, 43]),
        (np.int64(9), None, [9, 10, 11, 12]),
        (range(4), None, [0, 1, 2, 3]),
    ],
)
def test_seeds_are_the_next_ones_or_those_that_are_given(seed: Any, chosen: Any, seeds: list[int]) -> None:
    games = small("hive")
    games.reset(seed, chosen)
    assert (games.seeds == seed_words(seeds, np.arange(COUNT), COUNT)).all()
    fresh = small("hive")
    fresh.reset(seeds)
    assert games.states.tobytes() == fresh.states.tobytes()


@pytest.mark.parametrize(
    ("seed", "chosen", "kind", "complaint"),
    [
        (1.5, None, TypeError, "1.5 is not a seed: give a whole number"),
        (True, None, TypeError, "True is not a seed"),
        ("7", None, TypeError, "'7' is not a seed"),
        ([1, 2.0, 3, 4], None, TypeError, "2.0 is not a seed"),
        ([[1, 2], [3]], None, TypeError, "the seeds cannot be made an array"),
        ([1, 2, 3], None, ValueError, "3 seeds for 4 games: give one number, or one for each game$"),
        ([1, 2, 3], [0, 1], ValueError, "one for each game, or one for each of the 2 chosen games"),
        (
            None,
            [True, False],
            TypeError,
            r"the shape \(2,\): give bool or uint8 in the shape \(4,\), a mark",
        ),
        (None, [0.0, 1.0], TypeError, r"have the shape \(2,\) and the type float64: give bool or uint8"),
        (None, 2, TypeError, r"have the shape \(\) and the type int64"),
        (None, [4], ValueError, "there is no game 4: games go from 0 to 3"),
        (None, [-1, 0], ValueError, "there is no game -1"),
        (None, [1, 0, 0, 1], ValueError, "game 0 is chosen 2 times: name each game once; marks for all"),
    ],
)
def test_what_cannot_be_started_again_is_explained_and_changes_nothing(
    seed: Any, chosen: Any, kind: type[Exception], complaint: str
) -> None:
    games = small("hive")
    before = rows(games, slice(None))
    with pytest.raises(kind, match=complaint):
        games.reset(seed, chosen)
    assert rows(games, slice(None)) == before
