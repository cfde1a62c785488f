"""What the tests of pages share: a browser, films of short games, and pages that are opened from a file or a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from botyard.games import load
from botyard.links.play import play
from botyard.match.filming import film_of
from botyard.render.film import Film
from botyard.render.frames import Frame, frames
from botyard.render.page import film_page, web_file
from tests.conftest import need
from tests.links.matches import rival_of, short_match

PATIENCE_MS = 120_000  # a busy machine must not fail a test
SERVER = "http://yard.test"  # nobody: every request is answered by the test
SHELL = """<!doctype html><html lang="en"><head><title>Test</title><link rel="stylesheet" href="/web/viewer.css"></head>
<body><main id="main"></main><script type="module">
import { Film } from "/web/film.js";
import { mount } from "/web/viewer.js";
globalThis.yard = { Film, mount };
</script></body></html>"""


@dataclass(frozen=True)
class Filmed:
    """A game as films, and their frames by Python."""

    film: Film
    seat_films: tuple[Film, ...]

    def frames(self, seat: int | None) -> list[Frame]:
        return list(frames(self.film if seat is None else self.seat_films[seat]))


@cache
def filmed(game: str, seed: int = 5) -> Filmed:
    """A short game of house bots."""
    bots = [rival_of(game)] * load(game).facts.usual_seats
    replay = play(game, bots, seed=seed, **short_match(game)).replay
    return Filmed(film_of(replay), tuple(film_of(replay, seat) for seat in range(len(replay.names))))


@contextmanager
def chromium(*options: str) -> Iterator[Any]:
    """While it is there, an event loop runs in this thread."""
    program = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox", *options], timeout=PATIENCE_MS)
        yield opened
        opened.close()


@dataclass
class Opened:
    """A page with a viewer, and whatever it complained about or asked a network for."""

    page: Any
    troubles: list[str]

    def run(self, script: str, *values: Any) -> Any:
        """What a function in the page returns, given the viewer and these values, which travel as one text: Playwright
        takes lists apart three times on the way, which is most of the time for a whole board."""
        call = f"async (values) => ({script})(globalThis.viewer, ...JSON.parse(values))"
        return self.page.evaluate(call, json.dumps(values))


def open_page(browser: Any, address: str, width: int = 1280, height: int = 800, **options: Any) -> Opened:
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if asked.url.startswith(("file:", SERVER)) else troubles.append(asked.url))
    if address.startswith(SERVER):
        page.route(f"{SERVER}/**", answer)
    page.goto(address)
    return Opened(page, troubles)


def open_film(browser: Any, file: Path, link: str = "", **options: Any) -> Opened:
    """The page of a film, ready."""
    opened = open_page(browser, file.as_uri() + link, **options)
    opened.run("async (viewer) => { await viewer.ready; }")
    return opened


def answer(route: Any) -> None:
    name = route.request.url.removeprefix(SERVER + "/").removeprefix("web/")
    if not name:
        route.fulfill(body=SHELL, content_type="text/html")
    elif name.endswith((".js", ".css")):
        kind = "text/javascript" if name.endswith(".js") else "text/css"
        route.fulfill(body=web_file(name), content_type=kind)
    else:
        route.fulfill(status=404)


def serve_film(browser: Any, film: Film, source: str = "{}", options: str = "{}", **page: Any) -> Opened:
    """The viewer's modules as a server sends them, with a film; source and options are JavaScript."""
    opened = open_page(browser, SERVER + "/", **page)
    opened.page.wait_for_function("() => globalThis.yard")
    opened.page.evaluate(
        f"""async ([head, blocks]) => {{
            const {{ Film, mount }} = globalThis.yard;
            const film = new Film(head, blocks);
            const source = {{ film: async () => film, ...({source}) }};
            globalThis.viewer = mount(document.getElementById("main"), source, {options});
            await globalThis.viewer.ready;
        }}""",
        [film.head, film.blocks],
    )
    return opened


GAME = "hive"  # where one game is enough
THEMES = ("light", "dark", "contrast", "colour-blind")


def page_file(folder: Path, film: Film, seat_films: tuple[Film, ...] = ()) -> Path:
    path = folder / "film.html"
    path.write_text(film_page(film, seat_films), encoding="utf-8")
    return path


def plain(frame: Frame) -> list[Any]:
    """A frame as the page tells it."""
    pieces = frame.picture.pieces[["id", "row", "col", "tile", "number"]].tolist()
    told = [frame.picture.grid.ravel().tolist(), [list(piece) for piece in pieces]]
    if frame.words is None:
        return [*told, "", []]
    return [*told, frame.words.headline, [list(values) for values in frame.words.numbers.values()]]


TELL = """(viewer, tick) => {
    const { grid, pieces, headline, numbers } = viewer.film.frame(tick);
    const rows = pieces.map(({ id, row, col, tile, number }) => [id, row, col, tile, number]);
    return [[...grid], rows, headline, numbers.filter((values) => values.length)];
}"""
