"""Lost turns told once: those that a seat loses one after another for the same reason are one stretch.

A bot that has died or was stopped loses every turn until the end. Whoever reads about it wants one line with the number
of turns, not as many lines as there were ticks. Nothing is taken out of the record: this is about how it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from botyard.kernel.verdict import Verdict
from botyard.match.turns import START_TICK, Turn

NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ListedTurn:
    """A turn and its game."""

    turn: Turn
    game: int = 0
    again: bool = False  # lost just as its seat's turn before


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns of one seat that were lost one after another in the same way, or any one turn."""

    turns: list[ListedTurn]

    @property
    def first(self) -> Turn:
        return self.turns[0].turn

    @property
    def last(self) -> Turn:
        return self.turns[-1].turn

    @property
    def ticks(self) -> str:
        """When it was, in words."""
        if self.first.tick <= START_TICK:
            return "start"
        if len(self.turns) == 1:
            return f"tick {self.first.tick}"
        return f"ticks {self.first.tick} to {self.last.tick} ({len(self.turns)} turns)"


def listed_turns(turns: Iterable[Turn], game: int = 0, *, words_matter: bool) -> Iterator[ListedTurn]:
    """Turns in the order they were asked, each with whether it was lost as its seat's turn before.

    Where words matter, a turn in which the bot sent or printed something is no mere repetition.
    """
    before: dict[int, Turn] = {}
    for turn in turns:
        earlier = before.get(turn.seat)
        again = earlier is not None and is_same_loss(earlier, turn)
        yield ListedTurn(turn, game, again and not (words_matter and has_words(turn, earlier)))
        before[turn.seat] = turn


def is_same_loss(before: Turn, turn: Turn) -> bool:
    """Whether a turn was lost as the one before it; numbers, such as milliseconds, make no difference."""
    if turn.verdict is Verdict.OK or turn.verdict is not before.verdict or before.tick == START_TICK:
        return False
    return NUMBER.sub("0", before.reason) == NUMBER.sub("0", turn.reason)


def has_words(turn: Turn, before: Turn | None) -> bool:
    """Whether the bot said something in a turn, or in its turn before."""
    earlier = before is not None and (before.received_bytes or before.said)
    return bool(turn.received_bytes or turn.early_bytes or turn.said or turn.notes or earlier)


def stretches(listed: Iterable[ListedTurn]) -> list[Stretch]:
    """The turns, those together that were lost one after another in the same way, in the order in which they began."""
    found: list[Stretch] = []
    latest: dict[tuple[int, int], Stretch] = {}  # by game and seat
    for one in listed:
        key = one.game, one.turn.seat
        if one.again and key in latest:
            latest[key].turns.append(one)
            continue
        latest[key] = Stretch([one])
        found.append(latest[key])
    return found
