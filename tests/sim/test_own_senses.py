"""Senses of a user's own are looked through before anything is compiled: what is wrong is said in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import botyard
from botyard.games import load
from botyard.kernel.rule import INTERPRETED, rule
from botyard.kernel.senses import SensedNumber
from botyard.sim.drill import Drill

GAME = "hive"
NAME = "senses_of_somebody"


@rule
def sense(arena: Any, view: Any, memory: Any, row: int, col: int) -> int:
    return 0


@rule
def numbers(arena: Any, view: Any, memory: Any, out: Any) -> None:
    out[0] = 0


def plain(*arguments: Any) -> int:
    return 0


@pytest.fixture
def senses() -> Iterator[Any]:
    """A module with everything that senses need."""
    module: Any = ModuleType(NAME)
    module.CODES, module.NUMBERS = ("nothing",), (SensedNumber("none", 0, 0, "always 0"),)
    module.sense_shape, module.sense, module.numbers = lambda arena: (1, 1), sense, numbers
    sys.modules[NAME] = module
    yield module
    del sys.modules[NAME]


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("sense", plain, f"{NAME}.sense is not a rule: mark it"),
        ("worth", plain, f"{NAME}.worth is not a rule: mark it"),
        ("CODES", (), f"{NAME}.CODES explains 0 codes: a cell has one of 1 to 256"),
        ("CODES", ("code",) * 257, f"{NAME}.CODES explains 257 codes"),
        ("NUMBERS", (SensedNumber("far", 0, 99_999, ""),), f"{NAME}.NUMBERS has far from 0 to 99999"),
        ("NUMBERS", (SensedNumber("odd", 2, 1, ""),), f"{NAME}.NUMBERS has odd from 2 to 1"),
        ("sense_shape", lambda arena: (0, 3), f"{NAME}.sense_shape returns 0 rows and 3 columns"),
    ],
)
def test_senses_that_cannot_serve_are_refused(senses: Any, part: str, value: Any, told: str) -> None:
    setattr(senses, part, value)
    if INTERPRETED and value is plain:
        pytest.skip("interpreted rules are plain functions")
    with pytest.raises(botyard.YardError, match=told):
        Drill(GAME, senses=senses)


def test_parts_that_are_missing_are_named(senses: Any) -> None:
    del senses.CODES, senses.numbers
    with pytest.raises(botyard.YardError, match=f"the senses {NAME} lack CODES, numbers"):
        Drill(GAME, senses=senses)


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(botyard.YardError, match="there is no module senses_of_nobody: a module is named as"):
        Drill(GAME, senses="senses_of_nobody")


def test_what_a_module_misses_itself_is_told_as_python_does(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needy_senses.py").write_text("import package_of_nobody\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="package_of_nobody"):
        Drill(GAME, senses="needy_senses")


def test_the_senses_of_a_game_can_be_named() -> None:
    assert Drill(GAME, senses="botyard.games.hive.senses").senses is load(GAME).senses
