"""`botyard.play`: a game among plain Python functions, in one call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings, checked_seed, fresh_seed, split_seed
from botyard.match.clock import LoopClock
from botyard.match.in_process import BotFunction, FunctionPlayer, HousePlayer
from botyard.match.loop import Played, play_game
from botyard.match.player import Player


def play(
    game: str,
    bots: Sequence[BotFunction | str],
    seed: int | None = None,
    preset: str | None = None,
    *,
    time_limit: bool = True,
    **settings: Any,
) -> Played:
    """Plays one game and returns its outcome, verdicts, turns and replay.

    A bot is a function from a view to an order (a name or a number), or the name of a house bot: "house:forager".
    Functions run in this process: the game's time limit is measured and a late answer is not used, but a function that
    never returns cannot be stopped. `time_limit=False` lets you sit in a debugger.
    """
    book = load(game)
    inner, rest = split_seed(settings)
    chosen = seed if seed is not None else inner
    book.facts.check_seats(len(bots))
    config = book.settings.read(rest, preset).seated(len(bots))
    arena = Game(book, config, fresh_seed() if chosen is None else checked_seed(chosen))
    players = [seat_bot(bot, book, config, time_limit) for bot in bots]
    return asyncio.run(play_game(arena, players))


def seat_bot(bot: BotFunction | str, book: Rulebook, settings: Settings, time_limit: bool) -> Player:
    clock = LoopClock()
    if isinstance(bot, str):
        kind, _, name = bot.partition(":")
        if kind != "house":
            raise YardError(f"the bot {bot!r}", hint="a function, or 'house:NAME'; programs play with `botyard play`")
        return HousePlayer(book, settings, name, clock)
    limit_ms = book.wire.open_session(settings, 0).move_ms if time_limit else 0
    return FunctionPlayer(bot, book.facts, limit_ms, clock)
