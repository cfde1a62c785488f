"""A void game of a contest is played again, and the report of a contest is taken home as a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from botyard.contest.lost_turns import LostTurns
from botyard.yard.contests.again import play_game_again
from botyard.yard.contests.contests import Contest
from botyard.yard.data.tables import DONE, VOID
from botyard.yard.refusals import InTheWay, NotThere
from botyard.yard.web.app import PageServer
from botyard.yard.web.pages import contests as pages
from botyard.yard.work.cancelling import cancel_by_admin
from tests.yard.browser import Browser
from tests.yard.hall import Hall
from tests.yard.league import League, ended
from tests.yard.test_contests import FILE, enter, play_all, verified_contests

DUEL = FILE.replace("[bots]", '[bots]\nforager = "house:forager"')
ROUNDS = DUEL.replace('kind = "round_robin"', 'kind = "swiss"\nrounds = 2')
SWISS = ROUNDS.replace("[bots]", '[bots]\nwanderer = "house:wanderer"')


def begun(hall: Hall, file: str) -> Contest:
    contest = hall.announce(file)
    hall.do("begin", contest)
    hall.tend()
    return hall.contest(contest.slug)


def cancel(hall: Hall, league: League, match: int) -> None:
    with hall.yard.database.writing() as connection:
        task = league.task_of(match).id
        cancel_by_admin(connection, task, "a power cut", hall.yard.clock(), by=hall.organiser)


def again(hall: Hall, contest: Contest, number: int) -> None:
    with hall.yard.database.writing() as connection:
        play_game_again(connection, contest.id, number, hall.organiser, hall.yard.clock())


def test_a_void_game_is_played_again_even_after_the_end_and_counts_then(hall: Hall, league: League) -> None:
    contest = begun(hall, DUEL)
    first, second = hall.games(contest)
    cancel(hall, league, first.match)
    hall.tend()
    play_all(hall, league)
    hall.tend()
    assert (hall.contest(contest.slug).state, league.match(first.match).state) == ("over", VOID)
    before = hall.report(hall.contest(contest.slug), "standings.csv")
    with pytest.raises(InTheWay, match="is not void"):
        again(hall, contest, second.number)
    with pytest.raises(NotThere):
        again(hall, contest, 77)
    again(hall, contest, first.number)
    assert hall.contest(contest.slug).state == "running"
    assert "game 1 is played again" in hall.contest(contest.slug).why
    play_all(hall, league)
    hall.tend()
    assert (hall.contest(contest.slug).state, league.match(first.match).state) == ("over", DONE)
    assert hall.report(hall.contest(contest.slug), "standings.csv") != before
    assert verified_contests(hall.yard) == []


def test_a_game_that_others_were_paired_by_is_not_played_again(hall: Hall, league: League) -> None:
    contest = begun(hall, SWISS)
    first = hall.games(contest)[0]
    cancel(hall, league, first.match)
    again(hall, contest, first.number)  # nobody has been paired by it yet
    cancel(hall, league, first.match)
    play_all(hall, league)
    hall.tend()
    with pytest.raises(InTheWay, match="were paired without game 1"):
        again(hall, contest, first.number)


def test_the_report_is_a_page_to_take_home_once_the_contest_is_over(hall: Hall, league: League) -> None:
    contest = hall.announce(FILE)
    enter(hall, contest, league.bot(league.person("Ada"), "Ant"))
    hall.do("begin", contest)
    hall.tend()
    nobody, address = Browser(PageServer(hall.yard).app(pages.PAGES)), f"/contests/{contest.slug}"
    assert nobody.get(f"{address}/files/report.html").status == 404
    lost = {"p2": {"LATE": LostTurns(6, 1, "it printed its secret plan", "be quick")}}
    late = ended("p1:3>p2:1", lost="p2")
    for game in hall.games(contest):
        league.record(league.lease(game.match), replace(late, report=replace(late.report, lost=lost)))
    hall.tend()
    assert "The report as a page" in nobody.get(address).words
    page = nobody.get(f"{address}/files/report.html")
    assert (page.status, "Who beat whom" in page.text) == (200, True)
    assert page.headers["content-disposition"] == f'attachment; filename="{contest.slug}-report.html"'
    assert "secret plan" not in page.text, "what bots printed is not everybody's"
    assert "secret plan" in hall.page(hall.contest(contest.slug), quoting=True)
