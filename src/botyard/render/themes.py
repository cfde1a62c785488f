"""Themes say what every named colour looks like. They stand in `themes.json`, which pages read, too.

A theme has `colours` by name, for pages (page, text, faint …) and for sprites (ground, ink, wall …), and for each of 16
seats three shades: `seats`, `seats-dark` and `seats-light`, which sprites call own, own-dark and own-light.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from botyard.kernel.errors import UnknownName

FILE = "themes.json"
USUAL = "light"
SHADES = {"own": "seats", "own-dark": "seats-dark", "own-light": "seats-light"}


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """The colours of a theme, as "#rrggbb"."""

    name: str
    colours: Mapping[str, str]
    shades: Mapping[str, tuple[str, ...]]  # of seats, by the name that sprites use

    def colour(self, name: str, seat: int) -> str:
        """Returns a colour of a sprite. What belongs to no seat has none of its own: it is drawn in ink."""
        if name in self.shades:
            shades = self.shades[name]
            return shades[seat % len(shades)] if seat >= 0 else self.colours["ink"]
        return self.colours[name]


@cache
def all_themes() -> dict[str, Any]:
    return dict(json.loads((resources.files(__package__) / FILE).read_text(encoding="utf-8")))


@cache
def theme_named(name: str) -> Theme:
    themes = all_themes()
    if name not in themes:
        raise UnknownName("theme", name, themes)
    shades = {own: tuple(themes[name][key]) for own, key in SHADES.items()}
    return Theme(name, themes[name]["colours"], shades)
