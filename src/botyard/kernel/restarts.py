"""This module checks which games of a batch are to start again, and makes words of the seeds they start with."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.arrays import FLAG, WORD
from botyard.kernel.errors import WrongType, YardError, quoted
from botyard.kernel.orders import form_of, host_array, is_on_gpu
from botyard.kernel.settings import SEED_BITS


class Chosen(NamedTuple):
    """The games of a batch that start again."""

    flags: Any  # one for each game, in the memory of a GPU if they came from there
    games: NDArray[np.int64] | None  # their numbers in the order they were given; None if the flags are on a GPU


def checked_chosen(given: Any, n: int) -> Chosen:
    """Reads marks for all games (bools or uint8) or the numbers of some; marks on a GPU stay there unread."""
    wanted = f"give bool or uint8 in the shape ({n},), a mark for each game, or the numbers of some games"
    on_gpu = is_on_gpu(given)
    marks = given if on_gpu else host_array(given, "chosen games")
    shape, kind = form_of(marks, on_gpu)
    if kind == np.bool_ or kind == FLAG:
        if shape != (n,):
            raise WrongType(f"the marks of chosen games have the shape {shape}", hint=wanted)
        return Chosen(marks, None) if on_gpu else Chosen((marks != 0).astype(FLAG), np.flatnonzero(marks))
    if shape == (0,):  # an empty list, which is of no type
        return Chosen(np.zeros(n, FLAG), np.zeros(0, np.int64))
    if on_gpu or len(shape) != 1 or kind.kind not in "iu":
        where = " on the GPU" if on_gpu else ""
        raise WrongType(f"the chosen games{where} have the shape {shape} and the type {kind}", hint=wanted)
    return Chosen(flags_of(marks, n), marks.astype(np.int64))


def flags_of(games: NDArray[Any], n: int) -> NDArray[Any]:
    for game in (int(games.min()), int(games.max())):
        if not 0 <= game < n:
            raise YardError(f"there is no game {game}", hint=f"games go from 0 to {n - 1}")
    flags = np.bincount(games.astype(np.int64), minlength=n)
    if flags.max() > 1:
        hint = "name each game once; marks for all games must be of the type bool or uint8"
        raise YardError(f"game {int(flags.argmax())} is chosen {flags.max()} times", hint=hint)
    return flags.astype(FLAG)


def seed_words(seed: Any, games: NDArray[np.int64], n: int) -> NDArray[Any]:
    """Returns the seeds of these games out of `n` as two words each: counted up from one number, or taken from a list
    with one for each of them or one for each game of the batch."""
    if host_array(seed, "seeds").ndim == 0:
        values = np.uint64(whole(seed) % (1 << SEED_BITS)) + games.astype(np.uint64)  # wraps round
    else:
        values = seed_list(seed)
        if len(values) not in (len(games), n):
            some = "" if len(games) == n else f", or one for each of the {len(games)} chosen games"
            hint = f"give one number, or one for each game{some}"
            raise YardError(f"{len(values)} seeds for {n} games", hint=hint)
        values = values if len(values) == len(games) else values[games]
    return np.stack([values & np.uint64(0xFFFFFFFF), values >> np.uint64(32)], axis=1).astype(WORD)


def seed_list(seeds: Any) -> NDArray[np.uint64]:
    if isinstance(seeds, np.ndarray) and seeds.ndim == 1 and seeds.dtype.kind in "iu":
        return seeds.astype(np.uint64)  # negative ones wrap round
    return np.array([whole(one) % (1 << SEED_BITS) for one in seeds], np.uint64)


def whole(number: Any, what: str = "seed") -> int:
    """Returns a number that must be whole; a float would be another seed than it looks, and True is no number."""
    if not isinstance(number, (bool, np.bool_)):
        try:
            return index(number)
        except TypeError:
            pass
    raise WrongType(f"{quoted(number)} is not a {what}", hint="give a whole number")
