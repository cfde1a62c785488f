"""`botyard play --web`: matches that people watch and play in a real browser."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.games import OWN_GAMES, load
from botyard.match.replay import Replay
from tests.cli.test_commands import Run, run
from tests.links.matches import rival_of, short_match
from tests.render.pages import PATIENCE_MS, chromium
from tests.waiting import PATIENCE_S, ending, in_time, wait_until

__all__ = ["run"]  # the fixture

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()"]
SMALL: dict[str, dict[str, Any]] = {
    "hive": {"max_turns": 24, "rows": 9, "cols": 11, "bees_per_player": 3, "flowers_min": 6, "flowers_max": 8},
    "battlebots": {"rounds_per_bout": 8},
    "snakebattle": {"rounds_time": 12},
    "hackman": {"max_rounds": 10},
    "snakepit": {"width": 12, "height": 12},
}


@contextlib.contextmanager
def playing(
    game: str, *words: object, addresses: int, at: Path, **settings: Any
) -> Iterator[tuple[Any, dict[str, str]]]:
    """The command, which writes its files to a folder, and the addresses that it prints."""
    chosen = {**short_match(game), **SMALL[game], **settings}
    assigned = [word for key, value in chosen.items() for word in ("--set", f"{key}={value}")]
    command = [*COMMAND, "play", game, *map(str, words), "--web", "--no-browser", "--seed", "3", *assigned]
    made = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=at)
    with ending(made) as running:
        assert running.stdout is not None
        lines = [in_time(running.stdout.readline).strip() for _ in range(addresses)]
        told = dict(line.rsplit(": ", 1) for line in lines if line)
        assert len(told) == addresses, running.communicate(timeout=PATIENCE_S)
        yield running, told


def ended(running: subprocess.Popen[str]) -> str:
    """Ends a command that has played, by Ctrl-C; what it said."""
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, said
    assert "Traceback" not in said[1]
    return said[0]


class Person:
    """Somebody at a page, who plays by its keys."""

    def __init__(self, browser: Any, address: str, width: int = 1000) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 800})
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda line: self.troubles.append(line.text) if line.type == "error" else None)
        self.page.goto(address, timeout=PATIENCE_MS)
        self.page.wait_for_selector(".by-pad", timeout=PATIENCE_MS)
        self.head = self.page.evaluate("viewer.whole.head")
        self.given: list[str] = []

    def question(self) -> int:
        return int(self.page.get_attribute(".by-pad", "data-question") or 0)

    def says(self) -> str:
        return str(self.page.inner_text(".by-pad-says"))

    def wait_for(self, after: int) -> int:
        """The number of the next question; 0: the game is over."""
        wait_until(lambda: self.question() > after or "over" in self.says(), self.says)
        return 0 if "over" in self.says() else self.question()

    def press(self, number: int) -> None:
        """Gives an order: another key every time, and modes both held and tapped."""
        mode = number % len(self.head["modes"])
        keys = [key for key in self.head["keys"] if key[2][mode]]
        names, _, orders, _, _ = keys[number % len(keys)]
        _, hold, tap = self.head["modes"][mode]
        key = names[number % len(names)]
        if hold and (number % 2 or not tap):
            self.page.keyboard.press(f"{hold}+{key}")
        else:
            if mode:
                self.page.keyboard.press(tap)
            self.page.keyboard.press(key)
        self.given.append(orders[mode])

    def play(self) -> None:
        number = 0
        while number := self.wait_for(number):
            self.press(number)


def recorded(path: Path, entrant: int = 0) -> list[str]:
    """The orders of a bot, by name, as the replay has them."""
    replay = Replay.read(path)
    seat, names = replay.entrants.index(entrant), load(replay.game).facts.orders
    return [names[orders[seat]] for _, orders in replay.play() if seat in orders]


@pytest.mark.parametrize(
    "game", ["hive", *(pytest.param(game, marks=pytest.mark.long) for game in OWN_GAMES if game != "hive")]
)
def test_a_person_plays_by_keys_to_the_end_and_the_replay_has_their_orders(game: str, tmp_path: Path) -> None:
    path = tmp_path / "played.replay"
    with playing(
        game, "human:Ada", rival_of(game), "--wait", "--replay", path, "--pace", 0, addresses=2, at=tmp_path
    ) as (
        running,
        told,
    ):
        with chromium() as browser:
            person = Person(browser, told["Ada plays"])
            person.play()
            person.page.wait_for_selector(".by-review", timeout=PATIENCE_MS)
            person.page.click(".by-review")
            person.page.wait_for_selector(".by-turn-tab", timeout=PATIENCE_MS)  # the turn report
            assert person.troubles == []
        said = ended(running)
    assert person.given
    assert recorded(path) == person.given
    assert "Ada" in said


@pytest.mark.long
def test_a_person_plays_by_touch_on_a_small_screen_and_sees_the_order_that_will_be_sent(tmp_path: Path) -> None:
    path = tmp_path / "played.replay"
    with playing("hackman", "human", rival_of("hackman"), "--replay", path, "--pace", 0, addresses=2, at=tmp_path) as (
        running,
        told,
    ):
        with chromium() as browser:
            person = Person(browser, told["human plays"], width=360)
            assert person.says() == "Ready?"
            person.page.click(".by-pad-begin")
            number = 0
            while number := person.wait_for(number):
                assert person.page.is_visible(".by-pad-time")
                button = person.page.locator(".by-pad-key").nth(number % 4)
                person.given.append(str(button.get_attribute("aria-label")))
                button.click()
            assert person.page.evaluate("document.documentElement.scrollWidth") <= 360
            assert person.troubles == []
        ended(running)
    assert recorded(path) == person.given


@pytest.mark.long
def test_two_people_have_an_address_each_and_one_screen_where_nothing_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "played.replay"
    words = ("human:Ada", "human:Bob", "--wait", "--replay", path, "--pace", 0)
    with playing("hackman", *words, addresses=4, at=tmp_path) as (running, told):
        assert set(told) == {"watch", "all at one screen", "Ada plays", "Bob plays"}
        assert len(set(told.values())) == 4
        with chromium() as browser:
            people = [Person(browser, told[f"{name} plays"]) for name in ("Ada", "Bob")]
            numbers = [0, 0]
            while all(numbers := [person.wait_for(number) for person, number in zip(people, numbers, strict=True)]):
                for person, number in zip(people, numbers, strict=True):
                    person.press(number)
        ended(running)
    assert [recorded(path, 0), recorded(path, 1)] == [person.given for person in people]


@pytest.mark.long
def test_a_match_of_bots_is_watched_live_and_reviewed_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "played.replay"
    with playing("hive", *[rival_of("hive")] * 2, "--replay", path, "--pace", 200, addresses=1, at=tmp_path) as (
        running,
        told,
    ):
        with chromium() as browser:
            page = browser.new_page()
            page.goto(told["watch"], timeout=PATIENCE_MS)
            wait_until(lambda: page.evaluate("!!window.viewer?.whole && !viewer.whole.growing"))
            ticks = len(Replay.read(path).ticks)
            assert page.evaluate("viewer.last") == ticks
            assert page.evaluate("viewer.seek(3).then(() => viewer.frame.tick)") == 3
        ended(running)


def test_ctrl_c_in_the_middle_of_a_match_ends_everything(tmp_path: Path) -> None:
    with playing("hive", "human", rival_of("hive"), "--wait", addresses=2, at=tmp_path) as (running, _):
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=PATIENCE_S)
        assert running.returncode == 130, said
        assert "Traceback" not in said[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--games", "2"), "one game"),
        (("--json",), "one game"),
        (("--watch",), "choose the terminal or the browser"),
    ],
)
def test_what_cannot_be_shown_on_a_page_is_refused(run: Run, words: tuple[str, ...], sentence: str) -> None:
    done = run("play", "hive", "house:wanderer", "house:wanderer", "--web", "--no-browser", *words)
    assert done.status == 2
    assert sentence in " ".join(done.err.split())
