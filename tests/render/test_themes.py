"""Themes: every colour is there, texts can be read on what they stand on, and seats can be told apart."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.errors import UnknownName
from botyard.render.shapes import emblems
from botyard.render.themes import SHADES, Theme, all_themes, theme_named

SOURCE = Path(botyard.__file__).parent
FILES = [SOURCE / "render" / "sprites.json", *sorted(SOURCE.glob("games/*/sprites.json"))]
THEMES = ("light", "dark", "contrast", "colour-blind")
TEXTS = ("text", "faint", "accent", "good", "bad", "warning")
SEATS = 16
APART = 0.1  # between two seats, where black and white are 1 apart
APART_IF_BLIND = 0.07

Colour = tuple[float, float, float]

# What people see who lack one kind of cone (Machado, Oliveira and Fernandes 2009), as matrices over linear light.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
}


def light_of(colour: str) -> Colour:
    """Linear light, as both contrasts and distances want it."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines measure it: 1 to 21."""
    dark, bright = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(light_of, (one, other)))
    return (bright + 0.05) / (dark + 0.05)


def times(matrix: Any, light: Colour) -> Colour:
    x, y, z = (sum(share * part for share, part in zip(row, light, strict=True)) for row in matrix)
    return x, y, z


def oklab(light: Colour) -> Colour:
    """Colours as far apart as they look, by Björn Ottosson's model."""
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        light,
    )
    x, y, z = (math.cbrt(max(cone, 0)) for cone in cones)
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (x, y, z),
    )


def closest(colours: tuple[str, ...], blindness: str) -> float:
    seen = [oklab(times(BLINDNESS[blindness], light_of(colour))) for colour in colours]
    return min(math.dist(one, other) for one, other in combinations(seen, 2))


def colours_used() -> Iterator[str]:
    for file in FILES:
        for sprite in json.loads(file.read_text()).values():
            yield from (shape[1] for shape in sprite if shape[0] != "emblem")
    for sign in emblems():
        yield from (shape[1] for shape in sign)


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest) -> Theme:
    return theme_named(request.param)


def test_there_are_four_themes_with_the_same_colours() -> None:
    assert tuple(all_themes()) == THEMES
    assert {frozenset(theme_named(name).colours) for name in THEMES} == {frozenset(theme_named("light").colours)}


def test_an_unknown_theme_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="theme 'blue'") as told:
        theme_named("blue")
    assert "colour-blind" in told.value.hint


def test_every_colour_is_a_colour(theme: Theme) -> None:
    shades = [colour for row in theme.shades.values() for colour in row]
    nobody = [colour for row in theme.nobody.values() for colour in row.values()]
    for colour in (*theme.colours.values(), *shades, *nobody):
        assert re.fullmatch("#[0-9a-f]{6}", colour), colour
    assert [len(row) for row in theme.shades.values()] == [SEATS] * 3
    assert {frozenset(row) for row in theme.nobody.values()} == {frozenset(SHADES)}


def test_every_colour_of_a_sprite_is_in_every_theme(theme: Theme) -> None:
    assert set(colours_used()) <= {*theme.colours, *SHADES}


@pytest.mark.parametrize("under", ["page", "panel", "ground"])
@pytest.mark.parametrize("text", TEXTS)
def test_texts_can_be_read(theme: Theme, text: str, under: str) -> None:
    enough = 7 if theme.name == "contrast" else 4.5
    assert contrast(theme.colours[text], theme.colours[under]) >= enough
    assert contrast(theme.colours["on-accent"], theme.colours["accent"]) >= enough


def test_a_seat_or_its_outline_stands_out_from_the_ground_and_its_sign_from_a_dark_plate(theme: Theme) -> None:
    ground = theme.colours["ground"]
    for own, dark, light in zip(*(theme.shades[name] for name in ("own", "own-dark", "own-light")), strict=True):
        assert max(contrast(own, ground), contrast(dark, ground)) >= 3
        assert contrast(dark, light) >= 3


def test_seats_look_different(theme: Theme) -> None:
    assert closest(theme.shades["own"], "none") >= APART


@pytest.mark.parametrize("blindness", ["protanopia", "deuteranopia"])
def test_seats_of_the_colour_blind_theme_look_different_to_the_colour_blind(blindness: str) -> None:
    assert closest(theme_named("colour-blind").shades["own"], blindness) >= APART_IF_BLIND
    assert closest(theme_named("light").shades["own"], blindness) < APART_IF_BLIND  # which is why it is there


def test_what_belongs_to_a_seat_has_its_shades_and_what_belongs_to_nobody_has_others() -> None:
    light = theme_named("light")
    assert light.colour("own", 1) == light.colour("own", 17) == light.shades["own"][1]
    assert light.colour("own", -1, "danger") == light.colours["danger"]
    assert light.colour("own", -1, "seat") == light.colours["item"]
    assert light.colour("wall", 3) == light.colours["wall"]
