"""The golden playthrough of a game: its facts, and a short game with every board, view and order as text.

Orders come from a fixed generator. Most of them are useful and a few are arbitrary, so that a short game on a small
board meets many rules. A test compares the text line by line, so a reviewer sees what a change to the rules does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from botyard.games.game import Game
from botyard.kernel.chance import mixed
from botyard.kernel.rulebook import Rulebook

SEED = 1
TICKS = 60


def playthrough(book: Rulebook) -> str:
    return "\n".join(lines(book)) + "\n"


def lines(book: Rulebook) -> Iterator[str]:
    settings = book.settings.read(book.samples.golden)
    game = Game(book, settings, SEED)
    yield from card(book)
    yield "settings " + ", ".join(f"{key}={value}" for key, value in settings.of_group("rules").items())
    yield f"seed {SEED}"
    for tick in range(TICKS):
        yield f"\n--- tick {tick}"
        yield str(game)
        if game.over:
            break
        orders = {}
        for seat in game.asked:
            useful = [book.facts.orders.index(name) for name in game.orders(seat)]
            orders[seat] = chosen(useful, len(book.facts.orders), tick, seat)
            yield f"view of seat {seat}: {game.view(seat)}"
            yield f"seat {seat} may {', '.join(str(order) for order in useful)}"
            yield f"seat {seat} does {orders[seat]}: {book.facts.orders[orders[seat]]}"
        game.step_orders(orders)
    yield f"\nscores {game.scores}, outcome {game.outcome}"


def card(book: Rulebook) -> Iterator[str]:
    for row in fields(book.facts):
        value = getattr(book.facts, row.name)
        yield f"{row.name} {', '.join(value) if isinstance(value, tuple) else value}"


def chosen(useful: list[int], count: int, tick: int, seat: int) -> int:
    """Chooses one of the useful orders, but every fifth time any order at all."""
    dice = int(mixed(SEED, seat, tick))
    if dice % 5 == 0:
        return dice // 5 % count
    return useful[dice // 5 % len(useful)]
