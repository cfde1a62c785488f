"""What the learner senses: the window around its bee, and its errand.

Its bees share the flowers out as the forager's do and notice the carriers that the raider would rob, and it is told the
first step of the way to where its bee is bound. What it makes of that it has learned. Every number counts up from 0, so
that a network can have an input for each value.
"""

from __future__ import annotations

from botyard.games.hive.bots.chart import survey
from botyard.games.hive.bots.forager import IDLE, choose_task
from botyard.games.hive.bots.path import path
from botyard.games.hive.bots.raider import prey, victim
from botyard.games.hive.bots.sensed import CODES, POINT, promised, sense, sense_shape
from botyard.games.hive.bots.sight import NOWHERE, beside, carrying, distance, hive_col, hive_row, neighbour
from botyard.games.hive.layout import FLOWER, HIVE, WALL
from botyard.kernel.offsets import sign
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

__all__ = ["CODES", "NUMBERS", "note", "numbers", "sense", "sense_shape", "worth"]

NO_WAY = 8
MOST = 15
MOST_BEES = 7
AGE_TURNS = 128

NUMBERS = (
    SensedNumber("errand", 0, 4, "0: none, 1: to a flower, 2: to an unseen place, 3: home, 4: to a carrier"),
    SensedNumber("way", 0, 8, "direction of the first step of the errand; 8 if there is no way"),
    SensedNumber("way_is_wall", 0, 1, "1 if that step leads into a wall"),
    SensedNumber("away", 0, 15, "how many moves away the errand ends, at most 15"),
    SensedNumber("beside", 0, 8, "direction of a flower beside the bee or, if it carries one, of its hive; 8 if none"),
    SensedNumber("victim", 0, 8, "direction of a rival's carrier beside the bee that can be robbed; 8 if none"),
    SensedNumber("home", 0, 15, "how many moves away the own hive is, at most 15"),
    SensedNumber("rival_home", 0, 15, "how many moves away the rival's hive is, at most 15"),
    SensedNumber("rival_south", 0, 2, "whether the rival's hive lies north (0), level (1) or south (2)"),
    SensedNumber("rival_east", 0, 2, "whether the rival's hive lies west (0), level (1) or east (2)"),
    SensedNumber("flowers", 0, 15, "flowers on the chart, at most 15"),
    SensedNumber("age", 0, 15, "turns played, in units of 128, at most 15"),
    SensedNumber("bee", 0, 7, "which of the seat's bees acts, at most 7"),
)

TO_HOME, TO_CARRIER = 3, 4
LEAN = 1  # its bees explore a little more on the rival's side than the forager's: there are more carriers to rob
RIVAL_POINT = 16  # against POINT for an own one: the rival's play must count for a learner that is to rob it


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    """Charts what the bee sees, and chooses its errand much as the forager would."""
    lore = memory.forager
    news = survey(view, lore)
    if carrying(view) or beside(arena, view, FLOWER) != NOWHERE:
        lore.task[view.bee] = IDLE
    else:
        choose_task(arena, view, lore, news, LEAN)


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    home_south, home_east = hive_row(arena) - view.row, hive_col(arena, view.player) - view.col
    rival_east = hive_col(arena, 1 - view.player) - view.col
    errand, row, col = errand_of(arena, view, memory.forager)
    way = NOWHERE if errand == IDLE else path(arena, view, memory.forager, row, col)
    out[0] = errand
    out[1] = told_direction(way)
    out[2] = way != NOWHERE and neighbour(arena, view, way) == WALL
    out[3] = 0 if errand == IDLE else min(distance(row - view.row, col - view.col), MOST)
    out[4] = told_direction(beside(arena, view, HIVE + view.player if carrying(view) else FLOWER))
    out[5] = told_direction(victim(arena, view))
    out[6] = min(distance(home_south, home_east), MOST)
    out[7] = min(distance(home_south, rival_east), MOST)
    out[8], out[9] = 1 + sign(home_south), 1 + sign(rival_east)
    out[10] = min(memory.forager.loose, MOST)
    out[11] = min(view.turn // AGE_TURNS, MOST)
    out[12] = min(view.bee, MOST_BEES)


@rule
def errand_of(arena: Record, view: Record, lore: Record) -> tuple[int, int, int]:
    """Returns what the bee is about, and where that is."""
    if carrying(view):
        return TO_HOME, hive_row(arena), hive_col(arena, view.player)
    row, col = prey(view)
    if row != NOWHERE:
        return TO_CARRIER, row, col
    return lore.task[view.bee], lore.goal[view.bee, 0], lore.goal[view.bee, 1]


@rule
def told_direction(direction: int) -> int:
    return NO_WAY if direction == NOWHERE else direction


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    """Returns points ahead, in twentieths; flowers on their way home count for both sides."""
    ahead = POINT * state.scores[seat] - RIVAL_POINT * state.scores[1 - seat]
    if state.over:
        return ahead
    return ahead + promised(arena, state, seat) - RIVAL_POINT * promised(arena, state, 1 - seat) // POINT
