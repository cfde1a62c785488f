"""The house bots of Hive Arena. Like any bot, they know only their view, the settings and what they remember."""

from __future__ import annotations

from botyard.games.hive.bots.forager import forager
from botyard.games.hive.bots.learner import learner
from botyard.games.hive.bots.raider import raider
from botyard.games.hive.bots.wanderer import wanderer
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HOUSE_BOTS: dict[str, str] = {
    "wanderer": "Takes a flower or feeds its hive when it happens to stand beside one, and else moves at random.",
    "forager": "Charts the board, shares the flowers it knows of out among its bees and brings them home.",
    "raider": "Robs every carrier it sees and forages in between; every second bee walls the enemy's hive in.",
    "learner": "Was trained from nothing: a small network that senses its bee's window and an errand, and robs a lot.",
}

WANDERER, FORAGER, RAIDER, LEARNER = range(4)


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    if bot == FORAGER:
        return forager(arena, view, memory)
    if bot == RAIDER:
        return raider(arena, view, memory)
    if bot == LEARNER:
        return learner(arena, view, memory)
    return wanderer(arena, view, memory)
