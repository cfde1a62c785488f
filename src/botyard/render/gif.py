"""This module writes GIFs: one palette for all frames, and of every frame only what changed.

Every drawing of the atlas is turned into numbers of the palette once, so a frame is put together by copying numbers.
Pillow packs the pixels; the file around them is written here, because Pillow would look for a palette, and for what
changed, in each frame anew.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from botyard.render.footage import Footage, Shot
from botyard.render.raster import Easel, Pixels, assembled
from botyard.render.themes import Theme

MOST_FRAMES_PER_S = 50  # browsers show faster ones slowly
COLOURS = 255  # and one number for what did not change
UNCHANGED = 255
RAMP = 8  # shades from the colour of the page to that of text
HOLD_CS = 200  # how long the last frame stays, in hundredths of a second
REPEAT = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # for ever


def gif_of(footage: Footage, easel: Easel, frames_per_s: float, watch: Callable[[], None]) -> bytes:
    """Returns footage as a GIF file. `watch` is called after every shot."""
    for shot in footage:
        easel.atlas.cells(shot.frame.picture)  # so that all drawings are there when colours are chosen
    paint = PaintBox(easel)
    file = bytearray(b"GIF89a" + struct.pack("<HHBBB", *easel.size, 0xF7, 0, 0) + paint.table + REPEAT)
    last: Pixels | None = None
    pending, waited = b"", 0  # a frame is written when it is known how long it stays
    for at, shot in enumerate(footage):
        indexes = paint.frame(shot)
        if last is None or not np.array_equal(last, indexes):
            file += delayed(pending, waited)
            pending, waited, last = changed_part(last, indexes), 0, indexes
        waited += round(100 * (at + 1) / frames_per_s) - round(100 * at / frames_per_s)
        watch()
    file += delayed(pending, waited + HOLD_CS)
    return bytes(file + b";")


def delayed(image: bytes, hundredths: int) -> bytes:
    """Returns the image with how long it stays; what is left free shows the frame before."""
    if not image:
        return b""
    return struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0b101, min(hundredths, 0xFFFF), UNCHANGED, 0) + image


def changed_part(before: Pixels | None, indexes: Pixels) -> bytes:
    """Returns the smallest rectangle with all that changed."""
    top, left, part = 0, 0, indexes
    if before is not None:
        changed = before != indexes
        rows, cols = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
        top, left = int(rows[0]), int(cols[0])
        window = slice(top, rows[-1] + 1), slice(left, cols[-1] + 1)
        part = np.where(changed, indexes, np.uint8(UNCHANGED))[window]
    height, width = part.shape
    packed = Image.frombytes("P", (width, height), part.tobytes()).tobytes("gif", "P", 8)
    return struct.pack("<BHHHHBB", 0x2C, left, top, width, height, 0, 8) + packed + b"\0"


class PaintBox:
    """The palette of a GIF, and the drawings of an easel as numbers of it."""

    def __init__(self, easel: Easel) -> None:
        self._easel = easel
        page, text = (np.array(ImageColor.getrgb(easel.theme.colours[name])) for name in ("page", "text"))
        shares = np.linspace(0, 1, RAMP)[:, None]
        ramp = np.rint(page + (text - page) * shares).astype(np.uint8)
        drawings = easel.atlas.pixels()
        blank = np.broadcast_to(ramp[0], (easel.caption.height, easel.size[0], 3))
        badges = easel.badges_on(np.ascontiguousarray(blank))
        self._palette = palette_of(packed(drawings), packed(badges), packed(ramp), theme=easel.theme)
        self.table = colour_table(self._palette)
        self._drawings = self._indexes(drawings)
        self._ramp = self._indexes(ramp)
        self._badges = self._indexes(badges)
        self._is_badge = (badges != ramp[0]).any(-1)

    def frame(self, shot: Shot) -> Pixels:
        shades = (self._easel.written(shot).astype(np.uint16) * (RAMP - 1) + 127) // 255
        caption = np.where(self._is_badge, self._badges, self._ramp[shades])
        return np.concatenate([caption, assembled(self._drawings, self._easel.atlas.cells(shot.frame.picture))])

    def _indexes(self, pixels: Pixels) -> Pixels:
        """Returns the nearest colour of the palette for every pixel."""
        colours, places = np.unique(packed(pixels), return_inverse=True)
        own = unpacked(self._palette).astype(np.int32)
        nearest = [int(((own - colour) ** 2).sum(1).argmin()) for colour in unpacked(colours).astype(np.int32)]
        found: Pixels = np.array(nearest, np.uint8)[places].reshape(pixels.shape[:-1])
        return found


def packed(pixels: Pixels) -> NDArray[np.int32]:
    red, green, blue = (pixels[..., channel].astype(np.int32) for channel in range(3))
    return (red << 16) | (green << 8) | blue


def unpacked(colours: NDArray[np.int32]) -> Pixels:
    return np.stack([colours >> 16, (colours >> 8) & 255, colours & 255], axis=-1).astype(np.uint8)


def palette_of(*pixels: NDArray[np.int32], theme: Theme) -> NDArray[np.int32]:
    """Returns all colours if there are few; else those of the theme as they are, and the best for the edges between."""
    seen = np.unique(np.concatenate([part.ravel() for part in pixels]))
    if len(seen) <= COLOURS:
        return seen
    named = packed(np.array([ImageColor.getrgb(colour) for colour in plain_colours(theme)], np.uint8))
    exact, edges = np.intersect1d(seen, named), np.setdiff1d(seen, named)
    picture = Image.fromarray(unpacked(edges)[None])
    few = picture.quantize(COLOURS - len(exact), Image.Quantize.MEDIANCUT, kmeans=1).convert("RGB")
    return np.union1d(exact, packed(np.asarray(few)))


def plain_colours(theme: Theme) -> Iterator[str]:
    yield from theme.colours.values()
    for shades in theme.shades.values():
        yield from shades


def colour_table(palette: NDArray[np.int32]) -> bytes:
    return unpacked(palette).tobytes().ljust(3 * 256, b"\0")
