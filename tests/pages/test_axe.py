"""axe looks at every page in every scheme, narrow and wide, and has nothing to say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.pages.places import OPENERS, Place
from tests.render.pages import PATIENCE_MS, chromium

WIDTHS = (360, 1280)
SCHEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"color_scheme": "dark", "contrast": "more"},
}
AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
LOOK = """async () => {
    const { violations } = await axe.run();
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, any, all, none }) =>
        `${id}: ${help}: ${target.join(" ")}: ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def findings(browser: Any, place: Place, scheme: str, width: int) -> list[str]:
    """What axe finds on a page."""
    page = browser.new_page(viewport={"width": width, "height": 800}, **SCHEMES[scheme])
    page.set_default_timeout(PATIENCE_MS)
    page.goto(place.address)
    page.locator(place.sign).first.wait_for(state="attached")
    page.evaluate("async () => { await globalThis.viewer?.ready; }")
    page.evaluate(AXE)
    found: list[str] = page.evaluate(LOOK)
    page.close()
    return found


def check(browser: Any, place: Place, *schemes: str) -> None:
    found = defaultdict(list)
    for scheme, width in product(schemes, WIDTHS):
        for line in findings(browser, place, scheme, width):
            found[line].append(f"{scheme} {width} px")
    assert not found, "\n".join(f"{line} ({', '.join(where)})" for line, where in found.items())


def test_axe_finds_nothing_on_a_film(browser: Any, tmp_path: Path) -> None:
    with OPENERS["offline hive"](tmp_path) as place:
        check(browser, place, "light", "dark")


@pytest.mark.long
@pytest.mark.parametrize("name", OPENERS)
def test_axe_finds_nothing_anywhere(browser: Any, tmp_path: Path, name: str) -> None:
    with OPENERS[name](tmp_path) as place:
        check(browser, place, *SCHEMES)


@pytest.mark.long
def test_axe_would_say_something(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    file.write_text("<!doctype html><title>x</title><img src='data:,'><button></button>")
    found = findings(browser, Place(file.as_uri(), "button"), "light", 360)
    assert {line.partition(":")[0] for line in found} >= {"image-alt", "button-name", "html-has-lang"}
