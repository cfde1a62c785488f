"""Habits say how matches of a game are run, beyond its rules.

A game's settings may change any of them, under keys of its own. The rest of Botyard asks `Settings.habits`, so that it
need not know the keys of any game; a game that says nothing has the defaults below.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What matches, their host and contests need to know of a game's settings.

    Where views hide something, whoever may see all of the board could help a player: a person at the board is shown
    only what its own seat sees.
    """

    asks_in_turn: bool = False  # seats that move at once are asked one after another, as some originals do
    failure_ends_the_game: bool = False  # no result once a bot's program fails: the original's contest stops there
    failure_is_exit_status: bool = False  # `botyard play` tells by its own exit status that a bot's program failed
    own_seeds: bool = True  # each game of a series has a seed of its own; else its draws go on from the game before
    ticks_per_s: int = 100  # for whoever watches: what a person can follow; 0: as fast as it goes
    warning_kb: int = 0  # a bot that used more memory is named in a warning; 0: none is
    host: str = "127.0.0.1"  # where bots that connect by themselves are waited for
    port: int = 0  # likewise; 0: one that is free
    hides: bool = False  # whether a seat's view leaves out something of the board
