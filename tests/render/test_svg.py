"""A tick as SVG: complete, safe whatever bots are called, and readable to those who do not see it."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from botyard.render.footage import Shot
from botyard.render.svg import svg_of
from botyard.render.themes import theme_named
from tests.render.footage import HOSTILE, SHOWN, footage

SVG = "{http://www.w3.org/2000/svg}"
LIGHT = theme_named("light")


def drawn(tick: int = 30, seat: int | None = None, names: tuple[str, ...] = ("ann", "bob")) -> ElementTree.Element:
    shots = footage(tick, seat=seat, names=names)
    return ElementTree.fromstring(svg_of(shots.head, next(iter(shots)), LIGHT))


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_every_cell_and_every_piece_uses_a_symbol_that_is_there() -> None:
    shots = footage(30)
    picture = next(iter(shots)).frame.picture
    root = drawn(30)
    symbols = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
    uses = [(use.get("href"), use.get("x"), use.get("y")) for use in root.iter(f"{SVG}use")]
    expected = [(f"#t{tile}", f"{64 * col}", f"{64 * row}") for (row, col), tile in np.ndenumerate(picture.grid)]
    expected += [(f"#t{p['tile']}", f"{64 * p['col']}", f"{64 * p['row']}") for p in picture.pieces]
    assert uses == expected
    assert {use[0] for use in uses} == {f"#{symbol}" for symbol in symbols}


def test_it_is_said_in_words_for_those_who_cannot_see_it() -> None:
    root = drawn(30)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and desc is not None  # noqa: PT018
    assert title.text == "Hive Arena, tick 30"
    assert "A board of 25 rows and 30 columns. turn 30" in (desc.text or "")
    assert "ann: points 1." in (desc.text or "")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"


def test_title_headline_names_and_points_stand_above_the_board() -> None:
    assert texts(drawn(30))[:6] == [
        *("Hive Arena", "turn 30, last point in turn 14"),
        *("ann", "points 1", "bob", "points 0"),
    ]


def test_a_seat_s_own_picture_says_whose_it_is_and_shows_what_it_did_not_know() -> None:
    root = drawn(30, seat=1)
    assert "tick 30, as bob saw it" in texts(root)
    unseen = next(i for i, row in enumerate(footage(0).head["palette"]) if row[3] == "unseen")
    assert sum(use.get("href") == f"#t{unseen}" for use in root.iter(f"{SVG}use")) > 500


def test_names_full_of_markup_stay_text() -> None:
    root = drawn(30, names=(HOSTILE, "bob"))
    assert root.find(f".//{SVG}script") is None
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "rect", "g", "symbol", "use", "text"), *("polygon", "circle", "polyline")
    }  # fmt: skip
    desc = root.find(f"{SVG}desc")
    assert desc is not None
    assert SHOWN in (desc.text or "")
    assert any(text.startswith("<script>") for text in texts(root))
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


def test_a_tile_without_a_sprite_is_its_glyph_escaped() -> None:
    shots = footage(30)
    row = ["<& ", "odd", "empty", "no-such-sprite", -1, ""]
    head = {**shots.head, "palette": [row for _ in shots.head["palette"]]}
    root = ElementTree.fromstring(svg_of(head, next(iter(shots)), LIGHT))
    assert texts(root).count("<&") == len(list(root.iter(f"{SVG}symbol")))


def test_a_number_is_written_on_its_piece() -> None:
    shots = footage(30)
    shot = next(iter(shots))
    shot.frame.picture.pieces["number"][0] = 42
    assert texts(ElementTree.fromstring(svg_of(shots.head, Shot(30, shot.frame), LIGHT)))[-1] == "42"


@pytest.mark.parametrize("theme", ["dark", "contrast"])
def test_a_theme_has_its_own_colours_and_names_can_be_told_apart_on_one_page(theme: str) -> None:
    shots = footage(3)
    text = svg_of(shots.head, next(iter(shots)), theme_named(theme), prefix="b-")
    assert theme_named(theme).colours["ground"] in text
    assert LIGHT.colours["ground"] not in text
    assert 'href="#t' not in text
    assert 'href="#b-t' in text
