"""Draws what is what in every game: a sheet of its tiles with their names, for the game's page.

.venv/bin/python tools/tile_sheets.py docs/pictures
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from botyard.games import OWN_GAMES, load
from botyard.games.picture import camera_for, legend_of
from botyard.kernel.rulebook import Rulebook
from botyard.render.shapes import shapes_of
from botyard.render.sprites import SIDE, sprites_for
from botyard.render.svg import FONT, element
from botyard.render.themes import theme_named

CELL, COLUMN, COLUMNS, ROW, TEXT = 40, 290, 3, 52, 16


def sheet(book: Rulebook) -> str:
    palette = camera_for(book, book.settings().seated(book.facts.usual_seats)).palette
    tiles, theme = legend_of(palette), theme_named("light")
    sprites = sprites_for(book, tiles)
    height = ROW * -(-len(tiles) // COLUMNS)

    def entries() -> Iterator[str]:
        for at, tile in enumerate(tiles):
            x, y = at % COLUMNS * COLUMN + 6, at // COLUMNS * ROW + 6
            drawn = "".join(map(element, shapes_of(tile, sprites, theme)))
            ground = f'<rect width="{SIDE}" height="{SIDE}" fill="{theme.colours["ground"]}"/>'
            yield f'<g transform="translate({x} {y}) scale({CELL / SIDE})">{ground}{drawn}</g>'
            yield f'<text x="{x + CELL + 10}" y="{y + CELL / 2 + TEXT / 3:g}">{escape(tile.name)}</text>'

    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMN * COLUMNS} {height}" '
            f'width="{COLUMN * COLUMNS}" height="{height}" font-family="{FONT}" font-size="{TEXT}" '
            f'fill="{theme.colours["text"]}" role="img"><title>The tiles of {escape(book.facts.title)}</title>',
            f'<rect width="{COLUMN * COLUMNS}" height="{height}" fill="{theme.colours["page"]}"/>',
            *entries(),
            "</svg>\n",
        ]
    )


def main(folder: Path) -> None:
    for name in OWN_GAMES:
        (folder / f"{name}-tiles.svg").write_text(sheet(load(name)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
