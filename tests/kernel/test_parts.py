"""How rules are compiled: into what calls them, once for integers of all widths, and found on disk again."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite import binding as untyped
from numba.core import types

from botyard.kernel import cache
from botyard.kernel.compiler import parts_work
from botyard.kernel.parts import compile_in_parts, widened
from botyard.kernel.rule import hidden

literal: Any = types.literal  # type checkers know too little of these
binding: Any = untyped

OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}
CHECKED = {**OPTIONS, "boundscheck": True}

pytestmark = pytest.mark.skipif(not parts_work(), reason="parts and entries need a newer Numba than this")


def doubled(number: int) -> int:
    return 2 * number


def picked(numbers: Any, at: int) -> int:
    return int(numbers[at])


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where rules of these tests are kept."""
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path)
    return tmp_path


def kept(folder: Path) -> set[str]:
    """The rules whose machine code is on disk."""
    return {path.name.split("-")[0].split(".")[-1] for path in folder.rglob("*.nbc")}


@pytest.mark.usefixtures("rules")
def test_a_rule_is_a_part_only_once_whatever_integers_it_is_called_with() -> None:
    twice: Any = compile_in_parts(doubled, OPTIONS)

    def outer(small: Any, large: Any) -> int:
        return int(twice(small[0]) + twice(number=large[0]) + twice(3) + twice(4))

    called: Any = compile_in_parts(outer, OPTIONS)
    assert called(np.array([200], np.uint8), np.array([1000], np.int32)) == 2414
    parts = {id(twice.get_overload(twice.get_call_template((kind,), {})[2])) for kind in (types.uint8, types.int64)}
    assert len(parts) == 1


def test_machine_code_is_made_and_kept_of_what_python_calls(rules: Path) -> None:
    twice: Any = compile_in_parts(doubled, OPTIONS)

    def fourfold(number: int) -> int:
        return int(twice(twice(number)))

    def sixfold(number: int) -> int:
        return int(four(number) + twice(number))

    four: Any = compile_in_parts(fourfold, OPTIONS)
    six: Any = compile_in_parts(sixfold, OPTIONS)
    assert six(7) == 42
    assert (kept(rules), twice.signatures) == ({"sixfold"}, [])
    assert twice(21) == 42
    assert kept(rules) == {"sixfold", "doubled"}
    again: Any = compile_in_parts(doubled, OPTIONS)
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1


@pytest.mark.usefixtures("rules")
def test_a_part_is_linked_though_its_first_caller_stands_behind_a_branch_that_is_never_taken() -> None:
    """LLVM drops the branch, and what only it calls, before anything is linked."""
    twice: Any = compile_in_parts(doubled, OPTIONS)

    def looked_up(numbers: Any, at: int) -> int:  # too long to be written into its callers
        total = 0
        for other in range(len(numbers)):
            total += twice(numbers[other] + at)
        return total

    search: Any = compile_in_parts(looked_up, OPTIONS)

    def never(numbers: Any) -> int:
        return int(search(numbers, 1))

    unused: Any = compile_in_parts(never, OPTIONS)

    def sometimes(record: Any, numbers: Any) -> int:
        return int(unused(numbers)) if record.cells.shape[0] != 3 else 0

    def always(numbers: Any) -> int:
        return int(search(numbers, 2))

    first: Any = compile_in_parts(sometimes, OPTIONS)
    second: Any = compile_in_parts(always, OPTIONS)

    def later(numbers: Any) -> int:
        return int(second(numbers))

    deep: Any = compile_in_parts(later, OPTIONS)

    def outer(records: Any, numbers: Any) -> int:
        return int(deep(numbers) + first(records[0], numbers))

    called: Any = compile_in_parts(outer, OPTIONS)
    assert called(np.zeros(1, [("cells", "u1", (3,))]), np.array([3, 1, 4])) == 28


@pytest.mark.usefixtures("rules")
def test_what_is_kept_of_an_entry_is_machine_code_and_its_names() -> None:
    twice: Any = compile_in_parts(doubled, OPTIONS)
    assert twice(21) == 42
    [made] = twice.overloads.values()
    _, kind, (code, names) = made.library.serialize_using_object_code()
    assert (kind, code[:4]) == ("object", b"\x7fELF")
    stubs = {function.name: function for function in binding.parse_bitcode(names).functions}
    assert not stubs[made.fndesc.llvm_cpython_wrapper_name].is_declaration


@pytest.mark.usefixtures("rules")
def test_a_checked_rule_says_what_went_wrong_in_a_part_of_it() -> None:
    pick: Any = compile_in_parts(picked, CHECKED)

    def outer(numbers: Any, at: int) -> int:
        return int(pick(numbers, at) + 1)

    for found_on_disk in (0, 1):
        called: Any = compile_in_parts(outer, CHECKED)
        assert called(np.array([41]), 0) == 42
        assert sum(called.stats.cache_hits.values()) == found_on_disk
        with pytest.raises(IndexError, match="out of bounds"):
            called(np.array([41]), 1)


def test_only_integers_are_widened() -> None:
    assert {widened(kind) for kind in (types.uint8, types.int32, types.int64, literal(7))} == {types.int64}
    assert widened(types.uint64) == types.uint64
    assert widened(types.boolean) == types.boolean
    assert widened(literal(True)) == types.boolean


@pytest.mark.usefixtures("rules")
def test_a_gpu_is_handed_the_options_it_knows() -> None:
    options = compile_in_parts(doubled, CHECKED).targetoptions
    assert options == {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": True}


def test_a_module_is_hidden_only_from_those_who_do_not_use_it_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with hidden("colorsys"), pytest.raises(ImportError):
        importlib.import_module("colorsys")
    found = importlib.import_module("colorsys")
    with hidden("colorsys"):
        assert importlib.import_module("colorsys") is found
    assert sys.modules["colorsys"] is found
