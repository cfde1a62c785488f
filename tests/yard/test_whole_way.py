"""The whole way of a contest in a real browser, on a real server, with a real bot in C: from an account to a lost turn.

Then the same with the keyboard alone, and without scripts as far as the table; and whoever is not the owner sees
nothing of what is private, whichever door they try.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botyard.yard.api.app import PREFIX, all_operations
from botyard.yard.config import CONFIG_FILE
from botyard.yard.web.doors import all_pages
from tests.render.pages import chromium
from tests.yard.test_serve import serving
from tests.yard.wayfaring import ALWAYS, LATE, NEVER, KeyboardWayfarer, Wayfarer, c_folder

pytestmark = pytest.mark.long

GAME, TITLE = "hackman", "Hack-man"
LADDER = f'[[ladders]]\nslug = "{GAME}"\ngame = "{GAME}"\n[ladders.settings]\nmax_rounds = 60\n'
PARTS = "part 6"


@dataclass(frozen=True)
class Site:
    """A yard that is being served."""

    address: str
    folder: Path

    def private_digests(self) -> list[str]:
        """The names of everything that is kept of versions, and of turn logs."""
        of_versions = "SELECT source, build_log, check_replay, check_turns, tree FROM version"
        with closing(sqlite3.connect(self.folder / "yard.db")) as database:
            rows = [*database.execute(of_versions), *database.execute("SELECT turns FROM match")]
        return sorted({digest for row in rows for digest in row if digest})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("way") / "yard"
    folder.mkdir()
    (folder / CONFIG_FILE).write_text(LADDER)
    with serving(folder, "--as-root") as (running, told):
        yield Site(told["address"], folder)
        running.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def test_the_whole_way_with_a_mouse_and_nobody_else_sees_what_is_private(
    browser: Any, site: Site, tmp_path: Path
) -> None:
    context = browser.new_context()
    ada = Wayfarer(context.new_page(), site.address, "Ada", tmp_path)
    ada.register()

    broken = c_folder("secret", NEVER)
    broken["bot/main.c"] = broken["bot/main.c"].replace(b"return 0;", b"return nothing;")
    ada.hand_in("Moth", TITLE, broken)
    ada.await_state("unbuilt")
    assert re.search(r"main\.c:\d+:\d+: error: .nothing. undeclared", ada.words()), "the compiler's own line"

    ada.hand_in("Moth", TITLE, c_folder("secret", ALWAYS))
    ada.await_state("unfit")
    found = ada.page.locator("section:has(#findings)").inner_text()
    assert "jump" in found
    assert "What it printed then" in found
    assert "tick" in found

    ada.hand_in("Moth", TITLE, c_folder("secret", LATE, pause_s=2))
    logs = ada.await_state("fit")
    growing = [log for log in logs if "part 1" in log and PARTS not in log]
    assert len(growing) > 1, "the log grew while it was built"
    assert "without a mistake" in ada.words()
    ada.activate()
    assert "Moth" in ada.to_table(GAME)

    match = ada.to_lost_turn("Moth").partition("#")[0]
    first = ada.turn
    assert "thinking about round" in first
    assert "jump" in first
    ada.press("button", "Next lost turn")
    ada.page.get_by_text(f"secret: thinking about round {round_in(first) + 1}").wait_for()
    context.close()

    check_nothing_is_seen(browser, site, match, tmp_path)


def round_in(turn: str) -> int:
    found = re.search(r"thinking about round (\d+)", turn)
    assert found
    return int(found[1])


def check_nothing_is_seen(browser: Any, site: Site, match: str, folder: Path) -> None:
    """Somebody else looks at every page of the bot and of its match, and at every door with every name of a file."""
    context = browser.new_context()
    eve = Wayfarer(context.new_page(), site.address, "Eve", folder)
    eve.register()
    number = match.rpartition("/")[2]
    eve.page.goto(match)
    eve.page.locator(".by-headline").wait_for()
    assert eve.page.locator(".by-turn-body").count() == 0
    eve.page.goto(f"{site.address}/bots/1/versions/3")
    assert "shown to its owner alone" in eve.words()
    refused = [
        *(f"/bots/1/versions/3/{part}" for part in ("log", "source", "progress", "check/film/1", "check/turns/1")),
        *(f"{PREFIX}/bots/1/versions/3/{part}" for part in ("log", "source", "check/film", "check/turns")),
        f"/matches/{number}/turns", f"/show/turns/{number}",
        f"{PREFIX}/matches/{number}/turns", f"{PREFIX}/matches/{number}/turn-log",
    ]  # fmt: skip
    for path in refused:
        assert context.request.get(site.address + path).status == 403, path

    digests = site.private_digests()
    assert len(digests) > 6
    templates = {page.path for page in all_pages() if page.method == "GET"}
    templates |= {PREFIX + operation.path for operation in all_operations() if operation.method == "GET"}
    for digest in digests:
        for path in (f"/{digest}", f"/blobs/{digest}", f"{PREFIX}/blobs/{digest}", f"/static/{digest}"):
            assert context.request.get(site.address + path).status == 404, path
    for template in sorted(each for each in templates if "{" in each):
        for fill in (*digests, "1", "3", number):
            answer = context.request.get(site.address + re.sub(r"\{\w+(:int)?\}", fill, template), max_redirects=0)
            said = answer.body()
            assert b"secret" not in said or template.startswith(("/games", f"{PREFIX}/games")), f"{template} {fill}"
            assert not [each for each in digests if each != fill and each.encode() in said], f"{template} {fill}"
    context.close()


def test_the_whole_way_with_the_keyboard_alone(browser: Any, site: Site, tmp_path: Path) -> None:
    context = browser.new_context()
    grace = KeyboardWayfarer(context.new_page(), site.address, "Grace", tmp_path)
    grace.register()
    grace.hand_in("Lacewing", TITLE, c_folder("plan"))
    grace.await_state("fit")
    grace.activate()
    assert "Lacewing" in grace.to_table(GAME)
    grace.to_lost_turn("Lacewing")
    first = grace.turn
    grace.press("button", "Next lost turn")
    grace.page.get_by_text(f"plan: thinking about round {round_in(first) + 1}").wait_for()
    context.close()


def test_the_way_to_the_table_without_scripts(browser: Any, site: Site, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    mary = Wayfarer(context.new_page(), site.address, "Mary", tmp_path, scripts=False)
    mary.register()
    mary.hand_in("Cricket", TITLE, c_folder("idea", pause_s=1))
    logs = mary.await_state("fit")
    assert [log for log in logs if "part 1" in log and PARTS not in log], f"who looks again sees more: {logs}"
    mary.activate()
    assert "Cricket" in mary.to_table(GAME)
    context.close()
