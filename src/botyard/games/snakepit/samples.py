"""Sample settings and answers of Snakepit, for tests."""

from __future__ import annotations

from botyard.kernel.samples import Samples

SAMPLES = Samples(
    golden={"snakes": 5, "width": 8, "height": 7, "initial_len": 0, "tick_timeout": 30},
    short={"seed": 11, "width": 16, "height": 16, "client_timeout": 30, "server_timeout": 60},
    rival="beeline",
    exported_bots=("careful", "beeline"),
    interpreted_ticks=40,
    other_texts={
        "results_file": "other.txt",
        "host": "127.0.0.2",
        "pellet_color": "RED",
        "bg_color": "1,2,3",
        "info_color": "GREEN",
    },
    company={"swap_board_axes": {"height": 50}, "match_length": {"best_of": 2}},
    answers=([b"u"], [b"lrd"], [], [b"x"], [4000, b"u"], [b"u"], [b"\n"]),
)
