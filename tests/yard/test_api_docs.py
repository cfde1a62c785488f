"""The page of documentation of the API, which is made of its schema."""

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


def test_every_operation_is_documented_with_what_it_needs(town: Town) -> None:
    page = finished(town.ask("nobody", "GET", DOCS))
    told = [
        " ".join(unescape(re.sub("<[^>]*>", " ", one)).split())
        for one in re.findall("<summary>.*?</summary>", page.text)
    ]
    for operation in all_operations():
        if operation.listed:
            needs = "anybody" if operation.need == "nothing" else operation.need
            assert f"{operation.method} {operation.path} {operation.words[0]} {needs}" in told
    assert "/api/v1/live" in page.text


def test_the_page_needs_nothing_from_elsewhere_and_runs_no_code_of_its_own(town: Town) -> None:
    page = finished(town.ask("nobody", "GET", DOCS)).text
    assert re.findall(r"<script(?![^>]*src=\"/static/)", page) == []
    assert re.findall(r"(?:src|href)=\"(?:https?:)?//", page) == []
    assert " style=" not in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= set(re.findall(r'id="([^"]+)"', page)), "every model that is named is there"


@pytest.mark.long
def test_axe_finds_nothing_and_the_page_fits_a_phone(town: Town) -> None:
    with beside(served(town)) as address, chromium() as browser:
        check(browser, Place(address + DOCS, "h1"), *SCHEMES)
        for width in (360, 768, 1920):
            page, troubles = open_at(browser, address + DOCS, width)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert troubles == []
            page.close()
