"""Every page that people open, as it is served; what strangers have a say in means harm."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from botyard.contest.live.app import shown
from botyard.contest.live.snapshot import LivePage
from botyard.contest.messages import Job
from botyard.contest.report import report_folder, write_report
from botyard.contest.runner import AtWork, News
from botyard.contest.store_file import StoreFile
from botyard.games import OWN_GAMES
from botyard.links.viewing.app import Door
from botyard.links.viewing.screening import ReplayScreening
from botyard.links.viewing.shelf import Shelf
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.match.turn_sheet import turn_sheet
from botyard.render.page import film_page
from botyard.testing.random_games import short_settings
from tests.contest.yard import QUICK, plan_of, run_contest
from tests.links.hall import hall, make_room
from tests.links.place import live, played_game, serving_door
from tests.match.test_turn_panel import hostile_log
from tests.waiting import PATIENCE_S, finished, in_time, joined

T = TypeVar("T")

MARKUP = '<img src=x onerror="harmed=1"></script><script>harmed=1</script>'
NAMES = (f"{MARKUP}\x1b[31m\x07", "\u202egnp.eno\u2066<svg onload=harmed=1>")
HEBREW = "\u05e9\u05dc\u05d5\u05dd <svg onload=harmed=1>"
TITLE = "Cups & <b>saucers</b></script>"


@dataclass(frozen=True)
class Place:
    """A page, and what is on it once it is ready."""

    address: str
    sign: str  # a selector


@contextlib.contextmanager
def beside(context: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """What an event loop in a thread of its own gives: a browser has one in ours."""
    given: list[T | BaseException] = []
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    end = asyncio.Event()

    async def main() -> None:
        async with context as value:
            given.append(value)
            ready.set()
            await end.wait()

    def run() -> None:
        try:
            with contextlib.closing(loop):
                loop.run_until_complete(main())
        except BaseException as error:
            given.append(error)
            ready.set()

    thread = threading.Thread(target=run, name="server", daemon=True)
    thread.start()
    assert ready.wait(PATIENCE_S), "the server did not start"
    if isinstance(given[0], BaseException):
        raise given[0]
    try:
        yield given[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        joined(thread)
    if isinstance(given[-1], BaseException):
        raise given[-1]


def named(replay: Replay) -> Replay:
    """The same game, between bots with strange names."""
    return replace(replay, names=tuple(NAMES[seat % 2] for seat in range(len(replay.names))))


@contextlib.contextmanager
def offline(game: str, folder: Path) -> Iterator[Place]:
    """The html file of a game, with the views of all seats."""
    from botyard.games import load
    from botyard.testing.random_games import house_replay

    book = load(game)
    replay = named(house_replay(book, short_settings(book), 60))
    log = hostile_log() if game == "hive" else None
    films = tuple(film_of(replay, seat) for seat in range(len(replay.names)))
    file = folder / f"{game}.html"
    file.write_text(film_page(film_of(replay), films, turns=turn_sheet(replay, log)), encoding="utf-8")
    yield Place(f"{file.as_uri()}#t=7", ".by-seat")


def strange_game() -> ReplayScreening:
    return ReplayScreening(lambda: named(played_game().replay), lambda replay: hostile_log())


@contextlib.asynccontextmanager
async def shelf_server(games: int) -> AsyncIterator[str]:
    shelf = Shelf()
    for number in range(games):
        shelf.add(strange_game(), f"{number} {MARKUP}")
    async with serving_door(Door(shelf)) as place:
        yield f"http://127.0.0.1:{place.port}{place.root}/"


@contextlib.contextmanager
def view_list(folder: Path) -> Iterator[Place]:
    with beside(shelf_server(2)) as address:
        yield Place(address, ".by-list a")


@contextlib.contextmanager
def view_film(folder: Path) -> Iterator[Place]:
    """With the turn report of a bot that lost turns, printed and noted."""
    with beside(shelf_server(1)) as address:
        yield Place(f"{address}#t=3", ".by-turn-reason")


@contextlib.asynccontextmanager
async def match_server(seat: int | None) -> AsyncIterator[str]:
    """A match that is played: it stands at its beginning."""
    async with live(people=seat is not None, seat=seat) as match:
        yield f"http://127.0.0.1:{match.place.port}{match.place.root}/"


@contextlib.contextmanager
def person(folder: Path) -> Iterator[Place]:
    with beside(match_server(0)) as address:
        yield Place(address, ".by-pad-key")


@contextlib.contextmanager
def live_match(folder: Path) -> Iterator[Place]:
    with beside(match_server(None)) as address:
        yield Place(address, ".by-seat")


def strange_contest() -> str:
    """A contest file: names may not hold escapes, and titles are anybody's."""
    text = QUICK.replace("A quick league", TITLE)
    for key, name in (("forager", "<img src=x onerror=harmed=1>"), ("raider", HEBREW)):
        text = text.replace(f'{key} = "house:{key}"', f'{key} = {{ bot = "house:{key}", name = "{name}" }}')
    return text


@contextlib.contextmanager
def report(folder: Path) -> Iterator[Place]:
    plan = plan_of(folder, strange_contest())

    def hold() -> None:
        run_contest(plan)
        with StoreFile.open(plan.store_path) as store:
            finished(write_report(plan, store, report_folder(plan)))

    in_time(hold)
    yield Place((report_folder(plan) / "report.html").as_uri(), "#viewer .by-seat")


@contextlib.contextmanager
def contest_live(folder: Path) -> Iterator[Place]:
    """In the midst of its games."""
    plan = plan_of(folder, strange_contest())
    in_time(lambda: run_contest(plan))
    with StoreFile.open(plan.store_path) as store:
        rows = list(store.rows())
    page = LivePage([plan])
    jobs = [Job(row.number, row.pairing.bots, row.seed) for row in rows]
    news = News(done=3, expected=len(jobs))
    news.at_work = (AtWork("worker 1", jobs[3:6], None),)
    news.coming = tuple(jobs[6:9])
    news.latest = tuple((row.number, str(row.result)) for row in rows[:3])
    with shown(page) as address:
        page.contests[0].watch(news)
        page.refresh()
        yield Place(address, "#boards .card")


@contextlib.asynccontextmanager
async def room_server(path: str) -> AsyncIterator[str]:
    async with hall(make_room(tick_ms=100, rounds_enabled=False)) as here:
        here.register("ann")
        for name in (MARKUP[:45], HEBREW):
            here.lobby.register(here.room, name)
        yield here.url(path)


@contextlib.contextmanager
def room_page(path: str, sign: str, folder: Path) -> Iterator[Place]:
    with beside(room_server(path)) as address:
        yield Place(address, sign)


OPENERS: dict[str, Callable[[Path], AbstractContextManager[Place]]] = {
    **{f"offline {game}": partial(offline, game) for game in OWN_GAMES},
    "view list": view_list,
    "view film": view_film,
    "person": person,
    "live match": live_match,
    "contest report": report,
    "contest live": contest_live,
    "rooms": partial(room_page, "/", ".rooms a"),
    "register": partial(room_page, "/register", "button"),
    "room": partial(room_page, "/board/room/snakebattle", "td"),
    "rules": partial(room_page, "/help/snakebattle", "main h1"),
    "board": partial(room_page, "/board/player/ann", "#leaders td"),
    "own board": partial(room_page, "/board/player/ann?code=7", "#leaders td"),
}
