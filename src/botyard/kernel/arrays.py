"""The arrays of a batch: one object that every loop and every kernel takes, so that their order is written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from botyard.kernel.records import Record

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings

ORDER = np.int32  # the type of orders in arrays
SCORE = np.int32
FLAG = np.uint8
WORD = np.uint32  # seeds are two words, low first


class BatchArrays(NamedTuple):
    """Games of one kind side by side: element i of each array belongs to game i, but for those of one element.

    On the CPU these are NumPy arrays, on a GPU device arrays, and `Cells` where rules are interpreted.
    """

    arenas: Record  # one, which all games share
    states: Record
    orders: Record  # by seat
    views: Record  # by seat
    scores: Record  # by seat
    over: Record
    seeds: Record  # two words each
    steps: Record  # orders asked for, counted by random play
    finals: Record  # last states of games that ended, where they begin anew in the same step; else one, unused
    blank: Record  # one zeroed state


def make_arrays(
    book: Rulebook, settings: Settings, n: int, zeros: Callable[[Any, Any], Any] = np.zeros, keep_finals: bool = False
) -> BatchArrays:
    """The arrays of `n` games, zeroed, in the memory that `zeros` gives; the arena is filled and in our own memory."""
    kinds, seats = book.layouts(settings), book.layout.seats(settings)
    return BatchArrays(
        arenas=book.layout.make_arena(settings),
        states=zeros(n, kinds.state),
        orders=zeros((n, seats), ORDER),
        views=zeros((n, seats), kinds.view),
        scores=zeros((n, seats), SCORE),
        over=zeros(n, FLAG),
        seeds=zeros((n, 2), WORD),
        steps=zeros(n, np.int64),
        finals=zeros(n if keep_finals else 1, kinds.state),
        blank=zeros(1, kinds.state),
    )
