"""A prepared contest is ready to be played: its bots are read and built, its rules are loaded.

Games among house bots alone are played as compiled batches, all others one after another by the match loop. A fault
of ours becomes the trouble of that one game. If a bot's file, build or seat fails, that bot is UNBUILT: it forfeits
its games, and the contest goes on.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from botyard.contest.game_report import report_of, without_notes
from botyard.contest.lost_turns import LostTurns, examined_turn, lost_turns
from botyard.contest.messages import Brief, GameReport, Job, Sign
from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.devices import core_count
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import BotSpec, Seating, read_bot_spec
from botyard.links.cases import case_of
from botyard.links.starts import try_start
from botyard.match.blame import is_ours, mishandled
from botyard.match.checkup import unbuilt as unbuilt_finding
from botyard.match.clock import LoopClock
from botyard.match.loop import Played, play_game
from botyard.match.player import Answer, Player, Unseated
from botyard.match.series import SeriesGame, final_game, play_house
from botyard.rank.results import Result

PROGRESS_S = 1.0  # between two signs of life of a game
BOARD_S = 0.25  # the same, if they carry positions for people to see

Progress = Callable[[Sign], None]
SpecReader = Callable[[str], BotSpec]
"""Returns the bot that a specification of a brief means, where that is no path on this machine."""


def unheard(sign: Sign) -> None:
    """Ignores a sign; for callers that do not follow the progress."""


class PreparedContest:
    """The bots of a contest, ready to play, and the rules they play by."""

    def __init__(self, brief: Brief, read: SpecReader | None = None) -> None:
        self._brief = brief
        self._book = load(brief.game)
        self._settings = self._book.settings(**brief.settings)
        read = read or self._read
        self._bots: dict[str, BotSpec] = {}
        self._unbuilt: dict[str, Fault] = {}
        self._remedies: dict[str, str] = {}  # of those that are not built
        self._failure: Exception | None = None  # the machine's own; then no game can be played here
        for name, spec in brief.bots.items():
            try:
                self._bots[name] = read(spec)
            except Exception as error:
                if is_ours(error):
                    self._failure = error
                elif isinstance(error, YardError):
                    self._note_unbuilt(name, Fault(Verdict.UNBUILT, error.message), error.hint)
                else:
                    self._note_unbuilt(name, unbuilt(error))
        self._built = False
        self._note = self._book.contest.note

    def _read(self, spec: str) -> BotSpec:
        return read_bot_spec(spec, self._book, self._brief.cage.policy, Path(self._brief.folder))

    def _note_unbuilt(self, name: str, fault: Fault, remedy: str = "") -> None:
        self._unbuilt[name], self._remedies[name] = fault, remedy or unbuilt_finding(fault).remedy

    def is_house(self, bots: Sequence[str]) -> bool:
        return all(bot in self._bots and self._bots[bot].house for bot in bots)

    async def build(self) -> dict[str, str]:
        """Builds every bot that needs it, or takes it from the bot cache; returns by name why bots cannot be built."""
        if self._failure is not None:
            raise self._failure
        for name, bot in self._bots.items():
            try:
                fault = await bot.build()
            except Exception as error:
                fault = unbuilt(error)
            if fault is not None:
                self._note_unbuilt(name, fault)
        self._built = True
        return self.unbuilt

    @property
    def unbuilt(self) -> dict[str, str]:
        """Why bots could not be built, by name."""
        return {name: fault.reason for name, fault in self._unbuilt.items()}

    async def be_built(self) -> dict[str, str]:
        """The same as `build`, unless that was done before."""
        return self.unbuilt if self._built else await self.build()

    async def try_starts(self) -> dict[str, str]:
        """Starts every bot that was built once, several at a time; returns by name why bots cannot start."""
        cores = asyncio.Semaphore(core_count())
        settings = self._settings.seated(max(2, self._book.facts.seats_min))

        async def trouble(name: str, bot: BotSpec) -> tuple[str, Fault | None]:
            async with cores:
                return name, await try_start(bot, Seating(self._book, settings, LoopClock()))

        tried = [trouble(name, bot) for name, bot in self._bots.items() if name not in self._unbuilt and not bot.house]
        faults = await asyncio.gather(*tried)
        return {name: f"{fault.verdict}: {fault.reason}" for name, fault in faults if fault is not None}

    async def play(self, jobs: Sequence[Job], progress: Progress = unheard) -> list[GameReport]:
        """Plays games: those of the same house bots as one batch, the others one by one."""
        drilled = [job for job in jobs if self._drills(job)]
        reports = [GameReport(job.number, trouble="a fire drill") for job in drilled]
        rest = [job for job in jobs if job not in drilled]
        if self._failure is not None:
            trouble = "".join(traceback.format_exception(self._failure))
            return reports + [GameReport(job.number, trouble=trouble) for job in rest]
        together: dict[tuple[str, ...], list[Job]] = {}
        for job in rest:
            if self.is_house(job.bots):
                together.setdefault(job.bots, []).append(job)
            else:
                reports.append(await self.play_one(job, progress))
        for batch in together.values():
            reports += self._play_house(batch)
        return reports

    def _drills(self, job: Job) -> bool:
        return self._brief.drill > 0 and job.attempt == 1 and job.number % self._brief.drill == 0

    def _play_house(self, jobs: Sequence[Job]) -> list[GameReport]:
        bots = jobs[0].bots
        settings = self._settings.seated(len(bots))
        names = [self._bots[bot].house or "" for bot in bots]
        seeds = [job.seed for job in jobs]
        try:
            games = play_house(self._book, settings, names, seeds, keep_states=self._note is not None)
            return list(self._house_reports(jobs, settings, games))
        except Exception:
            return [GameReport(job.number, trouble=traceback.format_exc()) for job in jobs]

    def _house_reports(
        self, jobs: Sequence[Job], settings: Settings, games: Iterator[SeriesGame]
    ) -> Iterator[GameReport]:
        for job, game in zip(jobs, games, strict=True):
            if game.outcome is None:
                yield GameReport(job.number, trouble=game.trouble)
            else:
                note = self._note_of(settings, game)
                yield GameReport(job.number, str(Result.of_outcome(game.outcome, job.bots)), note=note)

    def _note_of(self, settings: Settings, game: SeriesGame) -> dict[str, Any] | None:
        return None if self._note is None else self._note(final_game(self._book, settings, game))

    async def play_one(self, job: Job, progress: Progress = unheard) -> GameReport:
        """Plays one game with the match loop and returns its report."""
        try:
            progress(Sign(job.number, 0))  # preparing and building may take longer than a worker may be silent
            game = self.new_game(job)
            played = await self.play_through(game, job, progress)

            def explain(played: Played, place: int) -> dict[str, LostTurns]:
                return self._explained(game, played, place, job.bots[place])

            if not self._brief.notes:
                played = without_notes(played)
            report = report_of(job, played, self._brief.replays, self._brief.turn_logs, explain)
            return replace(report, note=self._note(game)) if self._note and report.result else report
        except Exception:
            return GameReport(job.number, trouble=traceback.format_exc())

    def _explained(self, game: Game, played: Played, place: int, bot: str) -> dict[str, LostTurns]:
        """Returns the turns that a bot lost in a game, as `botyard check` would explain them."""
        seat = played.entrants.index(place)
        own = [turn for turn in played.turns if turn.seat == seat]
        if bot in self._unbuilt:
            return lost_turns(own, lambda turn: (turn.reason, self._remedies[bot]))
        try:
            case = case_of(self._bots[bot], played, place, self._book, game.settings, self._brief.cage.memory_mb)
            return lost_turns(own, lambda turn: examined_turn(case, turn))
        except Exception as error:
            if is_ours(error):
                raise
            # No bot can void a game by words that are hard to explain.
            return lost_turns(own, lambda turn: (turn.reason, turn.verdict.meaning))

    def new_game(self, job: Job) -> Game:
        return Game(self._book, self._settings.seated(len(job.bots)), job.seed)

    async def play_through(self, game: Game, job: Job, progress: Progress = unheard) -> Played:
        """Plays one game with the match loop."""
        if not self._built:
            await self.build()
            progress(Sign(job.number, 0))
        seating = Seating(self._book, game.settings, LoopClock(), game_number=job.game)
        players = [self._seat(seating, at, bot) for at, bot in enumerate(job.bots)]
        person = any(self._bots[bot].is_person for bot in job.bots if bot in self._bots)
        return await play_game(game, players, Signs(job, progress, self._brief.boards, at_once=person).watch)

    def _seat(self, seating: Seating, at: int, bot: str) -> Player:
        """Returns the player for a seat; for a bot that cannot be seated, one that answers with the reason."""
        if bot in self._unbuilt:
            return Unseated(bot, self._unbuilt[bot])
        try:
            return self._bots[bot].seat_player(seating, at)
        except Exception as error:
            return Unseated(bot, unbuilt(error))


class Signs:
    """Reports the progress of a game from time to time; with `boards`, the position and the orders that led to it.

    A position is one memory copy, so a watcher gets the newest one whatever came before. Whoever wants to show every
    tick plays the orders again.
    """

    def __init__(self, job: Job, progress: Progress, boards: bool = False, *, at_once: bool = False) -> None:
        """`at_once`: of every tick, because a person waits to see it."""
        self._job, self._progress, self._boards = job, progress, boards
        self._pause = -1.0 if at_once else BOARD_S if boards else PROGRESS_S
        self._ticks, self._told = 0, time.monotonic()
        self._played: list[tuple[int, ...]] = []

    async def watch(self, game: Game, answers: dict[int, Answer]) -> None:
        self._ticks += 1
        if self._boards:
            self._played.append(tuple(order_number(answers[seat]) for seat in sorted(answers)))
        if time.monotonic() - self._told > self._pause:
            self._told = time.monotonic()
            orders = {self._job.bots[game.entrant(seat)]: order_of(game, answer) for seat, answer in answers.items()}
            state = game.arrays[1].tobytes() if self._boards else b""
            self._progress(Sign(self._job.number, self._ticks, orders, state, tuple(self._played)))
            self._played.clear()


def order_number(answer: Answer) -> int:
    return NO_ORDER if isinstance(answer.result, Fault) else answer.result


def order_of(game: Game, answer: Answer) -> str:
    """Returns the name of an order, or its number if it has no name; for an answer without an order, the verdict."""
    if isinstance(answer.result, Fault):
        return str(answer.verdict)
    names = game.book.facts.orders
    return names[answer.result] if 0 <= answer.result < len(names) else str(answer.result)


def unbuilt(error: Exception) -> Fault:
    """Returns an exception about one bot before its game as that bot's fault; what the machine refuses us is ours."""
    if is_ours(error):
        raise error
    return mishandled(error, "its files", Verdict.UNBUILT)
