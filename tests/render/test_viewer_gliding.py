"""Pieces glide while a machine keeps up with it and a person likes it, and not any longer, in the midst of playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.render.page import film_page
from tests.render.pages import Opened, chromium, filmed, open_film

pytestmark = pytest.mark.long  # test_viewer_use.py asks in every run whether pieces would glide
FRAMES = 30
# A clock that goes on by so many milliseconds whenever it is asked, a count of what glided, and frames at our bidding.
REHEARSE = """(viewer, lasts) => {
    let now = 0;
    performance.now = () => (now += lasts);
    viewer.glided = 0;
    const { board } = viewer;
    const glide = board.glide.bind(board);
    board.glide = (...frame) => { viewer.glided += 1; glide(...frame); };
    globalThis.waiting = null;
    globalThis.requestAnimationFrame = (draw) => { globalThis.waiting = draw; return 1; };
    globalThis.cancelAnimationFrame = () => { globalThis.waiting = null; };
    globalThis.shown = 0;
    viewer.loop = true;
    viewer.setSpeed(0.25);
    viewer.play();
}"""
# Draws some frames, so many milliseconds apart.
DRAW = """(viewer, frames, apart) => {
    const before = viewer.glided;
    for (let frame = 0; frame < frames; frame += 1) globalThis.waiting(globalThis.shown += apart);
    return viewer.glided - before;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def film(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    path = tmp_path / "film.html"
    path.write_text(film_page(filmed("hive").film), encoding="utf-8")
    opened = open_film(browser, path, "#t=1", reduced_motion="no-preference")
    yield opened
    assert opened.troubles == []
    opened.page.close()


def gliding(opened: Opened) -> bool:
    return bool(opened.run("(viewer) => viewer.playback.gliding"))


def test_gliding_goes_on_while_frames_are_drawn_in_time(film: Opened) -> None:
    film.run(REHEARSE, 16)
    assert film.run(DRAW, FRAMES, 16) > FRAMES // 2
    assert gliding(film)


def test_gliding_ends_with_the_first_frame_that_takes_longer_than_the_screen(film: Opened) -> None:
    film.run(REHEARSE, 17)
    assert film.run(DRAW, FRAMES, 16) == 1
    assert not gliding(film)
    tick = film.run("(viewer) => viewer.tick")
    film.run(DRAW, FRAMES, 100)
    assert film.run("(viewer) => [viewer.playing, viewer.tick]") != [True, tick], "it plays on without gliding"


def test_gliding_ends_where_frames_come_too_seldom(film: Opened) -> None:
    film.run(REHEARSE, 1)
    assert 0 < film.run(DRAW, FRAMES, 40) < FRAMES // 2
    assert not gliding(film)


def test_gliding_ends_when_somebody_asks_for_less_motion(film: Opened) -> None:
    film.run(REHEARSE, 1)
    assert film.run(DRAW, 5, 16) > 0
    film.page.emulate_media(reduced_motion="reduce")
    assert film.run(DRAW, FRAMES, 16) == 0
    assert not gliding(film)
    film.page.emulate_media(reduced_motion="no-preference")
    assert film.run(DRAW, 5, 16) > 0
