"""The settings of Hack-man (specification 5 and 7)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from botyard.games.hackman.map.plan import DEFAULT_LAYOUT, MapPlan, require_whole, survey
from botyard.kernel.errors import SettingsError
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings, setting

LARGEST_SIDE = 180
MOST_ROUNDS = 100_000  # the arena has a chase threshold for each round
MOST = 1000  # things that are placed at once
MOST_LOSS = 100_000  # so that many losses in one round still fit into a record
NULL = "null"  # stands for a number that is not given

NUMBERS = ("chase_start", "chase_growth", "chase_growth_total")
POINT_LISTS = ("start_points", "bug_spawn_points")


@dataclass(frozen=True, kw_only=True)
class HackmanSettings(Settings):
    max_rounds: int = setting(200, "last round of the game", at_least=1, at_most=MOST_ROUNDS)
    player_snippet_count: int = setting(0, "snippets each player starts with; they do not count as collected",
                                        at_least=0)  # fmt: skip
    map_snippet_count: int = setting(2, "snippets placed in the set-up", at_least=0, at_most=MOST)
    snippet_spawn_rate: int = setting(8, "snippets are placed in rounds divisible by this", at_least=1)
    snippet_spawn_count: int = setting(1, "how many snippets are placed at a time", at_least=0, at_most=MOST)
    initial_enemy_count: int = setting(0, "bugs spawned in the set-up", at_least=0, at_most=MOST)
    enemy_spawn_delay: int = setting(0, "collected snippets that do not yet count towards new bugs", at_least=0)
    enemy_spawn_rate: int = setting(5, "collected snippets for each new batch of bugs", at_least=1)
    enemy_spawn_count: int = setting(1, "bugs in a batch", at_least=0, at_most=MOST)
    enemy_snippet_loss: int = setting(
        4, "snippets lost by meeting a bug without a weapon", at_least=0, at_most=MOST_LOSS
    )
    map_weapon_count: int = setting(0, "weapons placed in the set-up", at_least=0, at_most=MOST)
    weapon_spawn_delay: int = setting(0, "collected snippets that do not yet count towards new weapons", at_least=0)
    weapon_spawn_rate: int = setting(8, "collected snippets for each new batch of weapons", at_least=1)
    weapon_spawn_count: int = setting(1, "weapons in a batch", at_least=0, at_most=MOST)
    weapon_snippet_loss: int = setting(
        4, "snippets lost by being hit by an armed player; as many are placed on the field", at_least=0, at_most=MOST
    )
    weapon_paralysis_duration: int = setting(
        1, "rounds for which a player who was hit cannot move", at_least=0, at_most=MOST_ROUNDS
    )
    field_width: int = setting(20, "columns", at_least=1, at_most=LARGEST_SIDE)
    field_height: int = setting(14, "rows", at_least=1, at_most=LARGEST_SIDE)
    field_layout: str = setting(
        DEFAULT_LAYOUT,
        "cells row by row, joined by commas: x is a wall, . an open cell, C a snippet and W a weapon from the start",
    )
    start_points: str = setting("2,7 17,7", "start cells of the players, each as x,y")
    bug_spawn_points: str = setting("8,7 9,7 10,7 11,7", "cells where bugs appear, each as x,y; closed to players")
    map_check: bool = setting(True, "refuse maps that have unreachable cells or no way out for bugs")
    chase_start: str = setting("0.2", "chance that a bug chases a player in round 1")
    chase_growth: str = setting(NULL, "growth of this chance per round; null: the next two settings give it")
    chase_growth_total: str = setting(
        "0.8", "growth over the whole game; for bugs of the set-up it is divided by max_rounds"
    )
    chase_reference_rounds: int = setting(200, "what the growth is divided by for all other bugs", at_least=1)
    chase_min_path: int = setting(
        2, "a bug chases only if the path to its prey has at least this many steps", at_least=1
    )
    collision_order: str = setting(
        "kind_first", "kind_first: collisions with bugs, then of players; swap_first: swaps, then shared cells",
        choices=("kind_first", "swap_first"),
    )  # fmt: skip
    clamp_snippets: bool = setting(
        True, "a player who loses more snippets than it has is left with 0; false: the number becomes negative"
    )
    spawn_after_end: bool = setting(True, "bugs and items also appear in the last round")
    score_is_rounds: bool = setting(
        True, "the score in result files is the number of rounds; false: the winner's snippets"
    )
    ask_mode: str = setting(
        "parallel", "parallel: both bots are asked at once; sequential: bot 1 after bot 0", group="wire",
        choices=("parallel", "sequential"),
    )  # fmt: skip
    late_answers: str = setting(
        "discard", "a late line; discard: it is dropped; next_question: it may answer the next question",
        group="wire", choices=("discard", "next_question"),
    )  # fmt: skip
    answer_line: str = setting(
        "first", "which line counts if several arrive at once", group="wire", choices=("first", "last")
    )
    blank_answer: str = setting(
        "invalid", "a blank line; invalid: an invalid move; abort: no result (in a contest a forfeit)",
        group="wire", choices=("invalid", "abort"),
    )  # fmt: skip
    stream_limit_chars: int = setting(
        1_000_000,
        "most characters that a bot may write to standard output, and to standard error",
        group="wire",
        at_least=1,
    )
    timebank_ms: int = setting(10_000, "time bank at the start, and its upper limit", group="clock", at_least=1)
    time_per_move_ms: int = setting(100, "added to the bank after each answer", group="clock", at_least=0)
    max_timeouts: int = setting(2, "time-outs allowed; a bot is stopped at the next one", group="clock", at_least=0)
    settle_ms: int = setting(
        1000, "how long to wait for the line that is still due after a time-out", group="clock", at_least=0
    )
    crash_detection: str = setting(
        "at_once", "when a program has ended; at_once: that is noticed; timeout: its questions time out", group="clock",
        choices=("at_once", "timeout"),
    )  # fmt: skip
    engine_timeout_ms: int = setting(
        10_000, "how long to wait for a match that a blank line has hung (see blank_answer)", group="clock",
        at_least=1,
    )  # fmt: skip
    memory_warning_kb: int = setting(
        200_000, "a bot that uses more memory than this gets a warning, on the screen and in its log in the result",
        group="match", at_least=1,
    )  # fmt: skip
    result_file: str = setting(
        "", "file to which `botyard play` writes the platform's result; empty: none", group="match"
    )
    propagate_bot_exit_code: bool = setting(
        False, "`botyard play` ends with status 1 if a bot's program failed or was stopped", group="match"
    )
    debug: bool = setting(
        False, "`botyard play` writes the replay to game-resultfile.json, and prints the talk with the engine",
        group="match",
    )  # fmt: skip
    suppress_engine_io: bool = setting(False, "with debug: do not print the talk with the engine", group="display")

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "document": {},
        "program": {
            "map_check": False,
            "ask_mode": "sequential",
            "late_answers": "next_question",
            "answer_line": "last",
            "blank_answer": "abort",
            "crash_detection": "timeout",
        },
    }

    @classmethod
    def read(cls, values: Mapping[str, Any] | None = None, preset: str | None = None) -> Self:
        """Reads settings as every game does; numbers with a fraction, null and lists of points need not be texts."""
        return super().read({key: as_text(key, value) for key, value in (values or {}).items()}, preset)

    @property
    def habits(self) -> Habits:
        return Habits(
            asks_in_turn=self.ask_mode == "sequential",
            failure_is_exit_status=self.propagate_bot_exit_code,
            warning_kb=self.memory_warning_kb,
        )

    @property
    def plan(self) -> MapPlan:
        return survey(
            self.field_width, self.field_height, self.field_layout, self.start_points, self.bug_spawn_points
        )  # fmt: skip

    def check(self) -> None:
        for key in NUMBERS:
            if key != "chase_growth" or self.chase_growth != NULL:
                self.number(key)
        if not 0 <= self.number("chase_start") <= 1:
            raise SettingsError("chase_start", got=self.chase_start, hint="must be a chance from 0 to 1")
        if self.map_check:
            require_whole(self.plan)
        else:
            _ = self.plan

    def number(self, key: str) -> float:
        """Reads one of the settings that may have a fraction."""
        text = getattr(self, key)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            hint = (
                "must be a number such as 0.004, or null" if key == "chase_growth" else "must be a number such as 0.2"
            )
            raise SettingsError(key, got=text, hint=hint)
        return value

    def chase_chance(self, rounds: int, from_set_up: bool) -> float:
        """Returns the chance that a bug chases in a round (3.3 d, 3.8)."""
        if self.chase_growth != NULL:
            growth = self.number("chase_growth")
        else:
            divisor = self.max_rounds if from_set_up else self.chase_reference_rounds
            growth = self.number("chase_growth_total") / divisor
        return min(max(self.number("chase_start") + (rounds - 1) * growth, 0.0), 1.0)


SETTINGS = HackmanSettings


def as_text(key: str, value: Any) -> Any:
    """Converts a value to the text that these settings keep."""
    if key in NUMBERS and isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    if key == "chase_growth" and value is None:
        return NULL
    if key in POINT_LISTS and isinstance(value, (list, tuple)):
        try:
            return " ".join(f"{x},{y}" for x, y in value)
        except (TypeError, ValueError):
            raise SettingsError(key, got=value, hint="must be a list of points, as in [[2, 7], [17, 7]]") from None
    return value
