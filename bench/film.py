"""What films cost: `PYTHONPATH=src python bench/film.py [GAME ...]`

Films 500 ticks between house bots, best of five runs, at the usual number of seats and at 15 where a game has so many.
Prints one JSON object each: milliseconds of processor time to make the film, and that of a seat, as if the game had
gone on for 500 ticks; bytes of both with gzip, of the film's head alone, and of what a viewer needs to begin, which is
the head with the first block. The bars are 100 ms, 40 kB (64 kB for 15 seats), and 20 kB to begin.
"""

from __future__ import annotations

import json
import sys
import time

from botyard.games import OWN_GAMES, load
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.render.film import Film
from botyard.testing.random_games import house_replay

TICKS, RUNS, MANY = 500, 5, 15


def filmed(replay: Replay, seat: int | None = None) -> tuple[float, Film]:
    """Returns milliseconds for 500 ticks, of processor time, and the film; the first run loads what it needs."""
    film, best = film_of(replay, seat), float("inf")
    for _ in range(RUNS):
        began = time.process_time()
        film = film_of(replay, seat)
        best = min(best, time.process_time() - began)
    return round(1000 * best * TICKS / len(replay.ticks), 1), film


def main() -> None:
    for game in sys.argv[1:] or OWN_GAMES:
        book = load(game)
        for seats in (book.facts.usual_seats, *((MANY,) if book.facts.seats_max >= MANY else ())):
            replay = house_replay(book, book.settings().seated(seats), TICKS)
            (ms, film), (seat_ms, seats_film) = filmed(replay), filmed(replay, 0)
            row = {"game": game, "seats": seats, "ticks": len(replay.ticks), "ms_per_500": ms, "bytes": size(film)}
            row |= {"head": size(film, 0), "to_begin": size(film, 1)}
            print(json.dumps(row | {"seat_ms_per_500": seat_ms, "seat_bytes": size(seats_film)}), flush=True)


def size(film: Film, blocks: int | None = None) -> int:
    return len(Film(film.head, film.blocks[:blocks]).to_bytes())


if __name__ == "__main__":
    main()
