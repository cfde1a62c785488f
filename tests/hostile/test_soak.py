"""Game after game of Hive Arena between a hostile bot drawn at random and a house bot.

A few games here; `make soak` plays 200 of them (BOTYARD_SOAK is how many).
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
from pathlib import Path

from botyard.kernel.verdict import Verdict
from tests.hostile.aftermath import memory_kb, nothing_left
from tests.hostile.catalogue import CATALOGUE
from tests.hostile.test_hostile import SETTINGS, need_level, play, play_once_before

GAMES = int(os.environ.get("BOTYARD_SOAK", "10"))
WARM_UP = 5  # games after which memory must not grow any more
GROWTH_KB = 16 * 1024


def settled_kb() -> int:
    """What is held when nothing is kept that was given back: how the allocator fares is not our affair."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return memory_kb("VmRSS")


def test_the_house_bot_never_pays_for_its_rivals(tmp_path: Path) -> None:
    need_level("caged")
    play_once_before("hive")
    draw = random.Random(GAMES)
    hostile_bots = [hostile for hostile in CATALOGUE if "hive" in hostile.links and not hostile.twins]
    limit_ms = SETTINGS["hive"]["reply_timeout_ms"]
    held_kb = 0
    with nothing_left():
        for number in range(GAMES):
            expected = draw.choice(hostile_bots).against("hive")
            played = play(expected, "hive", "caged", tmp_path)
            assert played.outcome is not None, f"{expected.name}: {played.trouble}"
            mine = [turn for turn in played.turns if turn.seat == 1]
            assert {turn.verdict for turn in mine} <= {Verdict.OK}, expected.name
            assert all(turn.ms < limit_ms for turn in mine), expected.name
            assert all(miss.seat == 0 and miss.verdict is not Verdict.HOUSE for miss in played.replay.missed)
            if number == WARM_UP - 1:
                held_kb = settled_kb()
    assert settled_kb() - held_kb < GROWTH_KB
