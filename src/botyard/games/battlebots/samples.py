"""Sample settings and answers of BattleBots, for tests."""

from __future__ import annotations

from botyard.kernel.samples import Samples

SAMPLES = Samples(
    golden={"width": 6, "height": 5, "start_hp": 20},
    short={"seed": 3, "rounds_per_bout": 20, "move_timeout_ms": 30_000},
    rival="gunner",
    exported_bots=("hugger", "nop"),
    answers=([b"x" * 70_000], [b"B  W"]),
)
