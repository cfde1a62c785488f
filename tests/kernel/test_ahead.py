"""Records of the next game are fetched ahead: in the compiled loops, and with no trace in the records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard.kernel.ahead import LEAST_BYTES, LINE_BYTES, MOST_BYTES, fetch_ahead
from botyard.kernel.rule import INTERPRETED


def test_nothing_is_changed_by_a_fetch() -> None:
    fetch: Any = fetch_ahead if INTERPRETED else compiled()
    for size in (1, LEAST_BYTES, LEAST_BYTES + LINE_BYTES // 2, MOST_BYTES, MOST_BYTES + 1):
        array = np.arange(3 * size, dtype=np.uint8).reshape(3, size)
        before = array.copy()
        for at in range(3):
            fetch(array, at)
        assert np.array_equal(array, before)


@pytest.mark.skipif(INTERPRETED, reason="an interpreted rule fetches nothing")
def test_a_fetch_is_an_instruction_of_the_processor() -> None:
    fetch = compiled()
    fetch(np.zeros((3, LEAST_BYTES), np.uint8), 1)
    [code] = fetch.inspect_llvm().values()
    assert "call void @llvm.prefetch" in code


def compiled() -> Any:
    import numba

    @numba.njit
    def fetch(array: Any, at: int) -> None:
        fetch_ahead(array, at)

    return fetch
