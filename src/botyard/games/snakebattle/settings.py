"""The settings of Snake Battle (specification 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from botyard.games.snakebattle.map.alphabet import DEFAULT_MAP, START, ground_of, map_rows
from botyard.kernel.errors import SettingsError
from botyard.kernel.settings import Settings, setting

MOST_SEATS = 26  # a drawing names snakes by letters; the default map has start cells for 15
LARGEST_SIDE = 100
SMALLEST_SIDE = 3
LONGEST = 1_000_000  # ticks of any clock: the counters could hold more
MOST_POINTS = 100_000


@dataclass(frozen=True, kw_only=True)
class SnakebattleSettings(Settings):
    rounds_enabled: bool = setting(True, "play in rounds; false: snakes are awake at once and nobody wins")
    rounds_players_per_room: int = setting(15, "seats of one field", at_least=1, at_most=MOST_SEATS)
    rounds_teams_per_room: int = setting(
        1, "teams in a room; this game allows only one", group="match", at_least=1, at_most=1
    )
    rounds_time: int = setting(300, "ticks of a round", at_least=1, at_most=LONGEST)
    rounds_time_for_winner: int = setting(1, "ticks for which the last survivor plays on", at_least=0, at_most=LONGEST)
    rounds_time_before_start: int = setting(
        5, "ticks of the countdown; 0: no round clock, for tests", at_least=0, at_most=LONGEST
    )
    rounds_per_match: int = setting(3, "rounds of a match", at_least=1, at_most=LONGEST)
    rounds_min_ticks_for_win: int = setting(40, "ticks below which a round has no winner", at_least=0, at_most=LONGEST)
    flying_count: int = setting(10, "ticks for which a flying pill lasts", at_least=0, at_most=10_000)
    fury_count: int = setting(10, "ticks for which a fury pill lasts", at_least=0, at_most=10_000)
    stone_reduced: int = setting(3, "cells lost by eating a stone", at_least=0, at_most=10_000)
    win_score: int = setting(50, "points for winning a round", at_least=-MOST_POINTS, at_most=MOST_POINTS)
    apple_score: int = setting(1, "points for an apple", at_least=-MOST_POINTS, at_most=MOST_POINTS)
    gold_score: int = setting(10, "points for gold", at_least=-MOST_POINTS, at_most=MOST_POINTS)
    die_penalty: int = setting(
        -10, "points for dying; they are added, so a penalty is negative", at_least=-MOST_POINTS, at_most=MOST_POINTS
    )
    stone_score: int = setting(
        -1, "points for eating a stone and surviving it", at_least=-MOST_POINTS, at_most=MOST_POINTS
    )
    eat_score: int = setting(10, "points for each eaten cell of an enemy", at_least=-MOST_POINTS, at_most=MOST_POINTS)
    level_map: str = setting(
        DEFAULT_MAP, "rows of the square map from the top, on separate lines or all in one; or `default`"
    )
    strict_min_length: bool = setting(True, "a snake that is cut to fewer than two cells dies")
    fury_bites_fury: bool = setting(False, "a furious head bites furious bodies too")
    fury_stone_penalty: bool = setting(False, "a stone eaten in fury costs points like any other stone")
    wait_full_room: bool = setting(False, "a room does not tick until all its seats have been taken once")
    seats_reopen: bool = setting(True, "the seat of a player who left a room is free again")
    played_as: str = setting(
        "match", "match: every seat plays, for rounds_per_match rounds; room: players come and go",
        choices=("match", "room"),
    )  # fmt: skip
    max_ticks: int = setting(
        0, "ticks after which a match is over; 0: with rounds no limit, else rounds_per_match × rounds_time",
        at_least=0, at_most=LONGEST,
    )  # fmt: skip
    wait_for_answer: bool = setting(False, "a bot gets no new board until it has answered the last one", group="wire")
    max_answer_chars: int = setting(1000, "longest answer of a bot, in characters", group="wire", at_least=1)
    tick_ms: int = setting(1000, "length of a tick, and the time for an answer", group="clock", at_least=1)

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "document": {},
        "program": {
            "rounds_enabled": False,
            "rounds_players_per_room": 5,
            "die_penalty": 0,
            "stone_score": 5,
            "strict_min_length": False,
            "fury_bites_fury": True,
            "fury_stone_penalty": True,
            "wait_full_room": True,
            "seats_reopen": False,
            "wait_for_answer": True,
        },
    }

    def check(self) -> None:
        rows = map_rows(self.level_map)
        side = len(rows)
        shown = self.level_map if len(self.level_map) <= 40 else f"{self.level_map[:40]}…"
        if any(len(row) != side for row in rows):
            raise SettingsError("level_map", got=shown, hint=f"must be square: {side} rows of {side} characters")
        if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
            raise SettingsError(
                "level_map", got=shown, hint=f"must have {SMALLEST_SIDE} to {LARGEST_SIDE} rows, not {side}"
            )
        if self.played_as == "match" and self.rounds_enabled and self.rounds_players_per_room < 2:
            raise SettingsError(
                "rounds_players_per_room",
                got=self.rounds_players_per_room,
                hint="must be at least 2 for a match in rounds",
            )

    def seated(self, bots: int) -> Self:
        """Returns the same settings for a match of this many bots."""
        return replace(self, rounds_players_per_room=bots)

    @property
    def starts(self) -> int:
        """The number of start cells of the map."""
        return sum(ground_of(symbol) == START for row in map_rows(self.level_map) for symbol in row)


SETTINGS = SnakebattleSettings
