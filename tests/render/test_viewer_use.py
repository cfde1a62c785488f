"""The viewer in a real browser: all of it without a mouse, on a small screen, and with strange names."""

from __future__ import annotations

import copy
import itertools
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from botyard.render.film import Film
from botyard.render.frames import Frame
from tests.render.cells import WRONG_CELLS, stacks, told_cells
from tests.render.pages import GAME, TELL, THEMES, Opened, filmed, open_film, page_file, plain, serve_film

SLOWEST = 0.25
OTHER_LINKS = ("#t=99999999", "#t=-4", "#t=x&seat=77&speed=3", "#%")
STRANGE = ["<img src=x onerror=alert(1)>", "\u202egnihton\u2066</script><b>", "\x1b[31mred\x07"]


def tick_of(opened: Opened) -> int:
    return int(opened.run("(viewer) => viewer.tick"))


def press(opened: Opened, *keys: str) -> int:
    for key in keys:
        opened.page.keyboard.press(key)
    return tick_of(opened)


def test_all_of_it_can_be_done_with_keys(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    last = filmed(GAME).film.head["last"]
    marks = sorted({mark[0] for mark in filmed(GAME).film.head["marks"]} | {2, 4})
    assert press(opened, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft") == 2
    assert press(opened, "Shift+ArrowRight") == min(12, last)
    assert press(opened, "Shift+ArrowLeft", "End") == last
    assert press(opened, "Home") == 0
    assert press(opened, "f") == 2
    assert press(opened, "f") == 4
    assert press(opened, "f") == 4
    assert press(opened, "Home", "n") == marks[0]
    assert press(opened, "n") == marks[1]
    assert press(opened, "p") == marks[0]
    press(opened, "ArrowUp", "ArrowUp")
    assert opened.run("(viewer) => viewer.speed") == 4
    press(opened, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert opened.run("(viewer) => viewer.speed") == SLOWEST
    press(opened, "g", "Control+a", "5", "Enter")
    assert tick_of(opened) == 5
    press(opened, "l", "m", "+")
    assert opened.run("(viewer) => [viewer.loop, viewer.theme, viewer.board.zoom]") == [True, "dark", 1.5]
    press(opened, "-")
    assert opened.run("(viewer) => viewer.board.zoom") == 1
    assert opened.troubles == []
    opened.page.close()


@pytest.mark.long
def test_keys_play_choose_a_view_and_open_the_list(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    press(opened, " ")
    opened.page.wait_for_function("() => viewer.playing && viewer.tick > 0")
    press(opened, "k")
    assert opened.run("(viewer) => viewer.playing") is False
    press(opened, "1")
    opened.page.wait_for_function("() => viewer.seat === 1 && viewer.film.head.seat === 1")
    assert opened.page.locator(".by-headline").inner_text().startswith("What ")
    press(opened, "Escape")
    opened.page.wait_for_function("() => viewer.seat === null")
    press(opened, "0", "0")
    opened.page.wait_for_function("() => viewer.seat === null")
    press(opened, "?")
    assert opened.page.get_by_role("dialog", name="Keys").is_visible()
    before = tick_of(opened)
    assert press(opened, "ArrowRight") == before, "the list has the keys while it is open"
    press(opened, "Escape")
    assert not opened.page.get_by_role("dialog", name="Keys").is_visible()
    press(opened, "t")
    where = "() => document.activeElement.lastChild.textContent"
    assert opened.page.evaluate(where).startswith("row 0, column 0: ")
    press(opened, "ArrowDown", "ArrowRight", "ArrowRight")
    assert opened.page.evaluate(where).startswith("row 1, column 2: ")
    assert press(opened, "End", "n") > 0, "other keys still go through the film"
    cols = filmed(GAME).film.head["cols"]
    assert opened.page.evaluate(where).startswith(f"row 1, column {cols - 1}: ")
    opened.page.close()


LATE = """(viewer) => {
    const { source } = viewer, { film } = source;
    globalThis.waiting = [];
    source.film = (seat) => new Promise((resolve, reject) => {
        const come = () => resolve(film.call(source, seat)), fail = () => reject(Error("no answer"));
        globalThis.waiting.push({ come, fail });
    });
}"""
"""Films of seats come when the test says so."""


def test_a_view_that_is_on_its_way_can_be_taken_back(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    opened.run(LATE)
    shown = "(viewer) => [viewer.seat, viewer.film === viewer.whole, viewer.tick]"
    for back in ("0", "Escape"):
        press(opened, "0", back)
        opened.page.evaluate("() => globalThis.waiting.pop().come()")
        assert opened.run(shown) == [None, True, 0], back
    press(opened, "1", "ArrowRight", "0", "1")
    opened.page.evaluate("() => globalThis.waiting.forEach(({ come }) => come())")
    opened.page.wait_for_function("() => viewer.seat === 1 && viewer.film.head.seat === 1")
    assert tick_of(opened) == 1, "going on does not take the view back"
    press(opened, "0")
    opened.page.evaluate("() => globalThis.waiting.pop().fail()")
    opened.page.get_by_text("This view cannot be shown: no answer").wait_for()
    assert opened.run(shown) == [1, False, 1]
    press(opened, "1")
    opened.page.wait_for_function("() => viewer.seat === null")
    assert opened.troubles == []
    opened.page.close()


@pytest.mark.long
def test_keys_are_silent_while_somebody_writes(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    opened.page.evaluate("() => document.body.append(document.createElement('textarea'))")
    opened.page.locator("textarea").focus()
    assert press(opened, "n", "k", "ArrowRight", "End") == 0
    assert opened.run("(viewer) => viewer.playing") is False
    assert opened.page.locator("textarea").input_value() == "nk"
    opened.page.close()


def test_a_link_leads_to_a_tick_a_view_and_a_speed(browser: Any, file: Path) -> None:
    opened = open_film(browser, file, "#t=7&seat=1&speed=4")
    assert opened.run("(viewer) => [viewer.tick, viewer.seat, viewer.speed]") == [7, 1, 4]
    entries = opened.page.evaluate("() => history.length")
    press(opened, "ArrowRight", "ArrowRight", "Escape")
    opened.page.wait_for_function("() => location.hash === '#t=9&speed=4'")
    assert opened.page.evaluate("() => history.length") == entries, "going through a film adds no history"
    opened.page.evaluate("() => { location.hash = '#t=3&speed=0.5'; }")
    opened.page.wait_for_function("() => viewer.tick === 3 && viewer.speed === 0.5")
    opened.page.close()


@pytest.mark.parametrize(
    "link", ["#seat=__proto__&t=1e999", *(pytest.param(link, marks=pytest.mark.long) for link in OTHER_LINKS)]
)
def test_a_link_that_leads_nowhere_does_no_harm(browser: Any, file: Path, link: str) -> None:
    opened = open_film(browser, file, link)
    assert opened.run("(viewer) => [viewer.seat, viewer.speed]") == [None, 1]
    assert 0 <= tick_of(opened) <= filmed(GAME).film.head["last"]
    assert opened.troubles == []
    opened.page.close()


def test_a_narrow_screen_needs_no_sideways_scrolling(browser: Any, file: Path) -> None:
    opened = open_film(browser, file, width=360, height=740, has_touch=True)
    for theme in THEMES:
        opened.run("(viewer, theme) => viewer.setTheme(theme)", theme)
        assert opened.page.evaluate("() => document.documentElement.scrollWidth") <= 360
    opened.page.locator(".by-stage").tap(position={"x": 5, "y": 5})
    assert opened.page.locator(".by-cell").inner_text().startswith("row 0, column 0: ")
    small = "() => [...document.querySelectorAll('button')].filter((b) => b.offsetWidth && b.offsetWidth < 24).length"
    assert opened.page.evaluate(small) == 0
    opened.page.close()


def test_hovering_says_what_lies_on_a_cell(browser: Any, file: Path) -> None:
    opened = open_film(browser, file, "#t=3")
    told = filmed(GAME)
    picture = told.frames(None)[3].picture
    piece = picture.pieces[0]
    row, col = int(piece["row"]), int(piece["col"])
    size = opened.run("(viewer) => viewer.atlas.size")
    opened.page.locator(".by-stage").hover(position={"x": (col + 0.5) * size, "y": (row + 0.5) * size})
    assert opened.page.locator(".by-cell").inner_text() == told_cells(told.film, picture)[row][col][1]
    opened.page.close()


def test_strange_names_stay_text(browser: Any, tmp_path: Path) -> None:
    film = copy.deepcopy(filmed(GAME).film)
    seats = len(film.head["names"])
    film.head["names"] = (STRANGE * seats)[:seats]
    film.head["marks"] = [[1, seat, "event", STRANGE[seat % 3]] for seat in range(seats)]
    film.head["title"] = film.blocks[0]["words"][0] = STRANGE[0]
    opened = open_film(browser, page_file(tmp_path, film))
    opened.run("async (viewer) => { viewer.setText(true); await viewer.seek(1); await viewer.seek(viewer.last); }")
    assert opened.page.locator("img, main script").count() == 0
    assert opened.page.locator(".by-name").all_text_contents() == film.head["names"]
    assert opened.page.locator(".by-title").text_content() == STRANGE[0]
    assert opened.troubles == []
    opened.page.close()


@pytest.mark.long
def test_every_step_is_said_while_the_film_stands_still(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    live = opened.page.locator(".by-live")
    assert live.get_attribute("aria-live") == "polite"
    press(opened, "ArrowRight", "ArrowRight")
    headline = filmed(GAME).frames(None)[2].words
    assert headline is not None
    said = live.text_content()
    assert said.startswith(f"Tick 2 of {filmed(GAME).film.head['last']}. {headline.headline}. ")
    assert "late: 120 of 100 ms" in said
    opened.page.close()


@pytest.mark.long
def test_pieces_glide_only_where_they_should(browser: Any, file: Path) -> None:
    gliding = "(viewer) => viewer.playback.gliding"
    still = open_film(browser, file, reduced_motion="reduce")
    assert still.run(gliding) is False
    still.page.close()
    opened = open_film(browser, file, reduced_motion="no-preference")
    assert opened.run(gliding) is True
    opened.run("(viewer) => viewer.setSpeed(64)")
    assert opened.run(gliding) is False
    opened.run("(viewer) => { viewer.setSpeed(0.25); viewer.board.judgePace(16, 16); }")
    assert opened.run(gliding) is True
    opened.run("(viewer) => viewer.board.judgePace(17, 16)")
    assert opened.run(gliding) is False, "a frame took too long"
    opened.page.close()


@pytest.mark.long
def test_a_gliding_piece_is_between_two_cells_and_arrives(browser: Any, file: Path) -> None:
    opened = open_film(browser, file, reduced_motion="no-preference")
    told = filmed(GAME).frames(None)
    moved = next(
        tick for tick in range(1, len(told)) if told[tick].picture.pieces.size and moves(told[tick - 1], told[tick])
    )
    opened.run("(viewer, tick) => viewer.seek(tick - 1)", moved)
    opened.run("(viewer, tick) => { viewer.goTo(tick, 0.5, 16); viewer.board.tooSlow = false; }", moved)
    expected = stacks(told[moved].picture)
    assert opened.run(WRONG_CELLS, expected) != []
    opened.run("(viewer) => viewer.draw()")
    assert opened.run(WRONG_CELLS, expected) == []
    opened.page.close()


def moves(before: Frame, after: Frame) -> bool:
    places = [{int(p["id"]): (int(p["row"]), int(p["col"])) for p in frame.picture.pieces} for frame in (before, after)]
    return any(places[0].get(piece, at) != at for piece, at in places[1].items())


def test_the_end_names_the_winner(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    press(opened, "End")
    assert re.search(r"wins?, |A draw at ", opened.page.locator(".by-headline").inner_text())
    opened.page.close()


@pytest.mark.long  # a table of many cells takes axe seconds; tests/pages has it look at every page
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_any_theme_on_either_board(browser: Any, file: Path, width: int) -> None:
    opened = open_film(browser, file, width=width, bypass_csp=True)
    opened.page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    for theme, text in itertools.product(THEMES, (False, True)):
        opened.run("(viewer, theme, text) => { viewer.setTheme(theme); viewer.setText(text); }", theme, text)
        found = opened.page.evaluate("() => axe.run()")
        assert [(wrong["id"], wrong["nodes"][0]["html"]) for wrong in found["violations"]] == [], f"{theme}, {text}"
    opened.page.close()


def test_a_board_is_looked_at_closer_with_the_wheel_and_moved_with_the_mouse(browser: Any, file: Path) -> None:
    opened = open_film(browser, file)
    before = opened.run("(viewer) => viewer.atlas.size")
    opened.page.mouse.move(400, 300)
    opened.page.mouse.wheel(0, -100)
    opened.page.mouse.wheel(0, -100)
    opened.page.wait_for_function("() => viewer.board.zoom === 2")
    assert opened.run("(viewer) => viewer.atlas.size") == 2 * before
    scrolled = "(viewer) => [viewer.board.scroll.scrollLeft, viewer.board.scroll.scrollTop]"
    x, y = opened.run(scrolled)
    opened.page.mouse.down()
    opened.page.mouse.move(370, 280, steps=3)
    opened.page.mouse.up()
    assert opened.run(scrolled) == pytest.approx([x + 30, y + 20], abs=1)
    assert opened.run(WRONG_CELLS, stacks(filmed(GAME).frames(None)[0].picture)) == []
    opened.page.close()


# The modules as a server sends them


def test_an_embedded_viewer_has_board_names_and_one_button(browser: Any) -> None:
    opened = serve_film(browser, filmed(GAME).film, options="{ embed: true, theme: 'dark' }")
    assert opened.page.get_by_role("button").count() == 1
    assert opened.page.locator(".by-name").count() == len(filmed(GAME).film.head["names"])
    opened.page.get_by_role("button", name="Play").click()
    opened.page.wait_for_function("() => viewer.tick > 0")
    assert opened.page.evaluate("() => location.hash") == ""
    assert opened.troubles == []
    opened.page.close()


def test_a_film_that_grows_is_followed_until_somebody_looks_back(browser: Any) -> None:
    whole = filmed(GAME).film
    begun = {**whole.blocks[0], "ticks": whole.blocks[0]["ticks"][:3]}
    young = Film({**whole.head, "last": None, "outcome": None}, [begun])
    opened = serve_film(browser, young)
    assert tick_of(opened) == 3
    grow = "(viewer, entry) => viewer.whole.append(entry)"
    opened.run(grow, whole.blocks[0]["ticks"][3])
    assert tick_of(opened) == 4
    press(opened, "Home")
    opened.run(grow, whole.blocks[0]["ticks"][4])
    assert opened.run("(viewer) => [viewer.tick, viewer.last]") == [0, 5]
    press(opened, "End")
    opened.run("(viewer, outcome) => viewer.whole.amend({ last: 5, outcome })", whole.head["outcome"])
    assert opened.run("(viewer) => viewer.over") is True
    assert opened.run(TELL, 5) == plain(filmed(GAME).frames(None)[5])
    opened.page.close()


def test_blocks_are_fetched_when_they_are_needed(browser: Any) -> None:
    opened = serve_film(browser, filmed(GAME).film)
    script = """async (viewer) => {
        const { Film } = globalThis.yard;
        const asked = [];
        const { head, blocks } = viewer.whole;
        const long = { ...head, last: 250, marks: [] };
        const load = async (number) => {
            asked.push(number);
            return { ...blocks[0], at: 100 * number, ticks: blocks[0].ticks.slice(0, 1) };
        };
        const film = new Film(long, [{ ...blocks[0], ticks: [] }], load);
        await film.ready(201);
        const frame = film.frame(201);
        await film.ready(201);
        return [asked, frame.tick, film.has(100), film.has(0)];
    }"""
    assert opened.run(script) == [[2], 201, False, True]
    opened.page.close()


@pytest.mark.long
def test_real_time_takes_as_long_as_the_clocks_said(browser: Any) -> None:
    opened = serve_film(browser, filmed(GAME).film, source="{ times: Promise.resolve([5, 40, 90000, 0]) }")
    opened.page.wait_for_function("() => viewer.playback.times")
    press(opened, "r")
    lasts = opened.run("(viewer) => [viewer.speed, ...[0, 1, 2, 3].map((tick) => viewer.playback.lasts(tick))]")
    assert lasts == ["real", 5, 40, 10000, 1]
    assert opened.page.get_by_label("Speed").input_value() == "real"
    opened.page.close()


def test_a_panel_stands_beside_the_board_and_hears_of_every_tick(browser: Any) -> None:
    panel = """(viewer) => {
        const element = document.createElement("p");
        return { element, update(tick) { element.textContent = `panel ${tick} of ${viewer.last}`; } };
    }"""
    opened = serve_film(browser, filmed(GAME).film, options=f"{{ panels: [{panel}] }}")
    press(opened, "ArrowRight")
    assert opened.page.locator(".by-side p", has_text="panel").inner_text().startswith("panel 1 of ")
    opened.page.close()
