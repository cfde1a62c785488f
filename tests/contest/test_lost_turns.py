"""What is kept of lost turns: counts, reasons and remedies for every game, whole logs as long as there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.contest import log_bound
from botyard.contest.lost_turns import REASON_MAX, LostTurns, lost_turns
from botyard.contest.messages import GameReport, Job
from botyard.kernel.verdict import Verdict
from botyard.match.replay import Missed
from botyard.match.turns import START_TICK, Turn
from botyard.rank.formats import Pairing
from tests.contest.yard import PATIENT, QUICK, bot_file, new_store, plan_of, play_jobs

TALKER = """
turn = 0
def decide(view):
    global turn
    turn += 1
    return "guard N" if turn < 4 else "debug x=3"
"""
JOB = Job(1, ("mine", "raider"), 5)


def lost_in(folder: Path, bot: str) -> dict[str, LostTurns]:
    """What a bot loses against a house bot."""
    plan = plan_of(folder, QUICK.replace('forager = "house:forager"', f'mine = "{bot}"') + PATIENT)
    [report] = play_jobs(plan, JOB)
    assert report.lost is not None
    assert list(report.lost) == ["mine"]
    return report.lost["mine"]


def test_a_lost_turn_is_told_with_its_tick_its_reason_and_the_remedy(tmp_path: Path) -> None:
    lost = lost_in(tmp_path, f"py:{bot_file(tmp_path, 'mine', TALKER)}")
    assert list(lost) == ["GARBLED"]
    garbled = lost["GARBLED"]
    assert (garbled.count, garbled.tick) == (1, 6)  # its fourth turn, after which it is out
    assert "debug x=3" in garbled.reason
    assert garbled.remedy


def test_a_bot_that_is_not_built_is_told_what_check_says(tmp_path: Path) -> None:
    broken = tmp_path / "bots" / "mine"
    broken.mkdir(parents=True)
    (broken / "botyard.toml").write_text('run = ["./there-is-none"]\nbuild = ["false"]\n')
    unbuilt = lost_in(tmp_path, "dir:bots/mine")["UNBUILT"]
    assert (unbuilt.count, unbuilt.tick) == (1, START_TICK)
    assert unbuilt.remedy.startswith("fix what the compiler complains about")


def test_who_loses_no_turn_has_nothing_kept(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("house:forager", f"py:{bot_file(tmp_path, 'mine')}") + PATIENT)
    [report] = play_jobs(plan, Job(1, ("forager", "raider"), 5))
    assert report.result
    assert report.lost is None
    assert report.turn_log is None


def test_long_texts_are_cut() -> None:
    turn = Turn.missed(Missed(4, 0, Verdict.GARBLED, "x" * 5000))
    [lost] = lost_turns([turn, turn], lambda turn: (turn.reason, "y" * 5000)).values()
    assert (lost.count, lost.tick, lost.when) == (2, 4, "in tick 4")
    assert len(lost.reason) == REASON_MAX
    assert lost.reason.endswith("x…")


def test_when_there_are_too_many_turn_logs_the_oldest_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_bound, "LOGS_MAX", 1000)
    lost = {"A": {"LATE": LostTurns(1, 2, "late", "think less")}}
    with new_store(tmp_path / "x.store") as store:
        store.hold()
        store.ask(1, [Pairing(("A", "B"), "m", game, str(game)) for game in range(1, 21)], list(range(20)))
        store.record([GameReport(n, "A>B", lost=lost, turn_log=b"x" * 100) for n in range(1, 11)])
        assert all(store.turn_log(number) for number in range(1, 11))  # as many as fit
        store.record([GameReport(11, "A>B", lost=lost, turn_log=b"x" * 50)])
        kept = [number for number in range(1, 12) if store.turn_log(number)]
        assert kept == list(range(3, 12))  # 850 bytes: below nine tenths of the bound
        assert store.row(1).lost == lost
        store.record([GameReport(12, "A>B", turn_log=b"x" * 5000)])
        assert not any(store.turn_log(number) for number in range(1, 13))
        store.record([GameReport(13, "A>B", turn_log=b"x" * 100)])
        assert store.turn_log(13)
