"""The viewer in a real browser: what it shows is what Python knows, cell by cell, whichever way one comes there."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

from tests.render.cells import WRONG_CELLS, stacks
from tests.render.pages import GAME, TELL, filmed, open_film, page_file, plain

ROUNDING = 1  # of 255 steps


def some_ticks(last: int, count: int) -> list[int]:
    """The first and the last, and others to and fro."""
    return [last, 0, *random.Random(3).choices(range(last + 1), k=count)]


def test_a_frame_in_the_browser_is_the_frame_in_python_in_any_order(browser: Any, tmp_path: Path, game: str) -> None:
    told = filmed(game)
    opened = open_film(browser, page_file(tmp_path, told.film, told.seat_films))
    for seat in (None, *range(len(told.seat_films))):
        opened.run("(viewer, seat) => viewer.show(seat)", seat)
        expected = told.frames(seat)
        for tick in some_ticks(told.film.head["last"], 12):
            assert opened.run(TELL, tick) == plain(expected[tick]), f"seat {seat}, tick {tick}"
    assert opened.troubles == []
    opened.page.close()


def test_tiles_can_be_told_apart_and_a_wrong_cell_is_noticed(browser: Any, file: Path) -> None:
    opened = open_film(browser, file, "#t=3")
    expected = stacks(filmed(GAME).frames(None)[3].picture)
    odd = next(cell for cell, stack in enumerate(expected) if len(stack) > 1)
    expected[odd] = expected[odd][:1]
    assert opened.run(WRONG_CELLS, expected) == [odd]
    tiles = range(len(filmed(GAME).film.palette))
    looks = opened.run("(viewer, tiles) => tiles.map((tile) => viewer.atlas.pixels(tile).join())", list(tiles))
    assert len(set(looks)) == len(looks)
    opened.page.close()


SEEN = """async (viewer, shot, row, col) => {
    const bytes = Uint8Array.from(atob(shot), (sign) => sign.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const { size } = viewer.atlas;
    const canvas = new OffscreenCanvas(size, size);
    const box = viewer.board.stage.getBoundingClientRect();
    canvas.getContext("2d").drawImage(picture, -(box.left + col * size), -(box.top + row * size));
    return [...canvas.getContext("2d").getImageData(0, 0, size, size).data];
}"""


def test_the_screen_shows_the_pixels_of_the_atlas(browser: Any, file: Path) -> None:
    """A screenshot comes by way of the compositor, which may round where a piece lies over the ground."""
    opened = open_film(browser, file, "#t=3")
    shot = base64.b64encode(opened.page.screenshot()).decode()
    picture = filmed(GAME).frames(None)[3].picture
    cells = stacks(picture)
    busy = [cell for cell, stack in enumerate(cells) if len(stack) > 1][:3]
    for cell in (0, len(cells) - 1, *busy):
        row, col = divmod(cell, picture.grid.shape[1])
        seen = opened.run(SEEN, shot, row, col)
        wanted = opened.run("(viewer, stack) => [...viewer.atlas.pixels(...stack)]", cells[cell])
        assert max(abs(a - b) for a, b in zip(seen, wanted, strict=True)) <= ROUNDING, f"row {row}, column {col}"
    opened.page.close()
