"""Sample settings and answers of Hive Arena, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from botyard.kernel.samples import BotEvent, Samples

ANSWERS: Sequence[Sequence[BotEvent]] = (
    [b"0,1\n"], [b" 0, 1 \n"], [b"0,", b"1\n"], [b"0,1" + 400 * b" " + b"\n"], [3000, b"0,1\n"], [b"0,1\n"], [None],
)  # fmt: skip

SAMPLES = Samples(
    golden={"rows": 7, "cols": 10, "bees_per_player": 3, "flowers_min": 10, "flowers_max": 14, "stall_turns": 40},
    short={"seed": 3, "max_turns": 300, "reply_timeout_ms": 30_000, "name_timeout_ms": 30_000},
    rival="wanderer",
    exported={"max_turns": 12},
    exported_bots=("forager", "wanderer"),
    company={"name_timeout_ms": {"name_timeout_ms": 100}},
    introduction=(300, b"name\n"),
    answers=ANSWERS,
)
