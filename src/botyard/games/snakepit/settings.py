"""The settings of Snakepit (specification 5).

The list of bots and the seed are given with a game, not here; `snakes` is the number of bots. Where the specification
says "none" for a number that may be missing, the setting is 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from botyard.games.snakepit.facts import MOST_SNAKES
from botyard.kernel.errors import SettingsError
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings, setting

LARGEST_SIDE = 1000
MOST_POINTS = 1_000_000  # points of one bonus; the points of a game stay far below 2**31

COLOURS = {
    "RED": (255, 0, 0), "GREEN": (0, 255, 0), "BLUE": (0, 0, 255),
    "YELLOW": (255, 255, 0), "WHITE": (255, 255, 255), "BLACK": (0, 0, 0),
}  # fmt: skip
RGB = re.compile(r"\d{1,3},\d{1,3},\d{1,3}")


@dataclass(frozen=True, kw_only=True)
class SnakepitSettings(Settings):
    # The board and its snakes (2)
    snakes: int = setting(3, "number of snakes; 1 is a solo game", at_least=1, at_most=MOST_SNAKES)
    width: int = setting(60, "columns of the board", at_least=1, at_most=LARGEST_SIDE)
    height: int = setting(60, "rows of the board", at_least=1, at_most=LARGEST_SIDE)
    swap_board_axes: bool = setting(False, "the real board is `height` wide and `width` high, as in the program")
    initial_len: int = setting(5, "cells behind the head at the start", at_least=0, at_most=LARGEST_SIDE)
    initial_len_counts_head: bool = setting(False, "initial_len is the whole length, the head included")
    growth: int = setting(3, "cells by which a pellet makes a snake grow", at_least=0, at_most=1000)
    rand_start_pellet: bool = setting(True, "the first pellet lies on a random cell; false: in the centre")
    clean_start: bool = setting(True, "whole bodies start on free cells of the board; false: only the heads do")
    # A tick (3)
    tick_resolution: str = setting(
        "simultaneous", "simultaneous: all moves are judged on the board before the tick; sequential_by_id: one by one",
        choices=("simultaneous", "sequential_by_id"),
    )  # fmt: skip
    unknown_answer: str = setting(
        "stay", "an answer that is not a direction; stay: a step on the spot, which is deadly; ignore: no effect",
        choices=("stay", "ignore"),
    )  # fmt: skip
    preserve_dead: bool = setting(False, "bodies of the dead stay as obstacles")
    tick_timeout: int = setting(5000, "the game ends after this many ticks in which no pellet was eaten", at_least=1)
    tick_timeout_resets: bool = setting(True, "each pellet eaten restarts that count")
    on_connect_failure: str = setting(
        "abort", "a bot does not connect; abort: no game (in a contest a forfeit); straight: its snake goes on",
        choices=("abort", "straight"),
    )  # fmt: skip
    # Points of a game (4.2, 4.3)
    last_man_standing: int = setting(
        1000, "points for the last snake alive, not in solo games", at_least=0, at_most=MOST_POINTS
    )
    pellet_points: int = setting(50, "points for each pellet", at_least=0, at_most=10_000)
    tick_points: int = setting(1, "points for each tick alive", at_least=0, at_most=1000)
    survivor_takes_bonus: bool = setting(True, "the survivor gets the bonus, however many died in the last tick")
    simultaneous_death: str = setting(
        "most_pellets", "nobody survives; most_pellets: who ate most takes the bonus; wash: no points at all",
        choices=("most_pellets", "wash"),
    )  # fmt: skip
    game_winner: str = setting(
        "highest_score", "who wins a game that is not a wash", choices=("highest_score", "last_man")
    )
    solo_starved: str = setting(
        "zero", "a solo snake starves; zero: no points; score: its points count; replay: play another game",
        choices=("zero", "score", "replay"),
    )  # fmt: skip
    # Matches and competitions (4.4, 4.5)
    best_of: int = setting(30, "a match is won by half as many wins, rounded up", group="match", at_least=1)
    match_length: str = setting(
        "first_to", "first_to: until a bot has enough wins; fixed: exactly best_of games", group="match",
        choices=("first_to", "fixed"),
    )  # fmt: skip
    match_games_cap: int = setting(0, "a match stops after this many games; 0: no limit", group="match", at_least=0)
    wash_limit: int = setting(
        1000, "a match ends after this many washes in a row; 0: no limit", group="match", at_least=0
    )
    match_winner: int = setting(2500, "points for winning a match", group="match", at_least=0, at_most=MOST_POINTS)
    solo_games: int = setting(10, "games of the solo part of a competition", group="match", at_least=1)
    koth_best_of: int = setting(39, "best_of for the part with all bots", group="match", at_least=1)
    koth_match_bonus: bool = setting(True, "the points for winning a match also count in that part", group="match")
    rank_method: str = setting(
        "competition", "ranks of equal scores; competition: 1 2 2 4, dense: 1 2 2 3", group="match",
        choices=("competition", "dense"),
    )  # fmt: skip
    rng_per_game: bool = setting(
        True, "each game of a match has its own seed; false: draws continue from the game before", group="match"
    )
    preserve_results: bool = setting(
        True, "write a results file for the games of `botyard play` and for each match of a contest", group="match"
    )
    preserve_mode: str = setting(
        "w", "w: overwrite the results file; a: append to it, and a contest has one for all its matches",
        group="match", choices=("w", "a"),
    )  # fmt: skip
    results_file: str = setting("bs_results.txt", "where the results file goes", group="match")
    results_labels: str = setting(
        "correct", "names in the results file; program: line k names snake k, even if the points are of another",
        group="match", choices=("correct", "program"),
    )  # fmt: skip
    host: str = setting("localhost", "address to listen on, for bots that connect by themselves", group="match")
    port: int = setting(0, "port for such bots; 0: any free one", group="match", at_least=0, at_most=65535)
    # The wire (6)
    stale_answers: str = setting(
        "discard", "bytes before `mov`; discard: dropped; keep: each answers one question, this or a later one",
        group="wire", choices=("discard", "keep"),
    )  # fmt: skip
    opening_deltas: bool = setting(False, "from the second game on, `s` lines follow `ready`", group="wire")
    send_quit: bool = setting(True, "say `quit` before closing", group="wire")
    # Time (3.1, 3.2, 6.1)
    ask_mode: str = setting(
        "broadcast", "broadcast: all bots are asked at once; one_by_one: in order of their ids", group="clock",
        choices=("broadcast", "one_by_one"),
    )  # fmt: skip
    client_timeout: int = setting(3, "seconds for one answer", group="clock", at_least=1, at_most=3600)
    server_timeout: int = setting(5, "seconds for a bot to connect", group="clock", at_least=1, at_most=3600)
    update_freq: int = setting(
        15, "ticks per second while somebody watches; 0: as fast as possible", group="clock", at_least=0
    )
    # The picture of the window, `botyard export … --to window.svg` (8.2)
    pixel_size: int = setting(10, "pixels per cell", group="display", at_least=1, at_most=1000)
    pellet_color: str = setting("BLUE", "colour of pellets: a name or red,green,blue", group="display")
    bg_color: str = setting("BLACK", "colour of the background: a name or red,green,blue", group="display")
    show_info: bool = setting(True, "show the ticks and a line for each snake", group="display")
    info_color: str = setting("YELLOW", "colour of the line with the ticks: a name or red,green,blue", group="display")

    CONNECTING: ClassVar[str] = "server_timeout"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "document": {},
        "program": {
            "tick_resolution": "sequential_by_id",
            "clean_start": False,
            "swap_board_axes": True,
            "tick_timeout_resets": False,
            "survivor_takes_bonus": False,
            "wash_limit": 0,
            "solo_starved": "replay",
            "rng_per_game": False,
            "stale_answers": "keep",
            "ask_mode": "one_by_one",
            "opening_deltas": True,
            "send_quit": False,
            "results_labels": "program",
        },
    }

    @property
    def habits(self) -> Habits:
        return Habits(
            asks_in_turn=self.ask_mode == "one_by_one",
            own_seeds=self.rng_per_game,
            ticks_per_s=self.update_freq,
            host=self.host,
            port=self.port,
        )

    @property
    def body_cells(self) -> int:
        """The number of cells of a snake at the start, including its head (2.2)."""
        return self.initial_len + (not self.initial_len_counts_head)

    @property
    def real_size(self) -> tuple[int, int]:
        """The width and height of the board that snakes move on (2.1)."""
        return (self.height, self.width) if self.swap_board_axes else (self.width, self.height)

    def seated(self, bots: int) -> Self:
        return replace(self, snakes=bots)

    @property
    def wins_needed(self) -> int:
        return (self.best_of + 1) // 2

    def check(self) -> None:
        if self.initial_len_counts_head and self.initial_len == 0:
            hint = "must be at least 1 if initial_len_counts_head is true: a snake has a head"
            raise SettingsError("initial_len", got=self.initial_len, hint=hint)
        for key in ("pellet_color", "bg_color", "info_color"):
            check_colour(key, getattr(self, key))
        self.check_room()

    def check_room(self) -> None:
        """Refuses a board on which no set-up can succeed; on any other board the set-up is tried (2.3)."""
        side = min(self.width, self.height) if self.swap_board_axes else 0
        columns, rows = side or self.width, side or self.height
        if not self.clean_start:
            room = columns * rows - 1  # room for heads beside the pellet
        else:
            room = columns * (self.real_size[1] // self.body_cells)  # room for upright bodies
            room = min(room, (columns * self.real_size[1] - 1) // self.body_cells)
        if self.snakes > room:
            hint = f"must be at most {room} on a board of {self.width} × {self.height}" if room else "enlarge the board"
            raise SettingsError("snakes", got=self.snakes, hint=hint)


def check_colour(key: str, text: str) -> None:
    if text not in COLOURS and not (RGB.fullmatch(text) and max(colour_of(text)) <= 255):
        raise SettingsError(key, got=text, hint=f"must be one of {', '.join(COLOURS)}, or numbers such as 161,255,65")


def colour_of(text: str) -> tuple[int, ...]:
    """Reads red, green and blue from the name of a colour, or from numbers such as 161,255,65."""
    return COLOURS[text] if text in COLOURS else tuple(map(int, text.split(",")))


SETTINGS = SnakepitSettings
