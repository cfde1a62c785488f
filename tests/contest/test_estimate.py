"""How long a contest will take: a few games of it are played beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from botyard.contest import estimate
from botyard.contest.estimate import HOUSE_SAMPLE, seconds_per_game, workers_of
from botyard.contest.messages import GameReport, Job
from botyard.contest.plan import Plan
from botyard.contest.prepared import PreparedContest
from botyard.kernel.devices import core_count
from tests.contest.yard import PATIENT, QUICK, bot_file, plan_of
from tests.waiting import finished

FIVE = QUICK.replace("[format]", 'also = "house:forager"\nlast = "house:raider"\n[format]').replace(
    'swap = "same_seed"', 'swap = "none"'
)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[list[Job]]:
    """The games that are played, batch by batch; each batch takes a second by the clock of the estimate."""
    batches: list[list[Job]] = []
    play = PreparedContest.play

    async def noted(contest: PreparedContest, jobs: Sequence[Job]) -> Sequence[GameReport]:
        batches.append(list(jobs))
        return await play(contest, jobs)

    monkeypatch.setattr(PreparedContest, "play", noted)
    monkeypatch.setattr(estimate, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    return batches


def estimated(plan: Plan) -> float | None:
    return finished(seconds_per_game(plan, plan.specs))


def test_bots_that_are_unfit_play_no_sample(tmp_path: Path, played: list[list[Job]]) -> None:
    plan = plan_of(tmp_path, FIVE)
    fit = set(plan.specs) - {"last"}
    assert finished(seconds_per_game(plan, fit)) is not None
    assert {bot for batch in played for job in batch for bot in job.bots} <= fit
    assert finished(seconds_per_game(plan, {"last"})) is None


def test_house_bots_play_a_batch_of_three_pairings_after_a_game_that_is_not_measured(
    tmp_path: Path, played: list[list[Job]]
) -> None:
    assert estimated(plan_of(tmp_path, FIVE)) == core_count() / HOUSE_SAMPLE
    assert [len(batch) for batch in played] == [1, HOUSE_SAMPLE] * 3
    assert len({batch[0].bots for batch in played}) == 3
    assert len({job.seed for batch in played for job in batch}) == 1 + HOUSE_SAMPLE


def test_a_bot_of_an_author_plays_one_game(tmp_path: Path, played: list[list[Job]]) -> None:
    bots = f'[bots]\nidler = "py:{bot_file(tmp_path, "idler")}"\nforager = "house:forager"\n'
    text = QUICK[: QUICK.index("[bots]")] + PATIENT + bots + QUICK[QUICK.index("[format]") :]
    assert estimated(plan_of(tmp_path, text)) == 1.0
    assert {len(batch) for batch in played} == {1}
    assert len(played) == len({batch[0].bots for batch in played})


@pytest.mark.parametrize(
    ("running", "workers"),
    [
        ('executor = "inline"', 1),
        ('executor = "inline"\nworkers = 3', 1),
        ('executor = "local"\nworkers = 3', 3),
        ('executor = "local"', core_count()),
    ],
)
def test_so_many_games_are_played_at_a_time(tmp_path: Path, running: str, workers: int) -> None:
    assert workers_of(plan_of(tmp_path, QUICK.replace('executor = "inline"', running))) == workers
