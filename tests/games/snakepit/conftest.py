"""What tests of Snakepit share."""

from __future__ import annotations

import pytest

from botyard.kernel.rule import INTERPRETED


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted rules are too slow for a million tries; compiled ones have their numbers built in."""
    if INTERPRETED:
        monkeypatch.setattr("botyard.games.snakepit.rules.opening.TRIES", 60)
