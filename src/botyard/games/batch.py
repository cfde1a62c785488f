"""Batches by a game's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botyard.games import load
from botyard.kernel import batch
from botyard.kernel.batch import Autoreset
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings


class Batch(batch.Batch):
    """`n` games of a kind that step together; see `botyard.kernel.batch.Batch`.

    >>> games = botyard.Batch(name, n=4096)
    >>> games.step(orders)
    """

    def __init__(
        self,
        game: str | Rulebook,
        settings: Settings | Mapping[str, Any] | None = None,
        n: int = 1,
        *,
        device: str = "cpu",
        seed: int = 0,
        autoreset: Autoreset = "next_step",
    ) -> None:
        book = load(game) if isinstance(game, str) else game
        chosen = settings if isinstance(settings, Settings) else book.settings.read(settings)
        super().__init__(book, chosen, n, device=device, seed=seed, autoreset=autoreset)
