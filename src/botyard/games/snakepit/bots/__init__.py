"""The house bots of Snakepit. Like any bot, they know only their view, the settings and what they remember."""

from __future__ import annotations

from botyard.games.snakepit.bots.aggressor import aggressor
from botyard.games.snakepit.bots.beeline import beeline
from botyard.games.snakepit.bots.careful import careful
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HOUSE_BOTS: dict[str, str] = {
    "beeline": "The original's example bot: straight to the pellet, first sideways, then up or down, blind to bodies.",
    "careful": "Takes the shortest free way to the pellet, where it has room to turn round and no rival can meet it.",
    "aggressor": "Plays like careful, but cuts off the snake next to it before it looks for pellets.",
}

BEELINE, CAREFUL, AGGRESSOR = range(3)


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    if bot == CAREFUL:
        return careful(arena, view, memory)
    if bot == AGGRESSOR:
        return aggressor(arena, view, memory)
    return beeline(arena, view, memory)
