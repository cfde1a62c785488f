"""Every door of the yard: who may pass, from which pages, and that none is left out of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from botyard.yard.api.app import PREFIX, all_doors, all_operations
from botyard.yard.data.tables import MATCH, PAIR
from botyard.yard.web.doors import all_pages, all_sockets
from tests.waiting import finished
from tests.yard.browser import Browser
from tests.yard.route_bodies import RIVAL, address_of, body_of
from tests.yard.route_rows import API, API_VISITORS, PAGE_VISITORS, PAGES, SOCKETS
from tests.yard.town import FORM, GAME, MULTIPART, Town

SAME = "nobody", "admin", "token:play"  # who is asked about where everybody gets the same


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    method: str
    template: str
    statuses: dict[str, int]

    @classmethod
    def read(cls, line: str, prefix: str, visitors: tuple[str, ...]) -> Row:
        method, path, *given = line.split()
        assert len(given) in (1, len(visitors)), line
        shown = visitors if len(given) > 1 else tuple(one for one in SAME if one in visitors)
        statuses = dict(zip(shown, map(int, given * (1 if len(given) > 1 else len(shown))), strict=True))
        return cls(method, prefix + path, statuses)


def rows_of(table: str, prefix: str, visitors: tuple[str, ...]) -> list[Row]:
    return [Row.read(line, prefix, visitors) for line in table.strip().splitlines()]


ROWS = [*rows_of(PAGES, "", PAGE_VISITORS), *rows_of(API, PREFIX, API_VISITORS)]
UNSAFE = [row for row in ROWS if row.method != "GET"]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


def test_every_route_has_a_line_in_the_table_and_every_line_a_route() -> None:
    pages = [(page.method, page.path) for page in all_pages()]
    api = [(operation.method, PREFIX + operation.path) for operation in all_operations()]
    assert sorted(pages + api) == sorted((row.method, row.template) for row in ROWS)
    sockets = [socket.path for socket in all_sockets()] + [PREFIX + door.path for door in all_doors()]
    assert sorted(sockets) == sorted(SOCKETS)


def test_everybody_gets_at_every_door_what_the_table_says(town: Town) -> None:
    async def knock() -> list[str]:
        wrong = []
        for row in ROWS:
            address, (body, kind) = address_of(row.method, row.template, town), body_of(row.method, row.template, town)
            for who, status in row.statuses.items():
                page = await town.ask(who, row.method, address, body, kind)
                if page.status != status:
                    wrong.append(
                        f"{row.method} {address} by {who}: {page.status} instead of {status} {page.body[:200]!r}"
                    )
        return wrong

    assert finished(knock()) == []


def test_tokens_are_refused_at_every_page(town: Town) -> None:
    async def knock() -> set[int]:
        pages = [row for row in ROWS if not row.template.startswith("/api/")]
        return {
            (await town.ask("token:read", row.method, address_of(row.method, row.template, town))).status
            for row in pages
        }

    assert finished(knock()) == {403}


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": None},
        {"origin": None, "sec-fetch-site": "cross-site"},
        {"origin": None, "sec-fetch-site": "same-site"},
        {"origin": "null", "sec-fetch-site": "same-origin"},
        {"origin": "http://localhost:8000.evil.example"},
    ],
    ids=str,
)
def test_what_changes_something_is_refused_from_other_pages(town: Town, headers: dict[str, str | None]) -> None:
    """Whoever is signed in, and whatever the page of another site makes their browser send."""

    async def knock() -> list[str]:
        wrong = []
        for row in UNSAFE:
            body, kind = body_of(row.method, row.template, town)
            page = await town.ask("admin", row.method, address_of(row.method, row.template, town), body, kind, headers)
            if page.status != 403 or b"not from a page of this yard" not in page.body:
                wrong.append(f"{row.method} {row.template}: {page.status}")
        return wrong

    assert finished(knock()) == []


# What is wrong with a form is told beside it, and nothing has to be typed again


@dataclass(frozen=True)
class BadForm:
    """A form with something wrong in it."""

    who: str
    path: str  # its target, with places of the town
    fields: dict[str, str]
    status: int
    says: str  # what is wrong, and what to do
    keeps: tuple[str, ...] = ()  # what stands in the form again
    files: bool = False


WORD = "kept by hand"
SECRET = "wrong horse battery"
FORMS = [
    BadForm("nobody", "/register", {"name": f"{WORD}!", "password": "short", "password_again": "short"}, 400,
            "use letters, digits", (f'value="{WORD}!"',)),
    BadForm("nobody", "/register", {"name": "olga", "password": SECRET, "password_again": SECRET}, 409,
            "'olga' is taken, or looks like one that is: choose another one", ('value="olga"',)),
    BadForm("nobody", "/login", {"name": WORD, "password": SECRET, "to": "/games"}, 403,
            "do not fit: an admin can make you a link", (f'value="{WORD}"', 'value="/games"')),
    BadForm("nobody", "/ticket/{guest}", {"name": "Zed", "password": SECRET, "password_again": "other"}, 400,
            "The two passwords differ: type the same one twice", ('value="Zed"',)),
    BadForm("owner", "/me/name", {"name": "rita"}, 409, "'rita' is taken", ('value="rita"',)),
    BadForm("owner", "/me/tokens", {"token_name": WORD}, 400, "good for nothing: choose some of", (f'value="{WORD}"',)),
    BadForm("owner", "/me/tokens", {"token_name": "", "scope": "read"}, 400, "has no name: say what", (" checked",)),
    BadForm("owner", "/me/password", {"current_password": "x", "password": "short", "password_again": "short"}, 400,
            "too short: it needs 10 characters"),
    BadForm("owner", "/me/delete", {"current_password": "x"}, 403, "not your password: type the one"),
    BadForm("owner", "/bots/{bot}/settings", {"name": "bee", "logs_public": "yes"}, 409, "a bot bee in",
            ('value="bee"', " checked")),
    BadForm("owner", "/bots/{bot}/settings", {"name": "two  spaces"}, 400, "leave one out", ('value="two  spaces"',)),
    BadForm("owner", "/bots/{bot}/delete", {"name": WORD}, 400, "not the name of Ant: type its name",
            (f'value="{WORD}"', "<details open>")),
    BadForm("owner", "/play/{game}", {"rival": "house:nobody", "place": "2"}, 400, "Choose a house bot",
            ('<option value="2" selected>',)),
    BadForm("owner", "/ladders/{slug}/ask", {"version": "1", "rival": "house:nobody"}, 400, "nobody", (" selected>",)),
    BadForm("owner", "/ladders/{slug}/ask", {"version": "1", "rival": "version:x"}, 400, "which version of yours"),
    BadForm("owner", "/bots", {"game": GAME, "name": WORD, "activate": "yes"}, 400, "Choose a file or a folder",
            (f'value="{WORD}"', f'<option value="{GAME}" selected>', " checked"), files=True),
    BadForm("owner", "/bots", {"name": WORD}, 400, "Choose", (f'value="{WORD}"',), files=True),
    BadForm("nobody", "/view", {"file": "no file"}, 400, "Choose a replay", files=True),
    BadForm("admin", "/admin/notices", {"title": WORD, "body": "a long text", "link": "javascript:1"}, 400,
            "'javascript:1' is no link: write /ladders/", (f'value="{WORD}"', "a long text", 'value="javascript:1"')),
    BadForm("admin", "/admin/people/{person}/name", {"name": "olga"}, 409, "choose another one", ('value="olga"',)),
    BadForm("admin", "/admin/people/{person}/ban", {"reason": " "}, 400, "say what they did",
            ('value=" "', 'value="Vera"')),
    BadForm("admin", "/admin/people/{person}/role", {"role": "king"}, 400, "'king': there are admin"),
    BadForm("admin", "/admin/people/{person}/delete", {"sure": "Bob"}, 400, "type Vera to delete"),
    BadForm("rival", "/rooms/{room}/join", {"name": "two  spaces"}, 400, "Leave one out", ('value="two  spaces"',)),
    BadForm("admin", "/admin/rooms", {"slug": "Bad!", "title": WORD, "door": "accounts"}, 400, "use 1 to 40 of a-z",
            (f'value="{WORD}"', "bad!")),
    BadForm("organiser", "/contests", {"file": f"{WORD.replace(' ', '_')} = 1", "bots": "1"}, 400, "unknown key",
            (f"{WORD.replace(' ', '_')} = 1",)),
    BadForm("organiser", "/contests/{contest}/submissions", {"file": "no file"}, 400, "Choose a file", files=True),
    BadForm("admin", "/admin/tickets/class", {"list": f"{WORD}\nolga\n"}, 400, "mend these lines", (WORD,)),
]  # fmt: skip


def test_what_is_wrong_with_a_form_stands_beside_what_was_typed(town: Town) -> None:
    async def fill_in() -> list[str]:
        wrong = []
        for form in FORMS:
            path, kind = form.path.format(**town.places), MULTIPART if form.files else FORM
            fields = list(form.fields.items()) if form.files else form.fields
            page = await town.ask(form.who, "POST", path, fields, kind, {"accept": "text/html"})
            missing = [kept for kept in form.keeps if kept not in page.text]
            again = f'action="{path}' in page.text
            leaks = [secret for secret in (SECRET, 'value="short"') if secret in page.text]
            if page.status != form.status or form.says not in page.words or missing or leaks or not again:
                wrong.append(f"{form} {page.status} {missing} {leaks} {again} {page.words[-1500:]}")
        return wrong

    assert finished(fill_in()) == []


def test_a_bot_of_the_ladder_is_challenged_and_whatever_is_ones_own_or_the_houses_is_tried_out(town: Town) -> None:
    async def asked(rival: str) -> tuple[str, int]:
        page = await town.ask("owner", "POST", f"/ladders/{GAME}/ask", {"version": "1", "rival": rival}, kept=True)
        match = int(page.headers["location"].removeprefix("/matches/"))
        games = sa.select(PAIR.c.kind, sa.func.count()).join(MATCH, MATCH.c.pair == PAIR.c.id).group_by(PAIR.c.id)
        chosen = PAIR.c.id == sa.select(MATCH.c.pair).where(MATCH.c.id == match).scalar_subquery()
        with town.yard.database.reading() as connection:
            kind, count = connection.execute(games.where(chosen)).one()
        town.restore()
        return kind, count

    assert finished(asked(f"entry:{town.places['rival_entry']}")) == ("challenge", 2)
    assert finished(asked("version:1")) == ("test", 1)
    assert finished(asked(RIVAL)) == ("test", 1)


@pytest.mark.parametrize("path", SOCKETS)
def test_sockets_of_other_pages_are_refused(town: Town, path: str) -> None:
    address = path.replace("{number:int}", town.places["running"]).replace("{seat:int}", "0").replace("{slug}", "den")
    browser = Browser(town.app)
    for origin in ("https://evil.example", "null"):
        assert browser.socket(address, origin=origin) == "403"
    assert browser.socket(address, origin=browser.origin) == SOCKETS[path]
    assert browser.socket(address) == SOCKETS[path], "programs send no origin, and then no cookie counts"
