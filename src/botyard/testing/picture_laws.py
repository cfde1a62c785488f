"""The laws of pictures, words, keys and films."""

from __future__ import annotations

import re
import unicodedata
from typing import get_args

import numpy as np

from botyard.games.game import Game
from botyard.games.picture import Picture, camera_for, camera_of, words_of
from botyard.kernel.records import record_of
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.scene import NOBODY, TileStyle, Words, picture_arrays
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.render.film import BLOCK, Film
from botyard.render.frames import frames
from botyard.testing.random_games import SEED, Law, random_game, random_replay, sample_settings

FILMED = BLOCK + 30  # ticks of a game that is filmed: more than a block
SPRITE = re.compile(r"[a-z-]+(/[0-3])?")


def every_picture_fits_the_board_and_the_palette(book: Rulebook) -> None:
    for game in random_game(book):
        camera = camera_of(game)
        for picture in (camera.take(game), *(camera.take_view(game, game.view(seat)) for seat in game.asked)):
            pieces, size = picture.pieces, camera.size
            assert picture.grid.max() < len(camera.palette), "a cell has a number that is not in the palette"
            assert len(pieces) <= size.pieces, "there are more pieces than the picture's size has room for"
            assert len({*pieces["id"].tolist()}) == len(pieces), "two pieces have one id"
            assert bool((pieces["tile"] < len(camera.palette)).all()), "a piece has a tile that is not in the palette"
            for axis, bound in (("row", size.rows), ("col", size.cols)):
                inside = (pieces[axis] >= 0) & (pieces[axis] < bound)
                assert bool(inside.all()), f"a piece has a {axis} outside the board"


def a_picture_shows_the_position_and_nothing_else(book: Rulebook) -> None:
    """It depends neither on chance, which would tell the future, nor on what the grid held before."""
    for game in random_game(book):
        other = game.copy()
        other.state.chance.word[:] ^= 0x5A5A5A5A
        picture = camera_of(game).take(game)
        assert picture == camera_of(other).take(other), "a picture depends on chance"
        assert picture == on_a_used_grid(book, game, "picture"), "a picture leaves cells out"


def a_seat_is_shown_its_view_and_nothing_else(book: Rulebook) -> None:
    if not camera_for(book, sample_settings(book)).has_seat_pictures:
        assert not sample_settings(book).habits.hides, "a view hides something, so a seat has to have its own picture"
        return
    start = Game(book, sample_settings(book), SEED + 1)
    for game in random_game(book):
        for seat in game.asked:
            shown = camera_of(game).take_view(game, game.view(seat))
            assert shown == camera_of(start).take_view(start, game.view(seat)), "a seat is shown more than its view"
            assert shown == on_a_used_grid(book, game, "seat_picture", seat), "a seat's picture leaves cells out"


def on_a_used_grid(book: Rulebook, game: Game, loop: str, seat: int | None = None) -> Picture:
    """Takes a picture on a grid that is full of other numbers."""
    grid, pieces = picture_arrays(camera_of(game).size)
    grid[:] = np.iinfo(grid.dtype).max
    shown = game.arrays[1] if seat is None else game.view(seat).array
    take = getattr(book.picture_loops, f"{loop}_at")
    count = take(opened(game.arrays[0]), opened(shown), opened(grid), opened(pieces))
    return Picture(grid, pieces[:count])


def words_have_a_line_per_seat_and_the_same_numbers_throughout(book: Rulebook) -> None:
    first = words_of(Game(book, sample_settings(book), SEED))
    for game in random_game(book):
        words = words_of(game)
        assert words.headline, "a headline says where the game stands"
        assert len(words.conditions) == game.seats, "every seat has a condition, or an empty one"
        assert words.out <= set(range(game.seats)), "only seats can be out"
        assert list(words.numbers) == list(first.numbers), "numbers keep their names and their order"
        for name, values in words.numbers.items():
            assert len(values) == game.seats, f"every seat has a number of {name}"
            assert all(type(value) is int for value in values), f"{name} are whole numbers"
        name, scores = next(iter(words.numbers.items()))
        assert scores == game.scores, f"the first numbers are {name} {scores}, but the scores are {game.scores}"


def keys_give_every_order_and_no_other(book: Rulebook) -> None:
    pad, known = book.scene.KEYS, set(book.facts.orders)
    given = {order for key in pad.keys for order in key.orders if order}
    assert given <= known, f"keys give orders that do not exist: {', '.join(sorted(given - known))}"
    assert given == known, f"no key gives {', '.join(sorted(known - given))}"
    assert all(len(key.orders) <= len(pad.modes) for key in pad.keys), "a key has orders for more modes than there are"
    names = [name for key in pad.keys for name in key.names] + [mode.tap for mode in pad.modes if mode.tap]
    assert len(set(names)) == len(names), "two things are on one key"
    assert all(key.names and key.label for key in pad.keys), "a key has a name and a label"
    assert len({(key.row, key.col) for key in pad.keys}) == len(pad.keys), "two touch buttons lie in one place"
    assert (pad.modes[0].hold, pad.modes[0].tap) == ("", ""), "the first mode needs no key"
    assert all(mode.tap for mode in pad.modes[1:]), "a mode can be chosen where no key can be held"


def every_tile_can_be_shown_anywhere(book: Rulebook) -> None:
    settings = sample_settings(book)
    seats = book.layout.seats(settings)
    for tile in book.scene.palette(record_of(book.layout.make_arena(settings))):
        assert 1 <= columns(tile.glyph) <= 2, f"{tile.glyph!r} takes more than two columns of a terminal, or none"
        assert 1 <= len(tile.plain) <= 2, f"{tile.plain!r} takes more than two columns of a terminal, or none"
        assert tile.plain.isascii(), f"{tile.plain!r} is not ASCII, and has no `ascii` to stand for it"
        assert tile.plain.isprintable(), f"{tile.plain!r} cannot be printed"
        assert tile.name, f"{tile.glyph!r} has no name to be read out"
        assert tile.style in get_args(TileStyle), f"{tile.style!r} is no style"
        assert NOBODY <= tile.seat < seats, f"{tile.name} belongs to seat {tile.seat}, which does not exist"
        assert not tile.sprite or SPRITE.fullmatch(tile.sprite), f"{tile.sprite!r} is not NAME or NAME/TURNS"


def columns(text: str) -> int:
    """Counts the columns of a terminal that a text takes; wide characters take two, accents over others none."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in ("W", "F")) for sign in text
    )


def a_film_shows_every_position(book: Rulebook) -> None:
    replay = random_replay(book, book.settings().seated(book.facts.usual_seats), FILMED)
    check_film(film_of(replay), replay)
    for seat in range(len(replay.names)):
        check_film(film_of(replay, seat), replay, seat)


def check_film(film: Film, replay: Replay, seat: int | None = None) -> None:
    """Fails unless a film has the picture and the words of every tick of a game, or what a seat saw of them."""
    seen: Picture | None = None
    shot = frames(film)
    for tick, (game, _) in enumerate(replay.play()):
        camera, frame = camera_of(game), next(shot)
        if seat is None:
            seen = camera.take(game)
            assert frame.words is not None, f"tick {tick} of a film has no words"
            assert said(frame.words) == said(words_of(game)), f"tick {tick} of a film has other words than the game"
        elif seat in game.asked or seen is None:  # who is not asked knows what it knew before
            seen = camera.take_view(game, game.view(seat))
        assert frame.picture == seen, f"tick {tick} of a film shows something else than the game, for seat {seat}"
    assert next(shot, None) is None, "a film goes on after the game"
    assert film.head["last"] == tick


def said(words: Words) -> tuple[object, ...]:
    """Returns what a film keeps of words."""
    return words.headline, dict(words.numbers), words.conditions


PICTURE_LAWS: tuple[Law, ...] = (
    every_picture_fits_the_board_and_the_palette,
    a_picture_shows_the_position_and_nothing_else,
    a_seat_is_shown_its_view_and_nothing_else,
    words_have_a_line_per_seat_and_the_same_numbers_throughout,
    keys_give_every_order_and_no_other,
    every_tile_can_be_shown_anywhere,
    a_film_shows_every_position,
)
"""What holds for every game that people look at."""
