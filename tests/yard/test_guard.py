"""The guard: whose name it answers to, from which pages it takes changes, whom it knows, and how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from botyard.kernel.errors import YardError
from botyard.yard.config import Quotas, YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.times import SECOND
from botyard.yard.people.accounts import ban
from botyard.yard.people.limits import (
    ANYTHING,
    ANYTHING_OF_ONE,
    CHANGES,
    ENTRANCES,
    LOGIN,
    RateLimits,
)
from botyard.yard.people.notices import notify
from botyard.yard.people.tokens import make_token
from botyard.yard.refusals import TooMuch
from botyard.yard.site import Yard
from botyard.yard.web.guard import YardGuard
from tests.waiting import finished
from tests.yard.browser import Browser, asked
from tests.yard.conftest import Hands
from tests.yard.residents import browser_of, caller_for, resident, session_of

LAN = "http://teacher:8000"


async def who(request: Request) -> Response:
    state = request.scope["state"]
    told = {"name": state["caller"].name, "address": state["caller"].address, "scopes": sorted(state["caller"].scopes)}
    return JSONResponse({**told, "unread": state["unread"], "origin": state["origin"]})


async def greet(socket: WebSocket) -> None:
    await socket.accept(headers=[(b"x-name", socket.scope["state"]["caller"].name.encode())])
    await socket.close()


PATHS = "/", "/form", "/login", "/static/yard.css", "/api/v1/me", "/embed/7", "/codenjoy-contest/rest/x"
INSIDE = Starlette(
    routes=[
        *(Route(path, who, methods=["GET", "POST", "PUT", "DELETE"]) for path in PATHS),
        *(WebSocketRoute(path, greet) for path in ("/live", "/api/v1/live", "/codenjoy-contest/ws")),
    ]
)


@pytest.fixture
def open_yard(tmp_path: Path, hands: Hands) -> Callable[..., Yard]:
    """Opens a yard on SQLite, whose guard needs no tables until somebody signs in."""

    def opened(**options: Any) -> Yard:
        database = Database.in_file(tmp_path / "yard.db")
        return Yard(YardConfig(tmp_path, **options), database, hands)

    return opened


def at(yard: Yard, origin: str = "http://localhost:8000", **options: Any) -> Browser:
    return Browser(YardGuard(INSIDE, yard), origin, **options)


# Whose names are ours


@pytest.mark.parametrize(
    "name", ["localhost:8000", "127.0.0.1:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST:8000", "teacher:8000"]
)
def test_without_a_public_address_names_of_this_machine_are_ours(open_yard: Callable[..., Yard], name: str) -> None:
    assert at(open_yard(hosts=("teacher",))).get("/", host=name).status == 200


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("localhost.evil.example", 421),
        ("localhost:8000@evil.example", 400),
        ("localhost:8000, evil.example", 400),
        ("localhost\t", 400),
        ("localhost:80000000", 400),
        ("localhost/../x", 400),
        ("127.0.0.1.", 421),
        ("127.1", 421),
        ("2130706433", 421),
        ("203.0.113.5:8000", 421),
        ("[::1", 400),
        ("", 400),
        (None, 400),
    ],
)
def test_other_names_are_refused_before_anything_else(
    open_yard: Callable[..., Yard], name: str | None, status: int
) -> None:
    page = at(open_yard()).get("/", host=name)
    assert page.status == status
    assert page.headers["x-frame-options"] == "DENY"


def test_two_names_are_none(open_yard: Callable[..., Yard]) -> None:
    browser = at(open_yard())
    scope = browser.scope("http", "/", {"host": "localhost:8000"}, method="GET")
    scope["headers"] += [(b"host", b"evil.example")]
    assert finished(asked(browser.app, scope, b"")).status == 400


def test_with_a_public_address_that_name_alone_is_ours(open_yard: Callable[..., Yard]) -> None:
    browser = at(
        open_yard(public_url="https://bots.example.org/", hosts=("old.example.org",)), "https://bots.example.org"
    )
    assert browser.get("/").json["origin"] == "https://bots.example.org"
    assert browser.get("/", host="Bots.Example.org:443").json["origin"] == "https://bots.example.org"
    assert browser.get("/", host="old.example.org").json["origin"] == "https://old.example.org"
    for other in ("localhost:8000", "127.0.0.1:8000", "bots.example.org:8443", "bots.example.org."):
        assert browser.get("/", host=other).status == 421, other
    assert browser.post("/form").status == 200
    assert browser.post("/form", origin="http://bots.example.org").status == 403


@pytest.mark.parametrize(
    "address", ["bots.example.org", "ftp://x", "https://", "https://a/b", "https://a b", "https://u@a"]
)
def test_a_public_address_that_is_none_is_refused_at_the_start(open_yard: Callable[..., Yard], address: str) -> None:
    with pytest.raises(YardError, match="public_url"):
        YardGuard(INSIDE, open_yard(public_url=address))


# From which pages changes are taken


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "QUERY"])
def test_changes_from_other_pages_are_refused(open_yard: Callable[..., Yard], method: str) -> None:
    browser = at(open_yard())
    for said in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "null", "sec_fetch_site": "same-origin"},
        {"origin": "http://localhost:8001"},
        {"origin": "https://localhost:8000"},
        {"origin": "http://localhost:8000.evil.example"},
        {"origin": "http://localhost:8000/"},
        {"origin": ""},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"referer": "http://localhost:8000/"},
        {},
    ):
        page = browser.ask(method, "/form", b"", said)
        assert page.status == 403, said
        assert "not from a page of this yard" in page.text


def test_changes_from_our_own_pages_are_taken(open_yard: Callable[..., Yard]) -> None:
    browser = at(open_yard(hosts=("teacher",)), LAN)  # plain http on a LAN: there is no Sec-Fetch-Site
    assert browser.post("/form").status == 200
    assert browser.ask("POST", "/form", b"", {"sec_fetch_site": "same-origin"}).status == 200
    assert browser.get("/form", origin="https://evil.example").status == 200  # reading changes nothing


def test_bots_of_rooms_come_from_anywhere_and_are_nobody(yard: Yard) -> None:
    browser = at(yard, cookies=browser_of(yard, resident(yard, "Ada")).cookies)
    assert browser.get("/").json["name"] == "Ada"
    page = browser.ask("POST", "/codenjoy-contest/rest/x", b"", {"origin": "https://evil.example"})
    assert (page.status, page.json["name"]) == (200, "")
    assert browser.socket("/codenjoy-contest/ws", origin="https://evil.example") == "accept"
    for trick in ("/codenjoy-contest/../form", "/codenjoy-contest", "//codenjoy-contest/../form"):
        assert browser.ask("POST", trick, b"", {}).status in (403, 404), trick


def test_sockets_of_other_pages_are_refused_and_programs_have_no_cookie(yard: Yard) -> None:
    browser = at(yard, cookies=browser_of(yard, resident(yard, "Ada")).cookies)
    assert browser.socket("/live", origin="http://localhost:8000") == "accept Ada"
    assert browser.socket("/live", origin="https://evil.example") == "403"
    assert browser.socket("/live", origin="null") == "403"
    assert browser.socket("/live") == "accept"
    assert browser.socket("/live", host="evil.example") == "421"


# Who asks


def test_a_token_is_good_below_the_api_and_nowhere_else(yard: Yard) -> None:
    ada, eve = resident(yard, "Ada"), resident(yard, "Eve")
    caller = caller_for(yard, eve)
    with yard.database.writing() as connection:
        token = f"Bearer {make_token(connection, caller, 'laptop', ['upload'], Quotas(), 1)}"
    browser = at(yard, cookies=browser_of(yard, ada).cookies)
    page = browser.ask("POST", "/api/v1/me", b"", {"authorization": token, "origin": "https://evil.example"})
    assert (page.json["name"], page.json["scopes"]) == ("Eve", ["upload"])
    assert browser.socket("/api/v1/live", authorization=token) == "accept Eve"
    for path in ("/", "/form", "/login", "/static/yard.css"):
        assert browser.get(path, authorization=token).status == 403
    for wrong in ("Bearer", "Bearer  ", f"{token}x", "bearer botyard_x", "BEARER \x7f"):
        page = browser.get("/api/v1/me", authorization=wrong)
        assert page.status == 401, wrong  # and not as who the cookie says
        assert page.headers["www-authenticate"] == "Bearer"
        assert page.headers["content-type"] == "application/problem+json"
    assert browser.get("/", authorization="Basic eDp5").json["name"] == "Ada"
    with yard.database.writing() as connection:
        ban(connection, eve.id, "insults", 2, by=ada.id)
    assert browser.get("/api/v1/me", authorization=token).status == 401


def test_a_cookie_is_known_once_it_was_given_and_never_what_a_stranger_made_up(yard: Yard) -> None:
    ada = resident(yard, "Ada")
    with yard.database.writing() as connection:
        notify(connection, ada.id, "Benched", "why", 1)
    browser, secret = at(yard), session_of(yard, ada)
    assert browser.get("/", cookie=f"x=1; botyard-8000={secret}; y=2").json["unread"] == 1
    for wrong in (
        f"botyard={secret}",
        f"__Host-botyard={secret}",
        f"botyard-8000={secret[:-1]}",
        f"botyard-8000={'a' * 43}",
        f"botyard-8000={secret}%00",
        "botyard-8000=",
        ";;;=;",
    ):
        assert browser.get("/", cookie=wrong).json["name"] == "", wrong
    assert browser.get("/static/yard.css", cookie=f"botyard-8000={secret}").json["name"] == ""  # costs no query


# How often


def test_a_storm_of_logins_is_turned_away_and_others_get_in(open_yard: Callable[..., Yard], hands: Hands) -> None:
    yard = open_yard()
    guard = YardGuard(INSIDE, yard)
    storm, calm = Browser(guard, address="198.51.100.1"), Browser(guard, address="198.51.100.2")
    seen = [storm.post("/login").status for _ in range(ENTRANCES.burst + 2)]
    assert seen == [200] * ENTRANCES.burst + [429, 429]
    refused = storm.post("/login")
    assert refused.headers["retry-after"] == "2"
    assert "Try again in 2 s" in refused.words
    assert storm.get("/").status == calm.post("/login").status == 200
    hands.pass_ms(2 * SECOND)
    assert [storm.post("/login").status for _ in range(2)] == [200, 429]


def test_a_house_full_of_addresses_counts_as_one(open_yard: Callable[..., Yard]) -> None:
    guard = YardGuard(INSIDE, open_yard())
    for number in range(ENTRANCES.burst):
        assert Browser(guard, address=f"2001:db8:1:2::{number:x}").post("/login").status == 200
    assert Browser(guard, address="2001:db8:1:2:ffff::1").post("/login").status == 429
    assert Browser(guard, address="2001:db8:1:3::1").post("/login").status == 200


def test_a_person_has_limits_of_their_own_at_whatever_address(yard: Yard) -> None:
    ada = resident(yard, "Ada")
    guard = YardGuard(INSIDE, yard)
    for _ in range(ANYTHING_OF_ONE.burst - 1):
        guard.limits.spend(ANYTHING_OF_ONE, str(ada.id), yard.clock())
    cookies = browser_of(yard, ada).cookies
    assert Browser(guard, address="198.51.100.1", cookies=cookies).get("/").status == 200
    assert Browser(guard, address="198.51.100.2", cookies=cookies).get("/").status == 429
    assert Browser(guard, address="198.51.100.2").get("/").status == 200


def test_a_bucket_fills_up_again_and_a_clock_that_is_set_back_harms_nobody() -> None:
    limits = RateLimits()
    for _ in range(LOGIN.burst):
        limits.spend(LOGIN, "ada", 10 * SECOND)
    for now_ms, wait_s in ((10 * SECOND, 30), (5 * SECOND, 30), (20 * SECOND, 15)):
        with pytest.raises(TooMuch) as refused:
            limits.spend(LOGIN, "ada", now_ms)
        assert refused.value.retry_after_s == wait_s, now_ms
    limits.spend(LOGIN, "ada", 35 * SECOND)
    limits.spend(CHANGES, "ada", 0)
    limits.spend(ANYTHING, "bob", 0)


# Where requests come from


@pytest.mark.parametrize(
    ("client", "said", "address"),
    [
        ("198.51.100.1", "203.0.113.9", "198.51.100.1"),  # no proxy of ours: anybody can say that
        ("10.0.0.2", None, "10.0.0.2"),
        ("10.0.0.2", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.2", "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.2", "203.0.113.9, 10.0.0.3", "203.0.113.9"),
        ("10.0.0.2", "203.0.113.9, junk", "10.0.0.2"),
        ("10.0.0.2", "junk, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.2", "", "10.0.0.2"),
        ("::ffff:10.0.0.2", "::ffff:203.0.113.9", "203.0.113.9"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
    ],
)
def test_only_our_own_proxies_are_believed(
    open_yard: Callable[..., Yard], client: str, said: str | None, address: str
) -> None:
    yard = open_yard(proxies=("10.0.0.0/24", "fd00::1"))
    assert at(yard, address=client).get("/", x_forwarded_for=said).json["address"] == address


def test_proxies_that_are_no_addresses_are_refused_at_the_start(open_yard: Callable[..., Yard]) -> None:
    with pytest.raises(YardError, match="proxies has 'nginx'"):
        YardGuard(INSIDE, open_yard(proxies=("nginx",)))


# What answers say


def test_every_answer_says_what_browsers_may_do_with_it(open_yard: Callable[..., Yard]) -> None:
    browser = at(open_yard())
    for page in (browser.get("/"), browser.get("/none"), browser.post("/form", origin="null")):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin"
        assert page.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in page.headers
    embedded = browser.get("/embed/7")
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]
    assert "x-frame-options" not in embedded.headers
    for trick in ("/embed", "/embedded/7", "//embed/7"):
        assert "frame-ancestors 'none'" in browser.get(trick).headers["content-security-policy"], trick


def test_a_database_that_is_away_is_said_and_no_page_breaks(open_yard: Callable[..., Yard]) -> None:
    yard = open_yard()
    away = Yard(replace(yard.config), Database.at("sqlite:////no/such/folder/yard.db"), yard.clock)
    page = at(away).get("/", cookie=f"botyard-8000={'a' * 43}")
    assert (page.status, "does not answer" in page.words) == (503, True)
    assert at(away).get("/").status == 200
