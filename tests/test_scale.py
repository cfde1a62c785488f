"""The page about scale has the tables that its model makes of what was measured."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from botyard.games import OWN_GAMES
from botyard.games.starters import all_starters

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def model() -> ModuleType:
    spec = importlib.util.spec_from_file_location("scale_model", ROOT / "bench" / "scale_model.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_tables_of_the_model(model: ModuleType) -> None:
    page, figures = (ROOT / "docs" / "scale.md").read_text(), json.loads(model.FIGURES.read_text())
    for make in model.TABLES:
        assert make(figures) in page, f"print {make.__name__} again: python bench/scale_model.py"


def test_every_assumption_stands_on_the_page_as_a_number(model: ModuleType) -> None:
    page = (ROOT / "docs" / "scale.md").read_text()
    section = page.split("## Assumed")[1].split("## The model")[0]
    given = model.ScaleAssumptions()
    for name in given.__slots__:
        assert f"{getattr(given, name):g}" in section, name


def test_every_starter_was_measured(model: ModuleType) -> None:
    measured = {(one["game"], one["language"]) for one in json.loads(model.FIGURES.read_text())["games"]}
    assert measured >= {(one.game, one.language) for one in all_starters() if one.game in OWN_GAMES}


def test_twice_the_bots_want_twice_the_cores(model: ModuleType) -> None:
    figures = model.ScaleFigures.of(json.loads(model.FIGURES.read_text()))
    one, two = model.SiteNeeds(1000, figures), model.SiteNeeds(2000, figures)
    assert two.game_cores == pytest.approx(2 * one.game_cores)
    assert two.choosing_cores == pytest.approx(4 * one.choosing_cores), "each choice looks at twice the entries"
