"""Events in words, as the original prints them; messages to the player are in brackets."""

from __future__ import annotations

import re
from typing import Any

from botyard.games.snakebattle.layout import (
    ATE_APPLE,
    ATE_GOLD,
    ATE_STONE,
    COUNTDOWN,
    DEATH,
    EAT,
    FLYING,
    FURY,
    ROUND,
    ROUND_START,
    TIME_OVER,
    WIN,
)
from botyard.kernel.errors import BadRecord

EVENT_NAMES = {
    WIN: "WIN", ATE_APPLE: "APPLE", ATE_GOLD: "GOLD", ATE_STONE: "STONE", DEATH: "DIE", ROUND_START: "START",
    FLYING: "FLYING", FURY: "FURY", TIME_OVER: "[Time is over]",
}  # fmt: skip
PLAIN_EVENTS = {name: kind for kind, name in EVENT_NAMES.items()}
COUNTED_EVENTS = (
    (re.compile(r"EAT\[(\d+)\]"), EAT),
    (re.compile(r"\[Round (\d+)\]"), ROUND),
    (re.compile(r"\[\.*(\d+)\.*\]"), COUNTDOWN),
)


def event_text(kind: int, amount: int) -> str:
    if kind == EAT:
        return f"EAT[{amount}]"
    if kind == COUNTDOWN:
        return f"[{'.' * amount}{amount}{'.' * amount}]"
    if kind == ROUND:
        return f"[Round {amount}]"
    return EVENT_NAMES[kind]


def read_event(text: str) -> tuple[int, int]:
    """Reads kind and amount of an event from its words."""
    if text in PLAIN_EVENTS:
        return PLAIN_EVENTS[text], 0
    for pattern, kind in COUNTED_EVENTS:
        found = pattern.fullmatch(text)
        if found:
            return kind, int(found[1])
    raise BadRecord(f"unknown event {text!r}", hint=f"known: {', '.join(PLAIN_EVENTS)}, EAT[n], [Round n], [.1.]")


def logged(state: Any) -> list[tuple[int, str]]:
    """Lists the last events of a state: seat and words."""
    rows = state.log[: state.log_length]
    return [(int(row["seat"]), event_text(int(row["kind"]), int(row["amount"]))) for row in rows]
