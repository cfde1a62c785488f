"""This module ends `botyard play` with an error if a bot cannot start: nobody wins against a bot that is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.links.bot_spec import BotSpec
    from botyard.match.loop import Played

LAST_WORDS = 5  # lines that are shown of what a bot printed before it failed


def check_starts(game: Game, bots: Sequence[BotSpec], played: Played) -> None:
    """Raises an error about a bot that could not start: then the first game was none, and no other can be."""
    from botyard.links.starts import failed_start, started_seats

    failed = failed_start(played.turns, started_seats(game, bots))
    if failed is None:
        return
    lines = failed.said.strip().splitlines()[-LAST_WORDS:]
    told = "" if not lines or lines[-1] in failed.reason else "\n       ".join(("; its last words:", *lines))
    raise YardError(
        f"{bots[game.entrant(failed.seat)].label} cannot start: {failed.verdict}, {failed.reason}",
        hint=f"`botyard check {game.book.facts.name} BOT` tries it step by step{told}",
    )
