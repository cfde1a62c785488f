"""The match loop: one game from the first hello to the last goodbye.

Three kinds of trouble are kept apart. A bot's fault is a verdict, and the rules say what it costs. A user's mistake
is a YardError before anything starts. Our own failure is caught here and nowhere else: it voids the game, which then
costs nobody a point, and leaves the orders so far for whoever looks into it.

No bot can void a game. An exception that comes up while one bot is dealt with is that bot's verdict, unless the machine
failed us (`blame.py`). And where an original has no result because of what a bot did, the game has none either, but it
is known who did it (`Played.culprits`), and a contest counts it as that bot's forfeit (`Played.awarded`).
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from botyard.games.game import Game
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.outcome import Outcome
from botyard.kernel.shown import Shown
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.blame import is_ours, mishandled
from botyard.match.in_process import HousePlayer
from botyard.match.jitter import JitterGauge, Lateness
from botyard.match.player import Answer, Player
from botyard.match.replay import Missed, Replay
from botyard.match.turns import START_TICK, SeatRecord, Turn, TurnLog, TurnRecorder

T = TypeVar("T")

FAILURES = {
    Verdict.CRASHED, Verdict.MEMORY, Verdict.FORBIDDEN, Verdict.UNBUILT, Verdict.SILENT, Verdict.LATE, Verdict.GONE,
}  # fmt: skip
"""What stops an original whose contest ends with the first bot that fails (`Habits.failure_ends_the_game`)."""

RULES_FAILED = "the rules set their fault flag: a capacity was exceeded"

STOP_S = 60.0  # for a player that does not let go; a program is killed long before, unless this machine stands still

Watcher: TypeAlias = Callable[[Game, dict[int, Answer]], Awaitable[None]]
Enough: TypeAlias = Callable[[Sequence[Turn]], bool]
"""Told the turns so far: whether to break the game off, which then has no outcome."""


@dataclass(slots=True)
class Played(Shown):
    """What came of a game. `winner` and `scores` are by bot, as the bots were given; all else is by seat."""

    outcome: Outcome | None  # how the game ended, by seat; None: void, or no game at all
    names: tuple[str, ...]  # of the bots, by seat
    entrants: tuple[int, ...]  # which of the given players sat there, by seat
    replay: Replay  # the record, from which the game can be played again
    # Left out of the repr, because asyncio.run makes one of what it returns.
    turns: list[Turn] = field(default_factory=list, repr=False)  # every question, and what became of it
    trouble: str = ""  # why there is no outcome
    awarded: Outcome | None = None  # how a contest counts a game to which bots left no outcome, by seat
    seats: tuple[SeatRecord, ...] = ()  # what is kept of each player, by seat
    jitter: Lateness | None = None  # how late our own timer woke meanwhile
    in_turn: bool = False  # whether seats that move at once were asked one after another

    @property
    def culprits(self) -> tuple[int, ...]:
        """The seats that kept the game from having an outcome; none where the fault was ours."""
        return self.replay.culprits

    @property
    def log(self) -> TurnLog:
        """What is kept beside the replay, for a report of the turns."""
        return TurnLog(self.replay.game, self.replay.seed, self.seats, self.jitter, self.turns, self.in_turn)

    @property
    def verdicts(self) -> tuple[dict[Verdict, int], ...]:
        """How often each verdict was given, by seat."""
        counts: tuple[dict[Verdict, int], ...] = tuple({} for _ in self.names)
        for turn in self.turns:
            counts[turn.seat][turn.verdict] = counts[turn.seat].get(turn.verdict, 0) + 1
        return counts

    @property
    def winner(self) -> int | None:
        """Which of the given players won, counted as they were given."""
        seat = self.outcome.winner if self.outcome else None
        return None if seat is None else self.entrants[seat]

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the given players, in their order; of nobody in a void game."""
        if self.outcome is None:
            return (0,) * len(self.names)
        by_player = {player: self.outcome.scores[seat] for seat, player in enumerate(self.entrants)}
        return tuple(by_player[player] for player in sorted(by_player))


async def play_game(
    game: Game,
    players: Sequence[Player],
    watch: Watcher | None = None,
    enough: Enough | None = None,
    so_far: Sequence[list[Any]] = (),
) -> Played:
    """Plays a game among these players, given in the order they came; the game decides who sits where.

    A game that others have begun is played on: `so_far` are the ticks of their replay that led to its position.
    """
    entrants = tuple(game.entrant(seat) for seat in range(game.seats))
    seated = [players[entrant] for entrant in entrants]
    gauge = JitterGauge()
    try:
        loop = MatchLoop(game, seated, entrants, gauge, watch, enough)
        loop.begin_with(so_far)
        played = await loop.play()
    finally:
        lateness = gauge.end()
        await stop_all(players)
    played.seats, played.jitter = tuple(map(seat_record, seated)), lateness
    return played


def seat_record(player: Player) -> SeatRecord:
    """What is known of a player after its game; no more than its name if it cannot be asked."""
    try:
        return SeatRecord.of(player)
    except Exception:
        return SeatRecord(player.name)


async def stop_all(players: Sequence[Player]) -> None:
    """Nothing is left running, whatever happened; cancelling does not hurry past it.

    A player that fails to stop does not keep the others from stopping, and does not undo a game that was played.
    """

    async def stop(player: Player) -> None:
        with contextlib.suppress(Exception):
            async with asyncio.timeout(STOP_S):
                await player.stop()

    stopping = asyncio.gather(*(stop(player) for player in players))
    try:
        await asyncio.shield(stopping)
    except asyncio.CancelledError:
        await stopping
        raise


def award(scores: Sequence[int], culprits: Sequence[int]) -> Outcome:
    """A game that some seats ended without a result: they share the last place, and have no points to show for it."""
    others = tuple(seat for seat in range(len(scores)) if seat not in culprits)
    groups = tuple(group for group in (others, tuple(sorted(culprits))) if group)
    return Outcome(groups, tuple(0 if seat in culprits else points for seat, points in enumerate(scores)))


async def together(awaited: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """All at once. If one of them raises, the others are ended before it is told: nothing goes on behind our back."""
    tasks = [asyncio.ensure_future(one) for one in awaited]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


class MatchLoop:
    """One game and its seated players."""

    def __init__(
        self,
        game: Game,
        seated: list[Player],
        entrants: tuple[int, ...],
        gauge: JitterGauge,
        watch: Watcher | None = None,
        enough: Enough | None = None,
    ) -> None:
        self._game, self._seated, self._gauge, self._watch, self._enough = game, seated, gauge, watch, enough
        self._book = TurnRecorder()
        self._broken: dict[int, Answer] = {}  # players that our own handling failed with: nobody asks them again
        names = tuple(player.name for player in seated)
        self._played = Played(None, names, entrants, Replay.begin(game, ()), self._book.turns)
        self._played.in_turn = game.settings.habits.asks_in_turn

    def begin_with(self, ticks: Sequence[list[Any]]) -> None:
        """Takes over what was played before."""
        self._played.replay.ticks.extend(ticks)

    async def play(self) -> Played:
        try:
            await self._start()
            self._gauge.begin()  # only now: nobody's time is measured while bots and compiled code are loaded
            while not self._game.over and not self._played.trouble and not self._broken_off:
                await self._tick()
            self._conclude()
            await self._finish()
        except Exception:
            self._void(traceback.format_exc())
        return self._played

    @property
    def _broken_off(self) -> bool:
        return self._enough is not None and self._enough(self._played.turns)

    async def _start(self) -> None:
        asked = self._game.asked
        for seat, player in enumerate(self._seated):
            if isinstance(player, HousePlayer):
                player.wake(self._game.seed, seat)
                player.preload(self._game.view(seat if seat in asked else asked[0]))
        by_entry = sorted(range(len(self._seated)), key=lambda seat: self._played.entrants[seat])
        starts = dict(zip(by_entry, await together([self._begin(seat) for seat in by_entry]), strict=True))
        self._played.names = tuple(player.name for player in self._seated)
        self._played.replay.names = self._played.names
        absent = {seat: answer for seat, answer in sorted(starts.items()) if answer is not None}
        for seat, answer in absent.items():
            self._note(START_TICK, seat, answer)
        if self._house_failed(absent):
            return
        if len(absent) == len(self._seated):
            self._played.trouble = "no bot joined the game"
            return
        for seat in absent:
            self._game.change("forfeit", seat)
            self._played.replay.add_change("forfeit", seat)
            if self._watch:
                await self._watch(self._game, {})
        if absent and self._game.over and self._game.outcome and self._game.outcome.draw:
            await self._end_by(absent)  # without them the original has no game

    async def _begin(self, seat: int) -> Answer | None:
        """Starts a player; why it is not there, if it is not."""
        player = self._seated[seat]
        try:
            fault = await player.start()
            return None if fault is None else Answer(fault, said=player.said())
        except Exception as error:
            return self._broke(seat, error, "its start")

    async def _tick(self) -> None:
        game, tick = self._game, len(self._played.replay.ticks)
        asked = game.asked
        if len(asked) == 1 or game.settings.habits.asks_in_turn:
            answers = await self._ask_in_turn(asked)
        else:
            answers = dict(zip(asked, await together([self._ask(seat) for seat in asked]), strict=True))
        for seat, answer in answers.items():
            self._note(tick, seat, answer)
        if self._house_failed(answers):
            return
        if enders := {seat: answer for seat, answer in answers.items() if answer.ends}:
            await self._end_by(enders)
            return
        orders = {seat: NO_ORDER if isinstance(a.result, Fault) else a.result for seat, a in answers.items()}
        self._played.replay.add_orders(orders)
        game.step_orders(orders)
        if game.fault:
            await self._fail()
        if self._watch:
            await self._watch(game, answers)

    async def _ask_in_turn(self, asked: Sequence[int]) -> dict[int, Answer]:
        """Asks one seat after another. Those asked later are told the position first, where their protocol does so.

        After an answer that ends the game the others are still asked, because they might have ended it just as well.
        """
        for seat in asked[1:]:
            await self._tell(seat)
        answers: dict[int, Answer] = {}
        for seat in asked:
            answers[seat] = await self._ask(seat)
            if answers[seat].verdict is Verdict.HOUSE:
                break
        return answers

    async def _tell(self, seat: int) -> None:
        if seat in self._broken:
            return
        view = self._game.view(seat)
        try:
            await self._seated[seat].tell(view)
        except Exception as error:
            self._broke(seat, error, "what it is told")

    async def _ask(self, seat: int) -> Answer:
        view = self._game.view(seat)
        if seat not in self._broken:
            try:
                return self._weighed(await self._seated[seat].ask(view))
            except Exception as error:
                self._broke(seat, error, "its answer")
        answer = self._broken[seat]
        self._broken[seat] = replace(answer, said="")  # the traceback is told once
        return self._weighed(answer)

    def _weighed(self, answer: Answer) -> Answer:
        """An answer, ending the game where the settings want that of a bot that failed."""
        if (
            self._game.settings.habits.failure_ends_the_game
            and answer.verdict in FAILURES
            and isinstance(answer.result, Fault)
        ):
            return replace(answer, result=replace(answer.result, ends=True))
        return answer

    def _broke(self, seat: int, error: Exception, what: str) -> Answer:
        """An exception that came up while a player was dealt with, as that player's verdict if it is not ours.

        The traceback is for us, and stands in the log of the turns.
        """
        if is_ours(error) or isinstance(self._seated[seat], HousePlayer):
            raise error
        self._broken[seat] = Answer(mishandled(error, what), said=traceback.format_exc())
        return self._broken[seat]

    def _note(self, tick: int, seat: int, answer: Answer) -> None:
        self._book.note(tick, seat, answer)
        if isinstance(answer.result, Fault):
            self._played.replay.missed.append(Missed(tick, seat, answer.verdict, answer.reason))

    def _house_failed(self, answers: dict[int, Answer]) -> bool:
        """Whether one of these is our own fault, which voids the game."""
        house = [answer.reason for answer in answers.values() if answer.verdict is Verdict.HOUSE]
        if house:
            self._void(house[0])
        return bool(house)

    async def _end_by(self, enders: dict[int, Answer]) -> None:
        """The original has no result because of these seats. No fault of ours, but there is no game any more either."""
        self._played.replay.culprits = tuple(sorted(enders))
        self._played.trouble = f"{self._played.replay.ending}; under these settings that ends the game without a result"
        self._played.awarded = award(self._game.scores, self._played.culprits)
        await asyncio.sleep(max(answer.hang_ms for answer in enders.values()) / 1000)

    async def _fail(self) -> None:
        """The rules gave up on a position. The seats whose orders led there are to blame; if there are none, we are."""
        culprits = self._game.culprits
        if not culprits:
            self._void(RULES_FAILED)
            return
        fault = Fault(Verdict.INVALID, "its orders led to a position that our rules cannot hold", ends=True)
        tick = len(self._played.replay.ticks) - 1
        self._played.replay.missed += [Missed(tick, seat, fault.verdict, fault.reason) for seat in culprits]
        await self._end_by({seat: Answer(fault) for seat in culprits})

    def _conclude(self) -> None:
        if not self._played.trouble:
            self._played.replay.end(self._game)
            self._played.outcome = self._game.outcome

    async def _finish(self) -> None:
        """The closing words, in the order of the seats; a bot that has gone does not hear them.

        How the game ended is decided: whatever fails now changes nothing of it.
        """
        for player in self._seated:
            with contextlib.suppress(Exception):
                await player.finish(self._played.outcome)

    def _void(self, trouble: str) -> None:
        self._played.trouble = trouble
        self._played.outcome = self._played.replay.outcome = None
        for seat in range(len(self._seated)):
            self._played.replay.missed.append(
                Missed(len(self._played.replay.ticks), seat, Verdict.HOUSE, trouble.splitlines()[-1])
            )
