"""Playing the games of a contest: what every worker does, wherever it runs.

Games among house bots alone are played many at a time, compiled all the way; all others one after another through the
match loop. Whatever goes wrong on our side is told as the trouble of that game and of no other. Whatever goes wrong
with one bot, its file, its build or its seat, is that bot's UNBUILT: it forfeits its games, and the contest goes on.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from botyard.contest.messages import Brief, GameReport, Job
from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import Entry, Seating, read_bot_spec
from botyard.match.blame import is_ours, mishandled
from botyard.match.clock import LoopClock
from botyard.match.loop import Played, play_game
from botyard.match.player import Answer, Player, Unseated
from botyard.match.series import SeriesGame, by_player, final_game, play_house
from botyard.match.turns import START_TICK
from botyard.rank.results import Result

PROGRESS_S = 1.0

Progress = Callable[[int, int], None]  # the number of a game, and its ticks so far


class Worker:
    """The bots of a contest, read and ready, and the rules they play by. Its folder is the current one."""

    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self._book = load(brief.game)
        self._settings = self._book.settings(**brief.settings)
        policy = brief.cage.policy
        self._entries: dict[str, Entry] = {}
        self._unbuilt: dict[str, Fault] = {}
        self._failure: Exception | None = None  # of the machine: then no game can be played here
        for name, spec in brief.bots.items():
            try:
                self._entries[name] = read_bot_spec(spec, self._book, policy)
            except Exception as error:
                if is_ours(error):
                    self._failure = error
                else:
                    self._unbuilt[name] = unbuilt(error)
        self._built = False
        self._note = self._book.contest.note

    def is_house(self, bots: Sequence[str]) -> bool:
        return all(bot in self._entries and self._entries[bot].house for bot in bots)

    def play(self, share: Sequence[Job], progress: Progress = lambda number, ticks: None) -> Iterator[GameReport]:
        """Plays a share of games: of the same house bots at once, of others one by one."""
        drilled = [job for job in share if self._drills(job)]
        for job in drilled:
            yield GameReport(job.number, trouble="a fire drill")
        rest = [job for job in share if job not in drilled]
        if self._failure is not None:
            trouble = "".join(traceback.format_exception(self._failure))
            yield from (GameReport(job.number, trouble=trouble) for job in rest)
        elif rest and self.is_house(rest[0].bots) and all(job.bots == rest[0].bots for job in rest):
            yield from self._play_house(rest)
        else:
            for job in rest:
                yield self._play_one(job, progress)

    def _drills(self, job: Job) -> bool:
        return self._brief.drill > 0 and job.attempt == 1 and job.number % self._brief.drill == 0

    def _play_house(self, jobs: Sequence[Job]) -> Iterator[GameReport]:
        bots = jobs[0].bots
        settings = self._settings.seated(len(bots))
        names = [self._entries[bot].house or "" for bot in bots]
        seeds = [job.seed for job in jobs]
        try:
            results = play_house(self._book, settings, names, seeds, keep_states=self._note is not None)
            for job, result in zip(jobs, results, strict=True):
                if result.outcome is None:
                    yield GameReport(job.number, trouble="the rules set their fault flag: a capacity was exceeded")
                else:
                    note = self._note_of(settings, result)
                    yield GameReport(job.number, str(Result.of_outcome(result.outcome, bots)), note=note)
        except Exception:
            yield from (GameReport(job.number, trouble=traceback.format_exc()) for job in jobs)

    def _note_of(self, settings: Settings, result: SeriesGame) -> dict[str, Any] | None:
        if self._note is None:
            return None
        return self._note(final_game(self._book, settings, result))

    def _play_one(self, job: Job, progress: Progress) -> GameReport:
        try:
            game = self.new_game(job)
            played = asyncio.run(self.play_through(game, job, progress))
            report = report_of(job, played, self._brief.replays)
            return replace(report, note=self._note(game)) if self._note and report.result else report
        except Exception:
            return GameReport(job.number, trouble=traceback.format_exc())

    def new_game(self, job: Job) -> Game:
        return Game(self._book, self._settings.seated(len(job.bots)), job.seed)

    async def play_through(self, game: Game, job: Job, progress: Progress = lambda number, ticks: None) -> Played:
        """One game through the match loop."""
        if not self._built:
            await self.build()
        table = Seating(self._book, game.settings, LoopClock(), game_number=job.game)
        players = [self._seat(table, at, bot) for at, bot in enumerate(job.bots)]
        told, ticks = time.monotonic(), 0

        async def watch(_: Game, __: dict[int, Answer]) -> None:
            nonlocal told, ticks
            ticks += 1
            if time.monotonic() - told > PROGRESS_S:
                told = time.monotonic()
                progress(job.number, ticks)

        return await play_game(game, players, watch)

    def _seat(self, table: Seating, at: int, bot: str) -> Player:
        """Whoever fills a seat; of a bot that cannot be seated, somebody who says why."""
        if bot in self._unbuilt:
            return Unseated(bot, self._unbuilt[bot])
        try:
            return self._entries[bot].seat_player(table, at)
        except Exception as error:
            return Unseated(bot, unbuilt(error))

    async def build(self) -> dict[str, str]:
        """Builds every bot that has to be; why one cannot be, by name. What was built before comes from a bot_cache."""
        if self._failure is not None:
            raise self._failure
        for name, entry in self._entries.items():
            try:
                fault = await entry.build()
            except Exception as error:
                fault = unbuilt(error)
            if fault is not None:
                self._unbuilt[name] = fault
        self._built = True
        return {name: f"{fault.verdict}: {fault.reason}" for name, fault in self._unbuilt.items()}

    @property
    def entries(self) -> dict[str, Entry]:
        return dict(self._entries)


def unbuilt(error: Exception) -> Fault:
    """An exception about one bot before its game, as its fault; what the machine refuses us stays ours."""
    if is_ours(error):
        raise error
    return mishandled(error, "its files", Verdict.UNBUILT)


def report_of(job: Job, played: Played, replays: bool) -> GameReport:
    """A played game as a report. What bots did is theirs: if none came, or some ended it without a result, they have
    forfeited."""
    absent = {played.entrants[turn.seat] for turn in played.turns if turn.tick == START_TICK}
    culprits = {played.entrants[seat] for seat in played.culprits}
    forfeits = [job.bots[player] for player in sorted(absent | culprits)]
    ours = any(miss.verdict is Verdict.HOUSE for miss in played.replay.missed)
    outcome = played.outcome or played.awarded
    if outcome is not None:
        result = Result.of_outcome(by_player(outcome, played.entrants), job.bots, forfeits)
    elif not ours and len(absent) == len(job.bots):
        result = Result.of([job.bots], dict.fromkeys(job.bots, 0), forfeits)
    else:
        trouble = played.trouble or "the game ended without an outcome"
        return GameReport(job.number, trouble=trouble)
    return GameReport(
        job.number,
        str(result),
        ticks=len(played.replay.ticks),
        verdicts=verdicts_of(job, played),
        timing=timing_of(job, played),
        replay=played.replay.to_bytes() if replays else None,
    )


def verdicts_of(job: Job, played: Played) -> dict[str, dict[str, int]]:
    return {
        job.bots[played.entrants[seat]]: {str(verdict): count for verdict, count in counts.items()}
        for seat, counts in enumerate(played.verdicts)
    }


def timing_of(job: Job, played: Played) -> dict[str, tuple[int, float, float]]:
    timing: dict[str, Any] = dict.fromkeys(job.bots, (0, 0.0, 0.0))
    for turn in played.turns:
        bot = job.bots[played.entrants[turn.seat]]
        questions, whole, longest = timing[bot]
        timing[bot] = (questions + 1, round(whole + turn.ms, 3), max(longest, turn.ms))
    return timing
