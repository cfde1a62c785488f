"""What it costs to check replays: `PYTHONPATH=src python bench/retell.py [GAME ...]`

Takes games of house bots as they come, as many as have a thousand ticks together, at the usual number of seats and at
15 where a game has so many, and checks their replays: retold in one compiled call each, as `Replay.verify` does, and
tick by tick through `Game`, in turn. Prints one JSON object each: milliseconds of processor time per 1,000 ticks, best
of nine, for both ways, their ratio, and for reading the same replays from their bytes; `retold_alone_ms` is the
compiled call by itself. Setting up a game and hashing its last state are part of every check, so that short games cost
more per tick. The bar is 5 ms.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

from botyard.games import OWN_GAMES, load
from botyard.games.game import Game
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.script import Script, script_of
from botyard.match.replay import Replay, final_hash
from botyard.testing.random_games import house_replay

T = TypeVar("T")
TICKS, RUNS, MANY = 1000, 9, 15


def games_of(book: Rulebook, seats: int) -> list[Replay]:
    """Whole games, or one that is cut off, of a thousand ticks or more together."""
    settings, replays = book.settings().seated(seats), list[Replay]()
    while sum(len(replay.ticks) for replay in replays) < TICKS:
        replays.append(house_replay(book, settings, TICKS, seed=len(replays)))
    return replays


def check_by_ticks(replay: Replay) -> None:
    """Does what `Replay.verify` does, but tick by tick."""
    *_, (game, _) = replay.play()
    assert game.outcome == replay.outcome
    assert final_hash(game) == replay.final


def check_retold(replay: Replay) -> None:
    game = replay.verify()
    assert replay.outcome is not None or final_hash(game) == replay.final  # it looks at the end of whole games only


def retell(told: tuple[Game, Script]) -> None:
    game, script = told
    game.begin()
    game.retell(script)


def for_each(do: Callable[[T], object], things: Iterable[T]) -> None:
    for thing in things:
        do(thing)


def measured(tasks: Sequence[Callable[[], None]], ticks: int) -> list[float]:
    """Returns milliseconds of processor time per 1,000 ticks for each task. They are done in turn, so that a busy
    machine slows all of them down alike; the first round loads what it needs."""
    best = [float("inf")] * len(tasks)
    for _ in range(RUNS + 1):
        for at, task in enumerate(tasks):
            began = time.process_time()
            task()
            best[at] = min(best[at], time.process_time() - began)
    return [round(1e6 * seconds / ticks, 2) for seconds in best]


def row_of(book: Rulebook, seats: int) -> dict[str, object]:
    replays = games_of(book, seats)
    ticks = sum(len(replay.ticks) for replay in replays)
    files = [replay.to_bytes() for replay in replays]
    told = [(replay.new_game(), script_of(chain.from_iterable(replay.ticks))) for replay in replays]
    by_ticks, retold, alone, read = measured(
        [
            lambda: for_each(check_by_ticks, replays),
            lambda: for_each(check_retold, replays),
            lambda: for_each(retell, told),
            lambda: for_each(Replay.from_bytes, files),
        ],
        ticks,
    )
    figures = {"by_ticks_ms": by_ticks, "retold_ms": retold, "ratio": round(by_ticks / retold, 1)}
    about = {"game": book.facts.name, "seats": seats, "replays": len(replays), "ticks": ticks}
    return {**about, **figures, "retold_alone_ms": alone, "read_ms": read}


def main() -> None:
    for game in sys.argv[1:] or OWN_GAMES:
        book = load(game)
        for seats in (book.facts.usual_seats, *((MANY,) if book.facts.seats_max >= MANY else ())):
            print(json.dumps(row_of(book, seats)), flush=True)


if __name__ == "__main__":
    main()
