"""The house bots of BattleBots. Like any bot, they know only their view and the settings, nothing of earlier rounds."""

from __future__ import annotations

from botyard.games.battlebots.bots.duellist import duellist
from botyard.games.battlebots.bots.simple import gunner, hugger, sapper
from botyard.games.battlebots.layout import NOTHING
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HOUSE_BOTS: dict[str, str] = {
    "nop": "Does nothing; the original's sample of the same name.",
    "hugger": "Walks up to the enemy and sets off pulses beside it; the original's sample huggy.",
    "gunner": "Walks into line with the enemy and shoots whatever reaches it.",
    "sapper": "Lays mines on the enemy's square and on its way.",
    "duellist": "Weighs every pair of orders one round ahead, and mixes its answers.",
}

NOP, HUGGER, GUNNER, SAPPER, DUELLIST = range(5)


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    if bot == HUGGER:
        return hugger(arena, view)
    if bot == GUNNER:
        return gunner(arena, view, memory)
    if bot == SAPPER:
        return sapper(arena, view, memory)
    if bot == DUELLIST:
        return duellist(arena, view, memory)
    return NOTHING
