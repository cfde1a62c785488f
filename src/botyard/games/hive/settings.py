"""The settings of Hive Arena (specification 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from botyard.kernel.errors import SettingsError
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings, setting

LARGEST_SIDE = 180  # on a board of this size the number of flowers still fits into 15 bits
MOST_BEES = 25  # a drawing names bees by the letters A to Y


@dataclass(frozen=True, kw_only=True)
class HiveSettings(Settings):
    rows: int = setting(25, "rows of the board", at_least=3, at_most=LARGEST_SIDE)
    cols: int = setting(30, "columns of the board", at_least=4, at_most=LARGEST_SIDE)
    bees_per_player: int = setting(
        5, "bees of each player, an odd number; they start on the middle rows", at_least=1, at_most=MOST_BEES
    )
    hive_inset: int = setting(1, "column of hive 0; hive 1 is at the same distance from the other edge", at_least=0)
    bee_inset: int = setting(2, "start column of the bees of player 0; mirrored for player 1", at_least=0)
    flowers_min: int = setting(30, "fewest flowers at the start", at_least=0)
    flowers_max: int = setting(40, "most flowers at the start", at_least=0)
    view_distance: int = setting(3, "how far a bee sees; its view is a square of side 2·d + 1", at_least=1, at_most=20)
    carry_fail_sides: int = setting(
        3, "a move with a flower fails with chance 1 in this (when draw(this) = 0); 0: never", at_least=0
    )
    guard_sides: int = setting(2, "a guard succeeds with chance 1 in this (when draw(this) = 0)", at_least=1)
    stall_turns: int = setting(1000, "turns without a point after which the closing phase begins", at_least=1)
    stall_latched: bool = setting(True, "the closing phase, once begun, lasts until the end")
    max_turns: int = setting(0, "the game stops after this many turns; 0: no limit", at_least=0)
    random_seats: bool = setting(
        True, "player 0 is drawn at random; false: the bots keep the order in which they were given"
    )
    rng: str = setting("default", "random number generator", choices=("default", "glibc_rand_r"))
    line_framing: str = setting(
        "stream", "stream: bytes up to a newline; packet: one read must hold a whole line", group="wire",
        choices=("stream", "packet"),
    )  # fmt: skip
    command_syntax: str = setting(
        "lenient", "lenient: whatever the original program can read; strict: digit, comma, digit", group="wire",
        choices=("lenient", "strict"),
    )  # fmt: skip
    max_line_bytes: int = setting(200, "longest line from a bot, newline included", group="wire", at_least=8)
    reply_timeout_ms: int = setting(
        2000, "time for one answer, from the sending of the view", group="clock", at_least=1
    )
    name_timeout_ms: int = setting(2000, "time for the name line, from the connection", group="clock", at_least=1)
    connect_timeout_ms: int = setting(
        0, "how long to wait for a bot to connect; 0: no limit", group="clock", at_least=0
    )
    port: int = setting(8000, "TCP port for bots that connect by themselves", group="match", at_least=0, at_most=65535)

    CONNECTING: ClassVar[str] = "connect_timeout_ms"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "document": {},
        "program": {
            "flowers_max": 39,
            "stall_latched": False,
            "rng": "glibc_rand_r",
            "line_framing": "packet",
        },
    }

    @property
    def habits(self) -> Habits:
        return Habits(port=self.port, hides=True)

    def with_fixed_seats(self) -> Self:
        return replace(self, random_seats=False)

    def check(self) -> None:
        if self.bees_per_player % 2 == 0:
            raise SettingsError("bees_per_player", got=self.bees_per_player, hint="must be an odd number")
        if self.bees_per_player > self.rows:
            hint = f"must not be above rows ({self.rows}): each bee starts on a row of its own"
            raise SettingsError("bees_per_player", got=self.bees_per_player, hint=hint)
        half = self.cols // 2 - 1
        for key in ("hive_inset", "bee_inset"):
            if getattr(self, key) > half:
                raise SettingsError(
                    key, got=getattr(self, key), hint=f"must be at most {half} with {self.cols} columns"
                )
        if self.hive_inset == self.bee_inset:
            raise SettingsError("bee_inset", got=self.bee_inset, hint="must differ from hive_inset")
        if self.flowers_min > self.flowers_max:
            hint = f"must not be above flowers_max ({self.flowers_max})"
            raise SettingsError("flowers_min", got=self.flowers_min, hint=hint)
        free = self.rows * self.cols - 2 - 2 * self.bees_per_player
        if self.flowers_max > free:
            raise SettingsError(
                "flowers_max", got=self.flowers_max, hint=f"must be at most {free}, the number of free cells"
            )


SETTINGS = HiveSettings
