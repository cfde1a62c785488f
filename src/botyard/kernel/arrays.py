"""The arrays of a batch are one object, which every loop and CUDA kernel takes, so that their order is written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.errors import YardError
from botyard.kernel.records import Record

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings

ORDER = np.int32  # the type of orders in arrays
SCORE = np.int32
FLAG = np.uint8
WORD = np.uint32  # seeds are two words, low first


def zeros(shape: Any, kind: Any) -> NDArray[Any]:
    """Returns an array of zeros in the machine's own memory."""
    try:
        return np.zeros(shape, kind)
    except MemoryError:
        wanted = int(np.prod(shape, dtype=object)) * np.dtype(kind).itemsize / 1e9
        raise YardError(f"there is no memory for {wanted:,.0f} GB", hint="play fewer games at once") from None


class BatchArrays(NamedTuple):
    """Games of one kind side by side: element i of each array belongs to game i, except in arrays of one element.

    On the CPU these are NumPy arrays, on a GPU device arrays, and `Cells` where rules are interpreted.
    """

    arenas: Record  # one element, which all games share
    states: Record
    orders: Record  # by seat
    views: Record  # by seat
    scores: Record  # by seat
    over: Record
    seeds: Record  # two words each
    steps: Record  # orders asked for, counted by random play
    finals: Record  # last states of ended games, if games begin anew in the same step; else one element, unused
    blank: Record  # one element, a zeroed state


def make_arrays(
    book: Rulebook, settings: Settings, n: int, zeros: Callable[[Any, Any], Any] = np.zeros, keep_finals: bool = False
) -> BatchArrays:
    """Returns zeroed arrays for `n` games in memory from `zeros`; the arena is filled and in the host's memory."""
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
