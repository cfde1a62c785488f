"""One worker, many contests: nothing of one reaches another, wherever their folders are."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from botyard.contest import game_report, prepared, worker
from botyard.contest.executors import Done, Event, Executor, Lost, Signed
from botyard.contest.executors.inline import Inline
from botyard.contest.executors.local import Local
from botyard.contest.find_replay import replay_of, turn_log_of
from botyard.contest.messages import GameReport, Job, Share, Sign
from botyard.contest.opening import open_store
from botyard.contest.plan import Plan
from botyard.contest.prepared import PreparedContest
from botyard.contest.runner import Run
from botyard.contest.store_file import StoreFile
from botyard.contest.worker import Worker
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.verdict import Verdict
from botyard.match.turns import START_TICK, TurnLog, unpack_turns
from tests.contest.yard import PATIENT, QUICK, bot_file, plan_of, run_contest
from tests.waiting import PATIENCE_S, bounded, finished

JOB = Job(1, ("mine", "wanderer"), 7)
BOTS = QUICK.split("[bots]")[0] + PATIENT + '[bots]\nmine = "BOT"\nwanderer = "house:wanderer"\n'
LEAGUE = BOTS + '[format]\nkind = "round_robin"\nbouts = 1\n[run]\nexecutor = "inline"\n'

ANSWERS = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "version": 1, "name": "mine"}), flush=True)
    elif told["type"] == "turn":
        print(json.dumps({"turn": told["turn"], "order": "WORD"}), flush=True)
"""


def contest(folder: Path, kind: str, order: str) -> Plan:
    """A contest whose one program answers with this order, by a file of the same name in every folder."""
    folder.mkdir()
    source = f"def decide(view):\n    return {order!r}\n" if kind == "py" else ANSWERS.replace("WORD", order)
    file = bot_file(folder, "mine", source)
    spec = {"py": f"py:{file}", "json": f"json:{INTERPRETER} {file}"}[kind]
    return plan_of(folder, LEAGUE.replace("BOT", spec))


def orders_of(plan: Plan, report: GameReport) -> set[str]:
    """What the program ordered, by the log of its turns."""
    assert report.trouble == ""
    assert report.turn_log is not None
    names = plan.book.facts.orders
    log = unpack_turns(report.turn_log, "the log")
    mine = next(seat for seat, told in enumerate(log.seats) if told.name != "wanderer")
    return {names[turn.order] for turn in log.turns if turn.seat == mine and turn.order is not None}


def with_all_turns(plan: Plan) -> Plan:
    return replace(plan, conduct=replace(plan.conduct, turn_logs="all"))


@pytest.mark.parametrize("kind", ["py", "json"])
def test_contests_in_different_folders_take_turns_in_one_worker(tmp_path: Path, kind: str) -> None:
    plans = {order: with_all_turns(contest(tmp_path / order[-1], kind, order)) for order in ("guard N", "guard S")}
    serving, here = Worker(), Path.cwd()

    async def in_turn() -> None:
        for _ in range(2):
            for order, plan in plans.items():
                [report] = await serving.play(Share(plan.brief, (JOB,)))
                assert orders_of(plan, report) == {order}

    finished(in_turn())
    assert Path.cwd() == here


def test_contests_in_different_folders_go_on_at_once_in_one_loop(tmp_path: Path) -> None:
    plans = {order: with_all_turns(contest(tmp_path / order[-1], "py", order)) for order in ("guard N", "guard S")}
    serving = Worker()

    async def at_once() -> list[list[GameReport]]:
        return await asyncio.gather(*(serving.play(Share(plan.brief, (JOB,))) for plan in plans.values()))

    for (order, plan), [report] in zip(plans.items(), finished(at_once()), strict=True):
        assert orders_of(plan, report) == {order}


@pytest.mark.parametrize("make", [Inline, lambda: Local(1)], ids=["inline", "local"])
def test_an_executor_serves_whatever_contest_a_share_is_of(tmp_path: Path, make: type[Inline]) -> None:
    plans = {order: with_all_turns(contest(tmp_path / order[-1], "py", order)) for order in ("guard N", "guard S")}

    async def serve() -> None:
        executor: Executor = make()
        try:
            for order, plan in [*plans.items(), *plans.items()]:
                done = await play_share(executor, Share(plan.brief, (JOB,)))
                assert orders_of(plan, done.reports[0]) == {order}
        finally:
            await executor.close()

    finished(serve())


def test_a_worker_that_still_loads_its_modules_does_not_hear_ctrl_c(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)

    async def serve() -> None:
        executor = Local(1)
        try:
            processes = list(executor.processes)
            os.kill(processes[0], signal.SIGINT)
            await play_share(executor, Share(plan.brief, (Job(1, ("forager", "raider"), 7),)))
            assert executor.processes == processes
        finally:
            await executor.close()
        assert not any(Path(f"/proc/{process}").exists() for process in processes)  # closed means that nobody is left

    finished(serve())


async def play_share(executor: Executor, share: Share) -> Done:
    [idle] = executor.idle()
    executor.start(idle, share)
    async with bounded(PATIENCE_S, "nothing came back"):
        while True:
            for event in await executor.wait(0.5):
                if isinstance(event, Done):
                    return event


def test_a_command_runs_where_its_contest_lies(tmp_path: Path) -> None:
    """A program is started in the folder of the contest file, wherever the worker is at home."""
    mark = tmp_path / "there"
    (tmp_path / "bot").write_text(f"#!/bin/sh\npwd > {mark}\nls >> {mark}\n")
    (tmp_path / "bot").chmod(0o755)
    spec = "cmd:./bot"
    text = LEAGUE.replace('"BOT"', f'"{spec}"') + '[cage]\nlevel = "open"\n'
    plan = plan_of(tmp_path, text)
    finished(Worker().play(Share(plan.brief, (JOB,))))
    where, *files = mark.read_text().splitlines()
    assert where == os.path.realpath(tmp_path)
    assert "league.toml" in files


def test_a_worker_keeps_the_contests_it_played_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CONTESTS_KEPT", 2)
    plan, serving = plan_of(tmp_path), Worker()
    first, second, third = (replace(plan.brief, contest=name) for name in ("one", "two", "three"))
    kept = serving.prepared(first)
    serving.prepared(second)
    assert serving.prepared(first) is kept
    serving.prepared(third)
    assert serving.prepared(first) is kept
    before = serving.prepared(second)  # made anew: it had to make room
    assert serving.prepared(third) is not before


def test_a_bot_with_another_content_is_another_contest(tmp_path: Path) -> None:
    """A worker that lives on must not play what a bot was yesterday."""
    (tmp_path / "x").mkdir()
    home = tmp_path / "x" / "mine"
    home.mkdir()
    (home / "main.py").write_text("print(1)\n")
    text = LEAGUE.replace("BOT", "dir:mine")
    before = plan_of(tmp_path / "x", text).brief
    assert plan_of(tmp_path / "x", text).brief.fingerprint == before.fingerprint
    (home / "main.py").write_text("print(2)\n")
    assert plan_of(tmp_path / "x", text).brief.fingerprint != before.fingerprint


# What reports and signs carry

CLUMSY = """
turn = 0

def decide(view):
    global turn
    turn += 1
    return "guard N" if turn < 6 else "fly"
"""


def clumsy(folder: Path, turn_logs: str) -> Plan:
    file = bot_file(folder, "mine", CLUMSY)
    return plan_of(folder, f'turn_logs = "{turn_logs}"\n' + LEAGUE.replace("BOT", f"py:{file}"))


def kept_log(plan: Plan) -> TurnLog | None:
    """Of the first game of a contest that was played."""
    with StoreFile.open(plan.store_path) as store:
        row = store.row(1)
        return turn_log_of(store, row, finished(replay_of(plan, store, row)))


NOTING = """
def decide(view):
    print('@yard {"mark": "secret"}')
    print('@yard []')
    print('words')
    return "guard N"
"""


@pytest.mark.parametrize("notes", [False, True])
def test_notes_are_kept_only_if_the_contest_says_so(notes: bool, tmp_path: Path) -> None:
    file = bot_file(tmp_path, "mine", NOTING)
    line = "notes = true\n" if notes else ""
    plan = plan_of(tmp_path, f'turn_logs = "all"\n{line}' + LEAGUE.replace("BOT", f"py:{file}"))
    run_contest(plan)
    log = kept_log(plan)
    assert log is not None
    noted = [turn for turn in log.turns if turn.notes]
    assert noted
    for turn in noted:
        assert turn.notes is not None
        assert turn.said == "words\n"
        assert (turn.notes.kept, turn.notes.dropped) == ((({"mark": "secret"},), 1) if notes else ((), 2))
        assert turn.notes.reason == "a note is a JSON object, not []"


def test_turns_are_kept_as_the_contest_says(tmp_path: Path) -> None:
    plan = clumsy(tmp_path, "none")
    run_contest(plan)
    assert kept_log(plan) is None
    run_contest(lost := clumsy(tmp_path, "lost"), anew=True)
    few = kept_log(lost)
    run_contest(every := clumsy(tmp_path, "all"), anew=True)
    many = kept_log(every)
    assert few is not None
    assert many is not None
    assert [turn.verdict for turn in few.turns] == [Verdict.GARBLED]
    assert [turn.received for turn in few.turns] == [t.received for t in many.turns if t.verdict is Verdict.GARBLED]
    assert len(many.turns) > 10
    assert sorted(seat.name for seat in many.seats) == ["mine", "wanderer"]
    assert plan.identity == every.identity  # no result depends on it


def test_a_log_that_is_too_long_is_kept_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, plan = clumsy(tmp_path, "lost"), clumsy(tmp_path, "all")
    [few] = finished(Worker().play(Share(lost.brief, (JOB,))))
    [whole] = finished(Worker().play(Share(plan.brief, (JOB,))))
    assert few.turn_log is not None
    assert whole.turn_log is not None
    monkeypatch.setattr(game_report, "TURN_LOG_MAX", (len(few.turn_log) + len(whole.turn_log)) // 2)
    [part] = finished(Worker().play(Share(plan.brief, (JOB,))))
    assert part.turn_log is not None
    assert [turn.verdict for turn in unpack_turns(part.turn_log, "the log").turns] == [Verdict.GARBLED]
    monkeypatch.setattr(game_report, "TURN_LOG_MAX", 10)
    [nothing] = finished(Worker().play(Share(plan.brief, (JOB,))))
    assert nothing.turn_log is None
    assert nothing.result == whole.result


def test_reports_tell_cages_memory_and_jitter(tmp_path: Path) -> None:
    plan = clumsy(tmp_path, "none")
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        row = store.row(1)
    assert row.cages is not None
    level, peak_mb = row.cages["mine"]
    assert level == str(plan.cage.policy.level)
    assert peak_mb is None or peak_mb > 1
    assert set(row.cages) == {"mine", "wanderer"}
    assert row.jitter is None or row.jitter.max_ms >= row.jitter.p50_ms


def test_signs_carry_the_last_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "PROGRESS_S", -1.0)
    heard: list[Sign] = []
    plan = clumsy(tmp_path, "none")
    finished(PreparedContest(plan.brief).play([JOB], heard.append))
    mine = [sign.orders["mine"] for sign in heard if "mine" in sign.orders]
    assert mine == ["guard N"] * 5 + ["GARBLED"]
    played = [sign.ticks for sign in heard if sign.orders]
    assert played == list(range(1, len(played) + 1))
    assert heard[0] == Sign(1, 0)  # before its bots are built
    assert str(Sign(3, 40, {"A": "left", "B": "LATE"})) == "game 3 after 40 ticks (A: left, B: LATE)"


class Hung(Inline):
    """Gives one sign of its game, and is lost; then it plays as it should."""

    lost = False

    async def wait(self, seconds: float) -> list[Event]:
        if self.lost:
            return await super().wait(seconds)
        share, self._work, self.lost = self._work, None, True
        assert isinstance(share, Share)
        last = Sign(share.jobs[0].number, 12, {"forager": "guard N"})
        return [Signed("inline", last), Lost("inline", "no sign of life for 600 s")]


def test_what_was_last_heard_of_a_lost_game_is_told(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    with open_store(plan, anew=False) as store:
        store.hold()
        finished(Run(plan, store, Hung).play())
        fault = store.faults()[0]
    assert fault.reason == "no sign of life for 600 s; its last sign: game 1 after 12 ticks (forager: guard N)"


def test_who_never_came_has_a_log_too(tmp_path: Path) -> None:
    file = bot_file(tmp_path, "mine", "raise SystemExit(3)\n")
    plan = plan_of(tmp_path, 'turn_logs = "lost"\n' + LEAGUE.replace("BOT", f"py:{file}"))
    [report] = finished(Worker().play(Share(plan.brief, (JOB,))))
    assert report.turn_log is not None
    [turn] = unpack_turns(report.turn_log, "the log").turns
    assert (turn.tick, turn.verdict) == (START_TICK, Verdict.CRASHED)
