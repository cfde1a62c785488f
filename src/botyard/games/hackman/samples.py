"""Sample settings and answers of Hack-man, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from botyard.games.hackman.map.plan import DEFAULT_LAYOUT
from botyard.kernel.samples import BotEvent, Samples

ANSWERS: Sequence[Sequence[BotEvent]] = (
    [b"up\n"], [b"up\ndown\n"], [11_000, b"left\n"], [b"up\n"], [b" \n"], [b"up\n", None], [], [], [], [], [],
)  # fmt: skip

SAMPLES = Samples(
    golden={
        "max_rounds": 50,
        "field_width": 5,
        "field_height": 4,
        "field_layout": ",".join(".....  .x.x.  .....  xx.xx".replace(" ", "")),
        "start_points": "0,0 4,0",
        "bug_spawn_points": "2,3",
        "player_snippet_count": 14,
        "map_snippet_count": 3,
        "map_weapon_count": 2,
        "initial_enemy_count": 1,
        "snippet_spawn_rate": 3,
        "enemy_spawn_rate": 3,
        "weapon_spawn_rate": 2,
    },
    short={"seed": 3, "max_rounds": 60, "timebank_ms": 60_000, "time_per_move_ms": 10_000},
    rival="collector",
    exported={"max_rounds": 5},
    exported_bots=("hunter", "wanderer"),
    other_texts={
        "field_layout": DEFAULT_LAYOUT.replace(".,.", ".,C", 1),
        "start_points": "2,8 17,7",
        "bug_spawn_points": "9,7 8,7 10,7 11,7",
        "chase_start": "0.3",
        "chase_growth": "0.001",
        "chase_growth_total": "0.5",
        "result_file": "result.json",
    },
    company={
        "engine_timeout_ms": {"blank_answer": "abort"},
        "suppress_engine_io": {"debug": True},
        "map_check": {"field_layout": DEFAULT_LAYOUT.replace(".,.", ".,x", 1).replace(".,.,x", ".,x,x", 1)},
        "stream_limit_chars": {"stream_limit_chars": 8},
        "max_timeouts": {"crash_detection": "timeout"},
    },
    answers=ANSWERS,
)
