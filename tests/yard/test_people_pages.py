"""The pages about people, as a browser without JavaScript uses them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from botyard.yard.data.tables import ADMIN
from botyard.yard.people import signing_in
from botyard.yard.people.accounts import ban, person_named
from botyard.yard.people.limits import LOGIN
from botyard.yard.people.tickets import FOR_GUEST, make_ticket
from botyard.yard.site import Yard
from botyard.yard.web.forms import own_path
from tests.yard.browser import Browser, Page
from tests.yard.residents import PASSWORD, resident, site

TWICE = {"password": PASSWORD, "password_again": PASSWORD}


def with_config(yard: Yard, **changed: object) -> Yard:
    return Yard(replace(yard.config, **changed), yard.database, yard.clock)  # type: ignore[arg-type]


def ticket(yard: Yard, purpose: str, name: str | None = None) -> str:
    with yard.database.writing() as connection:
        return make_ticket(connection, purpose, yard.clock(), name=name)


def link_in(page: Page) -> str:
    found = re.search(r"http://localhost:8000(/ticket/[-\w]{43})", page.text)
    assert found is not None, page.words
    return found[1]


# Coming in


def test_somebody_registers_leaves_and_comes_back(yard: Yard) -> None:
    browser = Browser(site(yard))
    page = browser.post(
        "/register", {"name": "Ada", "to": "/bots/new", **TWICE}, user_agent="Lynx\u202e".encode().decode("latin-1")
    )
    assert page.goes_to == "/bots/new"
    cookie = page.headers["set-cookie"]
    assert re.fullmatch(r"botyard-8000=[-\w]{43}; HttpOnly; Max-Age=\d+; Path=/; SameSite=lax", cookie)
    assert "Ada" in browser.get("/me").words
    first = dict(browser.cookies)
    assert browser.post("/logout").goes_to == "/"
    assert browser.cookies == {}
    assert browser.get("/me").goes_to == "/login?to=%2Fme"
    assert browser.get("/me", cookie=f"botyard-8000={first['botyard-8000']}").status == 303  # the cookie is worthless

    wrong = browser.post("/login", {"name": "Ada", "password": "wrong and long", "to": "/me"})
    nobody = browser.post("/login", {"name": "Eve", "password": "wrong and long", "to": "/me"})
    assert wrong.status == nobody.status == 403
    assert wrong.text == nobody.text.replace("Eve", "Ada")  # nothing tells who has an account
    assert 'value="Ada"' in wrong.text
    assert "wrong and long" not in wrong.text
    assert browser.cookies == {}

    browser.cookies = {"botyard-8000": "f" * 43}  # somebody put it there beforehand
    assert browser.post("/login", {"name": " ADA ", "password": PASSWORD, "to": "//evil.example"}).goes_to == "/me"
    assert browser.cookies["botyard-8000"] not in ("f" * 43, first["botyard-8000"])
    old = dict(browser.cookies)
    assert browser.post("/login", {"name": "Ada", "password": PASSWORD}).goes_to == "/me"
    assert browser.get("/me", cookie=f"botyard-8000={old['botyard-8000']}").status == 303

    root = resident(yard, "Root", ADMIN)
    with yard.database.writing() as connection:
        ban(connection, person_named(connection, "Ada").id, "insults", yard.clock(), by=root.id)
    banned = browser.post("/login", {"name": "Ada", "password": PASSWORD})
    assert (banned.status, "This account is banned: insults" in banned.words) == (403, True)


def test_under_https_the_cookie_belongs_to_this_host_alone(one_yard: Yard) -> None:
    safe = with_config(one_yard, public_url="https://bots.example.org")
    browser = Browser(site(safe), "https://bots.example.org")
    page = browser.post(f"/ticket/{ticket(safe, FOR_GUEST)}", {"name": "Ada", **TWICE})
    assert re.fullmatch(
        r"__Host-botyard=[-\w]{43}; HttpOnly; Max-Age=\d+; Path=/; SameSite=lax; Secure", page.headers["set-cookie"]
    )
    assert browser.get("/me").status == 200
    gone = browser.post("/logout").headers["set-cookie"]
    assert "Secure" in gone
    assert "Max-Age=0" in gone


@pytest.mark.parametrize(
    ("fields", "beside", "why"),
    [
        ({"name": "", **TWICE}, "name", "The name is empty"),
        ({"name": "A<b>", **TWICE}, "name", "in it"),
        ({"name": "Root", **TWICE}, "name", "is taken"),
        ({"name": "Ada", "password": "tiny", "password_again": "tiny"}, "password", "too short"),
        ({"name": "Ada", "password": "a" * 11, "password_again": "a" * 11}, "password", "easily guessed"),
        ({"name": "Ada", "password": "x" * 201, "password_again": "x" * 201}, "password", "too long"),
        ({"name": "Ada", "password": PASSWORD, "password_again": "another one"}, "password", "differ"),
        ({"name": "Ada"}, "password", "too short"),
    ],
)
def test_a_mistake_stands_beside_its_field_and_what_was_typed_is_kept(
    one_yard: Yard, fields: dict[str, str], beside: str, why: str
) -> None:
    resident(one_yard, "Root", ADMIN)
    page = Browser(site(one_yard)).post("/register", fields)
    assert 400 <= page.status < 500
    told = re.search(r'<p class="error" id="([^"]*)-error" role="alert">([^<]*)</p>', page.text)
    assert told is not None, page.words
    assert told[1] == beside
    assert why in told[2]
    assert 'value="{}"'.format(fields["name"].replace("<", "&lt;").replace(">", "&gt;")) in page.text
    assert fields.get("password", PASSWORD) not in page.text


def test_all_mistakes_are_told_at_once(one_yard: Yard) -> None:
    page = Browser(site(one_yard)).post("/register", {"name": "A<b>", "password": "x", "password_again": "y"})
    assert re.findall(r'id="(\w+)-error"', page.text) == ["name", "password"]


@pytest.mark.parametrize("registration", ["invitation", "closed"])
def test_who_may_not_register_is_told_why_and_what_to_do(one_yard: Yard, registration: str) -> None:
    shut = with_config(one_yard, registration=registration)
    browser = Browser(site(shut))
    assert "<form" not in browser.get("/register").text.partition("<main")[2]
    assert browser.post("/register", {"name": "Ada", **TWICE}).status == 403
    used = browser.post(f"/ticket/{ticket(shut, FOR_GUEST)}", {"name": "Ada", **TWICE})
    assert used.status == (303 if registration == "invitation" else 403)


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
        "/\t/evil.example", "javascript:alert(1)", "/x\r\nSet-Cookie: a=b", " //evil.example",
        "/ü", "evil.example", "", "http:/evil",
    ],
)  # fmt: skip
def test_nobody_is_sent_to_another_site(to: str) -> None:
    assert own_path(to, "/me") == "/me"


@pytest.mark.parametrize("to", ["/", "/me#tokens", "/admin/events?kind=a%20b&subject=person/1", "/people/%C3%BC"])
def test_people_come_back_to_where_they_wanted_to_go(to: str) -> None:
    assert own_path(to, "/me") == to


def test_where_somebody_wanted_to_go_is_kept_whole_and_escaped(one_yard: Yard) -> None:
    browser = Browser(site(one_yard))
    assert browser.get("/admin/events?kind=a&b=<").goes_to == "/login?to=%2Fadmin%2Fevents%3Fkind%3Da%26b%3D%3C"
    page = browser.get("/login?to=%2Fadmin%2Fevents%3Fkind%3Da%2526b")
    assert 'name="to" value="/admin/events?kind=a%26b"' in page.text
    assert "evil" not in browser.get("/login?to=https://evil.example").text


def test_too_many_attempts_are_refused_before_anything_is_hashed(
    one_yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = site(one_yard)
    for _ in range(LOGIN.burst):
        guard.limits.spend(LOGIN, "ada@127.0.0.1", one_yard.clock())

    async def hashing(*_: object) -> bool:
        raise AssertionError

    monkeypatch.setattr(signing_in, "fits", hashing)
    page = Browser(guard).post("/login", {"name": "ADA", "password": PASSWORD})
    assert (page.status, page.headers["retry-after"]) == (429, "30")
    assert "Too many attempts to sign in with this name" in page.words


URLENCODED = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=b"


def part(about: str, content: bytes) -> bytes:
    return b"--b\r\nContent-Disposition: form-data; " + about.encode() + b"\r\n\r\n" + content + b"\r\n--b--\r\n"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"name=Ada&name=Eve&password=x", URLENCODED, 400),
        (b"name=A%00da&password=x", URLENCODED, 400),
        (b"name=A%0D%0Ada&password=x", URLENCODED, 400),
        (b"name=Ada&password=%00", URLENCODED, 400),
        (b"&".join(b"f%d=1" % number for number in range(101)), URLENCODED, 400),
        (b"name=" + b"a" * 70_000, URLENCODED, 413),
        (b"name=" + b"a" * 2000, URLENCODED, 400),
        (b"junk", PARTS, 400),
        (b"junk", "multipart/form-data", 400),
        (part('name="name"', b"xn--zz"), f"{PARTS}; charset=idna", 400),
        (part('name="name"', b"\\ud800"), f"{PARTS}; charset=raw_unicode_escape", 400),
        (part('name="name"; filename="x"', b"x"), PARTS, 400),
        (b"{}", "application/json", 403),  # no field of ours is in it
    ],
)
def test_strange_forms_are_answered_with_a_sentence(one_yard: Yard, body: bytes, kind: str, status: int) -> None:
    browser = Browser(site(one_yard))
    page = browser.ask("POST", "/login", body, {"origin": browser.origin, "content_type": kind})
    assert page.status == status, page.words
    assert "<h1>" in page.text


@pytest.mark.parametrize(("length", "status"), [(None, 400), ("-1", 400), ("1e3", 400), ("9" * 40, 413)])
def test_a_form_says_how_long_it_is(one_yard: Yard, length: str | None, status: int) -> None:
    assert Browser(site(one_yard)).post("/login", {"name": "Ada"}, content_length=length).status == status
