"""The house bots of Snake Battle. Like any bot, they know only their board and what they remember."""

from __future__ import annotations

from botyard.games.snakebattle.bots.fighter import fighter
from botyard.games.snakebattle.bots.greedy import greedy
from botyard.games.snakebattle.bots.original import original
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HOUSE_BOTS: dict[str, str] = {
    "original": "The original's own: the shortest way to the nearest food, at times through stones, foes and itself.",
    "greedy": "Eats what is nearest, keeps clear of stones, snakes and heads, and flees to where there is room.",
    "fighter": "Hunts with fury pills, measures lengths before a head-on, drops stones behind itself, else grows.",
}

ORIGINAL, GREEDY, FIGHTER = range(3)


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    if bot == GREEDY:
        return greedy(arena, view, memory)
    if bot == FIGHTER:
        return fighter(arena, view, memory)
    return original(arena, view, memory)
