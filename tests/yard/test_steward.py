"""The steward at work: real bots in cages, real workers, and what becomes of them when they die or stand still."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from botyard.contest.executors import Event, Executor, Lost, Work
from botyard.contest.executors.inline import Inline
from botyard.contest.executors.local import Local
from botyard.match.live_film import LiveFilm
from botyard.match.replay import Replay
from botyard.rank.ladder import TaskClass
from botyard.yard.bots.uploads import UploadTarget, enter_upload
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.tables import (
    ASKED,
    BOT,
    CLOSED,
    DONE,
    ENTRY,
    FAULT,
    FIT,
    LEASED,
    MATCH,
    PAIR,
    SEAT,
    TASK,
    UNBUILT,
    VERSION,
)
from botyard.yard.ladders.challenges import try_out
from botyard.yard.site import Yard
from botyard.yard.work.leasing import Patience
from botyard.yard.work.sampling import ONE_IN
from botyard.yard.work.steward import Steward
from botyard.yard.work.tasks import TakenOver
from tests.waiting import finished, soon, until
from tests.yard.handing_in import unpacked
from tests.yard.league import PLAN, SLUG, League
from tests.yard.players import files_of_speaker, speaker


def open_yard(address: str, folder: Path) -> Yard:
    """A yard whose clock goes."""
    database = Database.at(address)
    database.create()
    return Yard(YardConfig(folder / "yard", database=address, ladders=(PLAN,)), database)


@pytest.fixture
def own_yard(tmp_path: Path) -> Yard:
    return open_yard(f"sqlite:///{tmp_path / 'own.db'}", tmp_path)


@asynccontextmanager
async def serving(
    yard: Yard, hire: Callable[[], Executor] = Inline, patience: Patience | None = None, sampled: int = ONE_IN
) -> AsyncIterator[Steward]:
    steward = Steward(yard, hire, patience, sampled=sampled)
    task = asyncio.create_task(steward.run())
    try:
        yield steward
    finally:
        steward.end()
        await soon(task)


def playing(league: League, name: str, seconds: float = 0.0) -> int:
    """A bot that really plays; returns it."""
    bot = league.bot(league.person(f"owner of {name}"), name)
    league.enter(bot, league.version(bot, speaker(name, seconds=seconds)))
    return bot


def asked_game_of(league: League, bot: int) -> int:
    """A test game of a bot against a house bot."""
    owner, version = league.row(BOT, bot).owner, league.entry(bot).version
    with league.yard.database.writing() as connection:
        quotas, now_ms = league.yard.config.quotas, league.yard.clock()
        return try_out(connection, quotas, owner, SLUG, version, now_ms, house="raider")


def handed_in(league: League, person: int) -> int:
    """A version that its owner uploads and wants to play; returns it."""
    target, upload = UploadTarget(game=PLAN.game, name="Ant", activate=True), unpacked(files_of_speaker("Ant"))
    yard = league.yard
    with yard.database.writing() as connection:
        quotas, now_ms = yard.config.quotas, yard.clock()
        return enter_upload(connection, yard.blobs, quotas, person, target, upload, now_ms).version


def closed_pairs(league: League) -> list[int]:
    return [row.id for row in league.rows(PAIR) if row.state == CLOSED]


def test_a_ladder_is_played_by_itself_and_everything_of_a_match_is_kept(database_address: str, tmp_path: Path) -> None:
    yard = open_yard(database_address, tmp_path)
    league = League(yard)
    playing(league, "Ant")

    async def play() -> None:
        async with serving(yard):
            await until(lambda: closed_pairs(league))

    finished(play())
    pair = closed_pairs(league)[0]
    for match in map(league.match, league.matches(pair)):
        with yard.database.reading() as connection:
            replay = Replay.from_bytes(yard.blobs.read(connection, match.replay))
            assert yard.blobs.read(connection, match.turns)
        assert str(replay.seed) == league.pair(pair).seed
        assert replay.verify().over
        assert match.figures
    seats = [row for row in league.rows(SEAT) if row.match == league.matches(pair)[0]]
    assert sorted(seat.rank for seat in seats) in ([1, 2], [1, 1])
    assert all(seat.turns and not seat.lost_turns for seat in seats)
    assert not [row for row in league.rows(TASK) if row.state == "leased"], "what was at work is given back"
    assert not league.rows(FAULT)
    yard.close()


def test_an_upload_is_built_checked_activated_and_plays(own_yard: Yard) -> None:
    league = League(own_yard)
    uploaded = handed_in(league, league.person("Ada"))

    def has_played() -> bool:
        """House bots may have played each other before."""
        return any(seat.version == uploaded and seat.rank for seat in league.rows(SEAT))

    async def play() -> str:
        async with serving(own_yard) as steward:
            await until(lambda: has_played() or league.row(VERSION, uploaded).state == "unfit")
            return repr(steward.build_log(uploaded))

    assert finished(play()) == "None", "the log of a build that is over is in its version"
    version = league.row(VERSION, uploaded)
    assert (version.state, version.build_log is not None) == (FIT, True)
    assert version.checked_with
    assert [row.version for row in league.rows(ENTRY) if row.bot is not None] == [uploaded]


def test_a_match_is_seen_while_it_is_played_and_is_not_taken_away_as_long_as_it_goes_on(own_yard: Yard) -> None:
    league = League(own_yard)
    playing(league, "Snail", seconds=0.25)

    async def watch() -> tuple[int, LiveFilm]:
        async with serving(own_yard, patience=Patience(match_s=1.5)) as steward:
            await until(lambda: len(steward.live))
            match = next(iter(steward.live))
            film = await soon(steward.live.film(match))
            assert film is not None
            await until(lambda: film.ticks > 3)
            assert not film.over
            await until(lambda: film.over)
            return match, film

    match, film = finished(watch())
    assert not league.rows(FAULT), "it took longer than a worker may stand still"
    assert league.match(match).state == DONE
    assert film.ticks == league.match(match).ticks + 1
    assert film.head()["outcome"] is None, "who has won is told with the other game"


def test_a_worker_that_is_stopped_loses_its_match_which_is_played_once(own_yard: Yard) -> None:
    """It is stopped past its lease and then goes on: one result, one fault."""
    league = League(own_yard)
    bot = playing(league, "Snail", seconds=0.1)
    [match] = league.matches(asked_game_of(league, bot))
    executors: list[Local] = []

    def hire() -> Local:
        executors.append(Local(1))
        return executors[0]

    async def stop_it() -> None:
        async with serving(own_yard, hire, Patience(match_s=2.0)) as steward:
            film = None
            while film is None:
                await until(lambda: match in list(steward.live))
                film = await soon(steward.live.film(match))
            await until(lambda: film.ticks > 2)
            [worker] = executors[0].processes
            os.kill(worker, signal.SIGSTOP)
            await until(lambda: league.rows(FAULT))
            with suppress(ProcessLookupError):  # it was ended, because nobody wants what it does
                os.kill(worker, signal.SIGCONT)
            await until(lambda: league.match(match).state == DONE)

    finished(stop_it())
    [fault] = league.rows(FAULT)
    assert "lease is over" in fault.reason
    assert league.task_of(match).attempts == 1
    assert [row.id for row in league.rows(MATCH) if row.state == DONE and row.id == match] == [match]


class Dying:
    """Two workers that die of whatever they are given."""

    workers, far = 2, False

    def __init__(self) -> None:
        self.given: list[str] = []  # to whom, in order
        self._dead: list[str] = []

    def idle(self) -> list[str]:
        return [name for name in ("worker 1", "worker 2") if name not in self._dead]

    def start(self, worker: str, work: Work) -> None:
        self.given.append(worker)
        self._dead.append(worker)

    async def wait(self, seconds: float) -> list[Event]:
        dead, self._dead = self._dead, []
        return [Lost(worker, "it died") for worker in dead]

    def stopped(self) -> list[str]:
        return []

    def refused(self) -> dict[str, str]:
        return {}

    def facts(self, worker: str) -> None:
        return None

    async def end(self, worker: str) -> None:
        raise AssertionError(f"{worker} has ended by itself")

    async def close(self) -> None:
        self._dead = []


def test_what_fails_on_a_worker_is_given_to_another_and_given_up_after_five_attempts(own_yard: Yard) -> None:
    """The first worker is idle each time, and nothing else is there to be done: the ladder's deadline is over."""
    late = replace(PLAN, deadline="2020-01-01T00:00+00:00")
    yard = Yard(replace(own_yard.config, ladders=(late,)), own_yard.database)
    league, workers = League(yard, late), Dying()
    version = handed_in(league, league.person("Ada"))

    async def serve() -> None:
        async with serving(yard, lambda: workers):
            await until(lambda: league.row(VERSION, version).state == UNBUILT)

    finished(serve())
    assert workers.given == ["worker 1", "worker 2", "worker 1", "worker 2", "worker 1"]
    assert [fault.worker for fault in league.rows(FAULT)] == workers.given
    assert "we failed, not the bot: it died" in league.row(VERSION, version).reason


def test_a_second_server_takes_over_and_the_first_one_stops(own_yard: Yard) -> None:
    league = League(own_yard)
    playing(league, "Ant")

    async def both() -> None:
        first = Steward(own_yard, Inline)
        serving_first = asyncio.create_task(first.run())
        await until(lambda: first.load.running)
        async with serving(own_yard):
            with pytest.raises(TakenOver):
                await soon(serving_first)

    finished(both())


def test_one_worker_does_what_people_wait_for_first(own_yard: Yard) -> None:
    league = League(own_yard)
    bot = playing(league, "Snail", seconds=0.5)
    league.ask_pair()
    [wanted] = league.matches(asked_game_of(league, bot))

    async def begun() -> list[TaskClass]:
        async with serving(own_yard) as steward:
            await until(lambda: steward.load.running)
            assert league.match(wanted).state == LEASED
            return list(steward.load.running)

    assert finished(begun()) == [TaskClass.CHALLENGE]
    assert league.match(wanted).state == ASKED, "it was broken off with the server, and waits for the next one"
