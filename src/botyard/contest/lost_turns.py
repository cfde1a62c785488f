"""What is kept of the turns that a bot lost in one game, small enough to be kept for every game: how many there were of
each verdict, and of the first its tick, its reason and what the bot's author can do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from botyard.kernel.verdict import Verdict
from botyard.match.checkup import SEE_BELOW, Case, explained, start_remedy
from botyard.match.turns import START_TICK, Turn

REASON_MAX, REMEDY_MAX = 200, 300  # characters: they are kept for every game in which a bot lost turns


@dataclass(frozen=True, slots=True)
class LostTurns:
    """The turns of one bot in one game that ended in the same verdict."""

    count: int
    tick: int  # of the first one, like the texts; START_TICK for the start-up
    reason: str
    remedy: str

    @property
    def when(self) -> str:
        return when_lost(self.tick)


def when_lost(tick: int) -> str:
    return "at the start" if tick == START_TICK else f"in tick {tick}"


Explanation = Callable[[Turn], tuple[str, str]]
"""Returns what happened in a turn, and the remedy."""


def lost_turns(turns: Iterable[Turn], explain: Explanation) -> dict[str, LostTurns]:
    """Returns the lost ones among the turns of a bot, by verdict."""
    lost: dict[Verdict, list[Turn]] = {}
    for turn in turns:
        if turn.verdict is not Verdict.OK:
            lost.setdefault(turn.verdict, []).append(turn)
    return {str(verdict): summed_up(alike, *explain(alike[0])) for verdict, alike in lost.items()}


def summed_up(turns: list[Turn], reason: str, remedy: str) -> LostTurns:
    return LostTurns(len(turns), turns[0].tick, cut(reason, REASON_MAX), cut(remedy, REMEDY_MAX))


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def examined_turn(case: Case, turn: Turn) -> tuple[str, str]:
    """Explains a turn as `botyard check` does, which also shows what the program printed; a report does not."""
    if turn.tick == START_TICK:
        return turn.reason, start_remedy(case, turn).replace(SEE_BELOW, "")
    return explained(case, turn)
