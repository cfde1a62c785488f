"""The report as a page, in a real browser: whole without a network, narrow and wide, light and dark."""

from __future__ import annotations

import base64
import itertools
import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botyard.contest import report
from botyard.contest.notable_games import NotableGame
from botyard.contest.page import build_page
from botyard.contest.page.games import WatchedGame
from botyard.contest.pair_games import ListedGame, Meetings, PairGames
from botyard.contest.report import report_folder, write_report
from botyard.contest.store_file import StoreFile
from botyard.contest.summary_records import (
    BotSummary,
    ContestSummary,
    FormatSummary,
    GameCounts,
    GameSummary,
    LostExample,
    TimingSummary,
)
from botyard.kernel.plain import clean
from botyard.links.play import play
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.rank.ratings import Rating
from botyard.rank.results import Result
from botyard.rank.standings import Standings, StandingsRow
from botyard.rank.strengths import Strength
from tests.conftest import need
from tests.contest.yard import QUICK, bot_file, plan_of, run_contest
from tests.waiting import finished, wait_until

PATIENCE_MS = 120_000  # a busy machine must not fail a test
TITLE = "Cups & <b>saucers</b></script>"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a contest with a program in it, whose title means harm."""
    folder = tmp_path_factory.mktemp("page")
    idler = bot_file(folder, "idler")
    text = QUICK.replace("A quick league", TITLE).replace("house:wanderer", f"py:{idler}")
    plan = plan_of(folder, text.replace("[bots]", "[time]\nreply_timeout_ms = 60000\n[bots]"))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    return report_folder(plan) / "report.html"


@pytest.fixture
def browser() -> Iterator[Any]:
    """One for each test: while it is there, an event loop runs."""
    chromium = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=PATIENCE_MS)
        yield opened
        opened.close()


def open_page(browser: Any, file: Path, width: int, scheme: str = "light") -> tuple[Any, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if asked.url.startswith("file:") else troubles.append(asked.url))
    page.goto(file.as_uri())
    page.locator("#viewer .by-stage").wait_for()
    until(page, "globalThis.viewer?.words")
    return page, troubles


def until(page: Any, condition: str) -> None:
    """Waits in our own way: the page's policy forbids the browser's, which evaluates text."""
    wait_until(lambda: page.evaluate(condition), lambda: page.evaluate("location.hash + ' ' + globalThis.viewer?.tick"))


def shown_tick(page: Any) -> tuple[int, int]:
    tick, last = page.evaluate("viewer.ready.then(() => [viewer.tick, viewer.last])")
    return tick, last


def test_the_page_fits_every_window_and_theme(browser: Any, page_file: Path) -> None:
    for scheme, width in itertools.product(("light", "dark"), (360, 1280, 1920)):
        page, troubles = open_page(browser, page_file, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        paper, ink = (page.evaluate(f"getComputedStyle(document.body).{key}") for key in ("backgroundColor", "color"))
        brightness = [sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(","))) for colour in (paper, ink)]
        light, dark = brightness if scheme == "light" else reversed(brightness)
        assert light > 600
        assert dark < 300
        assert troubles == []
        page.close()


def dead_links(page: Any) -> list[str]:
    links: list[str] = page.evaluate(
        "[...document.querySelectorAll('main a')].map(a => a.getAttribute('href'))"
        ".filter(to => !to.startsWith('#') || !document.getElementById(to.slice(1)))"
    )
    return links


def test_titles_and_names_are_text_and_every_link_leads_somewhere(browser: Any, page_file: Path) -> None:
    page, troubles = open_page(browser, page_file, 1000)
    assert dead_links(page) == []
    assert page.locator("h1").inner_text() == TITLE
    assert page.title() == TITLE
    assert troubles == []
    page.close()


HOSTILE = (
    "</script><script>hacked=1</script>", '"><img src=x onerror="hacked=1">', "'><svg onload=hacked=1>",
    "<!--<script>", "javascript:hacked=1", "[x](javascript:hacked=1)", "{{7*7}}${hacked=1}", "&lt;script&gt;",
    "\u2028\u2029hacked=1//", "\u202egnp\u2066\u200b", "\x00\x1b[2J\ud800\udc80", "<" * 5000 + "x" * 5000,
)  # fmt: skip


@pytest.fixture(scope="module")
def short_game() -> Replay:
    return play("hive", ["house:forager", "house:wanderer"], seed=1, max_turns=3).replay


@pytest.fixture
def hostile_file(short_game: Replay, tmp_path: Path) -> Path:
    """A page in which everything a stranger could have a say in means harm, more than contests allow for names."""
    whole = " ".join(HOSTILE)
    lost = dict.fromkeys(HOSTILE, LostExample(1, 50, 1, whole, whole))
    notable = tuple(NotableGame("best", at, word, word, 1.0) for at, word in enumerate(HOSTILE))
    bot = BotSummary(1, 1, 0, 0, 0, dict.fromkeys(HOSTILE, 1), lost, TimingSummary(1, 1.0, 1.0), notable)
    summary = ContestSummary(
        title=whole,
        game=GameSummary(whole, whole, 1),
        format=FormatSummary(whole, whole),
        root="1",
        root_hash="",
        names={},
        guests=frozenset(),
        specifications={word: word for word in HOSTILE},
        finished=True,
        games=GameCounts(1, 1, 0, 0, whole),
        standings=Standings(tuple(StandingsRow(1, word, {whole: word}) for word in HOSTILE), tuple(HOSTILE), whole),
        ratings=dict.fromkeys(HOSTILE, Rating()),
        strengths=dict.fromkeys(HOSTILE, Strength(1.0, 0.0, 2.0)),
        cross={word: {word: Meetings(1, 0, 0)} for word in HOSTILE},
        bots=dict.fromkeys(HOSTILE, bot),
        file=whole,
        pairs=tuple(PairGames((word, word), array("l", [1, 50]), array("b", [0, 1])) for word in HOSTILE),
        listed={number: ListedGame(number, whole, Result(((whole,),)), 3) for number in (1, 50)},
        notable=notable,
    )
    film = film_of(replace(short_game, names=(HOSTILE[0], whole))).to_bytes()
    shown = [WatchedGame(at, word, film) for at, word in enumerate(HOSTILE)]
    file = tmp_path / "page.html"
    file.write_bytes(build_page(summary, shown).encode())
    return file


def test_nothing_a_stranger_wrote_runs_or_breaks_the_page(hostile_file: Path, browser: Any) -> None:
    page, troubles = open_page(browser, hostile_file, 360)
    page.on("dialog", lambda dialog: troubles.append("a dialog"))
    assert dead_links(page) == []
    for place in ("#bots h3", "#bots code", "#standings tbody th", "#choice option", "#cross thead th"):
        texts = page.locator(place).all_text_contents()
        for word in HOSTILE:
            assert any(clean(word) in text for text in texts), (place, word)
    for place in ("h1", ".verdict", "#viewer li:nth-child(2) .by-name"):
        assert page.locator(place).text_content() == clean(" ".join(HOSTILE))
    page.locator("#choice").select_option("3")
    for at in range(len(HOSTILE)):
        page.locator("#standings tbody a").nth(at).dispatch_event("click")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("img, svg:not(.by-icon)").count() == 0
    assert page.locator("script:not([type='text/plain'])").count() == 1
    assert troubles == []
    page.close()


def test_the_page_would_not_run_a_strangers_script_even_if_it_stood_there(browser: Any, page_file: Path) -> None:
    file = page_file.with_name("injected.html")
    injected = (
        "<script>hacked=1</script><img src=x onerror='hacked=2'><a id=trap href='javascript:hacked=3'>x</a></main>"
    )
    file.write_text(page_file.read_text().replace("</main>", injected))
    page, _ = open_page(browser, file, 1000)
    page.locator("#trap").click()
    page.evaluate("viewer.step(3)")  # its own script does run
    assert shown_tick(page) == (3, 20)
    assert page.evaluate("typeof hacked") == "undefined"
    page.close()


def test_the_standings_the_matrix_and_every_bot_are_there(browser: Any, page_file: Path) -> None:
    page, _ = open_page(browser, page_file, 1000)
    assert page.locator("#standings tbody tr").count() == 3
    assert page.locator("#strength tbody tr").count() == 3
    assert page.locator("#cross tbody td").count() == 9
    assert page.locator("#bots article").count() == 3
    played = page.locator("#cross tbody td[title]")
    assert played.count() == 6
    assert all("color-mix" in (played.nth(at).get_attribute("style") or "") for at in range(6))
    assert "OK" in page.locator("#bot-wanderer").inner_text()  # the program's verdicts
    assert "ms per question" in page.locator("#bot-wanderer").inner_text()
    page.close()


def test_a_result_leads_to_its_games_even_without_scripts(browser: Any, page_file: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(page_file.as_uri())
    games = page.locator("#pairs details", has_text="forager against raider").locator("li")
    assert games.count() == 4
    assert not games.first.is_visible()
    page.locator("#cross tbody tr", has_text="forager").first.locator("a", has_text="-").first.click()
    games.first.wait_for(state="visible")
    assert page.locator("#pairs li:visible").count() == 4
    for text in page.locator("#pairs li").all_text_contents():
        number = text.removeprefix("game ").partition(":")[0]
        assert text.endswith("watch") or f"botyard contest replay league.toml {number} --show" in text
    context.close()


def test_a_game_is_watched_by_its_link_and_by_keys(browser: Any, page_file: Path) -> None:
    page, troubles = open_page(browser, page_file, 1000)
    assert page.evaluate("location.hash") == ""  # nobody asked for a game: the address is left alone
    page.keyboard.press("ArrowRight")
    assert shown_tick(page) == (0, 20)  # keys are the page's until the viewer is used
    link = page.locator("#bots a", has_text="watch").last
    game = link.get_attribute("href").removeprefix("#game=")
    link.click()
    until(page, "viewer.link !== null")
    assert page.locator("#choice").input_value() == game
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(page, f"location.hash === '#game={game}&t=2'")
    page.locator("#standings tbody a").first.click()
    until(page, "location.hash.startsWith('#bot-')")
    page.evaluate("viewer.step(1)")
    assert page.evaluate("location.hash").startswith("#bot-")
    page.go_back()
    until(page, f"location.hash === '#game={game}&t=2' && viewer.tick === 2")
    assert troubles == []
    page.close()


def test_an_address_leads_to_a_tick_of_a_game(browser: Any, page_file: Path) -> None:
    page, troubles = open_page(browser, page_file, 1000)
    other = page.locator("#choice option").nth(1).get_attribute("value")
    page.close()
    page = browser.new_page()
    page.goto(f"{page_file.as_uri()}#game={other}&t=7")
    until(page, "globalThis.viewer?.tick === 7")
    assert page.locator("#choice").input_value() == other
    first = page.locator("#choice option").first.get_attribute("value")
    page.locator("#choice").select_option(first)
    until(page, f"location.hash.startsWith('#game={first}') && viewer.tick === 0")
    assert troubles == []
    page.close()


def test_a_film_that_is_too_large_is_named_by_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(tmp_path, QUICK.replace("max_turns = 20", "max_turns = 300"))
    run_contest(plan)

    def page_with(**bounds: int) -> str:
        for name, size in bounds.items():
            monkeypatch.setattr(report, name, size)
        with StoreFile.open(plan.store_path) as store:
            finished(write_report(plan, store, report_folder(plan)))
        return (report_folder(plan) / "report.html").read_text()

    whole = page_with()
    sizes = [len(base64.b64decode(film)) for film in re.findall(r'id="film-\d+">([^<]*)<', whole)]
    assert len(sizes) > 2
    assert max(sizes) < 40_000
    fewer = page_with(FILMS_BYTES=sum(sizes) - 1)
    assert 0 < fewer.count('id="film-') < len(sizes)
    none = page_with(FILM_BYTES=min(sizes) - 1)
    assert 'id="film-' not in none
    assert "botyard contest replay league.toml" in none


def test_a_contest_nobody_entered_has_a_page_too() -> None:
    summary = ContestSummary(
        title="Empty",
        game=GameSummary("hive", "Hive Arena", 1),
        format=FormatSummary("swiss", "rounds"),
        root="1",
        root_hash="",
        names={},
        guests=frozenset(),
        specifications={},
        finished=False,
        games=GameCounts(0, 0, 0, 0, ""),
        standings=Standings((), ("points",)),
        ratings={},
        strengths={},
        cross={},
        bots={},
    )
    page = build_page(summary, [])
    assert "The contest is not over" in page
    assert "No replays can be shown here" in page
