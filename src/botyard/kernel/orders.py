"""This module checks the orders for a batch once, before any device gets them.

Rules take any 32-bit number as an order, but compiled loops trust the shape and the type of their array: they would
read a short one past its end, and silently turn a float or a wider number into another order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from botyard.kernel.arrays import ORDER
from botyard.kernel.errors import WrongType, YardError, quoted

LIMITS = np.iinfo(ORDER)


def checked_orders(given: Any, n: int, seats: int, simultaneous: bool) -> Any:
    """Returns the orders of `n` games: an array that is on a GPU already as it is, anything else as a NumPy array.

    Where one seat acts at a time, one order for each game is enough.
    """
    on_gpu = is_on_gpu(given)
    orders = given if on_gpu else host_array(given, "orders")
    shape, kind = form_of(orders, on_gpu)
    if shape != (n, seats) and (simultaneous or shape != (n,)):
        raise WrongType(f"the orders have the shape {shape}", hint=wanted_orders(n, seats, simultaneous))
    if kind.kind not in "iu":
        raise WrongType(f"the orders have the type {kind}", hint=wanted_orders(n, seats, simultaneous))
    if not np.can_cast(kind, ORDER):
        if on_gpu:  # checking the values would mean waiting for the device
            raise WrongType(f"the orders on the GPU have the type {kind}", hint="convert them to int32")
        check_range(orders)
    return orders


def wanted_orders(n: int, seats: int, simultaneous: bool) -> str:
    shorter = "" if simultaneous else f", or ({n},), one for each game"
    return f"give int32 in the shape ({n}, {seats}), one for each seat of each game{shorter}"


def is_on_gpu(given: Any) -> bool:
    return hasattr(given, "__cuda_array_interface__")


def form_of(array: Any, on_gpu: bool) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Returns the shape and the type of an array, also of one on a GPU, without fetching it."""
    about = array.__cuda_array_interface__ if on_gpu else array.__array_interface__
    return tuple(about["shape"]), np.dtype(about["typestr"])


def host_array(given: Any, what: str) -> Any:
    """Returns lists, NumPy arrays and whatever converts to those as a NumPy array."""
    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise WrongType(f"the {what} cannot be made an array", hint=quoted(str(error))) from None


def check_range(orders: Any) -> None:
    for value in (int(orders.min()), int(orders.max())):
        if not LIMITS.min <= value <= LIMITS.max:
            raise YardError(f"an order is {value}", hint=f"orders go from {LIMITS.min} to {LIMITS.max}")
