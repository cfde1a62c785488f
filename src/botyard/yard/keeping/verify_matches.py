"""Verifies matches: every replay is played again and leads to what was recorded of its match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from botyard.games import load
from botyard.kernel.errors import OurFault, YardError
from botyard.match.replay import Replay
from botyard.rank.results import Result
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.tables import BLOB, BOT, DONE, EVENT, MATCH, PAIR, SEAT, VERSION
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings
from botyard.yard.work.matches import place_name
from botyard.yard.work.verifying import orders_hash, result_of

PLAYED = sa.select(MATCH, PAIR.c.seed, PAIR.c.asked_ms, PAIR.c.kind, BLOB.c.pruned_ms).join(
    PAIR, MATCH.c.pair == PAIR.c.id
)
PLAYED = PLAYED.join(BLOB, MATCH.c.replay == BLOB.c.digest, isouter=True)

Row = sa.Row[Any]


def verify_matches(connection: sa.Connection, blobs: Blobs, found: Findings, counting: Counting) -> None:
    """What is done has a result and a replay that leads to it; what is not has neither."""
    rows = connection.execute(PLAYED.order_by(MATCH.c.id)).all()
    with counting("matches", len(rows)) as advance:
        for match in rows:
            found.count("matches")
            if match.state == DONE:
                verify_done(connection, blobs, match, found)
            elif match.result or match.replay or match.done_ms:
                found.note("matches", f"match/{match.id}", f"it is {match.state}, but has a result or a replay")
            advance()


def verify_done(connection: sa.Connection, blobs: Blobs, match: Row, found: Findings) -> None:
    where = f"match/{match.id}"
    if match.replay is None or match.done_ms is None:
        found.note("matches", where, "it is done, but has no replay or no time")
        return
    if match.pruned_ms is not None:
        found.count("replays that were pruned")
        return
    if match.rules != load(match.game).facts.rules_version:
        found.count("replays of older rules, by their hashes")
        return
    found.count("replays")
    seats = connection.execute(sa.select(SEAT).where(SEAT.c.match == match.id).order_by(SEAT.c.place)).all()
    try:
        replay = Replay.from_bytes(blobs.read(connection, match.replay), "its replay")
        for trouble in replay_troubles(match, seats, replay):
            found.note("replays", where, trouble)
    except OurFault:
        pass  # the blob is missing or altered, which is told where blobs are verified
    except YardError as error:
        found.note("replays", where, str(error))


def replay_troubles(match: Row, seats: Sequence[Row], replay: Replay) -> list[str]:
    """Returns what a replay says otherwise than the rows of its match."""
    settings = json.loads(match.settings)
    rules = {name: settings.get(name) for name in replay.settings}
    if (replay.game, str(replay.seed), len(replay.names)) != (match.game, match.seed, len(seats)):
        return ["its replay is of another game"]
    if replay.settings != rules:
        return ["its replay has other settings"]
    result = result_of(replay)
    told = {
        "result": (match.result, str(result)),
        "number of ticks": (match.ticks, len(replay.ticks)),
        "hash of the orders": (match.orders_hash, orders_hash(replay)),
    }
    troubles = [
        f"its {what} is {kept!r}, its replay gives {given!r}" for what, (kept, given) in told.items() if kept != given
    ]
    return troubles + [trouble for seat in seats if (trouble := seat_trouble(seat, result))]


def seat_trouble(seat: Row, result: Result) -> str:
    player = place_name(seat.place)
    given = (result.place(player), result.score(player) if result.scores else None, int(player in result.forfeits))
    kept = (seat.rank, seat.score, seat.forfeited)
    return "" if kept == given else f"place {seat.place} has rank, score and forfeit {kept}, its replay gives {given}"


def verify_fitness(connection: sa.Connection, found: Findings) -> None:
    """No version was asked to play before it had passed its check."""
    fit_ms: dict[int, int] = {}
    passed = sa.select(EVENT.c.at_ms, EVENT.c.body).where(EVENT.c.kind == "version.fit").order_by(EVENT.c.number)
    for at_ms, body in connection.execute(passed):
        fit_ms.setdefault(json.loads(body)["version"], at_ms)
    asked = sa.select(SEAT.c.version, sa.func.min(PAIR.c.asked_ms).label("asked_ms"))
    asked = asked.join(MATCH, SEAT.c.match == MATCH.c.id).join(PAIR, MATCH.c.pair == PAIR.c.id)
    asked = asked.join(VERSION, SEAT.c.version == VERSION.c.id).join(BOT, VERSION.c.bot == BOT.c.id)
    asked = asked.where(BOT.c.contest.is_(None))  # what an organiser handed in plays as it is, or forfeits
    for version, asked_ms in connection.execute(asked.where(SEAT.c.version.is_not(None)).group_by(SEAT.c.version)):
        found.count("versions that played")
        if version not in fit_ms or fit_ms[version] > asked_ms:
            found.note("versions", f"version/{version}", "it was asked to play before it had passed its check")
