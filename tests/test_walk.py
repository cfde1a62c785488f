"""Four ways through the house are really gone; ARCHITECTURE.md has a sentence for every module on them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import RUN_S

ROOT = Path(__file__).parents[1]
PASSES = {
    "a TCP tick": {"links", "match", "games", "kernel"},
    "a batch step": {"kernel"},
    "a contest game": {"contest", "rank", "links", "jail", "match", "games", "kernel"},
    "a room's frame": {"links", "match", "games", "kernel"},
}


@pytest.fixture(scope="module")
def walked() -> dict[str, Any]:
    command = [sys.executable, str(ROOT / "tools" / "walk.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=RUN_S)
    assert done.returncode == 0, done.stderr
    ways: dict[str, Any] = json.loads(done.stdout)
    return ways


def test_every_way_passes_the_folders_it_must(walked: dict[str, Any]) -> None:
    assert walked.keys() == PASSES.keys()
    for name, way in walked.items():
        assert PASSES[name] <= set(way["folders"]), name
        assert way["modules"] == len(way["way"])
        assert way["calls"] >= way["modules"] > 0


def test_every_module_on_a_way_has_its_sentence(walked: dict[str, Any]) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    nameless = {step["module"] for way in walked.values() for step in way["way"] if step["module"] not in text}
    assert nameless == set()
