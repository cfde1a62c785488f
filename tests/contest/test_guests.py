"""Guests play out of competition, and leave once enough players' bots are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from botyard.contest.plan import Plan
from tests.contest.test_amendments import Told, as_from_the_start, with_bots
from tests.contest.yard import QUICK, games_of, plan_of, run_contest, table_of

GUESTS = ('raider = { bot = "house:raider", guest = true }', 'wanderer = { bot = "house:wanderer", guest = true }')
ANNA, BEN, CLEO = (f'{name} = "house:forager"' for name in ("anna", "ben", "cleo"))


def places(plan: Plan) -> dict[str, Any]:
    return {row["bot"]: row["place"] for row in table_of(plan)}


def contest(folder: Path, *players: str, guests_leave: int | None = None) -> Plan:
    text = QUICK if guests_leave is None else QUICK.replace("seed = 7", f"seed = 7\nguests_leave = {guests_leave}")
    return plan_of(folder, with_bots(*players, *GUESTS, text=text))


def test_one_player_alone_plays_with_guests_and_has_the_only_place(tmp_path: Path) -> None:
    plan = contest(tmp_path, ANNA)
    run_contest(plan)
    assert len(games_of(plan)) == 12
    assert places(plan) == {"anna": 1, "raider": None, "wanderer": None}


def test_guests_leave_with_their_games_when_the_second_player_comes(tmp_path: Path) -> None:
    run_contest(contest(tmp_path, ANNA))
    plan, told = contest(tmp_path, ANNA, BEN), Told()
    run_contest(plan, agree=told)
    assert told.lines == ["0 games stay", "12 games are dropped: guests leave", "4 games are played: ben is new"]
    assert set(places(plan)) == {"anna", "ben"}
    fresh = as_from_the_start(tmp_path, plan.path.read_text())
    assert games_of(plan) == games_of(fresh)
    assert table_of(plan) == table_of(fresh)


def test_guests_come_back_when_a_player_withdraws(tmp_path: Path) -> None:
    run_contest(contest(tmp_path, ANNA, BEN))
    plan, told = contest(tmp_path, ANNA), Told()
    run_contest(plan, agree=told)
    assert told.lines[:2] == ["0 games stay", "4 games are dropped: ben has left"]
    assert places(plan) == {"anna": 1, "raider": None, "wanderer": None}


def test_guests_may_be_told_to_stay_and_have_no_places(tmp_path: Path) -> None:
    run_contest(contest(tmp_path, ANNA, guests_leave=0))
    plan, told = contest(tmp_path, ANNA, BEN, guests_leave=0), Told()
    run_contest(plan, agree=told)
    assert told.lines == ["12 games stay", "12 games are played: ben is new"]
    found = places(plan)
    assert set(found) == {"anna", "ben", "raider", "wanderer"}
    assert found["raider"] is None
    assert found["wanderer"] is None
    assert min(found["anna"], found["ben"]) == 1


@pytest.mark.parametrize(("players", "staying"), [((ANNA, BEN), 2), ((ANNA, BEN, CLEO), 0)])
def test_guests_leave_once_as_many_players_are_there_as_the_file_says(
    tmp_path: Path, players: tuple[str, ...], staying: int
) -> None:
    plan = contest(tmp_path, *players, guests_leave=3)
    assert len(plan.guests) == staying
    assert plan.guests_have_left is (staying == 0)


def test_a_guest_that_is_taken_out_of_the_file_has_left_by_itself(tmp_path: Path) -> None:
    run_contest(contest(tmp_path, ANNA))
    plan, told = plan_of(tmp_path, with_bots(ANNA, GUESTS[0])), Told()
    run_contest(plan, agree=told)
    assert told.lines == ["4 games stay", "8 games are dropped: wanderer has left"]
