"""Themes say what every named colour looks like. They stand in `themes.json`, which pages read, too.

A theme has `colours` by name, for pages (page, text, faint …) and for sprites (ground, ink, wall …), and for each of 16
seats three shades: `seats`, `seats-dark` and `seats-light`, which sprites call own, own-dark and own-light. What
belongs to nobody, such as a snake in a view that does not say whose it is, has the shades `nobody`, or `nobody-danger`
if its tile is dangerous.
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
    nobody: Mapping[bool, Mapping[str, str]]  # by whether it is dangerous, the shades of what belongs to no seat

    def colour(self, name: str, seat: int, style: str = "") -> str:
        """Returns a colour of a tile's sprite."""
        if name not in self.shades:
            return self.colours[name]
        if seat < 0:
            return self.nobody[style == "danger"][name]
        return self.shades[name][seat % len(self.shades[name])]


@cache
def all_themes() -> dict[str, Any]:
    return dict(json.loads((resources.files(__package__) / FILE).read_text(encoding="utf-8")))


@cache
def theme_named(name: str) -> Theme:
    themes = all_themes()
    if name not in themes:
        raise UnknownName("theme", name, themes)
    shades = {own: tuple(themes[name][key]) for own, key in SHADES.items()}
    nobody = {False: themes[name]["nobody"], True: themes[name]["nobody-danger"]}
    return Theme(name, themes[name]["colours"], shades, nobody)
