"""Things that show themselves in a notebook.

What draws them stands further down in the house, where games and replays may not reach. So it is told here, once, by
the front door of the package (`botyard/__init__.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Draw: TypeAlias = Callable[[Any], str]

_draw: Draw | None = None


def draw_with(draw: Draw) -> None:
    """From now on things are shown as this function draws them, in HTML."""
    global _draw
    _draw = draw


class Shown:
    """Something that notebooks show as a picture instead of as text."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return None if _draw is None else _draw(self)
