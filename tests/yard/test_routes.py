"""Every door of the yard: who may pass, from which pages, and that none is left out of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from botyard.yard.api.app import PREFIX, all_doors, all_operations
from botyard.yard.web.doors import all_pages, all_sockets
from tests.waiting import finished
from tests.yard.browser import Browser
from tests.yard.route_bodies import address_of, body_of
from tests.yard.route_rows import API, API_VISITORS, PAGE_VISITORS, PAGES, SOCKETS
from tests.yard.town import Town

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


@pytest.mark.parametrize("path", SOCKETS)
def test_sockets_of_other_pages_are_refused(town: Town, path: str) -> None:
    address = path.replace("{number:int}", town.places["running"]).replace("{seat:int}", "0").replace("{slug}", "den")
    browser = Browser(town.app)
    for origin in ("https://evil.example", "null"):
        assert browser.socket(address, origin=origin) == "403"
    assert browser.socket(address, origin=browser.origin) == SOCKETS[path]
    assert browser.socket(address) == SOCKETS[path], "programs send no origin, and then no cookie counts"
