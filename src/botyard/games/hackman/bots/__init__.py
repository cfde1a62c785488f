"""The house bots of Hack-man. Like any bot, they know only their view, the map and what they remember."""

from __future__ import annotations

from botyard.games.hackman.bots.collector import collector
from botyard.games.hackman.bots.hunter import hunter
from botyard.games.hackman.bots.wanderer import wanderer
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HOUSE_BOTS: dict[str, str] = {
    "wanderer": "Walks the corridors at random and picks up what lies in the way.",
    "collector": "Goes for the nearest snippet that it can reach safely, and keeps clear of bugs.",
    "hunter": "Fetches weapons, hits the opponent when it can catch him, and collects in between.",
}

WANDERER, COLLECTOR, HUNTER = range(3)


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    if bot == COLLECTOR:
        return collector(arena, view, memory)
    if bot == HUNTER:
        return hunter(arena, view, memory)
    return wanderer(arena, view, memory)
