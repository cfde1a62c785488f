"""The bar of a running contest fits the screen, and no figure in it is cut."""

from __future__ import annotations

import io
import time

import pytest

from botyard.cli.bar import bar, counting, fitting
from botyard.cli.console import YardConsole
from botyard.contest.runner import News

TITLE = "dir:mybot against house:forager"


class Led(News):
    @property
    def leaders(self) -> list[tuple[str, float]]:
        return [("forager", 0.75), ("mybot", 0.25), ("a-bot-with-quite-a-long-name", 0.0)]


def last_line(monkeypatch: pytest.MonkeyPatch, width: int) -> str:
    """What a terminal of this width shows at the end."""
    screen = YardConsole()
    screen.file, screen.width = io.StringIO(), width
    screen._force_terminal, screen.is_interactive, screen._color_system = True, True, None
    monkeypatch.setattr("botyard.cli.bar.errors", screen)
    with bar(TITLE, quiet=False) as watch:
        watch(Led(120, 0, 1000, began=time.monotonic() - 10))
    drawn = [line for line in screen.file.getvalue().split("\x1b[2K") if "games/s" in line]
    assert len(drawn[-1].strip().splitlines()[0]) <= width
    return drawn[-1]


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(TITLE, quiet=False) as watch, counting("checking", 2, quiet=False) as advance:
        watch(Led(120, 0, 1000, began=time.monotonic() - 10))
        advance()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("width", "leaders"), [(68, 0), (80, 1), (100, 2), (140, 3)])
def test_the_figures_are_whole_and_as_many_leaders_are_named_as_fit(
    monkeypatch: pytest.MonkeyPatch, width: int, leaders: int
) -> None:
    line = last_line(monkeypatch, width)
    assert "dir:mybot against house…" in line
    assert line.count("…") == 1
    assert "120/1000" in line.replace(" ", "")
    assert line.count(" %") == leaders


def test_no_leader_is_named_by_half() -> None:
    assert fitting(["anna 50 %", "ben 40 %"], 19) == "anna 50 %, ben 40 %"
    assert fitting(["anna 50 %", "ben 40 %"], 18) == "anna 50 %"
    assert fitting(["anna 50 %"], 8) == ""
