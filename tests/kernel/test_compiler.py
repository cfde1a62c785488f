"""Which compiler is used: our own where a trial says that it works with this Numba, else Numba's plain one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from botyard.kernel import cache, compiler, parts, rule
from botyard.kernel.compiler import compile_plainly, compile_rule, parts_work, way
from botyard.kernel.errors import YardError

LOCK = Path(__file__).parents[2] / "requirements.lock"

OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home where nothing was compiled or tried out yet, and nobody has chosen a compiler."""
    monkeypatch.setenv("BOTYARD_CACHE", str(tmp_path))
    monkeypatch.delenv("BOTYARD_COMPILER", raising=False)
    cache.usable_home.cache_clear()
    way.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    cache.usable_home.cache_clear()
    way.cache_clear()


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    sentences: list[str] = []
    monkeypatch.setattr(cache, "announce", sentences.append)
    return sentences


def squared(number: int) -> int:
    return number * number


def compiled_by_numba_itself(function: Any) -> bool:
    return not isinstance(function._cache, parts.QuickCache)


def test_a_compiler_can_be_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("parts", "plain"):
        monkeypatch.setenv("BOTYARD_COMPILER", name)
        way.cache_clear()
        assert way() == name
        made: Any = compile_rule(squared, boundscheck=False)
        assert compiled_by_numba_itself(made) == (name == "plain")
    monkeypatch.setenv("BOTYARD_COMPILER", "gcc")
    way.cache_clear()
    with pytest.raises(YardError, match="BOTYARD_COMPILER is 'gcc': use parts or plain, or leave it unset"):
        way()


@pytest.mark.parametrize("mode", ["compiled", "checked"])
def test_bounds_are_checked_in_one_mode_alone(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule, "MODE", mode)
    made: Any = rule.compiled(squared)
    assert made.targetoptions["boundscheck"] == (mode == "checked")


def test_the_trial_is_made_once_and_its_answer_kept(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    answers = iter([True])
    monkeypatch.setattr(compiler, "parts_work", lambda: next(answers))
    assert way() == "parts"
    way.cache_clear()
    assert way() == "parts"
    assert said == []


def test_where_the_trial_fails_rules_are_compiled_plainly_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.delattr(parts, "EntryCompiler")  # as if Numba had none to derive it from
    assert way() == "plain"
    way.cache_clear()
    assert way() == "plain"
    assert compiled_by_numba_itself(compile_rule(squared, boundscheck=False))
    assert len(said) == 1
    assert f"Botyard's compiler does not support Numba {numba.__version__}" in said[0]


def test_our_compiler_works_with_the_numba_that_is_locked() -> None:
    if f"\nnumba=={numba.__version__} " not in LOCK.read_text():
        pytest.skip("this is another Numba")
    assert parts_work()


@pytest.mark.parametrize("failing", [RuntimeError("another inside"), AssertionError()])
def test_whatever_the_trial_raises_is_a_no(monkeypatch: pytest.MonkeyPatch, failing: Exception) -> None:
    def fail(*args: Any) -> None:
        raise failing

    monkeypatch.setattr(parts.EntryLibrary, "serialize_using_object_code", fail)
    assert not parts_work()


def test_machine_code_that_gives_other_results_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "TRIAL_SUM", compiler.TRIAL_SUM + 1)
    assert not parts_work()


def test_machine_code_that_is_not_found_again_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.QuickCache, "load_overload", lambda *args: None)
    assert not parts_work()


def test_the_trial_leaves_nothing_behind(home: Path) -> None:
    parts_work()
    assert list(home.iterdir()) == []


def test_a_plainly_compiled_rule_is_kept_where_ours_are_and_found_again(home: Path) -> None:
    made: Any = compile_plainly(squared, OPTIONS)
    assert made(7) == 49
    assert [path.parent.name for path in home.rglob("*squared*.nbc")] == [__name__]
    again: Any = compile_plainly(squared, OPTIONS)
    assert again(7) == 49
    assert sum(again.stats.cache_hits.values()) == 1


def test_a_plainly_compiled_rule_runs_where_there_is_no_room_to_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = compile_plainly(squared, OPTIONS)

    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert made(3) == 9


def test_a_plainly_compiled_rule_calls_another_with_numbers_of_any_width() -> None:
    square: Any = compile_plainly(squared, OPTIONS)

    def outer(small: Any) -> int:
        return int(square(small[0]) - square(small[1]))

    called: Any = compile_plainly(outer, OPTIONS)
    assert called(np.array([3, 100], np.int8)) == 9 - 10000


def test_a_plainly_compiled_rule_takes_records_that_begin_alike_without_a_word_from_numba(home: Path) -> None:
    def first_cell(record: Any) -> int:
        return int(record.cell)

    first: Any = compile_plainly(first_cell, OPTIONS)

    def first_of(records: Any) -> int:
        return int(first(records[0]))

    called: Any = compile_plainly(first_of, OPTIONS)
    short = np.array([(7,)], [("cell", "i8")])
    long = np.array([(8, 1)], [("cell", "i8"), ("lives", "i8")])
    assert called(short) == 7
    assert called(long) == 8  # a warning would be an error here
