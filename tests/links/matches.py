"""Matches of any game among bots that are named as on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.settings import Settings, split_seed
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.links.cage_policy import CagePolicy
from botyard.match.clock import Clock, LoopClock
from botyard.match.loop import Enough, Played, play_game
from botyard.match.player import Unseated


def short_match(game: str, **changes: Any) -> dict[str, Any]:
    """Settings of a short match in which nobody is late, some of them changed."""
    return {**split_seed(load(game).samples.short)[1], **changes}


def rival_of(game: str) -> str:
    """A simple house bot."""
    book = load(game)
    return f"house:{book.samples.rival or next(iter(book.bots.HOUSE_BOTS))}"


async def play_match(
    game: str,
    bots: Sequence[str],
    settings: Settings,
    seed: int = 4,
    policy: CagePolicy | None = None,
    clock: Clock | None = None,
    notice: Callable[[str], None] = lambda text: None,
    enough: Enough | None = None,
    without: Verdict | None = None,
) -> Played:
    """Builds the bots, seats them in the order they are named, and plays.

    All have to be built, but for those with the verdict `without`: they do not come, as in a contest.
    """
    book = load(game)
    specs = [read_bot_spec(bot, book, policy) for bot in bots]
    faults = [await spec.build() for spec in specs]
    assert all(fault is None or fault.verdict is without for fault in faults), faults
    seating = Seating(book, settings, clock or LoopClock(), notice)
    players = [
        Unseated(spec.label, fault) if fault else spec.seat_player(seating, at)
        for at, (spec, fault) in enumerate(zip(specs, faults, strict=True))
    ]
    return await play_game(Game(book, settings, seed), players, enough=enough)
