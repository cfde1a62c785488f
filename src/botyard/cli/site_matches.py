"""Matches of a site for `pull` and `play --like`: their replays, own turns, and which seats are yours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botyard.cli.sites import named_thing, site_opened
from botyard.kernel.errors import YardError, quoted

if TYPE_CHECKING:
    from botyard.cli.like import Original
    from botyard.client.site import Site

REPLAY_MAX = 16 << 20
SOURCE_MAX = 64 << 20


def match_named(text: str) -> tuple[int, str]:
    """Returns the number of a match and the site, if an address names it."""
    thing = named_thing(text)
    if thing.kind != "match":
        raise YardError(
            f"{quoted(text)} is neither a file nor a match", hint="name a .replay file, or a match's number"
        )
    return int(thing.key), thing.site


def original_of_match(text: str, site: str | None, sources: bool) -> Original:
    """Gets a match from a site, to be played again. Your seats are known there, and so is what played in them."""
    from botyard.cli.like import Original
    from botyard.match.replay import Replay

    number, named = match_named(text)
    with site_opened(site or named or None) as opened:
        shown = opened.get("matches", number)
        raw = opened.fetch("matches", number, "replay", most=REPLAY_MAX)
        name = f"match-{number}.replay"
        replay = Replay.from_bytes(raw, name)
        own = {
            replay.entrants.index(seat["place"] - 1): f"dir:{source_of(opened, seat)}" if sources else ""
            for seat in own_places(opened, shown)
        }
        return Original(name, raw, replay, own, dict(shown["settings"]))


def own_places(site: Site, shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the seats of a match in which bots of yours played."""
    if not site.signed_in:
        return []
    mine = {bot["id"] for bot in site.items("me", "bots")}
    return [seat for seat in shown["match"]["seats"] if seat["bot"] in mine]


def source_of(site: Site, seat: dict[str, Any]) -> str:
    """Returns the folder of the version that played in a seat of yours, as it is kept here."""
    from botyard.jail.canonical import Source, kept_source

    source = site.fetch("bots", seat["bot"], "versions", seat["version"], "source", most=SOURCE_MAX)
    return str(kept_source(Source.of(source)))
