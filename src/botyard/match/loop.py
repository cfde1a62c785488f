"""The match loop: one game from the first hello to the last goodbye.

Three kinds of trouble are kept apart. A bot's fault is a verdict, and the rules say what it costs. A user's mistake
is a YardError before anything starts. Our own failure is caught here and nowhere else: it voids the game, which then
costs nobody a point, and leaves the orders so far for whoever looks into it.
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from botyard.games.game import Game
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.direct import HousePlayer
from botyard.match.jitter import JitterGauge, Lateness
from botyard.match.player import Answer, Player, last_words
from botyard.match.replay import Missed, Replay
from botyard.match.turns import START_TICK, Seat, Turn, TurnBook, TurnLog

T = TypeVar("T")

STOP_S = 60.0  # for a player that does not let go; a program is killed long before, unless this machine stands still

Watcher: TypeAlias = Callable[[Game, dict[int, Answer]], Awaitable[None]]
Enough: TypeAlias = Callable[[Sequence[Turn]], bool]
"""Told the turns so far: whether to break the game off, which then has no outcome."""


@dataclass(slots=True)
class Played:
    """What came of a game."""

    outcome: Outcome | None  # by seat; None: void, or no game at all
    names: tuple[str, ...]  # by seat
    entrants: tuple[int, ...]  # by seat: which of the given players sat there
    replay: Replay
    turns: list[Turn] = field(default_factory=list, repr=False)  # asyncio.run makes a repr of what it returns
    trouble: str = ""  # why a game is void
    aborted: bool = False  # by a bot that failed, where the settings let that be the end of everything
    housing: tuple[Seat, ...] = ()  # by seat: how each player was housed
    jitter: Lateness | None = None  # how late our own timer woke meanwhile

    @property
    def log(self) -> TurnLog:
        """What is kept beside the replay."""
        return TurnLog(self.replay.game, self.replay.seed, self.housing, self.jitter, self.turns)

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
    game: Game, players: Sequence[Player], watch: Watcher | None = None, enough: Enough | None = None
) -> Played:
    """Plays a game among these players, given in the order they came; who sits where is the game's affair."""
    entrants = tuple(game.entrant(seat) for seat in range(game.seats))
    seated = [players[entrant] for entrant in entrants]
    gauge = JitterGauge()
    try:
        played = await Table(game, seated, entrants, gauge, watch, enough).play()
    finally:
        lateness = gauge.end()
        await stop_all(players)
    played.housing, played.jitter = tuple(map(Seat.of, seated)), lateness
    return played


async def stop_all(players: Sequence[Player]) -> None:
    """Nothing is left running, whatever happened; cancelling does not hurry past it."""

    async def stop(player: Player) -> None:
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(STOP_S):
                await player.stop()

    stopping = asyncio.gather(*(stop(player) for player in players))
    try:
        await asyncio.shield(stopping)
    except asyncio.CancelledError:
        await stopping
        raise


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


class Table:
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
        self._book = TurnBook()
        names = tuple(player.name for player in seated)
        self._played = Played(None, names, entrants, Replay.begin(game, ()), self._book.turns)

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
                player.warm(self._game.view(seat if seat in asked else asked[0]))
        by_entry = sorted(range(len(self._seated)), key=lambda seat: self._played.entrants[seat])
        faults = await together([self._seated[seat].start() for seat in by_entry])
        self._played.names = tuple(player.name for player in self._seated)
        self._played.replay.names = self._played.names
        absent = sorted((seat, fault) for seat, fault in zip(by_entry, faults, strict=True) if fault)
        for seat, fault in absent:
            self._note(START_TICK, seat, Answer(fault, said=last_words(self._seated[seat])))
            if fault.verdict is Verdict.HOUSE:
                self._void(fault.reason)
                return
        if len(absent) == len(self._seated):
            self._played.trouble = "no bot came to the game"
            return
        for seat, _ in absent:
            self._game.change("forfeit", seat)
            self._played.replay.add_change("forfeit", seat)

    async def _tick(self) -> None:
        game, tick = self._game, len(self._played.replay.ticks)
        asked = game.asked
        if len(asked) == 1 or game.settings.asks_in_turn:
            answers = await self._ask_in_turn(asked)
        else:
            answers = await together([self._seated[seat].ask(game.view(seat)) for seat in asked])
        orders = {}
        for seat, answer in zip(asked, answers, strict=False):  # nobody is asked after an answer that voids the game
            orders[seat] = NO_ORDER if isinstance(answer.result, Fault) else answer.result
            self._note(tick, seat, answer)
            if answer.verdict is Verdict.HOUSE:
                self._void(answer.reason)
                return
            if answer.aborts:
                self._abort(seat, answer)
                return
        self._played.replay.add_orders(orders)
        game.step_orders(orders)
        if game.fault:
            self._void("the rules set their fault flag: a capacity was exceeded")
        if self._watch:
            await self._watch(game, dict(zip(asked, answers, strict=True)))

    async def _ask_in_turn(self, asked: Sequence[int]) -> list[Answer]:
        """One after another. Who is asked later may be told before, where his protocol has it so."""
        for seat in asked[1:]:
            if tell := getattr(self._seated[seat], "tell", None):
                await tell(self._game.view(seat))
        answers: list[Answer] = []
        for seat in asked:
            answers.append(await self._seated[seat].ask(self._game.view(seat)))
            if answers[-1].verdict is Verdict.HOUSE:
                break
        return answers

    def _note(self, tick: int, seat: int, answer: Answer) -> None:
        self._book.note(tick, seat, answer)
        if isinstance(answer.result, Fault):
            self._played.replay.missed.append(Missed(tick, seat, answer.verdict, answer.reason))

    def _abort(self, seat: int, answer: Answer) -> None:
        """The original's way with a bot that fails; no fault of ours, but there is no game any more either."""
        name = self._seated[seat].name
        self._played.aborted = True
        self._played.trouble = f"{name}: {answer.verdict}, {answer.reason}; with on_bot_failure=abort that is the end"

    def _conclude(self) -> None:
        if not self._played.trouble:
            self._played.replay.end(self._game)
            self._played.outcome = self._game.outcome

    async def _finish(self) -> None:
        """The closing words, in the order of the seats; a bot that has gone does not hear them."""
        for player in self._seated:
            with contextlib.suppress(OSError):
                await player.finish(self._played.outcome)

    def _void(self, trouble: str) -> None:
        self._played.trouble = trouble
        self._played.outcome = self._played.replay.outcome = None
        for seat in range(len(self._seated)):
            self._played.replay.missed.append(
                Missed(len(self._played.replay.ticks), seat, Verdict.HOUSE, trouble.splitlines()[-1])
            )
