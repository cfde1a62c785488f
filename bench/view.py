"""From `botyard view REPLAY` to the first paint: `PYTHONPATH=src python bench/view.py [GAME ...]`

A game among house bots, as long as 500 ticks, is written as a replay. Then the command is started anew several times,
with everything on disk and a browser that runs already. Milliseconds from the start of the process: until it prints its
address; until the script of the page has drawn the board; until the browser has painted something of the page, as it
says itself. The best of five runs, one JSON object per game. The bar is 2 s for the paint.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from botyard.games import OWN_GAMES, load
from botyard.testing.random_games import house_replay

TICKS = 500
RUNS = 5
BAR_MS = 2000
COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "view"]
# Milliseconds since the page was asked for: the first paint with anything on it, and when the board was drawn, which is
# not yet on the screen then. The browser tells of a paint a while after it.
PAINTED = """async () => {
    const first = new Promise((done) => {
        new PerformanceObserver((list) => {
            const [entry] = list.getEntriesByName("first-contentful-paint");
            if (entry) done(entry.startTime);
        }).observe({ type: "paint", buffered: true });
    });
    while (!globalThis.viewer) await new Promise(requestAnimationFrame);
    await viewer.ready;
    const drawn = performance.now();
    const late = () => new Error("the browser tells of no paint");
    const never = new Promise((done, fail) => setTimeout(() => fail(late()), 10000));
    return [await Promise.race([first, never]), drawn];
}"""


class Shown(NamedTuple):
    paint_ms: int
    drawn_ms: int
    address_ms: int


def show(browser: Any, path: Path) -> Shown:
    began = time.perf_counter()
    command = [*COMMAND, str(path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip().rpartition(" ")[2]
        printed = 1000 * (time.perf_counter() - began)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address, wait_until="commit")
        paint, drawn = page.evaluate(PAINTED)
        page.close()
        running.send_signal(signal.SIGINT)
    return Shown(round(printed + paint), round(printed + drawn), round(printed))


def main() -> None:
    from playwright.sync_api import sync_playwright

    slowest = 0
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in sys.argv[1:] or OWN_GAMES:
            book = load(game)
            path = Path(folder) / f"{game}.replay"
            house_replay(book, book.settings().seated(book.facts.usual_seats), TICKS).write(path)
            best = min(show(browser, path) for _ in range(RUNS + 1))  # the first fills caches
            slowest = max(slowest, best.paint_ms)
            print(json.dumps({"game": game, **best._asdict()}), flush=True)
        browser.close()
    raise SystemExit(slowest > BAR_MS)


if __name__ == "__main__":
    main()
