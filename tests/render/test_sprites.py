"""Every tile of our own games has its drawing."""

from __future__ import annotations

import pytest

from botyard.games import OWN_GAMES, load
from botyard.kernel.records import record_of
from botyard.render.sprites import sprites_for


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_tile_of_our_own_games_has_a_sprite_that_is_drawn(game: str) -> None:
    book = load(game)
    for seats in (book.facts.seats_min, book.facts.usual_seats):
        palette = book.scene.palette(record_of(book.layout.make_arena(book.settings().seated(seats))))
        assert [tile.name for tile in palette if not tile.sprite] == []
        named = {tile.sprite.partition("/")[0] for tile in palette}
        assert named - sprites_for(book, palette).keys() == set()
