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


@pytest.mark.parametrize(
    ("way", "loops"),
    [("a TCP tick", {"step_at", "look_at"}), ("a batch step", {"advance"}), ("a room's frame", {"step_at", "look_at"})],
)
def test_a_way_reaches_the_rules_and_has_them_step_once(walked: dict[str, Any], way: str, loops: set[str]) -> None:
    """In one game, that is: a step of a batch is one call for all games of a thread."""
    passed = {step["module"]: step["functions"] for step in walked[way]["way"]}["kernel/loops.py"]
    assert loops <= passed.keys()
    assert passed.get("step_at", 0) + passed.get("advance", 0) == 1
