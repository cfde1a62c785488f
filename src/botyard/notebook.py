"""This module draws games and replays for notebooks: a board as a picture, a replay as the viewer that pages have."""

from __future__ import annotations

import html
import itertools
from typing import Any

from botyard.games.game import Game
from botyard.games.picture import camera_of
from botyard.match.filming import Filming, film_of
from botyard.match.loop import Played
from botyard.match.replay import Replay
from botyard.render.footage import Shot
from botyard.render.frames import FilmReader
from botyard.render.page import film_page
from botyard.render.svg import svg_of
from botyard.render.themes import USUAL, theme_named

HEIGHT = 640  # pixels of a viewer

_numbers = itertools.count(1)


def html_of(thing: Any) -> str:
    """Returns what a notebook shows of a game, a replay or a game that was played."""
    if isinstance(thing, Game):
        return board_of(thing)
    replay = thing.replay if isinstance(thing, Played) else thing
    assert isinstance(replay, Replay)
    return viewer_of(replay)


def board_of(game: Game) -> str:
    """Returns the board as an SVG. Each has names of its own, because a notebook is one page."""
    filming = Filming(game, tuple(f"seat {seat}" for seat in range(game.seats)))
    filming.add(game)
    film = filming.end(game.outcome)
    prefix = f"botyard-{next(_numbers)}-"
    return svg_of(film.head, Shot(0, FilmReader(film).frame(0)), theme_named(USUAL), prefix=prefix)


def viewer_of(replay: Replay) -> str:
    """Returns the viewer in a frame of its own, which can reach nothing of the notebook around it."""
    hides = camera_of(replay.new_game()).has_seat_pictures
    seats = [film_of(replay, seat) for seat in range(len(replay.names))] if hides else []
    page = html.escape(film_page(film_of(replay), seats))
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="replay" width="100%" height="{HEIGHT}" '
        'style="border: 0"></iframe>'
    )
