"""A recorded game that is played again with bots in some of its seats, while the other seats answer as they did.

A seat's recorded answers are given in their order, one for each question. As long as every bot answers as it was
recorded the game is the same, and so is its replay, byte for byte. After the first other answer the recorded seats go
on with their orders, though these answer to another game, until there is none left for a question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.loop import Enough
from botyard.match.player import Answer, Player
from botyard.match.replay import Missed, Replay
from botyard.match.turns import START_TICK, Turn


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a replay has of one question to one seat. The order of a lost turn is what the rules took for it."""

    tick: int  # START_TICK: it never came
    order: int | None  # None: it is not known, because another seat ended the game in that tick
    lost: Missed | None = None

    def equals(self, other: RecordedAnswer) -> bool:
        """Whether the rules and the record have the same of both; why a turn was lost may be told in other words."""
        if self.order is None or other.order is None:
            return self.lost is None and other.lost is None
        verdicts = [answer.lost.verdict if answer.lost else Verdict.OK for answer in (self, other)]
        return self.order == other.order and verdicts[0] is verdicts[1]


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first answer that is not as it was recorded; None: there is no such question in that game."""

    tick: int
    seat: int
    recorded: RecordedAnswer | None
    given: RecordedAnswer | None


def check_recorded(replay: Replay) -> None:
    """Refuses a replay that cannot be played again with others in its seats."""
    if replay.outcome is None and not replay.culprits:
        raise YardError("the recorded game was void or broken off", hint="choose one that was played to its end")
    begun = False
    for entries in replay.ticks:
        changes = [entry for entry in entries if isinstance(entry, dict)]
        if len(entries) != 1 or (changes and (begun or "forfeit" not in changes[0])):
            raise YardError(
                "in the recorded game players came and went", hint="choose a match; this is a record of a room"
            )
        begun = begun or not changes


def recorded_answers(replay: Replay) -> list[list[RecordedAnswer]]:
    """Returns what a replay has of every question, by seat."""
    answers: list[list[RecordedAnswer]] = [[] for _ in replay.names]
    lost: dict[tuple[int, int], Missed] = {}
    for miss in replay.missed:
        lost.setdefault((miss.tick, miss.seat), miss)
        if miss.tick == START_TICK:
            answers[miss.seat].append(RecordedAnswer(START_TICK, NO_ORDER, miss))
    for tick, (game, taken) in enumerate(replay.play()):
        last = tick == len(replay.ticks)
        ended = last and any(at == tick for at, _ in lost)  # by an answer, so that the orders were not taken
        for seat, order in (dict.fromkeys(game.asked, NO_ORDER) if ended else taken).items():
            slip = lost.get((tick, seat))
            if order != NO_ORDER:
                slip = None  # the order was taken, and the rules could not hold the position that it led to
            known = not last or slip is not None
            answers[seat].append(RecordedAnswer(tick, order if known else None, slip))
    return answers


class RecordedSeat(Player):
    """A seat whose answers are known."""

    level = ""

    def __init__(self, name: str, answers: Sequence[RecordedAnswer], ends: bool) -> None:
        """`ends`: whether its last answer ended the game without a result."""
        self.name, self._ends = name, ends
        self._absence = next((answer.lost for answer in answers if answer.tick == START_TICK), None)
        self._answers = [answer for answer in answers if answer.tick != START_TICK]
        self._given = 0

    @property
    def exhausted(self) -> bool:
        return self._given == len(self._answers) and self._absence is None

    async def start(self) -> Fault | None:
        return None if self._absence is None else Fault(self._absence.verdict, self._absence.reason)

    async def ask(self, view: View) -> Answer:
        if self._given == len(self._answers) and self._absence is not None:
            return Answer(Fault(self._absence.verdict, self._absence.reason))
        answer = self._answers[self._given]
        self._given += 1
        if answer.lost is not None:
            ends = self._ends and self._given == len(self._answers)
            return Answer(Fault(answer.lost.verdict, answer.lost.reason, ends=ends))
        return Answer(NO_ORDER if answer.order is None else answer.order)


def recorded_seats(replay: Replay, own: Collection[int]) -> dict[int, RecordedSeat]:
    """Returns a player for every seat but the own ones."""
    answers = recorded_answers(replay)
    return {
        seat: RecordedSeat(name, answers[seat], seat in replay.culprits)
        for seat, name in enumerate(replay.names)
        if seat not in own
    }


def while_recorded(game: Game, seats: Mapping[int, RecordedSeat]) -> Enough:
    """Returns what breaks a game off before a recorded seat is asked for an order that it never gave."""

    def enough(_: Sequence[Turn]) -> bool:
        return any(seat in seats and seats[seat].exhausted for seat in game.asked)

    return enough


def first_difference(recorded: Replay, played: Replay, own: Collection[int]) -> FirstDifference | None:
    """Returns where the own seats first answered otherwise; None: they never did."""
    before, now = recorded_answers(recorded), recorded_answers(played)
    found = [one for seat in sorted(own) if (one := difference_of(seat, before[seat], now[seat]))]
    return min(found, key=lambda difference: difference.tick, default=None)


def difference_of(seat: int, before: Sequence[RecordedAnswer], now: Sequence[RecordedAnswer]) -> FirstDifference | None:
    for at in range(max(len(before), len(now))):
        recorded = before[at] if at < len(before) else None
        given = now[at] if at < len(now) else None
        if recorded is None or given is None or not recorded.equals(given):
            ticks = [answer.tick for answer in (recorded, given) if answer is not None]
            return FirstDifference(min(ticks), seat, recorded, given)
    return None


def told_as_recorded(recorded: Replay, played: Replay) -> None:
    """Gives a replay in which everybody answered as recorded the words of the record.

    Those are what bots were called then, and why turns were lost, which may name milliseconds.
    """
    words = {(miss.tick, miss.seat, miss.verdict): miss for miss in recorded.missed}
    played.names = recorded.names
    played.missed = [words.get((miss.tick, miss.seat, miss.verdict), miss) for miss in played.missed]


def view_before(replay: Replay, tick: int, seat: int) -> View | None:
    """Returns what a seat was shown in a tick; None: the game had no such tick."""
    for at, (game, _) in enumerate(replay.play()):
        if at == max(tick, 0):
            return game.view(seat)
    return None
