"""The whole viewer by keyboard alone: every control is reached, seen to be reached, and does what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.places import OPENERS
from tests.render.pages import Opened, chromium, open_page

LONGEST_ROUND = 400  # stops of the tab key
# Everything on a page that is there to be used and can be; a group of tabs or cells is one stop.
CONTROLS = """() => {
    const wanted = "a[href], button:enabled, select, input:not([type=hidden]), textarea, summary, [tabindex='0']";
    const used = (element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true });
    const all = [...document.querySelectorAll(wanted)].filter(used);
    all.forEach((element, at) => { element.dataset.stop = at; });
    return all.map((element) => element.outerHTML.slice(0, 120));
}"""
# Which of them has the focus, and whether that can be seen.
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element?.dataset.stop) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && width > 0 && height > 0;
    return [Number(element.dataset.stop), seen || element.matches("main, body")];
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def go_round(page: Any, key: str = "Tab") -> dict[int, bool]:
    """The controls that the tab key stops at, and whether each is seen to have the focus."""
    reached: dict[int, bool] = {}
    page.evaluate("document.activeElement.blur()")
    for _ in range(LONGEST_ROUND):
        page.keyboard.press(key)
        stop = page.evaluate(FOCUSED)
        if stop is not None and stop[0] in reached:
            return reached
        if stop is not None:
            reached[stop[0]] = stop[1]
    raise AssertionError("the tab key never comes round")


def check_stops(page: Any) -> None:
    controls = page.evaluate(CONTROLS)
    reached = go_round(page)
    assert [controls[at] for at in range(len(controls)) if at not in reached] == []
    assert [controls[at] for at, seen in reached.items() if not seen] == [], "nobody sees where the focus is"
    assert go_round(page, "Shift+Tab").keys() == reached.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", OPENERS)
def test_every_control_is_reached_and_seen_to_be(browser: Any, tmp_path: Path, name: str) -> None:
    with OPENERS[name](tmp_path) as place:
        page = open_page(browser, place.address).page
        page.locator(place.sign).first.wait_for(state="attached")
        check_stops(page)
        page.close()


@pytest.fixture
def film(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """The page of a game with its turn report."""
    with OPENERS["view film"](tmp_path) as place:
        opened = open_page(browser, place.address)
        opened.page.locator(place.sign).first.wait_for()
        yield opened
        opened.page.close()


def press_on(opened: Opened, name: str, key: str, role: Any = "button") -> None:
    """Goes to a control by the tab key, and presses a key there."""
    wanted = opened.page.get_by_role(role, name=name, exact=True).first
    for _ in range(LONGEST_ROUND):
        if wanted.evaluate("(element) => element === document.activeElement"):
            break
        opened.page.keyboard.press("Tab")
    else:
        raise AssertionError(f"{name} is not reached")
    opened.page.keyboard.press(key)


@pytest.mark.long
def test_every_control_does_what_it_says(film: Opened) -> None:
    tick = "(viewer) => viewer.tick"
    for name, key, expected in (
        ("Last tick", "Enter", 250), ("First tick", "Space", 0), ("Step forward", "Enter", 1),
        ("Step forward", "Space", 2), ("Step back", "Enter", 1), ("Next lost turn", "Enter", 3),
    ):  # fmt: skip
        press_on(film, name, key)
        assert film.run(tick) == expected, name
    press_on(film, "Next mark", "Enter")
    later = film.run(tick)
    assert later > 3
    press_on(film, "Mark before", "Enter")
    assert film.run(tick) < later
    press_on(film, "Speed", "ArrowDown", "combobox")
    assert film.run("(viewer) => viewer.speed") == 2
    press_on(film, "Theme", "ArrowDown", "combobox")
    assert film.run("(viewer) => viewer.theme") == "dark"
    press_on(film, "Loop", "Space")
    press_on(film, "Zoom in", "Enter")
    assert film.run("(viewer) => [viewer.loop, viewer.board.zoom > 1]") == [True, True]
    press_on(film, "Zoom out", "Enter")
    press_on(film, "Text board", "Enter")
    assert film.run("(viewer) => viewer.text") is True
    film.page.keyboard.press("Shift+Tab")
    press_on(film, "Play", "Space")
    film.run("(viewer) => new Promise((done) => viewer.addEventListener('tick', done, { once: true }))")
    assert film.run("(viewer) => viewer.playing") is True
    press_on(film, "Pause", "Space")
    assert film.run("(viewer) => viewer.playing") is False


@pytest.mark.long
def test_the_list_of_keys_keeps_the_focus_and_gives_it_back(film: Opened) -> None:
    press_on(film, "Keys", "Enter")
    inside = "() => document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))"
    assert film.page.evaluate("() => Boolean(document.activeElement.closest('dialog'))")
    for key in ("Tab", "Tab", "Shift+Tab", "Tab", "Tab"):
        film.page.keyboard.press(key)
        assert film.page.evaluate(inside), "what lies behind the list has the focus"
    film.page.keyboard.press("Escape")
    assert film.page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Keys"
    assert film.page.locator("dialog[open]").count() == 0


@pytest.mark.long
def test_seats_tabs_and_texts_are_used_with_keys(film: Opened) -> None:
    page = film.page
    seat = page.locator("button.by-seat").nth(1)
    seat.focus()
    page.keyboard.press("Enter")
    film.run("(viewer) => viewer.seat ?? new Promise((done) => viewer.addEventListener('state', done, { once: true }))")
    assert film.run("(viewer) => viewer.seat") == 1
    page.get_by_role("tab", selected=True).focus()
    before = page.get_by_role("tab", selected=True).inner_text()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", selected=True).inner_text() != before
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "tab"
    page.keyboard.press("ArrowLeft")
    assert film.run("(viewer) => viewer.tick") == 3, "the arrows were the tabs' own"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "tabpanel"
