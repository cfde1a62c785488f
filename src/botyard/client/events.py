"""Events of a site as they come, without a gap: whoever lost the line asks for what came after the last number."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any

from botyard.client.site import PASSING, Site, SiteAway, SiteRefusal
from botyard.kernel.bounded import json_of

LONGEST_PAUSE_S = 30.0
RESULT = re.compile(r"(p\d+)(?::(-?\d+))?([>=])?")


def follow_events(
    site: Site,
    after: int,
    kinds: Sequence[str] = (),
    said: Callable[[str], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
) -> Generator[dict[str, Any]]:
    """Yields events after some number, or from so many back if it is below 0; for ever, unless the site refuses."""
    pause_s, known = 1.0, after
    while True:
        try:
            for line in site.lines("events", after=known or "0", kinds=list(kinds) or None, follow=True):
                pause_s = 1.0
                if line:
                    event = json_of(line, f"an event of {site.address}")
                    known = int(event["number"])
                    yield event
        except (SiteAway, SiteRefusal) as error:
            if isinstance(error, SiteRefusal) and error.status not in PASSING:
                raise
            said(f"{error.message}; trying again in {pause_s:.0f} s")
            pause(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def latest_events(site: Site, back: int) -> list[dict[str, Any]]:
    """Returns those of the last events that you may know of."""
    return [json_of(line, f"an event of {site.address}") for line in site.lines("events", after=-back) if line]


def event_words(event: dict[str, Any]) -> str:
    """Returns an event as a sentence."""
    kind, subject, body = str(event["kind"]), str(event["subject"]), event["body"]
    what, _, key = subject.partition("/")
    if kind == "pair.closed":
        return "; ".join(game_words(game) for game in body["games"])
    if kind == "match.played":
        return f"match {key} was played; its result is told when the other game of its pair is over"
    if what == "bot" and kind.startswith("version."):
        reason = f": {body['reason']}" if body.get("reason") else ""
        return f"version {body.get('number', '?')} of bot {key} is {kind.removeprefix('version.')}{reason}"
    if kind == "bot.activated":
        return f"{body.get('name', subject)} plays version {body.get('version', '?')} from now on"
    if kind == "entry.benched":
        return f"{body.get('name', subject)} is benched on {body.get('ladder', '?')}: {body.get('reason', '')}"
    words = ", ".join(f"{name} {value}" for name, value in body.items() if isinstance(value, str | int))
    return f"{kind.replace('.', ' ')}: {subject}" + (f" ({words})" if words else "")


def game_words(game: dict[str, Any]) -> str:
    """Returns a result with the names of who played instead of their places: `p1:3>p2:1` as Ant 3 > Bee 1."""
    names = {f"p{place}": str(name) for place, name in enumerate(game["names"], 1)}

    def spoken(found: re.Match[str]) -> str:
        place, points, sign = found.groups()
        return names.get(place, place) + (f" {points}" if points else "") + (f" {sign} " if sign else "")

    return f"match {game['match']}: {RESULT.sub(spoken, str(game['result']))}"
