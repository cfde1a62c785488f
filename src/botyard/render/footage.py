"""Footage is what a picture or a film as a file is made of: some ticks of a game, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from botyard.render.frames import Frame


class Shot(NamedTuple):
    """A tick of a game, and what is seen and said at it."""

    tick: int
    frame: Frame


class Footage(Protocol):
    """Shots that can be gone through more than once, and the head of the film they belong to."""

    head: dict[str, Any]

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Shot]: ...


class Tempo(NamedTuple):
    """How fast footage is shown: so many frames a second, of which each stands for some ticks."""

    stride: int
    frames_per_s: float

    @classmethod
    def of(cls, ticks_per_s: float, most_frames_per_s: int) -> Tempo:
        """Leaves ticks out where a player could not show them all."""
        stride = max(1, -int(-ticks_per_s // most_frames_per_s))
        return cls(stride, ticks_per_s / stride)
