"""The settings of BattleBots (specification 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from botyard.kernel.errors import SettingsError
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings, setting

LARGEST_SIDE = 100  # coordinates are single bytes, and a drawing should still be readable
FASTEST = 100  # no projectile needs more steps than the largest board has squares in a row
# A round deals less than 2**31 points even if every projectile of the largest board goes off at once.
MOST_DAMAGE = 10_000
MOST_HP = 1_000_000
LONGEST_TEXT = 128 * 1024 - 1  # bytes: the arena is one argument of a command line, and Linux allows no longer ones
SHOT, MINE = "B x={} y={} dir=SE\n", "L x={} y={}\n"  # lines of the arena (6)


@dataclass(frozen=True, kw_only=True)
class BattlebotsSettings(Settings):
    width: int = setting(10, "columns of the board", at_least=1, at_most=LARGEST_SIDE)
    height: int = setting(10, "rows of the board", at_least=1, at_most=LARGEST_SIDE)
    min_coordinate: int = setting(0, "smallest x and y that bots and weapons can use", at_least=0, at_most=LARGEST_SIDE)
    start_inset: int = setting(
        1,
        "bot 1 starts at (inset, inset); bot 2 starts at the same distance from the opposite corner",
        at_least=0,
        at_most=LARGEST_SIDE,
    )
    start_hp: int = setting(10, "hit points at the start", at_least=1, at_most=MOST_HP)
    rounds_per_bout: int = setting(1000, "rounds after which a bout ends", at_least=1)
    bullet_speed: int = setting(3, "squares that a bullet flies in a round", at_least=1, at_most=FASTEST)
    bullet_damage: int = setting(1, "hit points lost by a bot that a bullet hits", at_least=0, at_most=MOST_DAMAGE)
    missile_speed: int = setting(2, "squares that a missile flies in a round", at_least=1, at_most=FASTEST)
    missile_damage: int = setting(2, "hit points lost by a bot that a missile hits", at_least=0, at_most=MOST_DAMAGE)
    missile_splash: int = setting(
        1, "hit points lost by a bot next to an exploding missile", at_least=0, at_most=MOST_DAMAGE
    )
    missile_wall_splash: bool = setting(True, "a missile explodes at the edge")
    wall_splash_per_step: bool = setting(False, "at the edge a missile explodes once for every step it had left")
    mine_damage: int = setting(2, "hit points lost by a bot on an exploding mine", at_least=0, at_most=MOST_DAMAGE)
    mine_splash: int = setting(1, "hit points lost by a bot next to an exploding mine", at_least=0, at_most=MOST_DAMAGE)
    mine_under_bot_explodes_now: bool = setting(True, "a mine laid on the enemy's square goes off at once")
    spent_mines_linger: bool = setting(
        False, "a mine that another one set off still does damage until the next mine check"
    )
    emp_rounds: int = setting(2, "rounds without movement after a pulse", at_least=0)
    emp_cost: int = setting(1, "hit points lost by the bot that sets off a pulse", at_least=0, at_most=MOST_DAMAGE)
    emp_both_pay: bool = setting(True, "both bots pay when both set off a pulse; false: only bot 1 pays")
    walk_into_projectile_hits: bool = setting(False, "a projectile on the square of a bot hits it after all have moved")
    show_mines: bool = setting(True, "bots are told where mines lie")
    strict_spacing: bool = setting(
        True, "an answer has exactly one space between weapon and direction; false: any white space", group="wire"
    )
    max_output_bytes: int = setting(
        65536, "longest answer that a bot may write, in bytes; 0: no limit", group="wire", at_least=0
    )
    move_timeout_ms: int = setting(2000, "time for one answer; 0: no limit", group="clock", at_least=0)
    bouts_per_match: int = setting(5, "bouts of a match; all of them are played", group="match", at_least=1)
    swap_sides: bool = setting(False, "the bots take turns at being bot 1", group="match")
    on_bot_failure: str = setting(
        "no_action", "after a crash, a bad exit status or a time-out; abort: no result (in a contest a forfeit)",
        group="match", choices=("no_action", "abort"),
    )  # fmt: skip

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "document": {},
        "program": {
            "min_coordinate": 1,
            "missile_damage": 3,
            "wall_splash_per_step": True,
            "mine_under_bot_explodes_now": False,
            "spent_mines_linger": True,
            "emp_both_pay": False,
            "show_mines": False,
            "strict_spacing": False,
            "max_output_bytes": 0,
            "move_timeout_ms": 0,
            "on_bot_failure": "abort",
        },
    }

    @property
    def habits(self) -> Habits:
        return Habits(
            failure_ends_the_game=self.on_bot_failure == "abort",
            hides=not self.show_mines or self.spent_mines_linger,  # nobody is ever told of a spent mine (10.4)
        )

    def check(self) -> None:
        shorter = min(self.width, self.height)
        if self.min_coordinate >= shorter:
            hint = f"must be below the shorter side ({shorter}); otherwise no square is usable"
            raise SettingsError("min_coordinate", got=self.min_coordinate, hint=hint)
        last = shorter - 1 - self.min_coordinate
        if not self.min_coordinate <= self.start_inset <= last:
            hint = f"must be from {self.min_coordinate} to {last}, so that both bots start on usable squares"
            if last < self.min_coordinate:
                hint = f"enlarge the board: no inset puts both bots on usable squares of {self.width} × {self.height}"
            raise SettingsError("start_inset", got=self.start_inset, hint=hint)
        if self.width == self.height == 2 * self.start_inset + 1:
            raise SettingsError(
                "start_inset",
                got=self.start_inset,
                hint="choose another inset: the bots would start on the same square",
            )
        if self.longest_text > LONGEST_TEXT:
            # With more mines the other bot could not be started any more, and would lose its moves.
            hint = f"lower it: the arena with that many mines would exceed {LONGEST_TEXT} bytes, the longest argument"
            raise SettingsError("rounds_per_bout", got=self.rounds_per_bout, hint=hint)

    @property
    def longest_text(self) -> int:
        """Counts the bytes of the longest arena that can occur: mines on all squares, and as many shots as can fly."""
        bots = len(f"Y hp={self.start_hp}\n") * 2
        flight = max(self.width, self.height) // min(self.bullet_speed, self.missile_speed) + 1
        shots = 2 * flight * len(SHOT.format(self.width - 1, self.height - 1))
        columns, rows = range(self.min_coordinate, self.width), range(self.min_coordinate, self.height)
        digits = sum(len(str(x)) for x in columns) * len(rows) + sum(len(str(y)) for y in rows) * len(columns)
        all_mines = len(columns) * len(rows) * len(MINE.format("", "")) + digits
        laid = 2 * self.rounds_per_bout * len(MINE.format(self.width - 1, self.height - 1))
        mines = min(all_mines, laid) if self.show_mines else 0
        return (self.width + 1) * self.height + bots + shots + mines


SETTINGS = BattlebotsSettings
