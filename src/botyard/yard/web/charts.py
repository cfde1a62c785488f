"""Charts are drawn by the server, as SVG without styles or scripts of its own; a table beside each tells the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from botyard.yard.bots.history import RatingPoint

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 22, 26
POINTS = 360  # that are drawn: every second pixel
MARGIN = 1.96  # of a rating, as the ladder's table has it: it lies within in 95 of 100 cases
MARKS = 24  # uploads that are named; more would stand on each other
TICKS = 4


def rating_chart(points: Sequence[RatingPoint], title: str) -> Markup:
    """Returns the rating over the pairs played, with its margin, and a mark wherever another version begins."""
    frame = ChartFrame(points)
    shown = thinned(points)
    area = " ".join([*(frame.at(n, p.mu + MARGIN * p.sigma) for n, p in shown),
                     *(frame.at(n, p.mu - MARGIN * p.sigma) for n, p in reversed(shown))])  # fmt: skip
    line = " ".join(frame.at(number, point.mu) for number, point in shown)
    last = points[-1]
    return Markup(
        '<svg viewBox="0 0 {w} {h}" role="img" aria-label="{title}">{grid}'
        '<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>{marks}'
        '<circle class="now" cx="{x}" cy="{y}" r="4"/></svg>'
    ).format(
        w=WIDTH, h=HEIGHT, title=title, grid=grid_of(frame), area=area, line=line, marks=marks_of(frame, points),
        x=frame.x(len(points) - 1), y=frame.y(last.mu),
    )  # fmt: skip


class ChartFrame:
    """Where things lie in a chart: pairs from left to right, ratings upwards."""

    def __init__(self, points: Sequence[RatingPoint]) -> None:
        self.count = len(points)
        low = min(point.mu - MARGIN * point.sigma for point in points)
        high = max(point.mu + MARGIN * point.sigma for point in points)
        self.step = nice_step((high - low) / TICKS)
        self.low, self.high = math.floor(low / self.step) * self.step, math.ceil(high / self.step) * self.step

    def x(self, number: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, self.count - 1):.1f}"

    def y(self, value: float) -> str:
        return f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.low) / (self.high - self.low):.1f}"

    def at(self, number: int, value: float) -> str:
        return f"{self.x(number)},{self.y(value)}"


def nice_step(wanted: float) -> float:
    """Returns a round number of about this size."""
    power = 10.0 ** math.floor(math.log10(max(wanted, 1e-6)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted)


def thinned(points: Sequence[RatingPoint]) -> list[tuple[int, RatingPoint]]:
    """Returns some of many points, the last one always."""
    every = max(1, len(points) // POINTS)
    chosen = list(range(0, len(points), every))
    return [(number, points[number]) for number in dict.fromkeys([*chosen, len(points) - 1])]


def grid_of(frame: ChartFrame) -> Markup:
    lines = Markup("")
    steps = round((frame.high - frame.low) / frame.step)
    for number in range(steps + 1):
        value = frame.low + number * frame.step
        lines += Markup('<line class="grid" x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>').format(
            LEFT, WIDTH - RIGHT, frame.y(value)
        )
        lines += Markup('<text x="{}" y="{}" dy="4" text-anchor="end">{:g}</text>').format(
            LEFT - 6, frame.y(value), round(value, 6)
        )
    words = "1 pair" if frame.count == 1 else f"{frame.count} pairs"
    return lines + Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(WIDTH - RIGHT, HEIGHT - 8, words)


def marks_of(frame: ChartFrame, points: Sequence[RatingPoint]) -> Markup:
    """Returns a line and a name for every version, where it begins to play."""
    begins = [
        (number, point.version)
        for number, point in enumerate(points)
        if point.version is not None and (number == 0 or points[number - 1].version != point.version)
    ]
    marks = Markup("")
    for number, version in begins[-MARKS:]:
        marks += Markup('<line class="mark" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>').format(
            frame.x(number), TOP, HEIGHT - BOTTOM
        )
        marks += Markup('<text x="{}" y="{}" dx="4">v{}</text>').format(frame.x(number), TOP - 7, escape(version))
    return marks
