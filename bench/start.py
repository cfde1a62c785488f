"""From the start of a process to the first move: `PYTHONPATH=src python bench/start.py [GAME ...]`

Plays the first tick of a game between house bots with the command `botyard play` and stops there: once with nothing
compiled, then best of five with everything on disk. Prints one JSON object per game.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from botyard.games import GAMES, load

WARM_RUNS = 5
FIRST_MOVE = """
import os, sys
from botyard.cli import main
from botyard.games.game import Game

step_orders = Game.step_orders

def first_move(game, orders):
    step_orders(game, orders)
    os._exit(0)

Game.step_orders = first_move
sys.argv = ["botyard", "play", *sys.argv[1:], "--quiet"]
main()
sys.exit("no move was made")
"""


class Spent(NamedTuple):
    wall_s: float
    processor_s: float  # what a machine with nothing else to do would take


def first_move(words: list[str], home: str) -> Spent:
    environment = {**os.environ, "BOTYARD_CACHE": home}
    began, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-c", FIRST_MOVE, *words], env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - began, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(round(wall, 2), round(processor, 2))


def main() -> None:
    for game in sys.argv[1:] or GAMES:
        book = load(game)
        bots = list(book.bots.HOUSE_BOTS)
        words = [game, *(f"house:{bots[at % len(bots)]}" for at in range(book.facts.usual_seats))]
        with tempfile.TemporaryDirectory() as home:
            cold = first_move(words, home)
            warm = min(first_move(words, home) for _ in range(WARM_RUNS))
        print(json.dumps({"game": game, "cold": cold._asdict(), "warm": warm._asdict()}), flush=True)


if __name__ == "__main__":
    main()
