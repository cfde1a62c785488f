"""The report as a page, in a real browser: whole without a network, narrow and wide, light and dark."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.notable_games import NotableGame
from botyard.contest.page import build_page, embedded
from botyard.contest.page.frames import MOST_FRAMES, frames, packed
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
from botyard.match.replay import Replay
from botyard.rank.ratings import Rating
from botyard.rank.results import Result
from botyard.rank.standings import Standings, StandingsRow
from botyard.rank.strengths import Strength
from tests.conftest import need
from tests.contest.yard import QUICK, bot_file, plan_of, run_contest
from tests.links.matches import rival_of, short_match
from tests.waiting import finished

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
    page.locator("#board span").first.wait_for()
    return page, troubles


def test_the_page_fits_every_window_and_theme(browser: Any, page_file: Path) -> None:
    for scheme, width in itertools.product(("light", "dark"), (360, 1600)):
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
    film = packed(replace(short_game, names=(HOSTILE[0], whole)))
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
    for place in ("h1", ".verdict", "#seats li:nth-child(2) b"):
        assert page.locator(place).text_content() == clean(" ".join(HOSTILE))
    page.locator("#back").click()
    for at in range(len(HOSTILE)):
        page.locator("#standings tbody a").nth(at).dispatch_event("click")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("img, svg").count() == 0
    assert page.locator("script").count() == 2
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
    page.locator("#back").click()  # its own script does run
    assert page.locator("#tick").inner_text() == "tick 19 of 20"
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


def test_games_can_be_stepped_through(browser: Any, page_file: Path) -> None:
    page, troubles = open_page(browser, page_file, 1000)
    assert page.locator("#tick").inner_text() == "tick 20 of 20"
    last = page.locator("#board").inner_text()
    page.locator("#back").click()
    assert page.locator("#tick").inner_text() == "tick 19 of 20"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#tick").inner_text() == "tick 18 of 20"
    page.locator("#slider").fill("0")
    assert page.locator("#tick").inner_text() == "tick 0 of 20"
    assert page.locator("#board").inner_text() != last
    page.locator("#play").click()
    page.get_by_text("tick 20 of 20").wait_for()
    assert page.locator("#play").inner_text() == "play"
    other = page.locator("#choice option").nth(1).get_attribute("value")
    page.locator("#choice").select_option(other)
    page.locator(f'[data-game="{other}"]').first.click()
    assert page.locator("#choice").input_value() == other
    assert troubles == []
    page.close()


def test_long_games_are_shown_in_larger_steps() -> None:
    replay = play("hive", ["house:forager", "house:wanderer"], seed=1, max_turns=1000).replay
    shown = frames(replay)
    assert len(shown["frames"]) <= MOST_FRAMES + 1
    assert shown["frames"][0][0] == 0
    assert shown["frames"][-1][0] == shown["ticks"] == 1000


def test_every_game_has_pictures(game: str) -> None:
    shown = frames(play(game, [rival_of(game)] * 2, seed=1, **short_match(game)).replay)
    assert shown["frames"]
    assert len(shown["names"]) == 2
    glyphs = "".join(text for row in shown["frames"][0][3] for _, text in row)
    assert glyphs.strip()


def test_what_is_embedded_cannot_end_its_element() -> None:
    assert "<" not in embedded(["</script><!--"])


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
