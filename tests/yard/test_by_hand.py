"""Games by hand: who may ask for one, and how a worker, the server and a person's page talk with each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.messages import GameReport, Sign
from botyard.contest.worker import Worker
from botyard.games import OWN_GAMES, load
from botyard.games.game import Game
from botyard.match.replay import Replay
from botyard.rank.results import parse
from botyard.yard.caller import Caller
from botyard.yard.data.tables import SEAT, WORKER
from botyard.yard.ladders.hand_games import ask_hand_game, leave_hand_game, open_hand_game, own_rivals
from botyard.yard.ladders.match_lists import match_for
from botyard.yard.ladders.plans import settings_values
from botyard.yard.people.accounts import ban
from botyard.yard.refusals import InTheWay, NotThere, Refusal
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.pages import matches, play
from botyard.yard.work import hand_seats, hand_work
from botyard.yard.work.hand_seats import HandSeats, RelayedSeat
from botyard.yard.work.hand_work import HandWork
from botyard.yard.work.matches import MatchPlayer
from botyard.yard.work.verifying import verified
from tests.links.matches import rival_of, short_match
from tests.waiting import finished, soon, until
from tests.yard.browsing import Client
from tests.yard.living import LivingYard
from tests.yard.residents import event_kinds
from tests.yard.test_pages import TWO, new_yard

HOUSE = rival_of(TWO)
HIDING, OPEN = (
    next(name for name in OWN_GAMES if load(name).settings.read({}).habits.hides == hides) for hides in (True, False)
)


# Who may ask


@pytest.fixture
def living(yard: Yard) -> LivingYard:
    living = LivingYard(yard)
    living.open(TWO)
    for name in ("Ada", "Bob"):
        living.bot(living.person(name), TWO, f"bot of {name}")
    return living


def ask(living: LivingYard, person: int, *rivals: str, place: int = 1) -> int:
    with living.yard.database.writing() as connection:
        return ask_hand_game(connection, person, TWO, rivals, place, living.yard.clock())


def test_a_person_sits_where_they_want_and_plays_one_game_at_a_time(living: LivingYard) -> None:
    match = ask(living, 1, HOUSE, place=2)
    with living.yard.database.reading() as connection:
        seats = connection.execute(sa.select(SEAT).where(SEAT.c.match == match).order_by(SEAT.c.place)).all()
        assert [(seat.house, seat.person) for seat in seats] == [(HOUSE.partition(":")[2], None), (None, 1)]
        assert open_hand_game(connection, 1) == match
    with pytest.raises(InTheWay, match="at a board already"):
        ask(living, 1, HOUSE)
    with pytest.raises(InTheWay, match="1 person plays by hand already"):
        ask(living, 2, HOUSE)
    with living.yard.database.writing() as connection:
        assert leave_hand_game(connection, 1, living.yard.clock()) is None
        assert open_hand_game(connection, 1) is None
    later = ask(living, 2, HOUSE)
    assert later > match
    living.begin(later)
    with living.yard.database.writing() as connection:
        assert leave_hand_game(connection, 2, living.yard.clock()) == later, "it has to be resigned where it is played"
    assert list(event_kinds(living.yard))[-2:] == ["hand.asked", "hand.resigned"]
    living.end(later)
    with living.yard.database.writing() as connection:
        ask_hand_game(connection, 2, TWO, [HOUSE], 1, living.yard.clock())
        ban(connection, 2, "noise", living.yard.clock(), by=1)
        assert open_hand_game(connection, 2) is None


def test_with_more_workers_more_people_play(living: LivingYard) -> None:
    with living.yard.database.writing() as connection:
        for number in (2, 3):
            row = {"name": f"local {number}", "state": "busy", "about": "{}", "seen_ms": 0}
            connection.execute(sa.insert(WORKER).values(**row))
    assert ask(living, 1, HOUSE) < ask(living, 2, HOUSE)


def test_a_rival_is_a_house_bot_or_an_own_version(living: LivingYard) -> None:
    with living.yard.database.reading() as connection:
        own = own_rivals(connection, 1, TWO)
        assert [rival.name for rival in own] == ["bot of Ada 1"]
        assert own_rivals(connection, 1, "nix") == []
        other = own_rivals(connection, 2, TWO)[0]
    for rival in ("house:nobody", f"version:{other.version}", "version:x", "cmd:ls", ""):
        with pytest.raises(Refusal):
            ask(living, 1, rival)
    with pytest.raises(Refusal, match="no place 3"):
        ask(living, 1, HOUSE, place=3)
    assert ask(living, 1, f"version:{own[0].version}")


def test_the_form_leads_to_the_match_and_says_what_was_wrong(tmp_path: Path) -> None:
    yard = new_yard(tmp_path)
    living = LivingYard(yard)
    living.open(TWO)
    living.person("Ada")
    woken: list[int] = []

    class Woken:
        """A steward that only notes that it was woken, and ends a game as soon as it is resigned."""

        live: tuple[int, ...] = ()

        @property
        def hands(self) -> Woken:
            return self

        def wake(self) -> None:
            woken.append(1)

        def resign(self, match: int) -> None:
            living.end(match)

    app = PageServer(yard, Woken()).app([*play.PAGES, *matches.PAGES])  # type: ignore[arg-type]
    assert "Sign in to play" in Client(app).get(f"/play/{TWO}").text
    assert Client(app).post(f"/play/{TWO}", {"rival": HOUSE}).status == 401
    ada = Client(app, Caller(1, "Ada"))
    assert "optgroup" in ada.get(f"/play/{TWO}").text
    wrong = ada.post(f"/play/{TWO}", {"rival": "house:nobody", "place": "1"})
    assert (wrong.status, "There is no such rival" in wrong.text, woken) == (400, True, [])
    assert ada.post(f"/play/{TWO}", {"rival": HOUSE, "place": "1"}).headers["location"] == "/matches/1"
    assert woken == [1]
    assert "You are at a board already" in ada.get(f"/play/{TWO}").text
    assert ada.post(f"/play/{TWO}/leave").headers["location"] == f"/play/{TWO}"
    assert "You are at a board already" not in ada.get(f"/play/{TWO}").text
    assert ada.post(f"/play/{TWO}", {"rival": HOUSE, "place": "1"}).headers["location"] == "/matches/2"
    assert "Cancel it" in ada.get("/matches/2").text
    living.begin(2)
    assert "Resign" in ada.get("/matches/2").text
    assert ada.post(f"/play/{TWO}/leave").headers["location"] == "/matches/2"
    assert "Resign" not in ada.get("/matches/2").text
    assert "optgroup" in ada.get(f"/play/{TWO}").text, "the next game can be asked for at once"
    assert ada.get("/play/nix").status == 404
    yard.close()


# How they talk


def work_by_hand(game: str, place: int = 1) -> HandWork:
    settings = load(game).settings.read(short_match(game)).seated(2).with_fixed_seats()
    players = [MatchPlayer("house", house=rival_of(game).partition(":")[2])]
    players.insert(place - 1, MatchPlayer("Ada"))
    return HandWork(7, game, settings_values(settings), 5, tuple(players), place=place)


async def played_by_hand(work: HandWork, person: Callable[[RelayedSeat], object]) -> tuple[GameReport, list[Sign]]:
    """Has a worker play a match; `person` is called with the seat whenever something about it changes."""
    seats, signs = HandSeats(), list[Sign]()
    await seats.open()
    playing = asyncio.create_task(seats.addressed(work).done_by(Worker(), signs.append))
    await until(lambda: seats.screens(work.match) or playing.done())
    screens = seats.screens(work.match)
    assert screens is not None, await playing
    seat = screens.seat
    assert isinstance(seat, RelayedSeat)
    while not playing.done() and not seat.over:
        coming = asyncio.ensure_future(seat.news())
        person(seat)
        await asyncio.wait([coming, playing], return_when=asyncio.FIRST_COMPLETED)
        coming.cancel()
    return await ended(seats, work, playing), signs


async def ended(seats: HandSeats, work: HandWork, playing: Awaitable[GameReport]) -> GameReport:
    report = await soon(playing)
    await until(lambda: seats.screens(work.match) is None)
    await seats.close()
    return report


def test_a_person_plays_a_whole_game_on_a_worker() -> None:
    asked: list[int] = []
    texts: list[str] = []

    def person(seat: RelayedSeat) -> None:
        if not seat.here:
            seat.sit_down()
        if seat.question is not None and seat.question.number not in asked:
            asked.append(seat.question.number)
            texts.append(str(seat.question.view))
            seat.offer(0)

    report, signs = finished(played_by_hand(work_by_hand(TWO, place=2), person))
    assert report.trouble == ""
    assert report.replay is not None
    replay = Replay.from_bytes(report.replay)
    replay.verify()
    assert len(asked) > 3
    assert all(texts)
    assert sum(len(sign.played) for sign in signs) >= len(replay.ticks) - 1, "a person sees every tick at once"
    assert (report.verdicts or {})["p2"] == {"OK": len(asked)}


def sits_down(seat: RelayedSeat) -> None:
    if not seat.here:
        seat.sit_down()


def test_somebody_who_leaves_keeps_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_work, "THINK_MS", 30)
    report, _ = finished(played_by_hand(work_by_hand(TWO), sits_down))
    assert report.result
    assert (report.verdicts or {})["p1"].keys() == {"SILENT"}


def test_whoever_resigns_forfeits_at_once() -> None:
    answered = 0

    def person(seat: RelayedSeat) -> None:
        nonlocal answered
        sits_down(seat)
        if seat.question is not None and seat.question.number == 3:
            seat.resign()
            seat.withdraw()
        elif seat.question is not None and seat.question.number > answered:
            answered = seat.question.number
            seat.offer(0)

    work = work_by_hand(TWO)
    report, _ = finished(played_by_hand(work, person))
    assert forfeits(report) == ["p1"]
    assert (report.verdicts or {})["p1"] == {"OK": 2, "GONE": 1}
    assert str(verified(work, report).result) == report.result, "the steward takes it for true"


def test_whose_last_page_was_closed_a_while_ago_has_resigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_seats, "GONE_S", 0.05)

    async def close_the_page() -> GameReport:
        seats, work = HandSeats(), work_by_hand(TWO)
        await seats.open()
        playing = asyncio.create_task(seats.addressed(work).done_by(Worker(), lambda sign: None))
        await until(lambda: seats.screens(work.match) or playing.done())
        screens = seats.screens(work.match)
        assert screens is not None, await playing
        pages = [OpenPage(), OpenPage()]
        serving = [asyncio.create_task(screens.serve(page)) for page in pages]  # type: ignore[arg-type]
        await until(lambda: screens.seat.question)
        pages[0].gone.set()
        await soon(serving[0])
        assert not screens.seat.resigned, "another page is open"
        pages[1].gone.set()
        return await ended(seats, work, playing)

    assert forfeits(finished(close_the_page())) == ["p1"]


def test_a_game_can_be_resigned_before_its_worker_is_ready() -> None:
    async def resign() -> GameReport:
        seats, work = HandSeats(), work_by_hand(TWO)
        await seats.open()
        seats.resign(work.match)  # nobody has heard of it yet
        addressed = seats.addressed(work)
        seats.resign(work.match)
        return await ended(seats, work, addressed.done_by(Worker(), lambda sign: None))

    assert forfeits(finished(resign())) == ["p1"]


def forfeits(report: GameReport) -> list[str]:
    """Who gave a game up, behind everybody else."""
    result = parse(report.result)
    assert result.groups[-1] == tuple(result.forfeits), report
    return list(result.forfeits)


class OpenPage:
    """A socket of a page that listens until it has gone."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def accept(self) -> None:
        pass

    async def send_text(self, _: str) -> None:
        pass

    async def close(self, *_: object) -> None:
        pass

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "websocket.disconnect"}


def test_a_seat_that_nobody_takes_is_forfeited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_work, "COME_S", 0.05)
    report, _ = finished(played_by_hand(work_by_hand(TWO), lambda seat: None))
    assert "p1!" in report.result


def test_strangers_at_the_mailbox_change_nothing_and_a_server_that_is_gone_is_a_trouble() -> None:
    async def knock() -> GameReport:
        seats = HandSeats()
        await seats.open()
        work = seats.addressed(work_by_hand(TWO))
        for greeting in (b"hello\n", b"{}\n", json.dumps({"match": 7, "secret": "guess"}).encode() + b"\n", b"[]\n"):
            reader, writer = await asyncio.open_unix_connection(work.mailbox)
            writer.write(greeting)
            assert await soon(reader.read()) == b""
            writer.close()
        assert seats.screens(work.match) is None
        await seats.close()
        return await soon(work.done_by(Worker(), lambda sign: None))

    assert "cannot be reached" in finished(knock()).trouble


@pytest.mark.parametrize("game", [HIDING, OPEN])
def test_where_a_game_hides_something_its_person_sees_their_own_view(game: str) -> None:
    book, seen = load(game), []
    for place in (1, 2):
        work = work_by_hand(game, place)
        seen.append(work.shown_seat(Game(book, book.settings(**work.settings), work.seed)))
    assert seen == ([0, 1] if game == HIDING else [None, None])


def test_the_match_of_a_person_is_theirs_alone(living: LivingYard) -> None:
    match = ask(living, 1, HOUSE)
    with living.yard.database.reading() as connection:
        assert match_for(connection, match, Caller(1, "Ada")).listed.kind == "hand"
        with pytest.raises(NotThere):
            match_for(connection, match, Caller(2, "Bob"))
