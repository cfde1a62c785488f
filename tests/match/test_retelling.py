"""A replay retold in one call is the game as it goes tick by tick: the same end, or the same words of a refusal."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.settings import Settings
from botyard.match.replay import Replay
from botyard.testing.random_games import STRANGE_ORDERS, random_replay, useful_orders
from tests.kernel.test_loops import quick

ROUNDS = 4 if INTERPRETED else 12
TICKS = 40
WRITTEN = Path(__file__).parent / "written"


def eventful(game: Game, dice: random.Random, changes: float) -> Replay:
    """A game of random orders, some of them strange, in which seats forfeit, join and leave with this chance."""
    replay = Replay.begin(game, tuple("abcdefghijklmnopqrstuvwxyz"[: game.seats]))
    for _ in range(TICKS):
        if replay.ticks and dice.random() < changes:
            what, seat = dice.choice(game.changes), dice.randrange(game.seats)
            game.change(what, seat)
            replay.add_change(what, seat)
        elif not game.over:
            orders = useful_orders(game, dice)
            for seat in orders:
                orders[seat] = dice.choice(STRANGE_ORDERS) if dice.random() < 0.03 else orders[seat]
            replay.add_orders(orders)
            game.step_orders(orders)
    replay.end(game)
    return replay


def end_by_ticks(replay: Replay) -> Game:
    *_, (game, _) = replay.play()
    return game


def result_of(way: Callable[[], Game]) -> Any:
    """Where a way to play a replay leads: to a position, or to the words of a refusal."""
    try:
        return way().bytes()
    except YardError as error:
        return type(error), str(error), error.hint


def check_is_retold(replay: Replay) -> None:
    assert result_of(replay.retold) == result_of(lambda: end_by_ticks(replay))


@pytest.mark.parametrize("changes", [0, 0.03, 0.3])
def test_a_replay_is_retold_as_it_goes_tick_by_tick(game: str, changes: float) -> None:
    book, settings = quick(game)
    for seed in range(ROUNDS):
        replay = eventful(last := Game(book, settings, seed), random.Random(seed), changes)
        assert replay.retold() == last == end_by_ticks(replay)
        assert replay.verify() == last


def test_every_position_of_a_game_is_the_end_of_a_shorter_replay(game: str) -> None:
    book, settings = quick(game)
    replay = eventful(Game(book, settings, 7), random.Random(7), 0.1)
    ticks = list(replay.ticks)
    for at, (there, _) in enumerate(replay.play()):
        replay.ticks = ticks[:at]
        assert replay.retold() == there
        replay.ticks = ticks


def rooms() -> list[str]:
    return [game for game in GAMES if load(game).has_rooms]


def room_of(game: str) -> tuple[Any, Settings]:
    book, settings = quick(game)
    return book, book.room.room_settings(settings, None)


@pytest.mark.parametrize("game", rooms())
def test_a_room_in_which_players_come_and_go_is_retold(game: str) -> None:
    """Nobody is asked in an empty room, and its ticks go on."""
    book, settings = room_of(game)
    empty = 0
    for seed in range(ROUNDS):
        replay = eventful(last := Game(book, settings, seed), random.Random(seed), 0.4)
        assert replay.retold() == last == end_by_ticks(replay)
        empty += replay.ticks.count([[]])
    assert empty


def test_ticks_may_hold_several_entries_or_none(game: str) -> None:
    book, settings = quick(game)
    replay = eventful(last := Game(book, settings, 3), random.Random(3), 0.1)
    entries = [entry for entries in replay.ticks for entry in entries]
    replay.ticks = [[], entries[:5], [], entries[5:]]
    assert replay.retold() == last
    replay.ticks.append([[NO_ORDER] * 40])
    check_is_retold(replay)
    with pytest.raises(YardError, match="in tick 4"):
        replay.retold()


ALTERATIONS: dict[str, Callable[[list[Any], int, random.Random], Any]] = {
    "a tick is gone": lambda ticks, at, dice: ticks.pop(at),
    "a tick comes twice": lambda ticks, at, dice: ticks.insert(at, ticks[at]),
    "a tick without orders": lambda ticks, at, dice: ticks.insert(at, [[]]),
    "an order too many": lambda ticks, at, dice: ticks.__setitem__(at, [[0] * (len(ticks[at][0]) + 1)]),
    "an order too few": lambda ticks, at, dice: ticks.__setitem__(at, [[0] * (len(ticks[at][0]) - 1)]),
    "orders of everybody": lambda ticks, at, dice: ticks.__setitem__(at, [[1] * 64]),
    "ticks after the end": lambda ticks, at, dice: ticks.extend([[[0]]] * 5),
    "ticks without orders after the end": lambda ticks, at, dice: ticks.extend([[{"forfeit": 0}], *[[[]]] * 5]),
    "no such seat": lambda ticks, at, dice: ticks.insert(at, [{"forfeit": dice.choice((-1, 64, 2**31 - 1))}]),
    "a seat joins": lambda ticks, at, dice: ticks.insert(at, [{"join": 0}]),
    "a seat leaves": lambda ticks, at, dice: ticks.insert(at, [{"leave": 1}]),
    "no such change": lambda ticks, at, dice: ticks.insert(at, [{"explode": 0}]),
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_altered_replay_gets_the_words_of_the_way_tick_by_tick(game: str, alteration: str) -> None:
    book, settings = quick(game)
    dice = random.Random(alteration)
    for seed in range(ROUNDS):
        replay = eventful(Game(book, settings, seed), dice, 0.02)
        places = [at for at, [entry] in enumerate(replay.ticks) if isinstance(entry, list)]
        ALTERATIONS[alteration](replay.ticks, dice.choice(places), dice)
        check_is_retold(replay)


@pytest.mark.parametrize(
    ("alteration", "complaint"),
    [
        ("orders of everybody", r"the replay has 64 orders in tick \d+: [12] seats are asked in that tick"),
        ("no such seat", "there is no seat .*: seats go from 0 to 1"),
        ("a seat joins", "'join' is not possible in hive: possible: forfeit"),
        ("no such change", "'explode' is not possible in hive: possible: forfeit"),
    ],
)
def test_an_altered_replay_is_refused_where_it_is_not_true(alteration: str, complaint: str) -> None:
    replay = random_replay(*quick("hive"), TICKS)
    ALTERATIONS[alteration](replay.ticks, 11, random.Random(3))
    with pytest.raises(YardError, match=complaint):
        replay.verify()


def test_a_game_goes_on_from_where_it_was_retold() -> None:
    replay = random_replay(*quick("hive"), TICKS)
    [(there, orders)] = islice(replay.play(), 20, 21)
    there = there.copy()
    shorter = replace(replay, ticks=replay.ticks[:20]).retold()
    for one in (there, shorter):
        one.step_orders(orders)
    assert there == shorter


@pytest.mark.skipif(INTERPRETED, reason="these games are played on whole boards")
@pytest.mark.parametrize("path", sorted(WRITTEN.iterdir()), ids=lambda path: path.stem)
def test_a_replay_that_was_written_before_is_still_true(path: Path) -> None:
    """These were written when each tick was played by itself, and must stay true until the version of the rules grows:
    another text of a state, or another form of the file, would make them false."""
    replay = Replay.read(path)
    assert replay.verify().outcome == replay.outcome is not None
    assert replay.to_bytes() == path.read_bytes()
