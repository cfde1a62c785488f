"""How long drawing takes in the browser: changed cells against a full redraw, on a board of 100×100 cells, in one run.

    PYTHONPATH=src python bench/viewer.py [--ticks 60] [--runs 5]

The film is made here: a hundred pieces wander over a board and leave trails, so that 116 cells of the grid change in a
tick, beside the pieces. The same viewer draws the same ticks both ways, by turns. The figure is the time of a tick in
the page's own thread, with what is drawn read back, so that nothing is put off: milliseconds, the median of all runs.
The bar is a ratio of 0.35.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from botyard.games.picture import Picture
from botyard.kernel.scene import PIECE, Tile, Words
from botyard.render.film import Film, FilmStock, tile_row
from botyard.render.page import film_page
from botyard.render.sprites import shared_sprites

SIDE = 100
WALKERS = 100
BAR = 0.35
DRAW = """async ([from, ticks, whole]) => {
    const { board, film } = viewer;
    const contexts = board.layers.slice(0, 2).map((canvas) => canvas.getContext("2d"));
    const settled = () => contexts.forEach((context) => context.getImageData(0, 0, 1, 1));
    const frames = Array.from({ length: ticks }, (_, at) => film.frame(from + at));
    board.draw(film.frame(from - 1));
    settled();
    const began = performance.now();
    for (const frame of frames) {
        if (whole) board.forget();
        board.draw(frame);
        settled();
    }
    return (performance.now() - began) / ticks;
}"""


def wandering(ticks: int) -> Film:
    """A film of pieces that walk at random and leave a trail for a while."""
    palette = (
        Tile(". ", "grass", "empty", "ground"),
        *(Tile("o", "trail", "trail", "snake-body", seat) for seat in range(4)),
        *(Tile("@", "head", "seat", "snake-head", seat) for seat in range(4)),
    )
    head: dict[str, Any] = {
        "format": "botyard-film", "version": 1, "game": "bench", "title": "Bench", "settings": {},
        "names": ["a", "b", "c", "d"], "rows": SIDE, "cols": SIDE, "palette": [tile_row(tile) for tile in palette],
        "sprites": shared_sprites(), "keys": [], "modes": [], "ticks_per_s": 8, "seat": None, "last": ticks,
        "outcome": None, "marks": [],
    }  # fmt: skip
    stock = FilmStock(head, ["points"])
    rng = np.random.default_rng(1)
    at = rng.integers(0, SIDE, (WALKERS, 2))
    trails: list[tuple[np.ndarray[Any, Any], ...]] = []
    for _ in range(ticks + 1):
        grid = np.zeros((SIDE, SIDE), np.uint16)
        trails = [*trails[-8:], (at[:, 0].copy(), at[:, 1].copy())]
        for rows, cols in trails:
            grid[rows, cols] = 1 + np.arange(WALKERS) % 4
        pieces = np.zeros(WALKERS, PIECE)
        pieces["id"], pieces["row"], pieces["col"] = np.arange(WALKERS), at[:, 0], at[:, 1]
        pieces["tile"] = 5 + np.arange(WALKERS) % 4
        stock.add(Picture(grid, pieces), Words("bench", {"points": (0, 0, 0, 0)}, ("",) * 4))
        at = (at + rng.integers(-1, 2, at.shape)) % SIDE
    return stock.film


def measure(page: Any, ticks: int, runs: int) -> tuple[float, float]:
    """Milliseconds of a tick, changed cells and all cells."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for run in range(runs):
        for whole in (False, True):
            times[whole].append(page.evaluate(DRAW, [1 + run * ticks, ticks, whole]))
    return statistics.median(times[False]), statistics.median(times[True])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ticks", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "film.html"
        file.write_text(film_page(wandering(asked.ticks * (asked.runs + 1))), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(file.as_uri())
        page.evaluate("() => viewer.ready.then(() => {})")
        measure(page, asked.ticks, 1)  # warm
        changed, whole = measure(page, asked.ticks, asked.runs)
        browser.close()
    ratio = changed / whole
    print(f"changed cells {changed:.2f} ms, all cells {whole:.2f} ms, ratio {ratio:.2f} (bar {BAR})")
    raise SystemExit(ratio > BAR)


if __name__ == "__main__":
    main()
