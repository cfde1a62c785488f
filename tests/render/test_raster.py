"""Ticks as pixels: the right colours at the right cells, films of the right length, and one palette for all frames."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageColor

from botyard.games.picture import Picture
from botyard.kernel.errors import YardError
from botyard.kernel.scene import PIECE, PictureSize, Tile, Words, picture_arrays
from botyard.render import gif, mp4
from botyard.render.caption import Caption
from botyard.render.footage import Shot, Tempo
from botyard.render.frames import Frame
from botyard.render.raster import Atlas, Easel, png_of
from botyard.render.shapes import shapes_of
from botyard.render.sprites import shared_sprites
from botyard.render.themes import theme_named
from botyard.render.tiles import drawn_tile
from tests.render.footage import HOSTILE, footage
from tests.waiting import PATIENCE_S

LIGHT = theme_named("light")
SNAKE = ("snake-body", "snake-body/1", "snake-corner", "snake-tail", "snake-head")


def rgb(colour: str) -> tuple[int, ...]:
    return ImageColor.getrgb(colour)


def nothing() -> None:
    """Watches nothing."""


def pixels(content: bytes) -> Any:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def test_cells_of_a_png_have_the_colours_of_the_theme() -> None:
    shots = footage(30)
    shot = next(iter(shots))
    easel = Easel(shots.head, LIGHT, 30 * 32)
    image = pixels(png_of(easel, shot))
    assert image.shape == (25 * 32 + easel.caption.height, 30 * 32, 3)
    board = image[easel.caption.height :]
    names = [row[3] for row in shots.head["palette"]]
    pieces = {(int(piece["row"]), int(piece["col"])) for piece in shot.frame.picture.pieces}
    for (row, col), tile in np.ndenumerate(shot.frame.picture.grid):
        # The middle of a flower is gold, a meadow has the colour of the ground at its left upper corner.
        cell = board[32 * row : 32 * row + 32, 32 * col : 32 * col + 32]
        if (row, col) in pieces:
            assert len(np.unique(cell.reshape(-1, 3), axis=0)) > 8
        elif names[tile] == "flower":
            assert tuple(cell[15, 16]) == rgb(LIGHT.colours["gold"])
        elif names[tile] == "meadow":
            assert tuple(cell[2, 2]) == rgb(LIGHT.colours["ground"])


@pytest.mark.parametrize("theme", ["light", "dark", "contrast", "colour-blind"])
def test_bees_have_the_colour_of_their_seat(theme: str) -> None:
    shots, look = footage(30), theme_named(theme)
    board = pixels(png_of(Easel(shots.head, look, 30 * 32), next(iter(shots))))
    for seat in (0, 1):
        assert (board == rgb(look.shades["own"][seat])).all(-1).sum() > 500
    assert not (board == rgb(look.shades["own"][2])).all(-1).any()


def test_a_piece_is_drawn_over_its_cell_and_the_last_of_two_is_on_top() -> None:
    snakes = (Tile("a", "body", "seat", "snake-body", 0), Tile("b", "body", "seat", "snake-body/1", 1))
    palette = (Tile(". ", "wall", "wall", "wall"), *snakes)
    grid, pieces = np.zeros((1, 2), np.uint16), np.zeros(2, PIECE)
    pieces["tile"] = [1, 2]
    atlas = Atlas(palette, shared_sprites(), LIGHT, 64)
    cells = atlas.cells(Picture(grid, pieces))
    both, plain = atlas.pixels()[cells[0, 0]], atlas.pixels()[cells[0, 1]]
    assert tuple(plain[20, 20]) == rgb(LIGHT.colours["wall"])
    assert tuple(both[8, 20]) == rgb(LIGHT.shades["own"][1])  # the upright body, over the wall and the other body
    assert tuple(both[20, 8]) == rgb(LIGHT.shades["own"][0])
    assert tuple(both[8, 8]) == rgb(LIGHT.colours["wall"])


@pytest.mark.parametrize("name", SNAKE)
def test_the_parts_of_a_snake_join_at_the_edges_of_cells(name: str) -> None:
    """Outline and skin of every part meet an edge of the cell where those of all others do."""
    shapes = shapes_of(Tile("s", "s", "seat", name, 0), shared_sprites(), LIGHT)
    outline, skin = (shape.points for shape in shapes[:2])
    joined = {"snake-body": ((0, 0), (0, 64)), "snake-body/1": ((1, 0), (1, 64)), "snake-corner": ((0, 64), (1, 0))}
    edges: dict[str, Any] = {**joined, "snake-tail": ((0, 64),), "snake-head": ((0, 0),)}
    for axis, at in edges[name]:
        for points, wanted in ((outline, {11, 53}), (skin, {15, 49})):
            assert {point[1 - axis] for point in points if point[axis] == at} == wanted


def test_quarter_turns_turn_a_sprite_clockwise_and_leave_the_emblem_upright() -> None:
    def one(sprite: str, seat: int) -> Any:
        return np.asarray(drawn_tile(shapes_of(Tile("s", "s", "seat", sprite, seat), shared_sprites(), LIGHT), 64))

    for turns in range(4):  # the emblem of seat 0 is a circle
        apart = np.abs(np.rot90(one("snake-head", 0), -turns).astype(int) - one("snake-head/1", 0)).mean()
        assert (apart < 2) == (turns == 1)
    triangle = one("snake-body/2", 2)
    light = (triangle[..., :3] == rgb(LIGHT.shades["own-light"][2])).all(-1)
    assert light[:32].sum() < light[32:].sum()  # it stands on its broad side, as unturned
    assert np.abs(triangle.astype(int) - one("snake-body", 2)).mean() < 1


@pytest.mark.parametrize(("size", "written"), [(32, True), (12, False)])
def test_a_number_is_written_on_its_piece_where_it_can_be_read(size: int, written: bool) -> None:
    palette = (Tile(". ", "wall", "wall", "wall"), Tile("a", "body", "seat", "snake-body", 0))
    drawings = []
    for number in (0, 7):
        grid, pieces = picture_arrays(PictureSize(1, 1, 1))
        pieces["tile"], pieces["number"] = 1, number
        atlas = Atlas(palette, shared_sprites(), LIGHT, size)
        cells = atlas.cells(Picture(grid, pieces))
        drawings.append(atlas.pixels()[cells[0, 0]])
    assert np.array_equal(*drawings) != written


def test_the_gif_shows_every_tick_as_the_png_does() -> None:
    ticks = tuple(range(40))
    shots = footage(*ticks)
    film = Image.open(io.BytesIO(gif.gif_of(shots, Easel(shots.head, LIGHT, 240), 10, nothing)))
    easel, frames = Easel(shots.head, LIGHT, 240), []
    for at in range(film.n_frames):  # type: ignore[attr-defined]
        film.seek(at)
        frames.append(np.asarray(film.convert("RGB")).astype(int))
    assert len(frames) == len(ticks)
    for frame, shot in zip(frames, shots, strict=True):
        wanted = np.asarray(easel.painted(shot)).astype(int)
        board = slice(easel.caption.height, None)
        assert np.abs(frame[board] - wanted[board]).max() <= 40  # edges may share a colour of the palette
        assert (frame[board] == wanted[board]).mean() > 0.98
        assert np.abs(frame - wanted).max() <= 100


def test_the_gif_takes_as_long_as_its_ticks_and_holds_the_last() -> None:
    shots = footage(*range(21))
    film: Any = Image.open(io.BytesIO(gif.gif_of(shots, Easel(shots.head, LIGHT, 120), 8, nothing)))
    lengths = []
    for at in range(film.n_frames):
        film.seek(at)
        lengths.append(film.info["duration"])
    assert sum(lengths) == pytest.approx(21 / 8 * 1000 + 10 * gif.HOLD_CS, abs=10)
    assert film.info["loop"] == 0


def test_equal_frames_become_one_that_stays_longer() -> None:
    shots = footage(*range(30), seat=0)
    once = [shot for shot in footage(5, seat=0) for _ in range(4)]

    class Still:
        head = shots.head

        def __len__(self) -> int:
            return len(once)

        def __iter__(self) -> Any:
            return iter(once)

    film: Any = Image.open(io.BytesIO(gif.gif_of(Still(), Easel(shots.head, LIGHT, 120), 10, nothing)))
    assert film.n_frames == 1
    assert film.info["duration"] == 400 + 10 * gif.HOLD_CS


def test_many_colours_become_a_palette_with_those_of_the_theme_as_they_are() -> None:
    edges = np.arange(0, 0xFFFFFF, 4099, dtype=np.int32)
    own = gif.packed(np.array([rgb(LIGHT.colours["ground"]), rgb(LIGHT.shades["own"][3])], np.uint8))
    weights = np.ones(len(edges) + 2, np.int64)
    weights[77] = 2  # seen more often than the others
    fixed = np.array([3], np.int32)
    palette = gif.palette_of(np.concatenate([edges, own]), weights, fixed, LIGHT)
    assert len(palette) <= gif.COLOURS
    assert {*own.tolist(), 3, int(edges[77])} <= set(palette.tolist())
    few = np.array([1, 9, 5, 9], np.int32)
    assert gif.palette_of(few, np.ones(4, np.int64), fixed, LIGHT).tolist() == [1, 3, 5, 9]


def test_three_hundred_frames_take_a_second_or_two() -> None:
    ticks = [tick % 60 for tick in range(300)]
    shots = list(footage(*range(60)))
    long: Any = Repeated(footage(0).head, [shots[tick] for tick in ticks])
    started = time.process_time()
    content = gif.gif_of(long, Easel(long.head, LIGHT, 480), 10, nothing)
    assert time.process_time() - started < 5  # half a second on an idle machine
    assert len(content) < 600_000


class Repeated:
    def __init__(self, head: dict[str, Any], shots: list[Shot]) -> None:
        self.head, self._shots = head, shots

    def __len__(self) -> int:
        return len(self._shots)

    def __iter__(self) -> Any:
        return iter(self._shots)


@pytest.mark.parametrize(
    ("ticks_per_s", "stride", "frames"), [(10, 1, 10), (50, 1, 50), (51, 2, 25.5), (200, 4, 50), (0.5, 1, 0.5)]
)
def test_fast_films_leave_ticks_out(ticks_per_s: float, stride: int, frames: float) -> None:
    assert Tempo.of(ticks_per_s, 50) == (stride, frames)


@pytest.mark.parametrize("names", [("x" * 300, "y"), (HOSTILE, ""), ("日本語の名前", "ж" * 40)])
def test_long_and_strange_names_stay_in_their_column(names: tuple[str, ...]) -> None:
    shots = footage(30, names=names)
    easel = Easel(shots.head, LIGHT, 480)
    shot = next(iter(shots))
    labels = list(easel.caption.labels(shot.frame.words, shot.tick))
    for label in labels:
        width = easel.caption._measure(label.text, label.bold)
        left = label.x - width if label.ends else label.x
        assert left >= 0
        assert left + width <= easel.size[0]
    seats = [label for label in labels[2:] if not label.ends]
    assert seats[0].x + easel.caption._measure(seats[0].text, True) < seats[1].x
    assert png_of(easel, shot).startswith(b"\x89PNG")


def test_many_seats_have_several_rows_and_points_come_before_the_rest() -> None:
    head = {"names": [f"bot {seat}" for seat in range(15)], "title": "Yard", "seat": None}
    caption = Caption(head, 480, 14, lambda text, bold: 8 * len(text))
    words = Words("round 1", {"points": tuple(range(15)), "length": (3,) * 15}, ("asleep",) * 15)
    lines = [label.text for label in caption.labels(words, 4)]
    assert lines[:4] == ["Yard", "round 1", "bot 0", "points 0"]
    assert len({badge.y for badge in caption.badges()}) == 8
    assert max(badge.y + badge.side for badge in caption.badges()) <= caption.height


def test_a_video_has_every_frame(tmp_path: Path) -> None:
    try:
        ffmpeg = mp4.find_ffmpeg()
    except YardError:
        pytest.skip("no ffmpeg here")
    shots = footage(*range(20))
    (tmp_path / "film.mp4").write_bytes(mp4.mp4_of(shots, Easel(shots.head, LIGHT, 241), 10, nothing))
    command = [ffmpeg, "-v", "error", "-i", str(tmp_path / "film.mp4"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_S).stdout
    easel = Easel(shots.head, LIGHT, 241)
    width, height = (side + side % 2 for side in easel.size)
    frames = np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)
    assert len(frames) == 20 + mp4.HOLD_S * 10
    wanted = np.asarray(easel.painted(next(iter(shots)))).astype(int)
    shown = frames[0][: wanted.shape[0], : wanted.shape[1]]
    assert np.abs(shown - wanted).mean() < 4  # videos are never exact


def test_where_there_is_no_ffmpeg_its_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(YardError, match="needs ffmpeg") as told:
        mp4.find_ffmpeg()
    assert "apt install ffmpeg" in told.value.hint


def test_an_ffmpeg_that_fails_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho 'Unknown encoder \033[1m' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    shots = footage(*range(5))
    with pytest.raises(YardError, match="could not make a video") as told:
        mp4.mp4_of(shots, Easel(shots.head, LIGHT, 480), 10, nothing)
    assert told.value.hint.startswith("Unknown encoder ·[1m")


def test_a_frame_without_words_says_whose_view_it_is() -> None:
    shots = footage(10, seat=1)
    shot = next(iter(shots))
    assert shot.frame.words is None
    told = [
        label.text for label in Easel(shots.head, LIGHT, 480).caption.labels(Frame(shot.frame.picture, None).words, 10)
    ]
    assert told[:4] == ["Hive Arena", "tick 10, as bob saw it", "ann", ""]
