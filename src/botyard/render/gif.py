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
EXACT = 192  # of them, at most, taken as they are
UNCHANGED = 255
RAMP = 8  # shades from the colour of the page to that of text
HOLD_CS = 200  # how long the last frame stays, in hundredths of a second
REPEAT = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # for ever


def gif_of(footage: Footage, easel: Easel, frames_per_s: float, watch: Callable[[], None]) -> bytes:
    """Returns footage as a GIF file. `watch` is called after every shot."""
    paint = PaintBox(easel, times_seen(footage, easel))
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


def times_seen(footage: Footage, easel: Easel) -> NDArray[np.int64]:
    """Has all drawings made, and returns on how many cells each of them is seen."""
    seen: NDArray[np.int64] = np.zeros(0, np.int64)
    for shot in footage:
        counts = np.bincount(easel.atlas.cells(shot.frame.picture).ravel())
        seen = np.pad(seen, (0, max(len(counts) - len(seen), 0)))
        seen[: len(counts)] += counts
    return seen


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

    def __init__(self, easel: Easel, seen: NDArray[np.int64]) -> None:
        self._easel = easel
        page, text = (np.array(ImageColor.getrgb(easel.theme.colours[name])) for name in ("page", "text"))
        shares = np.linspace(0, 1, RAMP)[:, None]
        ramp = np.rint(page + (text - page) * shares).astype(np.uint8)
        drawings = easel.atlas.pixels()
        blank = np.broadcast_to(ramp[0], (easel.caption.height, easel.size[0], 3))
        badges = easel.badges_on(np.ascontiguousarray(blank))
        fixed = np.concatenate([packed(badges).ravel(), packed(ramp)])
        weights = np.repeat(seen, drawings[0, ..., 0].size)
        self._palette = palette_of(packed(drawings).ravel(), weights, fixed, easel.theme)
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


def palette_of(
    pixels: NDArray[np.int32], weights: NDArray[np.int64], fixed: NDArray[np.int32], theme: Theme
) -> NDArray[np.int32]:
    """Returns all colours if there are few.

    Else those that are fixed, those of the theme and those seen most are taken as they are, and for all others, which
    are shades between two of these at edges, the best that there is room for.
    """
    colours, places = np.unique(pixels, return_inverse=True)
    exact = np.unique(fixed)
    if len(np.union1d(colours, exact)) <= COLOURS:
        return np.union1d(colours, exact)
    named = packed(np.array([ImageColor.getrgb(colour) for colour in plain_colours(theme)], np.uint8))
    exact = np.union1d(exact, np.intersect1d(colours, named))
    often = colours[np.argsort(-np.bincount(places, weights), kind="stable")]
    often = often[~np.isin(often, exact)]
    taken = max(EXACT - len(exact), 0)
    exact, rest = np.union1d(exact, often[:taken]), often[taken:]
    few = Image.fromarray(unpacked(rest)[None]).quantize(COLOURS - len(exact), Image.Quantize.MEDIANCUT, kmeans=1)
    return np.union1d(exact, packed(np.asarray(few.convert("RGB"))))


def plain_colours(theme: Theme) -> Iterator[str]:
    yield from theme.colours.values()
    for shades in theme.shades.values():
        yield from shades


def colour_table(palette: NDArray[np.int32]) -> bytes:
    return unpacked(palette).tobytes().ljust(3 * 256, b"\0")
