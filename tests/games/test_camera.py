"""Pictures of games: what a camera takes, and when two of them are the same."""

from __future__ import annotations

import botyard
from botyard.games.picture import camera_of


def test_two_pictures_are_the_same_if_everything_on_them_is() -> None:
    game = botyard.new("hive", seed=7)
    camera, before = camera_of(game), camera_of(game).take(game)
    assert before == camera.take(game.copy())
    game.step(game.orders()[0])
    assert before != camera.take(game)
    assert before != "a picture"


def test_where_a_view_tells_all_its_picture_is_that_of_the_position() -> None:
    game = botyard.new("snakepit", seed=7, snakes=2)
    camera = camera_of(game)
    assert not camera.has_seat_pictures
    assert camera.take_view(game, game.view(0)) == camera.take(game)


def test_a_game_shows_itself_to_a_notebook() -> None:
    shown = botyard.new("hive", seed=7)._repr_html_()
    assert shown is not None
    assert "<svg" in shown
