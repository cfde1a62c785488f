"""The pages that document the API, which are made of its schema."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import AsyncIterator, Iterator
from html import unescape

import pytest

from botyard.links.web.server import serving
from botyard.yard.api.app import all_operations
from tests.pages.places import Place, beside
from tests.pages.test_axe import SCHEMES, check
from tests.render.pages import chromium
from tests.waiting import finished
from tests.yard.test_looks import open_at
from tests.yard.test_pages import PAGE_BYTES
from tests.yard.town import Town

DOCS = "/api/v1/docs"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


@contextlib.asynccontextmanager
async def served(town: Town) -> AsyncIterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as door:
        async with serving(town.app, door):
            yield f"http://127.0.0.1:{door.getsockname()[1]}"


@pytest.fixture(scope="module")
def pages(town: Town) -> dict[str, str]:
    """The first page, and those of all sections that it leads to, by their addresses."""
    first = finished(town.ask("nobody", "GET", DOCS)).text
    sections = sorted(set(re.findall(rf'href="({DOCS}/[^"#]+)"', first)))
    assert len(sections) > 5
    return {DOCS: first} | {one: finished(town.ask("nobody", "GET", one)).text for one in sections}


def test_every_operation_is_documented_with_what_it_needs(pages: dict[str, str]) -> None:
    told = [
        " ".join(unescape(re.sub("<[^>]*>", " ", one)).split())
        for page in pages.values()
        for one in re.findall("<summary>.*?</summary>", page)
    ]
    for operation in all_operations():
        if operation.listed:
            needs = "anybody" if operation.need == "nothing" else operation.need
            assert f"{operation.method} {operation.path} {operation.words[0]} {needs}" in told
            assert f"<strong>{operation.method}</strong> {operation.path}<" in pages[DOCS]
    assert any("/api/v1/live" in page for page in pages.values())


def test_no_page_is_large(pages: dict[str, str]) -> None:
    assert [address for address, page in pages.items() if len(page.encode()) > PAGE_BYTES] == []


def test_pages_need_nothing_from_elsewhere_and_run_no_code_of_their_own(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert re.findall(r"<script(?![^>]*src=\"/static/)", page) == []
        assert re.findall(r"(?:src|href)=\"(?:https?:)?//", page) == []
        assert " style=" not in page


def test_links_lead_to_what_is_there(pages: dict[str, str]) -> None:
    """Every model that is named is described on the same page, every operation that is listed on its section's."""
    for own, page in pages.items():
        for address, anchor in re.findall(rf'href="((?:{DOCS}/[^"#]+)?)#([^"]+)"', page):
            assert f'id="{anchor}"' in pages[address or own], f"{own} leads to {address}#{anchor}"


def test_a_section_that_is_not_there_is_named(town: Town) -> None:
    answer = finished(town.ask("nobody", "GET", f"{DOCS}/nowhere"))
    assert answer.status == 404
    assert "no section 'nowhere'" in answer.text


@pytest.mark.long
def test_axe_finds_nothing_and_pages_fit_a_phone(town: Town) -> None:
    with beside(served(town)) as address, chromium() as browser:
        for way in (DOCS, f"{DOCS}/matches"):
            check(browser, Place(address + way, "h1"), *SCHEMES)
            for width in (360, 768, 1920):
                page, troubles = open_at(browser, address + way, width)
                page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
                assert troubles == []
                page.close()
