"""Links that work once, one's own page, the office of admins and the news, as browsers use them."""

from __future__ import annotations

import csv
import re
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.bots.versions import ask_for
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import ADMIN, BOT, BUILD, ENTRY, FAULT, LADDER, PAIR, TASK, WORKER
from botyard.yard.data.times import DAY
from botyard.yard.ladders.pairs import PairAsked, Seated, ask_pair, begin_match
from botyard.yard.people.class_lists import BadList, names_in, text_of
from botyard.yard.people.notices import is_link, notify
from botyard.yard.people.tickets import FOR_ADMIN, FOR_GUEST, FOR_PASSWORD, make_ticket, no_admin_yet, spend
from botyard.yard.refusals import NotThere
from botyard.yard.site import Yard
from botyard.yard.web.pages import admin, admin_people
from botyard.yard.web.pages.admin import SECTIONS
from tests.yard.browser import Browser, Page
from tests.yard.conftest import Hands
from tests.yard.residents import (
    PASSWORD,
    add_version,
    browser_of,
    event_kinds,
    one_after_the_other,
    resident,
    session_of,
    site,
)

TWICE = {"password": PASSWORD, "password_again": PASSWORD}


def links_in(page: Page) -> list[str]:
    return re.findall(r"http://localhost:8000(/ticket/[-\w]{43})", page.text)


# Links that work once


def test_the_first_admin_comes_by_a_link_that_works_once(yard: Yard) -> None:
    with yard.database.writing() as connection:
        assert no_admin_yet(connection)
        link = f"/ticket/{make_ticket(connection, FOR_ADMIN, yard.clock())}"
    browser = Browser(site(yard))
    for _ in range(2):  # looking at it changes nothing
        assert "Become an admin" in browser.get(link).words
    assert browser.post(link, {"name": "Admin", "password": "tiny", "password_again": "tiny"}).status == 400
    assert browser.post(link, {"name": "Admin", **TWICE}).goes_to == "/me"
    assert browser.get("/admin").status == 200
    with yard.database.reading() as connection:
        assert not no_admin_yet(connection)
    other = Browser(browser.app)
    for page in (other.get(link), other.post(link, {"name": "Eve", **TWICE}), other.get("/ticket/x")):
        assert page.status == 404
    assert "ticket.used" in event_kinds(yard)


def test_who_is_signed_in_takes_office_by_such_a_link(one_yard: Yard) -> None:
    ada = resident(one_yard, "Ada")
    with one_yard.database.writing() as connection:
        invitation = f"/ticket/{make_ticket(connection, FOR_GUEST, one_yard.clock())}"
        link = f"/ticket/{make_ticket(connection, FOR_ADMIN, one_yard.clock())}"
    browser = browser_of(one_yard, ada)
    assert browser.post(f"{invitation}/admin").status == 403
    assert browser.get(invitation).status == 200  # and it is not used up
    assert browser.get("/admin").status == 403
    assert browser.post(f"{link}/admin").goes_to == "/admin"
    assert browser.get("/admin").status == 200


def test_a_link_is_used_by_one_of_two_at_once_and_ends_in_time(yard: Yard, hands: Hands) -> None:
    ada = resident(yard, "Ada")
    with yard.database.writing() as connection:
        old = make_ticket(connection, FOR_PASSWORD, yard.clock(), person=ada.id)
        secret = make_ticket(connection, FOR_PASSWORD, yard.clock(), person=ada.id)
        with pytest.raises(NotThere, match="ended"):
            spend(connection, old, yard.clock())

    def used(connection: sa.Connection) -> str:
        return spend(connection, secret, yard.clock()).name

    assert isinstance(one_after_the_other(yard, used, used), NotThere)
    with yard.database.writing() as connection:
        late = make_ticket(connection, FOR_PASSWORD, yard.clock(), person=ada.id)
        with pytest.raises(NotThere, match="has ended"):
            spend(connection, late, yard.clock() + 3 * DAY)


def test_a_lost_password_is_set_anew_and_ends_all_sessions(yard: Yard) -> None:
    root, ada = resident(yard, "Root", ADMIN), resident(yard, "Ada")
    office = browser_of(yard, root)
    stolen = Browser(office.app, cookies={"botyard-8000": session_of(yard, ada)})
    assert stolen.get("/me").status == 200
    (link,) = links_in(office.post(f"/admin/people/{ada.id}/password"))
    browser = Browser(office.app)
    page = browser.get(link)
    assert 'autocomplete="username" value="Ada" readonly' in page.text
    assert page.text.count('autocomplete="new-password"') == 2
    assert browser.post(link, {"name": "Root", **TWICE}).goes_to == "/me"  # the name is the link's, whatever is sent
    assert "Ada" in browser.get("/me").words
    assert stolen.get("/me").status == 303
    assert links_in(office.get("/admin/tickets")) == []


# Class lists


def test_a_class_is_invited_by_its_list(one_yard: Yard) -> None:
    resident(one_yard, "Zoe")
    office = browser_of(one_yard, resident(one_yard, "Root", ADMIN))
    taken = office.post("/admin/tickets/class", {"list": "Ada\nzoe\n"})
    assert (taken.status, "zoe" in taken.words) == (400, True)
    page = office.post("/admin/tickets/class", {"list": "name;mail\nAda;a@x\nBob;b@x\n", "as": "page"})
    first, second = links_in(page)
    lines = list(csv.reader(office.post("/admin/tickets/class", {"list": "Ada", "as": "csv"}).text.splitlines()))
    assert lines[0] == ["name", "link"]
    assert lines[1][0] == "Ada"
    browser = Browser(office.app)
    assert browser.get(first).status == 404  # a newer one was made for her
    assert browser.post(second, {"name": "Eve", **TWICE}).goes_to == "/me"
    assert "Bob" in browser.get("/me").words
    handles = re.findall(r"/admin/tickets/(\w{16})/end", office.get("/admin/tickets").text)
    assert len(handles) == 1
    assert office.post(f"/admin/tickets/{handles[0]}/end").goes_to == "/admin/tickets"
    assert browser.get(lines[1][1].removeprefix("http://localhost:8000")).status == 404


def test_a_class_list_comes_as_a_file_too(one_yard: Yard) -> None:
    office = browser_of(one_yard, resident(one_yard, "Root", ADMIN))
    head = 'Content-Disposition: form-data; name="{}"'
    file = ["--b", f'{head.format("file")}; filename="c.csv"', "", "J\u00fcrgen", "--b--", ""]
    body = "\r\n".join(["--b", head.format("list"), "", "", *file]).encode("cp1252")
    said = {"origin": office.origin, "content_type": "multipart/form-data; boundary=b"}
    page = office.ask("POST", "/admin/tickets/class", body, said)
    assert "Jürgen" in page.words
    assert len(links_in(page)) == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada\nBob\n", ["Ada", "Bob"]),
        ("\ufeffname\r\nAda\r\n", ["Ada"]),
        ("mail,Name\na@x,Ada\n", ["Ada"]),
        ('"Ada","x,y"\n\n"Bob","z"\n', ["Ada", "Bob"]),
        ("Ada\tx\nBob\ty", ["Ada", "Bob"]),
    ],
)
def test_names_are_found_in_the_lists_that_spreadsheets_write(text: str, names: list[str]) -> None:
    assert names_in(text_of(text.encode())) == names


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("name\n", "0 names"),
        ("Ada\n=cmd()\nAdmin\nada\n", r"line 2: .*; line 3: .*office.*; line 4: 'ada' stands on line 1 already"),
        ("x\n" * 501, "more"),
        ("\n".join(f"n{n}" for n in range(501)), "501 names"),
        ('"Ada\n', "cannot be read"),
        ("Ada\x00", "U\\+0000|cannot be read"),
    ],
)
def test_every_mistake_of_a_class_list_is_told_at_once(text: str, why: str) -> None:
    with pytest.raises(YardError, match=why):
        names_in(text)
    assert issubclass(BadList, YardError)


# One's own page


def test_pages_know_who_is_signed_in(one_yard: Yard) -> None:
    browser = browser_of(one_yard, resident(one_yard, "Ada"))
    for path in ("/register", "/login", "/logout", "/me", "/me/delete", "/news"):
        assert "Ada" in browser.get(path).words, path


def test_ones_own_page_has_everything_and_says_what_to_do_next(yard: Yard) -> None:
    ada = resident(yard, "Ada")
    browser = browser_of(yard, ada)
    empty = browser.get("/me").words
    for said in ("Nothing to tell", "You have no bot yet", "(this one)"):
        assert said in empty
    with yard.database.writing() as connection:
        notify(connection, ada.id, "<b>Benched</b>", "one line\nanother\u202e", yard.clock(), link="/bots/1")
        row = {"owner": ada.id, "game": "some", "name": "Bee", "name_key": "bee", "made_ms": 1}
        bot = inserted_id(connection, BOT, **row)
        ladder = {"slug": "some", "game": "some", "title": "The some", "settings": "{}", "policy": "{}", "root": "00"}
        drawn = {"root_hash": "00", "stream": "0", "season": 1, "rules": 1, "state": "open", "made_ms": 1}
        number = inserted_id(connection, LADDER, **ladder, **drawn)
        entry = {"ladder": number, "bot": bot, "state": "benched", "reason": "silent", "mu": 25.04, "sigma": 8.0}
        inserted_id(connection, ENTRY, **entry, made_ms=1)
    page = browser.get("/me")
    assert 'title="silent"' in page.text
    assert "The some benched" in page.words
    assert "&lt;b&gt;Benched" in page.text
    assert "\u202e" not in page.text
    assert "1 unread" in page.words
    assert "Bee" in page.words
    assert browser.post("/me/notices/seen").goes_to == "/me#notices"
    assert "unread" not in browser.get("/me").words
    assert "Bee some The some benched 25.0" in Browser(browser.app).get("/people/ADA").words
    for nobody in ("/people/Eve", "/people/deleted", "/people/deleted:1", "/people/%00", "/people/\u202e"):
        assert browser.get(nobody).status == 404


def test_tokens_are_made_shown_once_and_ended(yard: Yard) -> None:
    browser = browser_of(yard, resident(yard, "Ada"))
    wrong = browser.post("/me/tokens", [("token_name", "my laptop"), ("scope", "admin"), ("scope", "read")])
    assert wrong.status == 403
    assert 'value="my laptop"' in wrong.text
    assert re.search(r'value="read" checked', wrong.text)
    made = browser.post("/me/tokens", [("token_name", "my laptop"), ("scope", "read"), ("scope", "upload")])
    found = re.search(r"botyard_[-\w]{43}", made.text)
    assert found is not None
    page = browser.get("/me")
    assert found[0] not in page.text
    assert "my laptop" in page.words
    number = re.search(r"/me/tokens/(\d+)/end", page.text)
    assert number is not None
    other = browser_of(yard, resident(yard, "Eve"), browser.app)  # type: ignore[arg-type]
    assert other.post(f"/me/tokens/{number[1]}/end").status == 404
    assert other.post("/me/tokens/99999999999999999999/end").status == 404
    assert browser.post(f"/me/tokens/{number[1]}/end").goes_to == "/me#tokens"
    assert "my laptop" not in browser.get("/me").words


def test_browsers_are_signed_out_one_by_one_or_all_at_once(one_yard: Yard) -> None:
    ada = resident(one_yard, "Ada")
    browsers = [browser_of(one_yard, ada) for _ in range(3)]
    handles = re.findall(r"/me/sessions/(\w{16})/end", browsers[0].get("/me").text)
    assert len(handles) == 3
    assert browsers[0].post("/me/sessions/others/end").goes_to == "/me#sessions"
    assert [browser.get("/me").status for browser in browsers] == [200, 303, 303]
    left = re.findall(r"/me/sessions/(\w{16})/end", browsers[0].get("/me").text)
    assert browsers[0].post(f"/me/sessions/{left[0]}/end").goes_to == "/"
    assert browsers[0].cookies == {}


def test_a_password_is_changed_and_an_account_deleted_by_who_knows_it(one_yard: Yard) -> None:
    browser = Browser(site(one_yard))
    browser.post("/register", {"name": "Ada", **TWICE})
    new = {"password": "another sentence", "password_again": "another sentence"}
    refused = browser.post("/me/password", {"current_password": "not this one", **new})
    assert refused.status == 403
    assert 'id="current_password-error"' in refused.text
    assert "another sentence" not in refused.text
    assert browser.post("/me/password", {"current_password": PASSWORD, **new}).status == 200
    assert browser.get("/me").status == 200  # this browser stays signed in
    assert browser.post("/me/delete", {"current_password": PASSWORD}).status == 403
    assert browser.post("/me/delete", {"current_password": "another sentence"}).goes_to == "/"
    assert browser.get("/me").status == 303
    assert browser.get("/people/Ada").status == 404


# The office


def test_the_office_is_open_to_admins_alone(one_yard: Yard) -> None:
    root, ada = resident(one_yard, "Root", ADMIN), resident(one_yard, "Ada")
    paths = ["/admin", *(f"/admin/{section.slug}" for section in SECTIONS), f"/admin/people/{ada.id}"]
    browsers = Browser(site(one_yard)), browser_of(one_yard, ada), browser_of(one_yard, root)
    for path in paths:
        assert [browser.get(path).status for browser in browsers] == [303, 403, 200], path
    deeds = [page.path for page in [*admin.PAGES, *admin_people.PAGES] if page.method == "POST"]
    assert len(deeds) > 10
    for path in deeds:
        there = re.sub(r"\{\w+(:int)?\}", "1", path)
        assert [browser.post(there).status for browser in browsers[:2]] == [401, 403], path


def test_admins_look_after_an_account(yard: Yard) -> None:
    root, ada = resident(yard, "Root", ADMIN), resident(yard, "Ada")
    office, hers = browser_of(yard, root), browser_of(yard, ada)
    base = f"/admin/people/{ada.id}"
    taken = office.post(f"{base}/name", {"name": "root"})
    assert (taken.status, 'id="name-error"' in taken.text) == (409, True)
    assert office.post(f"{base}/name", {"name": "Countess"}).goes_to == base
    assert "Countess" in hers.get("/me").words
    assert office.post(f"{base}/role", {"role": "king"}).status == 400
    assert office.post(f"{base}/role", {"role": "organiser"}).goes_to == base
    assert office.post(f"{base}/ban", {"reason": " "}).status == 400
    assert office.post(f"{base}/ban", {"reason": "insults"}).goes_to == base
    assert "insults" in office.get(base).words
    assert hers.get("/me").status == 303
    assert office.post(f"{base}/unban").goes_to == base
    assert office.post(f"{base}/delete", {"sure": "Ada"}).status == 400
    assert office.post(f"{base}/delete", {"sure": "Countess"}).goes_to == "/admin/people"
    assert office.get(base).status == 404
    last = office.post(f"/admin/people/{root.id}/role", {"role": "player"})
    assert (last.status, "no admin left" in last.words) == (409, True)
    found = office.get("/admin/people?name=ROO&state=active").words
    assert "Root" in found
    assert "Nobody is found" in office.get("/admin/people?name=%25&state=active").words
    assert "person.deleted" in office.get(f"/admin/events?kind=person&subject=person/{ada.id}").words
    assert "Nothing is found" in office.get("/admin/events?kind=%00&before=1").words


def test_the_office_shows_the_work_with_its_reasons(yard: Yard) -> None:
    root = resident(yard, "Root", ADMIN)
    with yard.database.writing() as connection:
        bot = inserted_id(connection, BOT, owner=root.id, game="some", name="Bee", name_key="bee", made_ms=1)
        version = add_version(connection, bot)
        task = ask_for(connection, BUILD, version, yard.clock())
        failed = {"kind": "film", "urgency": 4, "state": "failed", "why": "given up <there>", "asked_ms": 1}
        again = inserted_id(connection, TASK, **failed)
        connection.execute(sa.insert(WORKER).values(name="w1", state="idle", about="{}", seen_ms=yard.clock()))
        connection.execute(sa.insert(FAULT).values(worker="w1", reason="disk full", at_ms=yard.clock()))
    office = browser_of(yard, root)
    for query, found in (
        ("", True),
        ("?name=ROOT", True),
        ("?name=bee", True),
        ("?name=cat", False),
        ("?game=x", False),
    ):
        assert ("Bee" in office.get(f"/admin/bots{query}").words) == found, query
    assert "waits for a worker" in office.get("/admin/tasks").words
    assert "given up <there>" in office.get("/admin/tasks").words
    assert "disk full" in office.get("/admin/workers").words
    assert office.post("/admin/workers", {"worker": "w1", "drained": "yes"}).goes_to == "/admin/workers"
    assert "Give it work again" in office.get("/admin/workers").words
    assert office.post("/admin/workers", {"worker": "w2", "drained": "yes"}).status == 404
    assert office.post(f"/admin/tasks/{again}/again").goes_to == "/admin/tasks"
    assert office.post(f"/admin/tasks/{again}/again").status == 409
    assert office.post(f"/admin/tasks/{task}/cancel", {"reason": "noise"}).goes_to == "/admin/tasks"
    assert office.post(f"/admin/tasks/{task}/cancel", {"reason": "noise"}).status == 409
    assert office.post("/admin/tasks/77/cancel", {"reason": "noise"}).status == 404
    with yard.database.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(LADDER)).scalar() == 0
    assert "There is no ladder" in office.get("/admin/ladders").words


def test_a_pair_is_cancelled_whole_whether_it_has_begun_or_not(yard: Yard) -> None:
    seats = (Seated("one", house="one"), Seated("other", house="other"))
    row = {"kind": "test", "game": "some", "settings": "{}", "rules": 1, "seed": 1, "urgency": 1, "why": "asked"}
    with yard.database.writing() as connection:
        for chance in ("first", "second"):
            ask_pair(connection, PairAsked(**row, chance=chance, halves=(seats, seats)), yard.clock())  # type: ignore[arg-type]
        assert begin_match(connection, 3, "w1", yard.clock())
    office, why = browser_of(yard, resident(yard, "Root", ADMIN)), {"reason": "noise"}
    assert office.post("/admin/tasks/1/cancel", why).goes_to == "/admin/tasks"
    assert office.post("/admin/tasks/2/cancel", why).status == 409  # it went with the first
    nothing = office.post("/admin/tasks/4/cancel", {"reason": " "})
    assert (nothing.status, "why it is cancelled" in nothing.words) == (400, True)
    assert office.post("/admin/tasks/4/cancel", why).goes_to == "/admin/tasks"
    with yard.database.reading() as connection:
        assert set(connection.scalars(sa.select(TASK.c.state))) == {"cancelled"}
        assert connection.scalars(sa.select(PAIR.c.state).order_by(PAIR.c.id)).all() == ["cancelled", "void"]
    assert "an admin cancelled it: noise" in office.get("/admin/tasks").words


# News


def test_news_are_told_to_all_read_as_a_feed_and_taken_back(yard: Yard) -> None:
    office = browser_of(yard, resident(yard, "Root", ADMIN))
    bad = office.post("/admin/notices", {"title": "Welcome", "body": "<x>", "link": "javascript:alert(1)"})
    assert (bad.status, 'value="Welcome"' in bad.text, "&lt;x&gt;" in bad.text) == (400, True, True)
    assert office.post("/admin/notices", {"title": "A & <b>", "body": "one\x1b[1m", "link": ""}).status == 400
    assert office.post("/admin/notices", {"title": "A & <b>", "body": "one\u202e", "link": "/ladders"}).status == 303
    reader = Browser(office.app)
    assert "A & <b>" in reader.get("/news").words
    feed = ElementTree.fromstring(reader.get("/news.atom").body)
    entry = feed.find("{http://www.w3.org/2005/Atom}entry")
    assert entry is not None
    told = {child.tag.rpartition("}")[2]: child.text for child in entry}
    assert (told["title"], told["content"]) == ("A & <b>", "one·")
    assert told["id"] == "http://localhost:8000/news/1"
    assert reader.get("/news/1").status == 200
    assert office.post("/admin/notices/1/hide").goes_to == "/admin/notices"
    assert office.post("/admin/notices/1/hide").status == 404
    assert reader.get("/news/1").status == 404
    assert "No news yet" in reader.get("/news").words
    ElementTree.fromstring(reader.get("/news.atom").body)


NO_LINKS = ["javascript:x", "//evil", "data:,x", "/a\\b", "https://a b", 'https://a"', "x", "/" + "a" * 300]


@pytest.mark.parametrize("link", NO_LINKS)
def test_what_is_no_address_is_no_link(link: str) -> None:
    assert not is_link(link)
