"""Sample settings and answers of Snake Battle, for tests."""

from __future__ import annotations

from botyard.games.snakebattle.map.alphabet import MAP_ROWS
from botyard.kernel.samples import Samples

SMALL_MAP = "☼☼☼☼☼☼☼☼☼\n☼#○  ®  ☼\n☼☼    ○ ☼\n☼# ●©   ☼\n☼☼  ○   ☼\n☼☼ $  ○ ☼\n☼#    ® ☼\n☼☼  ●   ☼\n☼☼☼☼☼☼☼☼☼"

SAMPLES = Samples(
    golden={
        "rounds_players_per_room": 3,
        "rounds_time": 25,
        "rounds_time_before_start": 2,
        "rounds_min_ticks_for_win": 3,
        "rounds_per_match": 2,
        "level_map": SMALL_MAP,
    },
    short={"seed": 3, "rounds_per_match": 1, "rounds_time": 60, "tick_ms": 30_000},
    rival="original",
    exported={"max_ticks": 9},
    exported_bots=("greedy", "original"),
    interpreted_ticks=40,
    other_texts={"level_map": "".join(MAP_ROWS).replace(" ", "☼", 1)},
    answers=([b"RIGHT"], [b"UP" + 1500 * b" "], [1500, b"LEFT"]),
)
