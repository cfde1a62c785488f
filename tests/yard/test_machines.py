"""A yard whose workers are on other machines: who gets work and who does not, and what is played again elsewhere."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from botyard.contest.executors.inline import Inline
from botyard.contest.messages import GameReport
from botyard.contest.worker_facts import WorkerFacts
from botyard.rank.ladder import TaskClass
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import FAULT, NOTICE, PERSON, SEAT, TASK, VERSION, WORKER
from botyard.yard.ladders.plans import checked_ladder
from botyard.yard.site import Yard
from botyard.yard.work.hands_here import CALLED, HandsHere
from botyard.yard.work.leasing import Applicant, next_tasks
from botyard.yard.work.lessor import applicant
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.overview import replay_of_fault, workers
from botyard.yard.work.queue import overview
from botyard.yard.work.sampling import TRIALS, ComparedWork, MatchDifference, Sample, difference_in, record_difference
from botyard.yard.work.steward import Steward
from botyard.yard.work.tasks import WAITS
from botyard.yard.work.verifying import PlayedMatch, verified
from botyard.yard.work.workers import NO_LANGUAGE, WorkerBoard, told_languages
from tests.waiting import finished, until
from tests.yard.league import GAME, PLAN, League, carried_out, some_game
from tests.yard.machines import Machines, machine
from tests.yard.test_steward import own_yard, serving  # noqa: F401  a fixture

OTHER = "ants runs Botyard 0.0.1, and this is 1: install the same there"


def noted(yard: Yard, executor: Machines) -> WorkerBoard:
    board = WorkerBoard(yard)
    finished(board.note(executor, []))
    return board


def test_a_worker_that_is_refused_is_shown_with_the_reason_and_gets_nothing(yard: Yard) -> None:
    places: dict[str, WorkerFacts | None] = {"worker 1": machine("ants"), f"{CALLED} 1": None}
    noted(yard, Machines(places, {"worker 1": OTHER}))
    with yard.database.reading() as connection:
        assert {line.name: (line.state, line.words) for line in workers(connection)}["worker 1"][0] == "refused"
        assert any(OTHER in line.words for line in workers(connection))
        seen = overview(connection, yard.clock())
    assert seen.able == 0, "a worker that serves people alone takes no tasks"
    assert [one.refused for one in seen.workers if one.refused] == [OTHER]
    noted(yard, Machines(places))  # somebody mended it
    noted(yard, Machines({f"{CALLED} 1": None}))  # and its machine died
    with yard.database.reading() as connection:
        states = dict(connection.execute(sa.select(WORKER.c.name, WORKER.c.state)).all())
    assert states == {"worker 1": "gone", f"{CALLED} 1": "idle"}


def test_work_goes_where_its_language_is_and_says_so_if_that_is_nowhere(yard: Yard) -> None:
    league = League(yard)
    first, _ = league.rivals("Ant", "Bee")
    pair = league.ask_pair()
    version = league.entry(first).version
    with yard.database.writing() as connection:
        connection.execute(sa.update(VERSION).where(VERSION.c.id == version).values(language="rust"))
    without, with_it = machine("ants", python="", rust="rustc is not installed"), machine("bees", python="", rust="")
    executor = Machines({"worker 1": without, "worker 2": with_it})

    def able(worker: str) -> list[int]:
        with yard.database.reading() as connection:
            return [task.match for task in next_tasks(connection, TaskClass.SETTLING, 9, applicant(executor, worker))]

    assert (able("worker 1"), able("worker 2")) == ([], league.matches(pair))
    board = noted(yard, Machines({"worker 1": without}))
    assert {task.why for task in league.rows(TASK)} == {f"{NO_LANGUAGE}Rust: none is there"}
    board._noted = 0.0
    finished(board.note(executor, []))
    assert {task.why for task in league.rows(TASK)} == {WAITS}
    with yard.database.reading() as connection:
        told = told_languages(connection)
    assert [[one.trouble for one in languages] for languages in told] == [["", "rustc is not installed"], ["", ""]]


def test_people_play_on_this_machine_and_bots_elsewhere(yard: Yard) -> None:
    league = League(yard)
    league.rivals("Ant", "Bee")
    by_hand, by_bots = league.matches(league.ask_pair())
    ada = league.person("Ada")
    with yard.database.writing() as connection:
        seat = sa.update(SEAT).where(SEAT.c.match == by_hand, SEAT.c.place == 1)
        connection.execute(seat.values(person=ada, version=None, house=None))
    executor = HandsHere(Machines({"worker 1": machine("ants")}), Machines({f"{CALLED} 1": None}))

    def able(worker: Applicant) -> list[int]:
        with yard.database.reading() as connection:
            return [task.match for task in next_tasks(connection, TaskClass.SETTLING, 9, worker)]

    assert able(applicant(executor, "worker 1")) == [by_bots]
    assert able(applicant(executor, f"{CALLED} 1")) == [by_hand]
    assert able(applicant(Inline(), "here")) == [by_hand, by_bots], "without a cluster everybody does everything"


def test_two_executors_are_heard_as_one() -> None:
    executor = HandsHere(Machines({"worker 1": machine("ants")}), Machines({f"{CALLED} 1": None}))

    async def both() -> list[str]:
        for worker in executor.idle():
            executor.start(worker, house_work())
        done: list[str] = []
        while len(done) < 2:
            done += [event.worker for event in await executor.wait(0.2) if hasattr(event, "reports")]
        await executor.close()
        return sorted(done)

    assert finished(both()) == [f"{CALLED} 1", "worker 1"]


# A sample of games


def house_work(*names: str) -> MatchWork:
    players = tuple(MatchPlayer(name, house=name) for name in names or ("forager", "wanderer"))
    return MatchWork(1, GAME, checked_ladder(PLAN).settings, 7, players)


def otherwise() -> GameReport:
    """The game of the same seed among others, as a worker would report it that invented the orders."""
    return carried_out(house_work("raider", "forager"))


def sample_of(played: PlayedMatch, work: MatchWork | None = None) -> Sample:
    return Sample(work or house_work(), played, "worker 1", "a node")


def test_matches_are_played_again_on_another_worker_and_found_equal(own_yard: Yard) -> None:  # noqa: F811
    """House bots play by themselves on a site where nobody is."""
    executor = Machines({"worker 1": machine("ants"), "worker 2": machine("bees")})

    async def serve() -> None:
        async with serving(own_yard, lambda: executor, sampled=1) as steward:
            await until(lambda: steward.samples.compared)

    finished(serve())
    compared = [(worker, work.work.match) for worker, work in executor.given if isinstance(work, ComparedWork)]
    first = {work.match: worker for worker, work in executor.given if isinstance(work, MatchWork)}
    assert compared
    assert all(first[match] != worker for worker, match in compared)
    with own_yard.database.reading() as connection:
        assert not connection.execute(sa.select(FAULT)).all()


def test_a_match_that_goes_otherwise_elsewhere_is_a_fault_with_both_replays_and_changes_nothing(yard: Yard) -> None:
    league = League(yard)
    league.rivals("Ant", "Bee")
    match = league.matches(league.ask_pair())[0]
    league.record(league.lease(match))
    before = league.match(match)
    found = difference_in(sample_of(some_game(), replace(house_work(), match=match)), "worker 2", [otherwise()])
    assert isinstance(found, MatchDifference)
    assert f"match {match}, which worker 1 played, was played again on worker 2 with other orders" in found.reason
    admin = {"name": "Root", "name_key": "root", "role": "admin", "state": "active", "made_ms": 1}
    with yard.database.writing() as connection:
        person = inserted_id(connection, PERSON, **admin)
        record_difference(connection, yard.blobs, found, yard.clock())
    [fault] = league.rows(FAULT)
    assert (fault.match, fault.worker) == (match, "worker 2")
    assert [(notice.person, notice.link) for notice in league.rows(NOTICE)] == [(person, "/admin/workers")]
    with yard.database.reading() as connection:
        assert replay_of_fault(connection, yard.blobs, fault.id) == otherwise().replay
    assert league.match(match) == before


def test_only_bots_that_always_do_the_same_say_anything_about_a_machine() -> None:
    same, other, third = some_game(), otherwise(), carried_out(house_work("wanderer", "raider"))
    sample = sample_of(same)
    assert difference_in(sample, "worker 2", [same.report]) is None
    assert difference_in(sample, "worker 2", [other, other]), "it is always so there"
    assert difference_in(sample, "worker 2", [other, third]) is None, "it is never the same"
    assert difference_in(sample, "worker 2", [other, same.report]) is None, "it is sometimes the same"
    late = replace(other, verdicts={"p1": {"OK": 11, "LATE": 1}, "p2": {"OK": 12}})
    assert difference_in(sample, "worker 2", [late]) is None
    no_room = GameReport(1, trouble="no room")
    assert difference_in(sample, "worker 2", [no_room]) is None
    assert difference_in(sample, "worker 2", [other, no_room]) is None, "its machine failed in the second game"
    untrue = difference_in(sample, "worker 2", [replace(other, result="p1:9>p2:0")])
    assert untrue
    assert "whose report is not true" in untrue.reason


class Told:
    """Stands in for a match of programs, which goes as told; after that, as it did last."""

    players = (MatchPlayer("Ant"), MatchPlayer("forager", house="forager"))

    def __init__(self, *told: GameReport) -> None:
        self._told = list(told)

    async def done_by(self, *_: object) -> GameReport:
        return self._told.pop(0) if len(self._told) > 1 else self._told[0]


def test_a_game_of_programs_that_goes_otherwise_is_played_as_long_as_it_goes_the_same_way() -> None:
    one, two, no_room = otherwise(), some_game().report, GameReport(1, trouble="no room")

    def times(recorded: GameReport, *told: GameReport) -> int:
        assert recorded.replay is not None
        work = ComparedWork(Told(*told), recorded.replay)  # type: ignore[arg-type]
        return len(finished(work.done_by(None, lambda sign: None)))  # type: ignore[arg-type]

    assert times(one, one) == 1
    assert times(two, one) == TRIALS, "always otherwise, and always the same"
    assert times(two, one, one, two) == 3, "it throws dice"
    assert times(two, one, no_room) == 2
    assert times(two, no_room) == 1


def test_what_is_drawn_is_answered_in_time_and_by_bots_alone(yard: Yard) -> None:
    steward = Steward(yard, Inline, sampled=1)
    two = Machines({"worker 1": machine("ants"), "worker 2": machine("bees")})
    sampler, played, idle = steward.samples, verified(house_work(), some_game().report), two.idle()
    sampler.consider(
        two, house_work(), replace(played, report=replace(played.report, verdicts={"p1": {"LATE": 1}})), "w"
    )
    sampler.consider(Machines({"worker 1": machine("ants")}), house_work(), played, "worker 1")
    sampler.give(two, idle)
    assert two.given == [], "one was late, and one worker is no other"
    sampler.consider(two, house_work(), played, "worker 1")
    sampler.give(two, idle)
    assert [worker for worker, _ in two.given] == ["worker 2"]
    assert (idle, sampler.busy) == (["worker 1"], {"worker 2"})
