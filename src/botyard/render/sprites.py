"""Sprites are drawings of tiles, as data: shapes in a square of 64 units, filled with named colours.

    ["polygon", colour, [x, y, x, y, …]]
    ["circle", colour, x, y, radius]
    ["line", colour, width, [x, y, x, y, …]]      with round ends and corners
    ["emblem", x, y, radius]                      the sign of the seat a tile belongs to, for people who see no colours

Canvas, SVG and Pillow draw the same shapes. Sprites that several games use stand in `sprites.json` here, others in the
file of this name in their game's folder. A tile names its sprite, and how many quarter turns clockwise it is turned:
"snake-head/1".
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from botyard.kernel.rulebook import Rulebook
from botyard.kernel.scene import Tile

FILE = "sprites.json"
SIDE = 64


@cache
def shared_sprites() -> dict[str, Any]:
    return dict(json.loads((resources.files(__package__) / FILE).read_text(encoding="utf-8")))


@cache
def sprites_in(folder: Path) -> dict[str, Any]:
    path = folder / FILE
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def sprites_for(book: Rulebook, palette: Iterable[Tile]) -> dict[str, Any]:
    """Returns the drawings that a palette names."""
    known = {**shared_sprites(), **sprites_in(book.folder)}
    names = sorted({tile.sprite.partition("/")[0] for tile in palette if tile.sprite})
    return {name: known[name] for name in names if name in known}
