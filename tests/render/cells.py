"""The cells of a board as Python knows them, and what a page shows of them."""

from __future__ import annotations

from collections.abc import Iterable

from botyard.games.picture import Picture, camera_of
from botyard.kernel.scene import Tile
from botyard.match.replay import Replay
from botyard.render.film import Film

# Cells whose pixels are not those of their tiles; given the tiles of every cell from the ground up. The whole board is
# read at once, which is a hundred times faster than cell by cell; one cell is read by itself, too.
WRONG_CELLS = """(viewer, stacks) => {
    const { board, atlas: { size }, atlas, film: { head: { rows, cols } } } = viewer;
    const whole = new OffscreenCanvas(cols * size, rows * size).getContext("2d", { willReadFrequently: true });
    for (const layer of board.layers.slice(0, 2)) whole.drawImage(layer, 0, 0);
    const shown = new Uint32Array(whole.getImageData(0, 0, cols * size, rows * size).data.buffer);
    const known = new Map();
    const wanted = (stack) => {
        const key = stack.join();
        if (!known.has(key)) known.set(key, new Uint32Array(new Uint8ClampedArray(atlas.pixels(...stack)).buffer));
        return known.get(key);
    };
    const single = Math.floor(stacks.length / 2);
    const pixels = board.cellPixels(Math.floor(single / cols), single % cols);
    if (!atlas.pixels(...stacks[single]).every((byte, at) => byte === pixels[at])) return [single];
    return stacks.flatMap((stack, cell) => {
        const start = Math.floor(cell / cols) * size * cols * size + (cell % cols) * size;
        const place = (at) => start + Math.floor(at / size) * cols * size + (at % size);
        return wanted(stack).every((pixel, at) => shown[place(at)] === pixel) ? [] : [cell];
    });
}"""

# Cells of the text board that say something else than they should: given sign and sentence of every cell, row by row.
WRONG_WORDS = """(viewer, told) => {
    const rows = [...document.querySelectorAll(".by-table tbody tr")].map((row) => [...row.querySelectorAll("td")]);
    if (rows.length !== told.length) return [`${rows.length} rows`];
    return told.flatMap((wanted, row) => {
        if (rows[row].length !== wanted.length) return [`row ${row} has ${rows[row].length} cells`];
        return wanted.flatMap(([sign, words], col) => {
            const [shown, said] = [...rows[row][col].children].map((part) => part.textContent);
            return shown === sign && said === words ? [] : [[shown, said]];
        });
    });
}"""


def boards(replay: Replay, seat: int | None, ticks: Iterable[int]) -> dict[int, Picture]:
    """The boards of some ticks, or what a seat saw of them, by playing the game again: no film is asked."""
    wanted, found = set(ticks), {}
    seen: Picture | None = None
    for tick, (game, _) in enumerate(replay.play()):
        if seat is None:
            seen = camera_of(game).take(game) if tick in wanted else None
        elif seat in game.asked or seen is None:  # who is not asked knows what it knew before
            seen = camera_of(game).take_view(game, game.view(seat))
        if tick in wanted and seen is not None:
            found[tick] = seen
    assert found.keys() == wanted
    return found


def stacks(picture: Picture) -> list[list[int]]:
    """The tiles of every cell from the ground up."""
    cells = [[tile] for tile in picture.grid.ravel().tolist()]
    for piece in picture.pieces:
        cells[int(piece["row"]) * picture.grid.shape[1] + int(piece["col"])].append(int(piece["tile"]))
    return cells


def told_cells(film: Film, picture: Picture) -> list[list[list[str]]]:
    """The text board by Python: sign and sentence of every cell."""
    palette, names, cells = film.palette, film.head["names"], iter(stacks(picture))
    rows, cols = picture.grid.shape
    return [[told_cell(palette, names, row, col, next(cells)) for col in range(cols)] for row in range(rows)]


def told_cell(palette: tuple[Tile, ...], names: list[str], row: int, col: int, stack: list[int]) -> list[str]:
    layers = [palette[tile] for tile in stack]
    if len(layers) > 1 and layers[0].style in ("empty", "unknown"):
        del layers[0]
    said = [tile.name + (f" of {names[tile.seat]}" if tile.seat >= 0 else "") for tile in reversed(layers)]
    return [palette[stack[-1]].glyph.strip(), f"row {row}, column {col}: {', over '.join(said)}"]
