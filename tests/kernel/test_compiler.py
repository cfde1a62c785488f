"""How rules are compiled: once for integers of all widths, and found on disk again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import types

from botyard.kernel import cache
from botyard.kernel.compiler import compile_rule, widened

literal: Any = types.literal


def doubled(number: int) -> int:
    return 2 * number


def test_a_rule_is_compiled_once_whatever_integers_it_is_called_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "rules_folder", lambda: tmp_path)
    twice: Any = compile_rule(doubled, boundscheck=False)

    def outer(small: Any, large: Any) -> int:
        return int(twice(small[0]) + twice(number=large[0]) + twice(3) + twice(4))

    called: Any = compile_rule(outer, boundscheck=False)
    assert called(np.array([200], np.uint8), np.array([1000], np.int32)) == 2414
    assert [str(kind) for kind in twice.signatures] == ["(int64,)"]
    again: Any = compile_rule(doubled, boundscheck=False)
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1


def test_only_integers_are_widened() -> None:
    assert {widened(kind) for kind in (types.uint8, types.int32, types.int64, literal(7))} == {types.int64}
    assert widened(types.uint64) == types.uint64
    assert widened(types.boolean) == types.boolean
    assert widened(literal(True)) == types.boolean


def test_a_gpu_is_handed_the_options_it_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "rules_folder", lambda: tmp_path)
    options = compile_rule(doubled, boundscheck=True).targetoptions
    assert options == {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": True}
