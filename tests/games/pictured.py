"""What holds for the pictures of every game, and pictures as text."""

from __future__ import annotations

from botyard.games.game import Game
from botyard.games.picture import Picture, camera_of
from botyard.kernel.scene import KeyPad


def taken(game: Game) -> Picture:
    """The picture of a position, after a look at its laws."""
    return lawful(game, camera_of(game).take(game))


def seen(game: Game, seat: int) -> Picture:
    """The picture of a seat's view, after a look at its laws."""
    return lawful(game, camera_of(game).take_view(game, game.view(seat)))


def lawful(game: Game, picture: Picture) -> Picture:
    camera = camera_of(game)
    assert picture.grid.shape == (camera.size.rows, camera.size.cols)
    assert len(picture.pieces) <= camera.size.pieces
    ids = picture.pieces["id"].tolist()
    assert len(set(ids)) == len(ids)
    for axis, size in (("row", camera.size.rows), ("col", camera.size.cols)):
        assert all(0 <= at < size for at in picture.pieces[axis].tolist())
    assert max([*picture.grid.ravel().tolist(), *picture.pieces["tile"].tolist()]) < len(camera.palette)
    return picture


def glyphs(game: Game, picture: Picture) -> list[list[str]]:
    """What a terminal shows of a picture."""
    tiles = camera_of(game).palette
    return [[tiles[number].glyph.strip() for number in row] for row in picture.stamped().tolist()]


def as_text(game: Game, picture: Picture) -> str:
    """A picture as tests draw it: one blank between cells."""
    return "\n".join(" ".join(row) for row in glyphs(game, picture))


def keyed_orders(pad: KeyPad) -> list[str]:
    """Every order that a person can give."""
    assert all(len(key.orders) == len(pad.modes) for key in pad.keys)
    places = [(key.row, key.col) for key in pad.keys]
    assert len(set(places)) == len(places)
    taps = [mode.tap for mode in pad.modes if mode.tap]
    names = [*(name for key in pad.keys for name in key.names), *taps]
    assert len(set(names)) == len(names)
    return [order for key in pad.keys for order in key.orders]
