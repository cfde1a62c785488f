"""Fills a yard with the history of a long season: people, bots, versions, ratings, and matches by the ten thousand.

The ladder it was played on is closed, so nobody is asked to play on; its tables and lists are there to be read.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.links.play import play
from botyard.match.turns import pack_turns
from botyard.yard.bots.orders import check_stamp, settings_of
from botyard.yard.config import LadderPlan
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, ENTRY, LADDER, MATCH, PAIR, RATING_STEP, SEAT, TASK, VERSION
from botyard.yard.data.times import MINUTE
from botyard.yard.ladders.ladders import ladder_named
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.people.accounts import register
from botyard.yard.site import Yard

SLUG, GAME = "season", "hackman"
AT_ONCE = 5000  # rows of one statement


@dataclass(frozen=True, slots=True)
class Filled:
    """What is worth looking at."""

    slug: str
    bot: int
    match: int
    person: str


def fill(yard: Yard, bots: int, matches: int) -> Filled:
    """Fills an empty yard; of every match the replay of one real game is kept."""
    now_ms, draw = yard.clock(), random.Random(7)
    begun_ms = now_ms - matches * MINUTE
    with yard.database.writing() as connection:
        open_ladders(connection, (LadderPlan(SLUG, GAME),), begun_ms)
        ladder = ladder_named(connection, SLUG)
        entries = [add_bot(connection, yard, ladder.id, number, begun_ms) for number in range(bots)]
        game = play(GAME, ["house:collector", "house:hunter"], seed=3)
        kept = {
            "replay": yard.blobs.keep(connection, game.replay.to_bytes(), now_ms),
            "turns": yard.blobs.keep(connection, pack_turns(game.log), now_ms),
        }
        add_matches(connection, ladder.id, json.dumps(ladder.settings), entries, matches, begun_ms, kept, draw)
        ended = {"state": "closed", "recorded": matches // 2}
        connection.execute(sa.update(LADDER).where(LADDER.c.id == ladder.id).values(**ended))
    return Filled(SLUG, 1, matches, "Player 0")


def add_bot(connection: sa.Connection, yard: Yard, ladder: int, number: int, at_ms: int) -> tuple[int, int]:
    """Adds a person with a bot of three versions; returns its entry and the version that plays."""
    person = register(connection, f"Player {number}", None, at_ms).id
    name = f"Walker {number}"
    row = {"owner": person, "game": GAME, "name": name, "name_key": name.lower(), "made_ms": at_ms}
    bot = connection.execute(sa.insert(BOT).values(**row)).inserted_primary_key[0]  # type: ignore[index]
    version = 0
    for at in range(1, 4):
        source = yard.blobs.keep(connection, f"{name} {at}".encode(), at_ms)
        about = {"tree": source, "source": source, "manifest": "{}", "language": "python", "state": "fit"}
        about["checked_with"] = check_stamp(GAME, settings_of(connection, GAME), yard.config.cage)
        made = connection.execute(sa.insert(VERSION).values(bot=bot, number=at, made_ms=at_ms, **about))
        version = made.inserted_primary_key[0]  # type: ignore[index]
    rating = {"mu": 20 + number / 5, "sigma": 1.2, "games": 800, "pairs": 400, "version_pairs": 400}
    entered = sa.insert(ENTRY).values(ladder=ladder, bot=bot, version=version, state="active", made_ms=at_ms, **rating)
    return connection.execute(entered).inserted_primary_key[0], version  # type: ignore[index]


def add_matches(
    connection: sa.Connection, ladder: int, settings: str, entries: list[tuple[int, int]], matches: int, begun_ms: int,
    kept: dict[str, str], draw: random.Random,
) -> None:  # fmt: skip
    rows: dict[sa.Table, list[dict[str, Any]]] = {}
    figures = json.dumps({str(place): {"verdicts": {"ok": 200}, "timing": [200, 400.0, 9.0]} for place in (1, 2)})
    for pair in range(1, matches // 2 + 1):
        at_ms = begun_ms + pair * 2 * MINUTE
        one, other = draw.sample(entries, 2)
        told = {"ladder": ladder, "kind": "ladder", "season": 1, "state": "closed", "rated": 1, "why": "it waited"}
        drawn = {"chance": f"filled {pair}", "seed": str(draw.getrandbits(63)), "asked_ms": at_ms, "closed_ms": at_ms}
        rows.setdefault(PAIR, []).append({"id": pair, "number": pair, **told, **drawn})
        for half in (1, 2):
            number = 2 * (pair - 1) + half
            about = {"game": GAME, "settings": settings, "rules": 1, "botyard": "1", "state": "done", "result": "p1>p2"}
            times = {"begun_ms": at_ms, "done_ms": at_ms + 9000, "ticks": 200}
            rows.setdefault(MATCH, []).append(
                {"id": number, "pair": pair, "half": half, **about, **times, **kept, "figures": figures}
            )
            rows.setdefault(TASK, []).append(
                {"kind": "match", "urgency": 4, "state": "ended", "why": "done", "match": number, "asked_ms": at_ms,
                 "begun_ms": at_ms, "ended_ms": at_ms + 9000}
            )  # fmt: skip
            seats = (one, other) if half == 1 else (other, one)
            for place, (entry, version) in enumerate(seats, 1):
                rows.setdefault(SEAT, []).append(
                    {"match": number, "place": place, "entry": entry, "version": version, "name": f"Walker {entry}",
                     "rank": place, "score": 10, "turns": 200}
                )  # fmt: skip
        for entry, version in (one, other):
            rows.setdefault(RATING_STEP, []).append(
                {"ladder": ladder, "number": pair, "entry": entry, "season": 1, "version": version, "at_ms": at_ms,
                 "mu": 20 + draw.random(), "sigma": 1.2, "games": pair}
            )  # fmt: skip
    for table in (PAIR, MATCH, TASK, SEAT, RATING_STEP):
        for begin in range(0, len(rows[table]), AT_ONCE):
            connection.execute(sa.insert(table), rows[table][begin : begin + AT_ONCE])
    for _ in range(20):
        note_event(connection, begun_ms, "match.done", "match/1", public=True, names=["Walker 1", "Walker 2"])
