"""This module shows games that are being played as boards.

A program's game sends its position with its signs of life: the newest one is all that is needed. Games among house
bots are played in batches, hundreds of them in a second, and send nothing. But they follow from their seed: a few of
them are played again here, at a pace at which people can watch, and so many ticks at a time that it costs nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from botyard.contest.messages import Job
from botyard.contest.plan import Plan
from botyard.contest.runner import AtWork
from botyard.games.game import Game
from botyard.games.picture import camera_of, words_of
from botyard.kernel.errors import BadRecord
from botyard.kernel.plain import clean
from botyard.kernel.settings import Settings
from botyard.links.bot_spec import house_name
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.render.film import key_frame
from botyard.render.head import film_head

MOST_BOARDS = 6  # more are too small to be seen from the back of a room
FEW_SEATS = 3  # where more play, their names take up room, and boards should stay large
OF_A_SHARE = 3  # games of one worker's share that are played again
TICKS_PER_S = 12.0  # of a game that is played again
MOST_TICKS = 24  # of it at a time, however long nobody looked
SHOWN_S = 20.0  # how long it is shown before a newer game takes its place
ENDED_S = 3.0  # how long its last board stays


class Rerun:
    """A game among house bots, played again for people to watch."""

    def __init__(self, plan: Plan, settings: Settings, job: Job) -> None:
        self.job, self.tick = job, 0
        self.game = Game(plan.book, settings, job.seed)
        names = [house_name(plan.bots[bot].spec) or "" for bot in job.bots]
        seats = range(self.game.seats)
        self._players = [
            HousePlayer(plan.book, settings, names[self.game.entrant(seat)], LoopClock()) for seat in seats
        ]
        for seat, player in enumerate(self._players):
            player.wake(self.game.seed, seat)
        self._stepped = time.monotonic()
        self._until = self._stepped + SHOWN_S

    def go_on(self, now: float) -> None:
        """Plays the ticks that are due."""
        due = min(int((now - self._stepped) * TICKS_PER_S), MOST_TICKS)
        if not due:
            return
        self._stepped = now
        for _ in range(due):
            if self._step():
                self._until = now + ENDED_S
                return

    def _step(self) -> bool:
        """Plays a tick; returns whether it was the last."""
        if self.game.over:
            return False
        self.game.step_orders({seat: self._players[seat].decide(self.game.view(seat)) for seat in self.game.asked})
        self.tick += 1
        return bool(self.game.over)

    def is_stale(self, now: float) -> bool:
        return now > self._until


class Boards:
    """The boards of a contest's running games."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._reruns: dict[int, Rerun] = {}  # by number of the game
        self._drawn: dict[str, dict[str, Any]] = {}  # the last board of each worker that plays programs' games
        self._games: dict[int, Game] = {}  # a game for each number of seats, into which positions are put
        self._heads: dict[int, dict[str, Any]] = {}

    def prepare(self) -> None:
        """Has everything compiled that boards need, so that no contest waits for it."""
        for seats in set(self._plan.format.tables(len(self._plan.bots))):
            self._head(seats)
            if self._plan.is_house(self._plan.bots):
                self._plan.book.prepare(self._settings(seats), "bots")

    def _settings(self, seats: int) -> Settings:
        return self._plan.settings.seated(seats)

    def _head(self, seats: int) -> dict[str, Any]:
        if seats not in self._heads:
            game = self._games[seats] = Game(self._plan.book, self._settings(seats), 0)
            head = film_head(camera_of(game), game.settings, ())
            self._heads[seats] = {**head, "numbers": list(words_of(game).numbers)}
        return self._heads[seats]

    def values(self, at_work: Sequence[AtWork]) -> dict[str, Any]:
        """Returns the boards, and the heads of their films by number of seats."""
        room = self._room(at_work)
        boards = list(self._of_programs(at_work))[:room]
        boards += self._of_house(at_work, room - len(boards))
        heads = {str(board["seats"]): self._head(board["seats"]) for board in boards}
        return {"boards": boards, "heads": heads}

    def _room(self, at_work: Sequence[AtWork]) -> int:
        seats = max((len(worker.jobs[0].bots) for worker in at_work), default=0)
        return MOST_BOARDS if seats <= FEW_SEATS else MOST_BOARDS // 3

    def _of_programs(self, at_work: Sequence[AtWork]) -> Iterator[dict[str, Any]]:
        """Yields the boards of games that sent their position. One that has not moved is not drawn again, and the last
        one of a worker stays until its next game has begun."""
        drawn, self._drawn = self._drawn, {}
        for at in [one for one in at_work if not self._is_house(one)][:MOST_BOARDS]:
            board, job, sign = drawn.get(at.worker), at.jobs[0], at.sign
            if sign is not None and sign.state and sign.number == job.number:
                if board is None or (board["number"], board["tick"]) != (sign.number, sign.ticks):
                    board = self._placed(job, sign.ticks, sign.state)
            if board is not None:
                self._drawn[at.worker] = board
                yield board

    def _placed(self, job: Job, tick: int, state: bytes) -> dict[str, Any] | None:
        seats = len(job.bots)
        self._head(seats)
        try:
            self._games[seats].load_state(state)
        except BadRecord:  # a worker on a machine with another Botyard
            return None
        return self._board(self._games[seats], job, tick)

    def _of_house(self, at_work: Sequence[AtWork], room: int) -> list[dict[str, Any]]:
        now = time.monotonic()
        offered = [job for worker in at_work if self._is_house(worker) for job in worker.jobs[:OF_A_SHARE]][:room]
        if not offered:
            self._reruns = {}
            return []
        self._reruns = {number: rerun for number, rerun in self._reruns.items() if not rerun.is_stale(now)}
        for job in offered:
            if len(self._reruns) < min(room, len(offered)) and job.number not in self._reruns:
                self._reruns[job.number] = Rerun(self._plan, self._settings(len(job.bots)), job)
        for rerun in self._reruns.values():
            rerun.go_on(now)
        return [self._board(one.game, one.job, one.tick, again=True) for one in self._reruns.values()]

    def _is_house(self, worker: AtWork) -> bool:
        return self._plan.is_house(worker.jobs[0].bots)

    def _board(self, game: Game, job: Job, tick: int, again: bool = False) -> dict[str, Any]:
        words = words_of(game)
        return {
            "number": job.number,
            "names": [clean(self._plan.names[job.bots[game.entrant(seat)]]) for seat in range(game.seats)],
            "seats": game.seats,
            "tick": tick,
            "headline": words.headline,
            "points": list(next(iter(words.numbers.values()))),
            "frame": key_frame(tick, camera_of(game).take(game), words),
            "again": again,  # it is played again for people to watch; the contest is ahead of it
        }
