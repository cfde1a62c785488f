"""One bot plays all five games: `examples/anygame.py`, a real program at the other end of pipes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.kernel.verdict import Verdict
from botyard.links.entries import Table, read_entry
from botyard.match.clock import LoopClock
from botyard.match.direct import HousePlayer
from botyard.match.loop import Played, play_game

BOT = Path(__file__).parents[2] / "examples" / "anygame.py"

# Games short enough for a test, and long enough for every kind of message. Limits are out of a busy machine's reach.
SHORT = {
    "hive": {"max_turns": 200, "reply_timeout_ms": 60_000},
    "hackman": {"max_rounds": 60, "timebank_ms": 600_000},
    "battlebots": {"rounds_per_bout": 60, "move_timeout_ms": 60_000},
    "snakepit": {"tick_timeout": 60, "width": 20, "height": 20, "client_timeout": 60},
    "snakebattle": {"rounds_per_match": 1, "rounds_time": 60, "tick_ms": 60_000},
}


async def play(game: str) -> Played:
    book, clock = load(game), LoopClock()
    seats = book.facts.usual_seats
    settings = book.settings.read(SHORT[game]).seated(seats)
    bot = read_entry(f"json:{sys.executable} {BOT}", book)
    players = [bot.seat_player(Table(book, settings, clock), 0)]
    rivals = list(book.bots.HOUSE_BOTS)
    players += [HousePlayer(book, settings, rivals[at % len(rivals)], clock) for at in range(seats - 1)]
    return await play_game(Game(book, settings, 5), players)


def test_every_game_has_its_turn() -> None:
    assert set(SHORT) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_one_bot_plays_it_without_losing_a_turn(game: str) -> None:
    played = asyncio.run(play(game))
    assert played.trouble == ""
    seat = played.entrants.index(0)
    assert played.names[seat] == "anygame"
    assert set(played.verdicts[seat]) == {Verdict.OK}, played.replay.missed[:3]
    assert played.verdicts[seat][Verdict.OK] > 10
    assert played.replay.verify().over
    assert (played.housing[seat].peak_mb or 0) > 1  # megabytes of an interpreter
