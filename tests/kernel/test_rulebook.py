"""A rule book finds the parts of its game and has its loops compiled, for the types with which games call them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from botyard import Batch
from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.games.picture import camera_for, camera_of
from botyard.kernel import cache, rulebook
from botyard.kernel.arrays import BatchArrays
from botyard.kernel.drill_arrays import DrillArrays
from botyard.kernel.errors import YardError
from botyard.kernel.records import Cells
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import LOOP_GROUPS, Exercise, Rulebook, load_template
from botyard.kernel.script import script_of
from botyard.kernel.settings import Settings
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.series import play_house
from tests.kernel.test_loops import quick

Call = tuple[str, tuple[Any, ...]]


def type_of(value: Any) -> Any:
    """What a compiler needs to know of an argument; another type would have it compile the loop again."""
    if isinstance(value, BatchArrays | DrillArrays):
        return tuple(map(type_of, value))
    if isinstance(value, Cells):
        return type_of(value._array)
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous, value.flags.writeable
    return type(value)


def opened_once(value: Any) -> Any:
    """An argument as rules take it. An exercise hands loops plain arrays, which interpreted rules do not take."""
    if isinstance(value, BatchArrays | DrillArrays):
        return type(value)(*map(opened_once, value))
    return opened(value) if isinstance(value, np.ndarray) else value


class Heard:
    """The loops of a game, with the types that each was called with."""

    def __init__(self, loops: Any) -> None:
        self._loops = loops
        self.calls: set[Call] = set()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        loop = getattr(self._loops, name)

        def heard(*args: Any) -> Any:
            self.calls.add((name, tuple(map(type_of, args))))
            return loop(*map(opened_once, args))

        return heard


def play_at_a_table(book: Rulebook, settings: Settings) -> None:
    game = Game(book, settings, 1)
    bot = HousePlayer(book, settings, next(iter(book.bots.HOUSE_BOTS)), LoopClock())
    bot.wake(1, 0)
    bot.decide(game.view(game.asked[0]))
    game.orders(game.asked[0])
    game.step_orders({})
    game.retell(script_of([]))
    for_all = camera_of(game).take(game)
    seen = camera_of(game).take_view(game, Game(book, settings, 1).view(0))
    assert for_all.grid.shape == seen.grid.shape
    for change in game.changes:
        game.change(change, 0)


def play_many(book: Rulebook, settings: Settings) -> None:
    games = Batch(book.facts.name, settings, 2)
    games.step(games.orders)
    games.reset(chosen=[0])
    assert games.asked.any()
    assert games.masks.any()
    assert games.outcomes == [None, None]
    games.race(1)
    games.stray()
    bots = [next(iter(book.bots.HOUSE_BOTS))] * games.seats
    assert [one.outcome for one in play_house(book, settings, bots, [1])]


@pytest.mark.parametrize("game", GAMES)
def test_loops_are_compiled_for_the_types_with_which_games_call_them(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another type would have them compiled again while bots are waiting."""
    book, settings = quick(game)
    exercised, called = Heard(book.loops), Heard(book.loops)
    exercise = Exercise(book, settings)
    exercise.loops, exercise.picture_loops = exercised, Heard(book.picture_loops)
    for group in LOOP_GROUPS:
        exercise.run(group)
    monkeypatch.setitem(vars(book), "loops", called)
    monkeypatch.setitem(vars(book), "picture_loops", Heard(book.picture_loops))
    camera_for.cache_clear()
    play_at_a_table(book, settings)
    play_many(book, settings)
    assert exercised.calls == called.calls
    assert exercise.picture_loops.calls == book.picture_loops.calls
    camera_for.cache_clear()  # none of them keeps the loops that were listened to


def test_a_group_is_exercised_once_and_then_marked_as_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, settings = quick("hive")
    loops = Heard(book.loops)
    monkeypatch.setattr(rulebook, "INTERPRETED", False)
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "now")
    monkeypatch.setattr(cache, "announce", lambda text: None)
    monkeypatch.setitem(vars(book), "loops", loops)
    monkeypatch.setitem(vars(book), "prepared", set())
    book.prepare(settings, "bots")
    assert {name for name, _ in loops.calls} == {"wake_at", "decide_at"}
    loops.calls.clear()
    for marks in (book.prepared, set()):  # this process knows it, and the next one finds it on disk
        monkeypatch.setitem(vars(book), "prepared", marks)
        book.prepare(settings, "bots")
        assert not loops.calls


def test_loops_are_found_among_the_modules_under_the_name_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba looks there for what a function on disk calls."""
    book = load("hive")
    monkeypatch.setitem(sys.modules, "tea.loops", sys)  # whatever was there before
    loops = load_template("loops.py", "tea.loops", rules=book.rules, bots=book.bots)
    assert sys.modules["tea.loops"] is loops
    assert loops.rules is book.rules


def test_only_a_game_whose_players_come_and_go_has_rooms() -> None:
    assert load("snakebattle").has_rooms
    assert load("snakebattle").room is load("snakebattle").part("wire.room")
    assert not load("hive").has_rooms
    assert not Rulebook("botyard.kernel").has_rooms  # not even a part `wire`
    with pytest.raises(YardError, match="hive cannot be played in a room"):
        assert load("hive").room
