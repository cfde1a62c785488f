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
    rows: int = setting(25, "board rows", at_least=3, at_most=LARGEST_SIDE)
    cols: int = setting(30, "board columns", at_least=4, at_most=LARGEST_SIDE)
    bees_per_player: int = setting(
        5, "bees per side, an odd number; they start on the middle rows", at_least=1, at_most=MOST_BEES
    )
    hive_inset: int = setting(1, "column of hive 0; hive 1 is as far from the other edge", at_least=0)
    bee_inset: int = setting(2, "start column of the bees of player 0; mirrored for player 1", at_least=0)
    flowers_min: int = setting(30, "fewest flowers at the start", at_least=0)
    flowers_max: int = setting(40, "most flowers at the start, inclusive", at_least=0)
    view_distance: int = setting(3, "the view is a square of side 2·d + 1", at_least=1, at_most=20)
    carry_fail_sides: int = setting(
        3, "a carrying move fails when draw(this) = 0, chance 1 in this; 0: never fails", at_least=0
    )
    guard_sides: int = setting(2, "a guard works when draw(this) = 0, chance 1 in this", at_least=1)
    stall_turns: int = setting(1000, "turns without a point before the game is closed", at_least=1)
    stall_latched: bool = setting(True, "the closing phase, once engaged, stays")
    max_turns: int = setting(0, "safety stop after this many turns; 0: none", at_least=0)
    random_seats: bool = setting(True, "draw who is player 0; false keeps the order in which the bots came")
    rng: str = setting("default", "generator of the draws", choices=("default", "glibc_rand_r"))
    line_framing: str = setting(
        "stream", "stream: bytes up to a newline; packet: one read must hold a whole line", group="wire",
        choices=("stream", "packet"),
    )  # fmt: skip
    command_syntax: str = setting(
        "lenient", "lenient: what the program reads; strict: digit, comma, digit", group="wire",
        choices=("lenient", "strict"),
    )  # fmt: skip
    max_line_bytes: int = setting(200, "longest line from a bot, newline included", group="wire", at_least=8)
    reply_timeout_ms: int = setting(
        2000, "time for one answer, from the sending of the view", group="clock", at_least=1
    )
    name_timeout_ms: int = setting(2000, "time for the name line, from the connection", group="clock", at_least=1)
    connect_timeout_ms: int = setting(
        0, "how long to wait for a bot to connect; 0: for ever", group="clock", at_least=0
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
        return Habits(port=self.port)

    def with_fixed_seats(self) -> Self:
        return replace(self, random_seats=False)

    def check(self) -> None:
        if self.bees_per_player % 2 == 0:
            raise SettingsError("bees_per_player", got=self.bees_per_player, hint="an odd number")
        if self.bees_per_player > self.rows:
            hint = f"not more than rows ({self.rows}); the bees start one to a row"
            raise SettingsError("bees_per_player", got=self.bees_per_player, hint=hint)
        half = self.cols // 2 - 1
        for key in ("hive_inset", "bee_inset"):
            if getattr(self, key) > half:
                raise SettingsError(key, got=getattr(self, key), hint=f"at most {half} with {self.cols} columns")
        if self.hive_inset == self.bee_inset:
            raise SettingsError("bee_inset", got=self.bee_inset, hint="another column than hive_inset")
        if self.flowers_min > self.flowers_max:
            hint = f"must not be above flowers_max ({self.flowers_max})"
            raise SettingsError("flowers_min", got=self.flowers_min, hint=hint)
        free = self.rows * self.cols - 2 - 2 * self.bees_per_player
        if self.flowers_max > free:
            raise SettingsError("flowers_max", got=self.flowers_max, hint=f"only {free} cells are free")


SETTINGS = HiveSettings
