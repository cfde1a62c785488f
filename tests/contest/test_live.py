"""A running contest as a snapshot: what a page is told, of real contests, and that nobody is slowed down by it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from botyard.contest import runner
from botyard.contest.live.boards import MOST_BOARDS, Boards
from botyard.contest.live.snapshot import LivePage
from botyard.contest.live.table import LiveTable
from botyard.contest.messages import Job, Sign
from botyard.contest.opening import open_store
from botyard.contest.plan import Plan
from botyard.contest.prepared import PreparedContest
from botyard.contest.runner import AtWork, News, replay_course
from botyard.contest.store_file import StoreFile
from botyard.games.picture import camera_of
from botyard.rank.standings import concluded
from botyard.render.film import Film
from botyard.render.frames import frames
from tests.contest.yard import PATIENT, QUICK, bot_file, plan_of, run_contest
from tests.waiting import PATIENCE_S, finished

LONG = QUICK.replace("max_turns = 20", "max_turns = 300")
SLOW_BOT = "import time\ndef decide(view):\n    time.sleep(0.01)\n    return 'guard N'\n"
ROUNDS = LONG.replace('kind = "round_robin"\nbouts = 2\nswap = "same_seed"', 'kind = "swiss"\nrounds = 3')


def with_program(folder: Path, source: str = SLOW_BOT, name: str = "<b>Slow</b>") -> Plan:
    file = bot_file(folder, "slow", source)
    text = LONG.replace('"house:wanderer"', f'{{ bot = "py:{file}", name = "{name}" }}')
    return plan_of(folder, text.replace("[bots]", PATIENT + "[bots]").replace("bouts = 2", "bouts = 1"))


def watched(plan: Plan, look: Any) -> LivePage:
    """Plays a contest to its end; `look` is called with the page at every piece of news."""
    page = LivePage([plan])
    live = page.contests[0]

    def watch(news: News) -> None:
        live.watch(news)
        page.refresh()
        look(page)

    async def play() -> None:
        await runner.check_built(plan)
        await runner.play_built(plan, watch=watch, boards=True)

    finished(play())
    live.end("over")
    page.refresh()
    return page


def told(page: LivePage) -> dict[str, Any]:
    contest: dict[str, Any] = json.loads(page.snapshot())["contests"][0]
    return contest


def grid_of(board: dict[str, Any], heads: dict[str, Any]) -> np.ndarray[Any, Any]:
    film = Film({**heads[str(board["seats"])], "names": board["names"]}, [board["frame"]])
    return next(iter(frames(film))).picture.stamped()


def test_the_end_names_the_champion_and_has_the_table_of_the_terminal(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, LONG)
    seen: list[dict[str, Any]] = []
    page = watched(plan, lambda page: seen.append(told(page)))
    end = told(page)
    with StoreFile.open(plan.store_path) as store:
        standings = concluded(replay_course(plan, store)[0].standings(), over=True)
    assert end["state"] == "over"
    assert end["standings"]["verdict"] == standings.verdict == "shared by forager and raider"
    assert [row[0] for row in end["standings"]["rows"]] == [row.bot for row in standings.rows]
    assert end["standings"]["heads"] == ["bot", "place", *standings.heads]
    assert end["games"] == {"done": 12, "expected": 12, "faults": 0}
    assert end["boards"] == end["next"] == []
    numbers = [number for number, _ in end["latest"]]
    assert len(numbers) == len(set(numbers)) == 12
    assert seen[0]["state"] == "running"
    assert seen[0]["games"]["done"] == 0
    assert seen[0]["next"]
    page.close()


@pytest.mark.parametrize("text", [QUICK, ROUNDS], ids=["one wave", "several waves"])
def test_the_standings_are_those_of_the_course_at_every_moment(tmp_path: Path, text: str) -> None:
    plan = plan_of(tmp_path, text)
    compared: list[int] = []

    def compare(page: LivePage) -> None:
        with StoreFile.open(plan.store_path) as store:
            table = LiveTable(plan, store)
            table.follow(60.0)
            course, over = replay_course(plan, store)
            assert str(table.standings) == str(course.standings())
            assert table.over == over
            assert table.caught_up
        live = told(page)
        assert live["standings"]["games"] == table.games
        compared.append(table.games)

    watched(plan, compare).close()
    assert compared[-1] > 0


def test_a_table_takes_little_at_a_time_and_catches_up(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("bouts = 2", "bouts = 60"))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        table = LiveTable(plan, store)
        table.follow(0.0)
        assert 0 < table.games < 360
        assert not table.caught_up
        while not table.over:
            table.follow(0.0)
        assert table.games == 360
        assert str(table.standings) == str(replay_course(plan, store)[0].standings())


def test_a_programs_game_is_shown_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.contest.prepared.BOARD_S", 0.0)
    plan = with_program(tmp_path)
    job = Job(1, ("forager", "wanderer"), 7)
    brief = replace(plan.brief, boards=True)
    signs: list[Sign] = []
    positions: list[np.ndarray[Any, Any]] = []
    contest = PreparedContest(brief)
    game = contest.new_game(job)

    def note(sign: Sign) -> None:
        signs.append(sign)
        positions.append(camera_of(game).take(game).stamped())

    finished(contest.play_through(game, job, note))
    shown = Boards(plan)
    told = [(sign, grid) for sign, grid in zip(signs, positions, strict=True) if sign.state]
    assert len(told) > 5
    for sign, grid in told:
        values = shown.values([AtWork("worker 1", [job], sign)])
        [board] = values["boards"]
        assert (board["number"], board["tick"], board["again"]) == (1, sign.ticks, False)
        assert sorted(board["names"]) == ["<b>Slow</b>", "forager"]
        assert np.array_equal(grid_of(board, values["heads"]), grid)


def test_signs_carry_no_position_unless_somebody_may_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.contest.prepared.PROGRESS_S", 0.0)
    plan = with_program(tmp_path)
    signs: list[Sign] = []
    contest = PreparedContest(plan.brief)
    job = Job(1, ("forager", "wanderer"), 7)
    finished(contest.play_through(contest.new_game(job), job, signs.append))
    assert signs
    assert all(sign.state == b"" for sign in signs)


def test_a_position_of_another_botyard_is_not_shown(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    file = with_program(tmp_path)
    work = AtWork("worker 1", [Job(1, ("forager", "wanderer"), 7)], Sign(1, 3, {}, b"\xff" * 11))
    assert Boards(file).values([work]) == {"boards": [], "heads": {}}
    assert plan.game == file.game


def test_house_games_are_played_again_slowly_and_truly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(tmp_path, QUICK)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        rows = list(store.rows())
    jobs = [Job(row.number, row.pairing.bots, row.seed) for row in rows]
    now = [100.0]
    monkeypatch.setattr("botyard.contest.live.boards.time.monotonic", lambda: now[0])
    shown, work = Boards(plan), [AtWork("worker 1", jobs[:8], None), AtWork("worker 2", jobs[8:], None)]
    assert [board["tick"] for board in shown.values(work)["boards"]] == [0] * MOST_BOARDS
    now[0] += 0.5
    assert {board["tick"] for board in shown.values(work)["boards"]} == {6}
    assert {board["tick"] for board in shown.values(work)["boards"]} == {6}  # no time has passed
    now[0] += 1000.0  # nobody looked: the first games are stale, and others have their turn from the beginning
    assert {board["tick"] for board in shown.values(work)["boards"]} == {0}
    now[0] += 2.5
    boards = shown.values(work)["boards"]
    for board in boards:  # all 20 turns have been played
        row = rows[board["number"] - 1]
        assert row.result is not None
        points = {bot: row.result.score(bot) for bot in row.pairing.bots}
        assert dict(zip(board["names"], board["points"], strict=True)) == points
        assert board["again"]


def test_a_snapshot_is_made_once_for_all_and_not_before_it_is_due(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    page = LivePage([plan])
    first = page.snapshot()
    page.contests[0].state = "stopped"
    assert page.snapshot() is first
    page.refresh()
    assert json.loads(page.snapshot())["contests"][0]["state"] == "stopped"
    page.close()


def test_no_snapshot_has_a_seed_in_it(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, LONG.replace("seed = 7\n", ""))
    texts: list[bytes] = []
    page = watched(plan, lambda page: texts.append(page.snapshot()))
    texts.append(page.snapshot())
    with StoreFile.open(plan.store_path) as store:
        seeds = [str(row.seed).encode() for row in store.rows()]
        root = store.root.hex().encode()
    for text in texts:
        assert root not in text
        assert not any(seed in text for seed in seeds)
    page.close()


def test_a_contest_that_was_broken_off_has_no_champion(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)

    def stop(news: News) -> None:
        if news.done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_contest(plan, watch=stop)
    page = LivePage([plan])
    page.contests[0].end("over")
    assert told(page)["state"] == "stopped"
    assert not told(page)["standings"]["verdict"].startswith("champion")
    page.close()


def test_several_contests_share_a_page(tmp_path: Path) -> None:
    plans = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        plans.append(plan_of(tmp_path / name, QUICK.replace("A quick league", name)))
    page = LivePage(plans)
    assert json.loads(page.snapshot())["now"] == 0
    for at, plan in enumerate(plans):
        live = page.contests[at]
        finished(runner.play_built(plan, watch=live.watch, boards=True))
        live.end("over")
        page.refresh()
        values = json.loads(page.snapshot())
        assert values["now"] == at
        states = [contest["state"] for contest in values["contests"]]
        assert states == ["over"] * (at + 1) + ["waiting"] * (1 - at)
    page.close()


@contextmanager
def looked_at(page: LivePage) -> Iterator[list[bytes]]:
    """While inside, a thread asks for snapshots without a pause."""
    texts: list[bytes] = []
    end = threading.Event()

    def look() -> None:
        while not end.is_set():
            texts.append(page.snapshot())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield texts
    finally:
        end.set()
        thread.join(PATIENCE_S)


def test_whoever_looks_changes_no_result(tmp_path: Path) -> None:
    (tmp_path / "calm").mkdir()
    calm = plan_of(tmp_path / "calm", LONG)
    run_contest(calm)
    plan = plan_of(tmp_path, LONG)
    page = LivePage([plan])
    with looked_at(page) as texts:
        finished(runner.play_built(plan, watch=page.contests[0].watch, boards=True))
    assert texts
    with open_store(calm, anew=False) as one, open_store(plan, anew=False) as other:
        assert [str(row.result) for row in one.rows()] == [str(row.result) for row in other.rows()]
    page.close()


def test_an_inline_run_tells_of_games_that_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.contest.prepared.BOARD_S", 0.02)
    monkeypatch.setattr(runner, "WAIT_S", 0.05)
    ticks: list[int] = []

    def look(page: LivePage) -> None:
        ticks.extend(board["tick"] for board in told(page)["boards"] if not board["again"])

    watched(with_program(tmp_path), look).close()
    assert len(set(ticks)) > 2


def test_an_inline_run_that_is_broken_off_leaves_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "WAIT_S", 0.05)
    plan = with_program(tmp_path)

    def stop(news: News) -> None:
        if news.at_work and news.at_work[0].sign is not None:
            raise asyncio.CancelledError

    async def play() -> set[Any]:
        with pytest.raises(asyncio.CancelledError):
            await runner.play_built(plan, watch=stop, boards=True)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert finished(play()) == set()
