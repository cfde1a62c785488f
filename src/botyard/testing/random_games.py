"""Games for laws and benchmarks to look at: of random orders, and of house bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

from botyard.games.game import Game
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings, split_seed
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.replay import Replay

Law: TypeAlias = Callable[[Rulebook], None]

SEED = 5
TICKS = 40  # how many ticks of a random game a law follows
STRANGE_ORDERS = (NO_ORDER, 2**31 - 1, -(2**31))


def sample_settings(book: Rulebook) -> Settings:
    """Returns the settings of the golden playthrough, which is played on a small board where there is one."""
    return book.settings.read(book.samples.golden)


def short_settings(book: Rulebook) -> Settings:
    """Returns the settings of a short match of the usual number of bots, in which nobody is late."""
    _, values = split_seed(book.samples.short)
    return book.settings.read(values).seated(book.facts.usual_seats)


def random_game(book: Rulebook, ticks: int = TICKS) -> Iterator[Game]:
    """Yields a game before each tick and at its end; its orders are random, most of them useful."""
    dice = random.Random(SEED)
    game = Game(book, sample_settings(book), SEED)
    for _ in range(ticks):
        yield game
        if game.over:
            return
        orders = useful_orders(game, dice)
        if dice.random() < 0.05:
            orders[dice.choice(game.asked)] = dice.choice((*STRANGE_ORDERS, len(book.facts.orders)))
        game.step_orders(orders)
    yield game


def useful_orders(game: Game, dice: random.Random) -> dict[int, int]:
    return {seat: game.book.facts.order_named(dice.choice(game.orders(seat))) for seat in game.asked}


def random_replay(book: Rulebook, settings: Settings, ticks: int, seed: int = SEED) -> Replay:
    """Returns the record of a game of random orders, as far as it gets in so many ticks."""
    dice = random.Random(seed)
    return recorded(Game(book, settings, seed), ticks, lambda game: useful_orders(game, dice))


def house_replay(book: Rulebook, settings: Settings, ticks: int, seed: int = SEED) -> Replay:
    """Returns the record of a game of all house bots in turn, as far as it gets in so many ticks."""
    bots, game = list(book.bots.HOUSE_BOTS), Game(book, settings, seed)
    players = [HousePlayer(book, settings, bots[seat % len(bots)], LoopClock()) for seat in range(game.seats)]
    for seat, player in enumerate(players):
        player.wake(seed, seat)
    return recorded(game, ticks, lambda game: {seat: players[seat].decide(game.view(seat)) for seat in game.asked})


def recorded(game: Game, ticks: int, choose: Callable[[Game], dict[int, int]]) -> Replay:
    replay = Replay.begin(game, tuple(f"bot {seat}" for seat in range(game.seats)))
    while not game.over and len(replay.ticks) < ticks:
        orders = choose(game)
        replay.add_orders(orders)
        game.step_orders(orders)
    replay.end(game)
    return replay
