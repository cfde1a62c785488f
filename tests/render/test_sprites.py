"""Every tile of our own games has its drawing, whatever is set, and every drawing has its tile."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import pytest

from botyard.games import GAMES, OWN_GAMES, load
from botyard.kernel.errors import YardError
from botyard.kernel.records import record_of
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.scene import Tile
from botyard.kernel.settings import Settings
from botyard.render.sprites import shared_sprites, sprites_for, sprites_in
from tests.test_settings_work import other_value

FOR_OTHERS = {"ground", "wall"}  # what games of others are offered beside what ours use


def all_settings(book: Rulebook) -> Iterator[Settings]:
    """The usual ones with every number of seats, and each single setting with another value."""
    for seats in range(book.facts.seats_min, book.facts.seats_max + 1):
        yield book.settings().seated(seats)
    for row in fields(book.settings):
        with contextlib.suppress(YardError):  # a value that needs another one beside it
            yield book.settings.read({row.name: other_value(book.facts.name, row)})


@cache
def palettes(game: str) -> tuple[tuple[Tile, ...], ...]:
    book = load(game)
    return tuple(book.scene.palette(record_of(book.layout.make_arena(settings))) for settings in all_settings(book))


def named(game: str) -> set[str]:
    return {tile.sprite.partition("/")[0] for palette in palettes(game) for tile in palette if tile.sprite}


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_tile_of_our_own_games_has_a_sprite_that_is_drawn(game: str) -> None:
    book = load(game)
    assert len(palettes(game)) > len(fields(book.settings)) // 2
    for palette in palettes(game):
        assert [tile.name for tile in palette if not tile.sprite] == []
        drawn = sprites_for(book, palette)
        assert {tile.sprite.partition("/")[0] for tile in palette} - drawn.keys() == set()
        assert [name for name, shapes in drawn.items() if not shapes] == []


def test_no_sprite_is_drawn_for_nothing() -> None:
    for game in OWN_GAMES:
        assert sprites_in(load(game).folder).keys() - named(game) == set(), game
    used = set().union(*map(named, GAMES))
    assert shared_sprites().keys() - used <= FOR_OTHERS


def test_no_name_stands_for_two_drawings() -> None:
    """A game could hide a shared sprite behind its own; ours do not."""
    for game in OWN_GAMES:
        assert sprites_in(load(game).folder).keys() & shared_sprites().keys() == set(), game
