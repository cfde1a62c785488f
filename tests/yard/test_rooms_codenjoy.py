"""The original's addresses on a site: through the guard, without its rule about pages, within limits of their own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from botyard.yard.people.accounts import register
from botyard.yard.people.limits import REGISTRATIONS
from botyard.yard.people.sessions import open_session
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.members import join_room, members_of
from botyard.yard.rooms.rooms import RoomPlan, change_settings, create_room, room_games
from botyard.yard.serving import yard_app
from botyard.yard.site import Yard
from botyard.yard.web.cookies import cookie_name
from tests.waiting import finished
from tests.yard.browser import Browser, Page
from tests.yard.conftest import Hands
from tests.yard.residents import HERE

BOOK = room_games()[0]
GAME, BOT = BOOK.facts.name, next(iter(BOOK.bots.HOUSE_BOTS))
CONTEXT = "/codenjoy-contest"
ADDRESS = re.compile(rf"{CONTEXT}/board/player/(\w+)\?code=(\d+)")  # as the Python client reads it
FORM = {"readableName": "Eva", "email": "eva@example.org", "password": "secret", "gameName": GAME}


class Site:
    """A yard with a room that a test lets tick."""

    def __init__(self, yard: Yard, **plan: Any) -> None:
        self.yard, self.rooms = yard, Caretaker(yard)
        with yard.database.writing() as connection:
            self.number = create_room(connection, RoomPlan("den", GAME, **plan), yard.clock(), by=None)
        finished(self.rooms.follow(self.number))
        self.app = yard_app(yard, rooms=self.rooms)
        self.browser = Browser(self.app)

    def register(self, **headers: str | None) -> Page:
        return self.browser.post(f"{CONTEXT}/register", FORM, **headers)

    def signed_in(self, name: str) -> int:
        """Somebody with an account, whose browser this is from now on."""
        with self.yard.database.writing() as connection:
            person = register(connection, name, "", self.yard.clock()).id
            secret = open_session(connection, person, HERE, self.yard.clock())
        self.browser.cookies[cookie_name(self.yard.config)] = secret
        return person

    def settings(self, query: str = "") -> Page:
        return self.browser.get(f"{CONTEXT}/rest/settings/player{query}")

    def tick(self) -> None:
        self.rooms.lobby.rooms["den"].tick()


@pytest.fixture
def site(one_yard: Yard) -> Site:
    return Site(one_yard, house=[BOT])


def test_who_registers_by_the_form_gets_an_address_that_every_endpoint_knows(site: Site) -> None:
    found = ADDRESS.fullmatch(site.register(origin=None).goes_to)
    assert found
    user, code = found.groups()
    with site.yard.database.reading() as connection:
        assert [member.name for member in members_of(connection, site.number)] == [f"house:{BOT}", "Eva"]
    rest = f"{CONTEXT}/rest"
    assert site.browser.get(f"{rest}/player/{user}/check/{code}").json is True
    assert site.browser.get(f"{rest}/player/{user}/check/1").json is False
    told = site.settings(f"?user={user}&code={code}").json
    assert told["[Score] Apple score"] == "1"
    assert site.browser.get(f"{rest}/joystick/player/{user}/code/{code}/do/LEFT").json is True
    assert site.browser.socket(f"{CONTEXT}/ws?user={user}&code={code}").startswith("accept")
    assert site.browser.socket(f"{CONTEXT}/ws?user={user}&code=1") == "401"
    for _ in range(5):
        site.tick()
    boards = site.browser.get(f"{rest}/player/{user}/log/0").json
    member = site.rooms.member(user)
    assert member is not None
    assert boards[-1]["board"] == member.board.removeprefix("board=")
    assert {tuple(board) for board in boards} == {("time", "playerId", "gameType", "score", "board", "command")}
    assert site.browser.get(f"{rest}/player/{user}/log/soon").status == 400
    assert site.browser.get(f"{rest}/game/ws/url").text == (
        f"ws://localhost:8000{CONTEXT}/ws?user={{user}}&code={{code}}"
    )
    assert code in site.browser.get(f"{CONTEXT}/board/player/{user}?code={code}").text


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example"])
def test_no_page_of_ours_is_needed_to_register_and_no_cookie_is_read(site: Site, origin: str | None) -> None:
    site.signed_in("Ada")
    assert site.register(origin=origin).status == 303
    with site.yard.database.reading() as connection:
        assert {member.person for member in members_of(connection, site.number)} == {None}


def test_too_many_registrations_from_an_address_are_refused_and_bots_go_on(site: Site, hands: Hands) -> None:
    statuses = [site.register().status for _ in range(REGISTRATIONS.burst + 2)]
    assert statuses == [303, *[409] * (REGISTRATIONS.burst - 1), 429, 429]
    assert site.browser.get(f"{CONTEXT}/rest/health").text == "ok"
    hands.pass_ms(4000)
    assert site.register().status == 409


def test_whoever_is_signed_in_asks_for_settings_without_user_and_code(site: Site) -> None:
    assert site.settings().status == 401
    ada = site.signed_in("Ada")
    assert site.settings().status == 401, "she plays in no room"
    with site.yard.database.writing() as connection:
        join_room(connection, "den", ada, "Ada", site.yard.clock())
    finished(site.rooms.follow(site.number))
    assert site.settings().json["[Score] Apple score"] == "1"
    assert site.settings("?room=den").status == 200
    assert site.settings("?room=attic").status == 401
    with site.yard.database.writing() as connection:
        change_settings(connection, "den", {"apple_score": 4}, site.yard.clock(), by=ada)
    finished(site.rooms.follow(site.number))
    assert site.settings().json["[Score] Apple score"] == "4"


def test_settings_are_those_that_hold_on_the_players_own_field(site: Site) -> None:
    user, code = ADDRESS.fullmatch(site.register().goes_to).groups()  # type: ignore[union-attr]
    site.browser.get(f"{CONTEXT}/rest/joystick/player/{user}/code/{code}/do/UP")  # takes a seat
    for _ in range(8):
        site.tick()
    with site.yard.database.writing() as connection:
        admin = register(connection, "Root", "", site.yard.clock(), role="admin").id
        change_settings(connection, "den", {"apple_score": 4}, site.yard.clock(), by=admin)
    finished(site.rooms.follow(site.number))
    assert site.settings(f"?user={user}&code={code}").json["[Score] Apple score"] == "1", "a round is under way"
    assert site.browser.get(f"{CONTEXT}/rest/settings/{GAME}/den/apple_score").text == "4"
    room = site.rooms.lobby.rooms["den"]
    for _ in range(400):
        room.tick()
        if all(field.game.settings is room.settings for field in room.fields):
            break
    assert site.settings(f"?user={user}&code={code}").json["[Score] Apple score"] == "4"


def test_a_room_for_accounts_says_where_to_join(one_yard: Yard) -> None:
    site = Site(one_yard, door="accounts")
    page = site.register()
    assert page.status == 409
    assert "sign in and join at /rooms/den" in page.words


def test_without_a_room_the_original_pages_say_so(one_yard: Yard) -> None:
    browser = Browser(yard_app(one_yard))
    assert browser.get(f"{CONTEXT}/").status == 200
    assert browser.get(f"{CONTEXT}/register").status == 404
    assert json.loads(browser.get(f"{CONTEXT}/rest/room/den/scores").body)["error"]
