"""Sample settings of New game, for tests."""

from __future__ import annotations

from botyard.kernel.samples import Samples

SAMPLES = Samples(golden={"rows": 4, "cols": 5, "coins": 3, "sight": 3, "ticks": 20})
