"""The turn report and the notes of bots beside and over the board, in a real browser, whatever bots wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import TurnNotes
from botyard.match.filming import film_of
from botyard.match.loop import Played
from botyard.match.player import Answer
from botyard.match.turn_sheet import turn_sheet
from botyard.match.turns import SeatRecord, Turn, TurnLog
from botyard.render.page import film_page
from tests.conftest import need

PATIENCE_MS = 120_000  # a busy machine must not fail a test
HARM = '<img src=x onerror="globalThis.harmed=1"></script><script>globalThis.harmed=1</script>\x1b[2J\u202egnp.'
TICKS = 12
OTHER_THEMES = ("light", "contrast", "colour-blind")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=PATIENCE_MS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def played() -> Played:
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=TICKS)


def turn(tick: int, verdict: Verdict = Verdict.OK, reason: str = "because", **answer: Any) -> Turn:
    result = 24 if verdict is Verdict.OK else Fault(verdict, reason)
    return Turn.of(tick, 1, Answer(result, **{"ms": 12.0, "limit_ms": 100, "sent": b"a\nb\n", **answer}))


def hostile_log() -> TurnLog:
    """Of the bot in seat 1; a house bot sits in seat 0."""
    raw = HARM.encode() + b"\xff\n"
    notes = TurnNotes(
        (
            {"cell": [2, 3], "colour": "#ff0000", "text": HARM[:40]}, {"line": [[0, 0], [5, 5]], "colour": "green"},
            {"mark": HARM[-40:]}, {"cell": [9999, 0]},
        ), 2, f"unknown key {HARM!r}",
    )  # fmt: skip
    turns = [
        turn(1, received=b"3,0\n", notes=notes),
        turn(3, Verdict.GARBLED, repr(HARM), received=raw, early=raw, said=HARM),
        turn(5, ms=60.0),
        turn(7, Verdict.LATE, "answered after 101 ms", ms=101.0, sent=b"x" * 20_000),
    ]
    house = [Turn.of(tick, 0, Answer(0)) for tick in (0, 2, 4)]
    return TurnLog("hive", 3, (SeatRecord("forager"), SeatRecord(HARM, said="last words")), turns=[*house, *turns])


@pytest.fixture(scope="module")
def page_file(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = hostile_log()
    replay = replace(played.replay, names=("forager", HARM))
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(film_page(film_of(replay), turns=turn_sheet(replay, log)))
    return path


def opened(browser: Any, file: Path, width: int = 1280, scheme: str = "light") -> tuple[Any, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if asked.url.startswith("file:") else troubles.append(asked.url))
    page.goto(file.as_uri())
    page.wait_for_function("globalThis.viewer?.panels[0]?.ready")
    page.evaluate("viewer.ready.then(() => viewer.panels[0].ready)")
    return page, troubles


def at(page: Any, tick: int) -> dict[str, str]:
    """What the panel shows at a tick: texts by title."""
    page.evaluate(f"viewer.seek({tick})")
    shown: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".by-turn-title")].map(
            (head) => [head.textContent, head.nextElementSibling.textContent]))"""
    )
    return shown


def text_of(page: Any, where: str) -> str:
    return str(page.locator(where).text_content())


def test_the_panel_is_in_step_with_the_tick(browser: Any, page_file: Path) -> None:
    page, troubles = opened(browser, page_file)
    shown = at(page, 1)
    assert text_of(page, ".by-turn-head") == "Tick 1 OKguard N"
    assert text_of(page, ".by-turn-clock") == "12 of 100 ms"
    assert page.locator(".by-turn-fill").evaluate("(fill) => fill.style.width") == "12%"
    assert (shown["Sent to the bot"], shown["Received"]) == ("a↵\nb↵\n", "3,0↵\n")
    page.keyboard.press("ArrowRight")
    assert "Not asked at tick 2" in text_of(page, ".by-turn-body")
    assert text_of(page, ".by-turn-head") == "Tick 1 OKguard N"
    shown = at(page, 7)
    assert text_of(page, ".by-turn-badge.by-turn-bad") == "LATE"
    assert "think less" in text_of(page, ".by-turn-remedy")
    assert shown["Sent to the bot"] == "x" * 16_384
    assert "3616 bytes more are not shown." in text_of(page, ".by-turn-body")
    assert at(page, TICKS)["Printed after the last turn"] == "last words"
    assert troubles == []


def test_what_bots_wrote_stays_text(browser: Any, page_file: Path) -> None:
    page, troubles = opened(browser, page_file)
    for tick in range(TICKS + 1):
        at(page, tick)
        for text in page.locator(".by-turns").all_inner_texts():
            assert "\u202e" not in text
            assert "\x1b" not in text
    shown = at(page, 3)
    escaped = HARM.replace("\x1b", r"\x1b").replace("\u202e", r"\u202e")
    assert shown["Received"] == shown["Sent before the question, and dropped"] == escaped + "\\xff↵\n"
    assert shown["Printed"] == escaped
    assert page.locator(".by-turns img, .by-turns script").count() == 0
    assert page.evaluate("globalThis.harmed") is None
    assert troubles == []


def test_lost_turns_are_found_by_buttons_and_seats_by_tabs(browser: Any, page_file: Path) -> None:
    page, troubles = opened(browser, page_file)
    tabs = page.get_by_role("tab")
    assert [tab.get_attribute("aria-selected") for tab in tabs.all()] == ["true", "false"]
    assert "2 lost" in tabs.first.text_content()  # the bot comes before the house bot
    own = page.locator(".by-turns")
    following, before = (own.get_by_role("button", name=f"{way} lost turn") for way in ("Next", "Previous"))
    following.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("viewer.tick === 3")
    page.keyboard.press("Enter")  # the button is made anew and keeps the focus
    page.wait_for_function("viewer.tick === 7")
    assert following.get_attribute("aria-disabled") == "true"
    before.click()
    page.wait_for_function("viewer.tick === 3")
    tabs.first.focus()
    page.keyboard.press("ArrowRight")
    assert "A house bot sits here" in text_of(page, ".by-turn-body")
    assert page.evaluate("viewer.tick") == 3  # the arrow meant the tabs
    assert troubles == []


def test_notes_are_drawn_over_the_board_told_in_words_and_marked_on_the_timeline(browser: Any, page_file: Path) -> None:
    page, troubles = opened(browser, page_file)
    drawn = "viewer.board.annotations"
    at(page, 0)
    assert page.evaluate(drawn) == []
    blank = page.evaluate("viewer.board.layers[2].toDataURL()")
    at(page, 1)
    cell, line = page.evaluate(drawn)
    assert {**cell, "text": ""} == {"kind": "cell", "row": 2, "col": 3, "colour": "#ff0000", "text": ""}
    assert cell["text"] == HARM[:40]
    assert line == {"kind": "line", "from": [0, 0], "to": [5, 5], "colour": "#2b8a3e"}
    assert page.evaluate("viewer.board.layers[2].toDataURL()") != blank
    assert page.locator(".by-turn-notes li").count() == 3
    assert "2 notes dropped: unknown key" in text_of(page, ".by-turn-body")
    at(page, 2)
    assert len(page.evaluate(drawn)) == 2  # nobody else but the rival was asked
    at(page, 3)
    assert page.evaluate(drawn) == []
    marks = page.evaluate("viewer.timeline.marks.filter(([, , kind]) => kind === 'note')")
    assert [mark[:3] for mark in marks] == [[1, 1, "note"]]
    assert "\u202e" not in marks[0][3]
    at(page, TICKS)
    assert "1 note could not be shown" in text_of(page, ".by-turn-body")
    assert troubles == []


ODD: list[Any] = [
    None, 5, [], {}, {"cell": [0]}, {"cell": [0, 1, 2]}, {"cell": [-1, 0]}, {"cell": [0.5, 0]}, {"cell": ["0", 0]},
    {"cell": [0, 0], "colour": "red; x"}, {"cell": [0, 0], "colour": 5}, {"cell": [0, 0], "text": ""},
    {"cell": [0, 0], "text": "x" * 401}, {"cell": [0, 0], "text": {}}, {"line": [[0, 0]]},
    {"line": [[0, 0], [0, 99999]]}, {"line": "ab"}, {"mark": ""}, {"mark": 5}, {"mark": ["x"]},
    {"cell": {"length": 2, "0": 0, "1": 0}},
]  # fmt: skip


@pytest.mark.long
def test_notes_that_are_none_are_not_drawn(browser: Any, played: Played, tmp_path: Path) -> None:
    """Whoever made the sheet is not believed either."""
    sheet = turn_sheet(played.replay, hostile_log())
    sheet["seats"][1]["notes"] = [[0, note] for note in ODD] + [["x", {"mark": "x"}], 7, [-1, {"mark": "y"}]]
    sheet["seats"][0]["notes"] = "many"
    (tmp_path / "game.html").write_text(film_page(film_of(played.replay), turns=sheet))
    page, troubles = opened(browser, tmp_path / "game.html")
    assert page.evaluate("[viewer.panels[0].notes.odd, viewer.board.annotations, viewer.timeline.extra]") == [
        [0, len(ODD) + 3],
        [],
        [],
    ]
    assert troubles == []


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
@pytest.mark.parametrize("theme", ["dark", *(pytest.param(theme, marks=pytest.mark.long) for theme in OTHER_THEMES)])
def test_it_fits_its_width_and_can_be_read_in_every_theme(
    browser: Any, page_file: Path, width: int, theme: str
) -> None:
    page, troubles = opened(browser, page_file, width)
    page.evaluate(f"viewer.setTheme({theme!r})")
    for tick in (1, 3, 7):
        at(page, tick)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        faint = page.evaluate(
            """() => {
              const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
              const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
              const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
              const ground = (element) => {
                const colour = rgb(getComputedStyle(element).backgroundColor);
                return colour[3] === 0 ? ground(element.parentElement) : colour;
              };
              return [...document.querySelectorAll(".by-turns *")].filter((element) => {
                if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) return false;
                const [one, other] = [light(rgb(getComputedStyle(element).color)), light(ground(element))];
                return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
              }).map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`);
            }"""
        )
        assert faint == []
    assert troubles == []


@pytest.mark.long
def test_a_film_plays_as_the_clocks_ran(browser: Any, page_file: Path) -> None:
    page, troubles = opened(browser, page_file)
    page.wait_for_function("viewer.playback.times !== null")
    page.evaluate("viewer.setSpeed('real')")
    assert page.evaluate("[1, 5, 7].map((tick) => viewer.playback.lasts(tick))") == [12, 60, 101]
    assert troubles == []


@pytest.mark.long
def test_a_game_of_house_bots_alone_says_so(browser: Any, played: Played, tmp_path: Path) -> None:
    sheet = turn_sheet(played.replay, replace(played.log, turns=[replace(one, ms=0.0) for one in played.turns]))
    (tmp_path / "game.html").write_text(film_page(film_of(played.replay), turns=sheet))
    page, troubles = opened(browser, tmp_path / "game.html")
    assert text_of(page, ".by-turns").startswith("House bots played this game.")
    assert page.get_by_role("tab").count() == 0
    assert page.evaluate("viewer.playback.times") is None
    assert troubles == []
