"""The live page in a real browser: from across a room and on a telephone, with names that mean harm, to the end."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botyard.contest.live.app import shown
from botyard.contest.live.snapshot import LiveContest, LivePage
from botyard.contest.messages import Job
from botyard.contest.report import report_folder, write_report
from botyard.contest.runner import AtWork, News
from botyard.contest.store_file import StoreFile
from tests.contest import test_page
from tests.contest.test_page import PATIENCE_MS
from tests.contest.yard import QUICK, plan_of, run_contest, write
from tests.waiting import PATIENCE_S, RUN_S, finished, wait_until

browser = test_page.browser  # the fixture

MARKUP = "</script><img src=x onerror=hacked=1><b>{{7*7}}"
HEBREW = "\u05e9\u05dc\u05d5\u05dd <svg onload=hacked=1> \u05d0\u05d1\u05d2"
WIDE = "W" * 50
NAMES = {"forager": MARKUP, "raider": HEBREW, "wanderer": WIDE}
WINDOWS = ((1920, 1080), (1280, 800), (360, 740))
HOSTILE = QUICK.replace("A quick league", "Cups & <b>saucers</b>").replace("max_turns = 20", "max_turns = 60")
for key, name in NAMES.items():
    HOSTILE = HOSTILE.replace(f'{key} = "house:{key}"', f'{key} = {{ bot = "house:{key}", name = "{name}" }}')


@dataclass(frozen=True)
class Hall:
    """A contest whose games are known, and the address where it is shown as its live part says."""

    live: LiveContest
    page: LivePage
    jobs: list[Job]
    results: list[tuple[int, str]]
    address: str

    def play_on(self, done: int) -> None:
        """Says that so many games are played, and the next ones are at work."""
        news = News(done=done, expected=len(self.jobs))
        news.at_work = (AtWork("worker 1", self.jobs[done : done + 3], None),)
        news.coming = tuple(self.jobs[done + 3 : done + 8])
        news.latest = tuple(reversed(self.results[:done]))
        self.live.watch(news)
        self.page.refresh()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    plan = plan_of(tmp_path, HOSTILE)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        rows = list(store.rows())
        finished(write_report(plan, store, report_folder(plan)))
    page = LivePage([plan])
    jobs = [Job(row.number, row.pairing.bots, row.seed) for row in rows]
    with shown(page) as address:
        yield Hall(page.contests[0], page, jobs, [(row.number, str(row.result)) for row in rows], address)


def opened(browser: Any, hall: Hall, width: int, height: int, scheme: str = "dark") -> tuple[Any, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if asked.url.startswith(hall.address) else troubles.append(asked.url))
    page.goto(hall.address)
    return page, troubles


def test_a_room_sees_standings_boards_and_what_comes(hall: Hall, browser: Any) -> None:
    hall.play_on(3)
    for width, height in WINDOWS:
        page, troubles = opened(browser, hall, width, height)
        page.locator("#boards .card").nth(2).wait_for()
        assert page.locator("h1").inner_text() == "Cups & <b>saucers</b>"
        assert "3 of 12 games" in page.locator("#progress").inner_text()
        names = page.evaluate("() => [...document.querySelectorAll('#rows tr')].map((row) => row.cells[1].innerText)")
        assert set(names) == set(NAMES.values())  # read at once: the page draws its rows anew meanwhile
        assert troubles == []
        assert page.locator("#coming li").count() == 5
        assert page.locator("#latest li").count() == 3
        names = page.locator("#boards .seats bdi").all_text_contents()
        assert set(names) <= set(NAMES.values())
        assert len(names) == 6
        drawn = "new Set([...document.querySelectorAll('.by-ground')].map(c => c.toDataURL())).size"
        assert page.evaluate(drawn) > 1  # boards, and different ones
        assert page.evaluate("typeof hacked") == "undefined"
        assert page.locator("img, svg").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width >= 1280:
            assert page.evaluate("document.documentElement.scrollHeight") <= height * 1.25
        if width == 1920:  # letters that can be read from across a room
            assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#rows td')).fontSize)") >= 24
        assert troubles == []
        page.close()


@pytest.mark.long
def test_the_champion_comes_and_the_report_is_one_click_away(hall: Hall, browser: Any) -> None:
    hall.play_on(9)
    page, troubles = opened(browser, hall, 1920, 1080)
    page.locator("#boards .card").first.wait_for()
    assert not page.locator("#champion").is_visible()
    hall.live.end("over", report_folder(hall.live.plan) / "report.html")
    hall.page.refresh()
    page.locator("#champion").wait_for()
    verdict = hall.live.values()["standings"]["verdict"]
    assert page.locator("#winner").inner_text() in (verdict, verdict.removeprefix("champion: "))
    assert page.locator("#boards .card").count() == 0
    page.locator("#report").click()
    page.locator("#viewer .by-stage").wait_for()
    assert page.locator("h1").inner_text() == "Cups & <b>saucers</b>"
    assert page.evaluate("typeof hacked") == "undefined"
    assert troubles == []
    page.close()


@pytest.mark.long
def test_light_and_dark_follow_the_system(hall: Hall, browser: Any) -> None:
    hall.play_on(3)
    paper = {}
    for scheme in ("light", "dark"):
        page, _ = opened(browser, hall, 1280, 800, scheme)
        page.locator("#rows tr").first.wait_for()
        paper[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.close()
    assert paper["light"] != paper["dark"]


def test_whoever_does_not_know_the_secret_gets_nothing(hall: Hall) -> None:
    root, _, secret = hall.address.removesuffix("/").rpartition("/")
    for path in (f"{root}/", f"{root}/{'x' * len(secret)}/snapshot", f"{root}/snapshot"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(path, timeout=PATIENCE_S)
    elsewhere = urllib.request.Request(f"{hall.address}snapshot", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(elsewhere, timeout=PATIENCE_S)
    for missing in ("report/0", "report/7", "web/nothing.js", "web/..%2fapp.py"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(hall.address + missing, timeout=PATIENCE_S)


@pytest.mark.long
def test_a_page_that_is_left_says_so(tmp_path: Path, browser: Any) -> None:
    page = LivePage([plan_of(tmp_path)])
    with shown(page) as address:
        seen = browser.new_page()
        seen.goto(address)
        wait_until(lambda: seen.locator("#progress").inner_text() == "not begun yet")
        assert not seen.locator("#gone").is_visible()
    seen.locator("#gone").wait_for(timeout=PATIENCE_MS)
    seen.close()


@pytest.mark.parametrize("command", ["contest run", "view"])
@pytest.mark.long
def test_a_command_shows_its_page_until_ctrl_c(tmp_path: Path, command: str) -> None:
    file = write(tmp_path, QUICK)
    if command == "view":
        run_contest(plan_of(tmp_path))
    words = [*command.split(), str(file), "--no-browser", *(["--web"] if command != "view" else [])]
    started = subprocess.Popen(
        [sys.executable, "-c", "from botyard.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert started.stdout is not None
    lines = []
    try:
        for line in started.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        address = next(line.partition("watch: ")[2].strip() for line in lines if line.startswith("watch: "))
        with urllib.request.urlopen(f"{address}snapshot", timeout=PATIENCE_S) as answer:
            assert b'"state":"over"' in answer.read()
    finally:
        started.send_signal(signal.SIGINT)
        rest, _ = started.communicate(timeout=RUN_S)
    assert started.returncode == 0, "".join(lines) + rest
    assert "Traceback" not in rest
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{address}snapshot", timeout=PATIENCE_S)
