"""The bench measures something, whatever the speed of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import load
from botyard.kernel.errors import YardError
from botyard.sim import bench


def test_every_figure_is_filled_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.02)
    monkeypatch.setattr(bench, "BATCH", 64)
    monkeypatch.setattr(bench.cost, "__defaults__", (100,))
    yardstick = tmp_path / "other.py"
    yardstick.write_text(
        "import time\nimport numpy as np\nSTATE = np.dtype([('x', 'u1')])\n"
        "def reset_at(states, at, seed): pass\ndef play_one(states, out, turns): time.sleep(0.001)\n"
    )
    figures = bench.measure(load("hive"), yardstick)
    assert figures.bytes_per_game == 1176
    for value in (figures.one_thread, figures.all_cores, figures.batch_step, figures.call_us, figures.copy_us):
        assert value > 0
    assert figures.yardstick
    assert figures.ratio == pytest.approx(figures.one_thread / figures.yardstick)
    assert figures.mean_game > 500


def test_a_missing_yardstick_is_told(tmp_path: Path) -> None:
    with pytest.raises(YardError, match="no yardstick"):
        bench.load_yardstick(tmp_path / "none.py")
