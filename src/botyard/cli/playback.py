"""Whether a film runs, and how fast: the same for replays and for games that are being played."""

from __future__ import annotations

import math

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
NO_LIMIT = math.inf
MOST_OWED_S = 0.25  # a game that was slower than its pace makes up for no more than this


class Playback:
    """Says how many ticks are due. `pace` is in ticks per second at the speed 1×; 0 begins without a limit."""

    def __init__(self, pace: int, usual: int, playing: bool, now: float) -> None:
        self.pace = pace or usual
        self.speeds = SPEEDS if pace else (*SPEEDS, NO_LIMIT)
        self.speed = 1.0 if pace else NO_LIMIT
        self.playing = playing
        self._since = now  # when the last tick was due

    @property
    def rate(self) -> float:
        """Ticks per second."""
        return self.pace * self.speed

    def change_speed(self, steps: int, now: float) -> None:
        at = self.speeds.index(self.speed) + steps
        self.speed = self.speeds[max(0, min(at, len(self.speeds) - 1))]
        self._since = now

    def play(self, playing: bool, now: float) -> None:
        self.playing, self._since = playing, now

    def take_due(self, now: float, most: int) -> int:
        """Returns how many ticks are due by now, at most so many, and counts them as played."""
        if not self.playing or most <= 0:
            return 0
        if self.rate == NO_LIMIT:
            return most
        due = min(int((now - self._since) * self.rate), most)
        self._since = max(self._since + due / self.rate, now - MOST_OWED_S)
        return due

    def next_in(self, now: float) -> float | None:
        """Seconds until the next tick is due; None while nothing runs."""
        if not self.playing:
            return None
        return max(0.0, self._since + 1 / self.rate - now)

    @property
    def words(self) -> str:
        return "no limit" if self.speed == NO_LIMIT else f"{self.speed:g}x"
