"""A bot that takes all memory is told so on every link, also where it never spoke and its original notices nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from botyard.games import load
from botyard.jail.cgroups import cgroups_hold
from botyard.jail.limits import Limits
from botyard.kernel.verdict import Verdict
from botyard.links.cage_policy import CagePolicy
from botyard.match.replay import Missed
from tests.links.matches import play_match, rival_of
from tests.waiting import finished

pytestmark = pytest.mark.skipif(not cgroups_hold("memory"), reason="no control group holds the memory here")

HOG = "x = []\nwhile True: x.append(bytearray(1 << 24))\n"
CHILD = f"import subprocess, sys, time\nsubprocess.run([sys.executable, '-c', {HOG!r}])\ntime.sleep(600)\n"


def first_miss(game: str, spec: str, **settings: Any) -> Missed:
    chosen, little = load(game).settings.read(settings).seated(2), CagePolicy(limits=Limits(memory_mb=100))
    return finished(play_match(game, [spec, rival_of(game)], chosen, policy=little, enough=bool)).replay.missed[0]


LINKS: dict[str, tuple[str, dict[str, Any]]] = {
    "process": ("hackman", {"timebank_ms": 3000}),
    "process whose end nobody notices": ("hackman", {"timebank_ms": 3000, "preset": "program"}),
    "TCP": ("snakepit", {"server_timeout": 3}),
    "WebSocket": ("snakebattle", {}),
}
CASES = [
    pytest.param(source, *LINKS[link], id=f"{who}, {link}")
    for who, source in (("itself", HOG), ("a child", CHILD))
    for link in LINKS
    if (who, link) != ("a child", "WebSocket")  # its parent has a minute to connect
]


@pytest.mark.parametrize(("source", "game", "settings"), CASES)
def test_who_takes_all_memory_at_its_start_is_told_so(
    tmp_path: Path, source: str, game: str, settings: dict[str, Any]
) -> None:
    (tmp_path / "hog.py").write_text(source)
    miss = first_miss(game, f"cmd:python3 {tmp_path}/hog.py", **settings)
    assert miss.verdict is (Verdict.SILENT if settings.get("preset") else Verdict.MEMORY)
    assert "used more than 100 MB of memory" in miss.reason
    assert "flush" not in miss.reason
