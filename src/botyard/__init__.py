"""Botyard: one yard for bots.

    import botyard

    game = botyard.new(NAME, seed=7)     # `botyard games` lists the names
    game.step(game.orders()[0])
    print(game)

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from botyard.kernel.shown import draw_with

__version__ = "0.1.0"

if TYPE_CHECKING:
    from botyard.games.batch import Batch as Batch
    from botyard.games.game import Game as Game
    from botyard.games.game import from_bytes as from_bytes
    from botyard.games.game import new as new
    from botyard.games.view import View as View
    from botyard.kernel.errors import YardError as YardError
    from botyard.kernel.outcome import Outcome as Outcome
    from botyard.kernel.verdict import Verdict as Verdict
    from botyard.links.play import play as play
    from botyard.links.play import play_async as play_async
    from botyard.match.replay import Replay as Replay

_HOMES = {
    "Batch": "botyard.games.batch",
    "Game": "botyard.games.game",
    "Outcome": "botyard.kernel.outcome",
    "Replay": "botyard.match.replay",
    "Verdict": "botyard.kernel.verdict",
    "View": "botyard.games.view",
    "YardError": "botyard.kernel.errors",
    "from_bytes": "botyard.games.game",
    "new": "botyard.games.game",
    "play": "botyard.links.play",
    "play_async": "botyard.links.play",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the table is the list


def _html_of(thing: Any) -> str:
    html: str = import_module("botyard.notebook").html_of(thing)
    return html


draw_with(_html_of)  # games and replays show themselves in notebooks, and load what draws them only then


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'botyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
