"""Templates become pages here. What people wrote is escaped, and a value that is missing is an error."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from botyard.games import GAMES, load
from botyard.kernel.plain import clean, clean_lines
from botyard.yard.data.times import DAY, HOUR, MINUTE, SECOND
from botyard.yard.web.files import address_of, modules

MOST_KEPT = 4000  # of what one macro made


@cache
def environment() -> Environment:
    found = Environment(
        loader=PackageLoader("botyard.yard.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    found.filters |= {
        "ago": ago,
        "shown": clean,
        "shown_lines": clean_lines,
        "amount": amount,
        "capitalise": capitalise,
        "coded": coded,
        "setting": setting,
        "seconds": seconds,
        "milliseconds": milliseconds,
    }
    found.globals |= {"file": address_of, "modules": modules, "game_title": game_title, "kept": kept}
    return found


def rendered(template: str, values: dict[str, Any]) -> str:
    return environment().get_template(template).render(values)


def kept(macro: Callable[..., Markup]) -> Callable[..., Markup]:
    """Returns a macro that remembers what it made of what, for templates that others import, which are made once. It
    must know nothing but its arguments; whether they are text or already markup tells them apart, because that decides
    whether they are escaped."""
    return lru_cache(MOST_KEPT, typed=True)(macro)


def ago(at_ms: int, now_ms: int) -> Markup:
    """Returns a time as people say it, with the exact one where the mouse rests."""
    words = distance(abs(now_ms - at_ms))
    told = "now" if words == "now" else f"{words} ago" if at_ms <= now_ms else f"in {words}"
    return Markup(f"{exactly(at_ms)}{told}</time>")


@lru_cache(MOST_KEPT)
def exactly(at_ms: int) -> str:
    """Returns how the mark of a time begins, which says when exactly it is."""
    written = datetime.fromtimestamp(at_ms / SECOND, UTC).isoformat(" ", timespec="seconds").removesuffix("+00:00")
    return f'<time datetime="{written.replace(" ", "T")}Z" title="{written} UTC">'


def distance(milliseconds: int) -> str:
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")):
        if milliseconds >= unit:
            return amount(milliseconds // unit, name)
    return "now"


def amount(count: int, noun: str, plural: str = "") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def seconds(milliseconds: float) -> str:
    """Returns a short time in seconds."""
    return f"{milliseconds / SECOND:.1f} s"


def milliseconds(exact: float) -> str:
    """Returns milliseconds as exactly as one wants to read them."""
    return f"{exact:.1f}" if exact < 10 else f"{exact:.0f}"


def game_title(game: str) -> str:
    """Returns what a game is called; one that is not installed any more is called by its name."""
    return load(game).facts.title if game in GAMES else game


def coded(sentence: str) -> Markup:
    """Returns a sentence in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(sentence))))


def setting(value: object) -> str:
    """Returns a setting as files have it: true and false, not as Python writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def capitalise(sentence: str) -> str:
    """Returns a sentence that begins with a capital letter; the rest stays as it is."""
    return sentence[:1].upper() + sentence[1:]
