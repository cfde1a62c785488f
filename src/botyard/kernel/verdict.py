"""Verdicts and faults say what became of a seat's answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What became of an answer, out of a closed set. It is recorded; the rules say what a missed order does."""

    OK = "OK"
    INVALID = "INVALID"
    GARBLED = "GARBLED"
    LATE = "LATE"
    SILENT = "SILENT"
    CRASHED = "CRASHED"
    MEMORY = "MEMORY"
    FLOODED = "FLOODED"
    FORBIDDEN = "FORBIDDEN"
    GONE = "GONE"
    UNBUILT = "UNBUILT"
    HOUSE = "HOUSE"

    @property
    def meaning(self) -> str:
        """A sentence that explains the verdict to the author of the bot."""
        return MEANINGS[self]


MEANINGS = {
    Verdict.OK: "The answer was understood and carried out.",
    Verdict.INVALID: "The answer was understood, but there is no such order.",
    Verdict.GARBLED: "The answer could not be read as an order.",
    Verdict.LATE: "The answer came after the deadline and was not used.",
    Verdict.SILENT: "No answer came in time; check that your bot flushes its output.",
    Verdict.CRASHED: "The bot's program ended or raised an error while it was asked.",
    Verdict.MEMORY: "The bot used more memory than it is allowed and was stopped.",
    Verdict.FLOODED: "The bot sent far more than was asked for and was stopped.",
    Verdict.FORBIDDEN: "The bot tried something the cage does not allow.",
    Verdict.GONE: "The bot closed its connection.",
    Verdict.UNBUILT: "The bot could not be built or started.",
    Verdict.HOUSE: "Our own fault: the game is void and costs nobody a point.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why an answer gives no order: a verdict, and a sentence.

    A few originals cannot go on after some faults: their match hangs, or their whole contest stops, and there is no
    result. Such a fault `ends` the game. It stays the fault of the bot that committed it: the game is reported as the
    original would have left it, and a contest counts it as that bot's forfeit.
    """

    verdict: Verdict
    reason: str
    ends: bool = False
