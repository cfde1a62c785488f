"""The loops that make pictures. Like `loops.py` this is a template, loaded for each game and bound to its scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botyard.kernel.records import Record
from botyard.kernel.rule import rule

scene: Any  # bound by the loader

picture: Callable[[Record, Record, Record, Record], int] = scene.picture


@rule
def picture_at(arenas: Record, states: Record, grid: Record, pieces: Record) -> int:
    return picture(arenas[0], states[0], grid, pieces)


if hasattr(scene, "seat_picture"):
    seat_picture: Callable[[Record, Record, Record, Record], int] = scene.seat_picture

    @rule
    def seat_picture_at(arenas: Record, views: Record, grid: Record, pieces: Record) -> int:
        return seat_picture(arenas[0], views[0], grid, pieces)
