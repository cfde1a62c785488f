"""This module ends `botyard play` with an error if a bot cannot start: nobody wins against a bot that is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.links.bot_spec import BotSpec
    from botyard.match.loop import Enough, Played
    from botyard.match.turns import Turn

LAST_WORDS = 5  # lines that are shown of what a bot printed before it failed


def started_seats(game: Game, bots: Sequence[BotSpec]) -> set[int]:
    """Returns the seats of bots that we start; whoever connects by itself has been waited for."""
    return {seat for seat in range(game.seats) if not bots[game.entrant(seat)].comes_by_itself}


def if_one_cannot_start(game: Game, bots: Sequence[BotSpec]) -> Enough:
    """Returns what breaks a game off as soon as one of its bots has failed to start."""
    from botyard.links.starts import failed_start

    seats = started_seats(game, bots)

    def enough(turns: Sequence[Turn]) -> bool:
        return failed_start(turns, seats) is not None

    return enough


def check_starts(game: Game, bots: Sequence[BotSpec], played: Played) -> None:
    """Raises an error about a bot that could not start: then the first game was none, and no other can be."""
    from botyard.links.starts import failed_start

    failed = failed_start(played.turns, started_seats(game, bots))
    if failed is None:
        return
    lines = failed.said.strip().splitlines()[-LAST_WORDS:]
    told = "" if not lines or lines[-1] in failed.reason else "\n       ".join(("; its last words:", *lines))
    raise YardError(
        f"{bots[game.entrant(failed.seat)].label} cannot start: {failed.verdict}, {failed.reason}",
        hint=f"`botyard check {game.book.facts.name} BOT` tries it step by step{told}",
    )
