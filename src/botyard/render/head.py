"""The head of a film: everything about the game that stays the same from tick to tick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botyard.games.picture import Camera
from botyard.kernel.plain import clean
from botyard.kernel.settings import Settings
from botyard.render.film import FORMAT, VERSION, tile_row
from botyard.render.sprites import sprites_for


def film_head(camera: Camera, settings: Settings, names: Sequence[str]) -> dict[str, Any]:
    """Returns the head of a film whose ticks are still to come."""
    facts, pad = camera.book.facts, camera.book.scene.KEYS
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": facts.name,
        "title": facts.title,
        "settings": settings.of_group("rules"),
        "names": [clean(name) for name in names],
        "rows": camera.size.rows,
        "cols": camera.size.cols,
        "palette": [tile_row(tile) for tile in camera.palette],
        "sprites": sprites_for(camera.book, camera.palette),
        "keys": [[list(key.names), key.label, list(key.orders), key.row, key.col] for key in pad.keys],
        "modes": [[mode.label, mode.hold, mode.tap] for mode in pad.modes],
        "ticks_per_s": settings.habits.ticks_per_s,
        "seat": None,  # the seat that saw this film; None: everybody
        "last": None,  # the last tick; None: it is still growing
        "outcome": None,  # {"groups": [[seat, …], …], "scores": [points, …]}, best first
        "marks": [],  # [tick, seat, kind, text]
    }
