"""This module checks the orders for a batch once, before any device gets them.

Rules take any 32-bit number as an order, but compiled loops trust the shape and the type of their array: they would
read a short one past its end, and silently turn a float or a wider number into another order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from botyard.kernel.arrays import ORDER
from botyard.kernel.errors import YardError, quoted

LIMITS = np.iinfo(ORDER)


def checked_orders(given: Any, n: int, seats: int, simultaneous: bool) -> Any:
    """Returns the orders of `n` games: an array that is on a GPU already as it is, anything else as a NumPy array.

    Where one seat acts at a time, one order for each game is enough.
    """
    on_device = hasattr(given, "__cuda_array_interface__")
    orders = given if on_device else host_array(given)
    about = given.__cuda_array_interface__ if on_device else orders.__array_interface__
    shape, kind = tuple(about["shape"]), np.dtype(about["typestr"])
    if shape != (n, seats) and (simultaneous or shape != (n,)):
        shorter = "" if simultaneous else f", or ({n},) with one for each game"
        raise YardError(
            f"the orders have the shape {shape}",
            hint=f"it must be ({n}, {seats}), one for each seat of each game{shorter}",
        )
    if kind.kind not in "iu":
        raise YardError(f"the orders have the type {kind}", hint="give whole numbers, preferably as int32")
    if not np.can_cast(kind, ORDER):
        if on_device:  # checking the values would mean waiting for the device
            raise YardError(f"the orders on the GPU have the type {kind}", hint="convert them to int32")
        check_range(orders)
    return orders


def host_array(given: Any) -> Any:
    """Returns lists, NumPy arrays and whatever converts to those as a NumPy array."""
    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise YardError("the orders cannot be made an array", hint=quoted(str(error))) from None


def check_range(orders: Any) -> None:
    for value in (int(orders.min()), int(orders.max())):
        if not LIMITS.min <= value <= LIMITS.max:
            raise YardError(f"an order is {value}", hint=f"orders go from {LIMITS.min} to {LIMITS.max}")
