"""Running contests: the same table whatever executes them, whatever fails, and wherever they were interrupted."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from botyard.contest.executors import Done, Event, Lost, Work
from botyard.contest.executors.inline import Inline
from botyard.contest.executors.local import Local
from botyard.contest.find_replay import replay_of
from botyard.contest.messages import DRILL, GameReport, Job, Share
from botyard.contest.opening import open_store
from botyard.contest.plan import Plan
from botyard.contest.reading import read_plan
from botyard.contest.roots import derive_seed, read_root
from botyard.contest.runner import News, Run, check_built
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import BadRecord, YardError
from tests.contest.yard import PATIENT, QUICK, bot_file, games_of, plan_of, play_jobs, run_contest, table_of, write
from tests.waiting import finished


def test_a_contest_is_played_to_its_end(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    course, news = run_contest(plan)
    assert news.done == 12
    assert [row["bot"] for row in table_of(plan)] == [row.bot for row in course.standings().rows]
    assert sum(row["games"] for row in table_of(plan)) == 24


def test_seeds_follow_from_the_contest_alone_and_swapped_games_share_theirs(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    games = games_of(plan)
    assert [number for number, *_ in games] == list(range(1, 13))
    assert games[0][2] == games[1][2] == derive_seed(read_root(7), "raider vs wanderer/1")
    assert games[0][1] == games[1][1][::-1]
    assert len({seed for _, _, seed, _ in games}) == 6


def test_executors_play_the_same_games(tmp_path: Path) -> None:
    inline = plan_of(tmp_path)
    run_contest(inline)
    spread = read_plan(write(tmp_path, QUICK.replace('"inline"', '"local"\nworkers = 2'), "spread.toml"))
    run_contest(spread)
    assert games_of(inline) == games_of(spread)


def test_house_games_through_the_loop_are_those_of_the_batch(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        row = store.row(5)
        replay = finished(replay_of(plan, store, row))  # refuses another end
    assert replay.seed == row.seed
    assert sorted(replay.names) == sorted(row.pairing.bots)


class Cut(Exception):
    """The power fails."""


@pytest.mark.parametrize(
    "shape",
    [
        '"swiss"\nbouts = 1',
        '"rated_waves"\nwaves = 4',
        '"knockout"\nwins = 1',
        '"compare"\nwave_pairs = 2\nmost_pairs = 6',
    ],
)
def test_formats_in_waves_go_on_where_they_were_cut(tmp_path: Path, shape: str) -> None:
    text = QUICK.split("[format]")[0] + f'[format]\nkind = {shape}\n[run]\nexecutor = "inline"\n'
    if "compare" in shape:
        text = text.replace('wanderer = "house:wanderer"', "")
    whole = plan_of(tmp_path, text)
    run_contest(whole)
    often = read_plan(write(tmp_path, text, "often.toml"))
    for _ in range(200):

        def cut(news: News) -> None:
            if news.done > news.before:
                raise Cut

        try:
            run_contest(often, watch=cut)
            break
        except Cut:
            continue
    assert games_of(often) == games_of(whole)
    assert table_of(often) == table_of(whole)


def test_a_fire_drill_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calm = plan_of(tmp_path)
    run_contest(calm)
    monkeypatch.setenv(DRILL, "3")
    drilled = read_plan(write(tmp_path, name="drilled.toml"))
    _, news = run_contest(drilled)
    assert news.faults == 4
    assert games_of(drilled) == games_of(calm)
    with StoreFile.open(drilled.store_path) as store:
        assert [number for number, _, _ in store.faults()] == [3, 6, 9, 12]
        assert store.row(3).faults == 1


class Broken(Inline):
    """Fails whatever it is given."""

    async def wait(self, seconds: float) -> list[Event]:
        share, self._work = self._work, None
        jobs = share.jobs if isinstance(share, Share) else ()
        return [Done("inline", tuple(GameReport(job.number, trouble="out of order") for job in jobs))]


def test_a_game_that_we_fail_for_ever_is_void_and_costs_nobody_a_point(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace('"inline"', '"inline"\nattempts = 2'))
    with open_store(plan, anew=False) as store:
        store.hold()
        course = finished(Run(plan, store, Broken).play())
        assert (store.counts().void, store.counts().faults) == (12, 24)
    assert str(course.standings()) == "1 forager raider wanderer"


class Pair(Inline):
    """Two workers, of whom the first always dies; notes who was given what."""

    workers = 2

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, int, int]] = []
        self._shares: list[tuple[str, Share]] = []

    def idle(self) -> list[str]:
        return ["bad", "good"]

    def start(self, worker: str, work: Work) -> None:
        assert isinstance(work, Share)
        self.given += [(worker, job.number, len(work.jobs)) for job in work.jobs]
        self._shares.append((worker, work))

    async def wait(self, seconds: float) -> list[Event]:
        shares, self._shares = self._shares, []
        return [await self.end_of(worker, share) for worker, share in shares]

    async def end_of(self, worker: str, share: Share) -> Event:
        return Lost(worker, "died") if worker == "bad" else Done(worker, tuple(await self._worker.play(share)))


def test_a_lost_game_is_played_elsewhere_and_alone(tmp_path: Path) -> None:
    calm = plan_of(tmp_path)
    run_contest(calm)
    plan = read_plan(write(tmp_path, name="other.toml"))
    with open_store(plan, anew=False) as store:
        store.hold()
        pair = Pair()
        finished(Run(plan, store, lambda: pair).play())
    lost = {number for worker, number, _ in pair.given if worker == "bad"}
    assert lost
    for number in lost:
        assert [(worker, size) for worker, job, size in pair.given if job == number][-1] == ("good", 1)
    assert games_of(plan) == games_of(calm)


class Hopeless(Pair):
    """Workers that die, all of them."""

    async def end_of(self, worker: str, share: Share) -> Event:
        return Lost(worker, "died")


def test_workers_that_all_die_end_the_run_and_say_why(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace('"inline"', '"inline"\nattempts = 100'))
    with open_store(plan, anew=False) as store:
        store.hold()
        with pytest.raises(YardError, match="workers died one after another: the last: died"):
            finished(Run(plan, store, Hopeless).play())
    run_contest(plan)
    assert len(table_of(plan)) == 3


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    text = QUICK.replace("house:raider", f"py:{bot_file(tmp_path, 'idler')}").replace("[bots]", PATIENT + "[bots]")
    text = text.replace("bouts = 2", "bouts = 1")
    calm = plan_of(tmp_path, text.replace('"inline"', '"local"'))
    run_contest(calm)
    plan = read_plan(write(tmp_path, text, "hit.toml"))
    with open_store(plan, anew=False) as store:
        store.hold()
        local = Local(2)
        try:
            killed: list[int] = []

            def kill_once(news: News) -> None:
                if not killed:
                    killed.append(local.processes[0])
                    os.kill(killed[0], signal.SIGKILL)

            run = Run(plan, store, lambda: local, kill_once)
            finished(run.play())
        finally:
            finished(local.close())
        assert killed
        assert store.counts().recorded == 6
    assert games_of(plan) == games_of(calm)


def test_an_edited_contest_is_refused_with_what_changed(tmp_path: Path) -> None:
    run_contest(plan_of(tmp_path))
    edited = plan_of(tmp_path, QUICK.replace("max_turns = 20", "max_turns = 21"))
    with pytest.raises(BadRecord, match=r"settings\.max_turns: 20 → 21"):
        run_contest(edited)
    run_contest(edited, anew=True)
    assert len(games_of(edited)) == 12


def test_a_contest_that_is_over_is_not_played_twice(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    before = games_of(plan)
    _, news = run_contest(plan)
    assert (news.before, news.done) == (12, 12)
    assert games_of(plan) == before


def test_a_run_that_is_going_on_keeps_others_out(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    with open_store(plan, anew=False) as store:
        store.hold()
        for anew in (False, True):
            with pytest.raises(YardError, match="is being run by process"):
                run_contest(plan, anew=anew)
        assert plan.store_path.exists()


def test_anew_begins_again_over_a_store_that_is_damaged(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    plan.store_path.write_bytes(b"not a store" * 1000)
    run_contest(plan, anew=True)
    assert len(games_of(plan)) == 12


def test_a_bot_that_cannot_be_built_is_told_before_the_first_game(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "Makefile").write_text("agent:\n\t@echo no such compiler; false\n")
    text = QUICK.replace("house:raider", "dir:mine")
    assert "no such compiler" in finished(check_built(plan_of(tmp_path, text)))["raider"]
    strict = plan_of(tmp_path, text.replace("seed = 7", 'seed = 7\non_unbuilt = "stop"'))
    with pytest.raises(
        YardError, match=r"(?s)nothing is played: 1 of . bots cannot play.*raider: the build failed.*no such compiler"
    ):
        run_contest(strict)
    assert not strict.store_path.exists()


def test_a_worker_tells_trouble_as_trouble_of_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan: Plan = plan_of(tmp_path)
    jobs = Job(1, ("forager", "raider"), 1), Job(2, ("raider", "wanderer"), 1)
    reports = play_jobs(plan, *jobs)
    assert [report.trouble for report in reports] == ["", ""]
    monkeypatch.setattr("botyard.contest.prepared.play_house", lambda *_, **__: 1 / 0)
    failed = play_jobs(plan, *jobs)
    assert all("ZeroDivisionError" in report.trouble for report in failed)


def test_a_finished_contest_hires_nobody(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with open_store(plan, anew=False) as store:
        store.hold()
        course = finished(Run(plan, store, lambda: pytest.fail("hired")).play())
    assert [row.bot for row in course.standings().rows] == [row["bot"] for row in table_of(plan)]


class Timed(Inline):
    """Takes as long for a share as it is told to, by a clock that shows nothing else; notes how large they were."""

    def __init__(self, times_s: Sequence[float]) -> None:
        super().__init__()
        self.now, self.shares = 0.0, list[int]()
        self._times_s = list(times_s)

    def monotonic(self) -> float:
        return self.now

    def start(self, worker: str, work: Work) -> None:
        assert isinstance(work, Share)
        self.shares.append(len(work.jobs))
        super().start(worker, work)

    async def wait(self, seconds: float) -> list[Event]:
        self.now += self._times_s.pop(0) if self._times_s else 0.001
        return await super().wait(seconds)


@pytest.mark.parametrize(
    ("times_s", "sizes"),
    [
        ([], [8, 50, 50, 50, 42]),
        ([400.0], [8, 1, 50, 50, 50, 41]),  # the first one waited for the compiler
        ([8.0, 50.0, 2.5], [8, 5, 1, 2, 50, 50, 50, 34]),
    ],
)
def test_shares_are_as_large_as_the_last_one_was_quick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times_s: list[float], sizes: list[int]
) -> None:
    text = (
        QUICK.replace('wanderer = "house:wanderer"', "")
        .replace("bouts = 2", "bouts = 200")
        .replace('"same_seed"', '"none"')
    )
    plan = plan_of(tmp_path, text)
    timed = Timed(times_s)
    monkeypatch.setattr("botyard.contest.runner.time", timed)
    with open_store(plan, anew=False) as store:
        store.hold()
        finished(Run(plan, store, lambda: timed).play())
    assert timed.shares == sizes


def test_news_tell_rate_and_leaders(tmp_path: Path) -> None:
    heard: list[News] = []
    run_contest(plan_of(tmp_path), watch=heard.append)
    last = heard[-1]
    assert last.done == last.expected == 12
    assert last.rate > 0
    assert last.leaders[0][1] >= last.leaders[-1][1]
