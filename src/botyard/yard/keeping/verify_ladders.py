"""Verifies ladders: pairs in order and without a gap, seeds that follow from the root, tallies, and what is secret."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import sqlalchemy as sa

from botyard.contest.roots import derive_seed, root_hash
from botyard.yard.data.contest_tables import CONTEST, OVER
from botyard.yard.data.ladder_tables import SEASON
from botyard.yard.data.tables import (
    ASKED,
    BEGUN,
    CANCELLED,
    CLOSED,
    DONE,
    ENTRY,
    EVENT,
    FACT,
    LADDER,
    LEASED,
    MATCH,
    PAIR,
    SEAT,
    VOID,
)
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.sweeping import batches
from botyard.yard.ladders.challenges import ROOT
from botyard.yard.ladders.closed_games import games_of_pair, orders_hash
from botyard.yard.ladders.pairs import LADDER_PAIR

ALLOWED = {
    ASKED: {ASKED},
    BEGUN: {ASKED, LEASED, DONE, VOID},
    CLOSED: {DONE},
    VOID: {DONE, VOID, CANCELLED},
    CANCELLED: {CANCELLED},
}
"""Which states the matches of a pair may have, by the state of the pair; those of a contest may be void one by one."""

ROOT_OF_CHALLENGES = sa.select(FACT.c.value).where(FACT.c.name == ROOT)

Row = sa.Row[Any]
Roots = dict[tuple[int | None, int | None, int], str]
"""Roots by ladder and season, or by contest and run; those of neither are of challenges."""


def verify_pairs(connection: sa.Connection, found: Findings, counting: Counting) -> None:
    """Every pair is in a state that its matches allow, and has the seed that follows from the root of its season."""
    pairs = connection.execute(sa.select(PAIR).order_by(PAIR.c.id)).all()
    roots: Roots = {(row.ladder, None, row.number): row.root for row in connection.execute(sa.select(SEASON))}
    if root := connection.scalars(ROOT_OF_CHALLENGES).one_or_none():
        roots[None, None, 0] = root
    for contest in connection.execute(sa.select(CONTEST.c.id, CONTEST.c.past, CONTEST.c.root)):
        runs = [*json.loads(contest.past), contest.root]
        roots |= {(None, contest.id, run): root for run, root in enumerate(runs)}
    states: dict[int, Counter[str]] = {}
    for pair, state in connection.execute(sa.select(MATCH.c.pair, MATCH.c.state)):
        states.setdefault(pair, Counter())[state] += 1
    with counting("pairs", len(pairs)) as advance:
        for pair in pairs:
            found.count("pairs")
            for trouble in pair_troubles(connection, pair, states.get(pair.id, Counter()), roots):
                found.note("pairs", f"pair/{pair.id}", trouble)
            advance()


def pair_troubles(connection: sa.Connection, pair: Row, states: Counter[str], roots: Roots) -> list[str]:
    troubles = []
    allowed = ALLOWED[pair.state] | ({VOID} if pair.contest is not None and pair.state == CLOSED else set())
    if not states or not states.keys() <= allowed:
        troubles.append(f"it is {pair.state}, and its matches are {', '.join(sorted(states)) or 'none'}")
    counted = pair.state == CLOSED and pair.kind == LADDER_PAIR
    if counted != (pair.number is not None) or counted != bool(pair.rated):
        troubles.append(
            f"it is {pair.state}, its number is {pair.number}, and it is {'' if pair.rated else 'not '}rated"
        )
    if pair.state == CLOSED and orders_hash(games_of_pair(connection, pair.id)) != pair.orders_hash:
        troubles.append("the hash of its orders is not that of its games")
    root = roots.get((pair.ladder, pair.contest, pair.season))
    if root is None:
        troubles.append("there is no root that its seed follows from")
    elif str(derive_seed(bytes.fromhex(root), pair.chance)) != pair.seed:
        troubles.append("its seed does not follow from the root of its season, its contest, or of challenges")
    return troubles


def verify_numbers(connection: sa.Connection, found: Findings) -> None:
    """Closed pairs of a ladder are numbered from 1 without a gap, and every season has the root that was promised."""
    numbered = sa.select(PAIR.c.ladder, sa.func.count(), sa.func.max(PAIR.c.number)).where(PAIR.c.number.is_not(None))
    by_ladder = {row[0]: (row[1], row[2]) for row in connection.execute(numbered.group_by(PAIR.c.ladder))}
    for ladder in connection.execute(sa.select(LADDER.c.id, LADDER.c.slug, LADDER.c.recorded)):
        found.count("ladders")
        count, last = by_ladder.get(ladder.id, (0, 0))
        if not count == last == ladder.recorded:
            told = f"{count} closed pairs, {last} is the last number, and {ladder.recorded} are recorded"
            found.note("numbers", f"ladder/{ladder.slug}", told)
    for season in connection.execute(sa.select(SEASON)):
        if root_hash(bytes.fromhex(season.root)) != season.root_hash:
            told = f"the root of season {season.number} does not have the hash that was shown"
            found.note("numbers", f"ladder/{season.ladder}", told)


def verify_flights(connection: sa.Connection, found: Findings) -> None:
    """Every entry has as many pairs in flight as are asked or begun with it."""
    seated = sa.select(SEAT.c.entry, PAIR.c.id).distinct().join(MATCH, SEAT.c.match == MATCH.c.id)
    seated = seated.join(PAIR, MATCH.c.pair == PAIR.c.id)
    seated = seated.where(PAIR.c.kind == LADDER_PAIR, PAIR.c.state.in_((ASKED, BEGUN)), SEAT.c.entry.is_not(None))
    flying = Counter(row.entry for row in connection.execute(seated))
    for entry in connection.execute(sa.select(ENTRY.c.id, ENTRY.c.in_flight)):
        found.count("entries")
        if entry.in_flight != flying[entry.id]:
            told = f"{entry.in_flight} pairs are said to be in flight, and {flying[entry.id]} are"
            found.note("tallies", f"entry/{entry.id}", told)


def verify_secrets(connection: sa.Connection, found: Findings) -> None:
    """No event tells a seed or the results of a pair that is open, or a root of a season that goes on."""
    open_pairs = connection.execute(sa.select(PAIR.c.id, PAIR.c.seed).where(PAIR.c.state.in_((ASKED, BEGUN)))).all()
    roots = connection.scalars(sa.select(SEASON.c.root).where(SEASON.c.ended_ms.is_(None))).all()
    contests = connection.scalars(sa.select(CONTEST.c.root).where(CONTEST.c.state != OVER)).all()
    secrets = [*(pair.seed for pair in open_pairs), *roots, *contests, *connection.scalars(ROOT_OF_CHALLENGES)]
    found.count("secrets", len(secrets))
    for some in batches(secrets):
        any_of_them = re.compile("|".join(some))
        told = sa.select(EVENT.c.number, EVENT.c.body)
        for number, body in connection.execute(told, execution_options={"yield_per": 1000}):
            if any_of_them.search(body):
                found.note("secrets", f"event/{number}", "it tells a seed or a root too early")
    closed = set(connection.scalars(sa.select(EVENT.c.subject).where(EVENT.c.kind == "pair.closed")))
    for subject in sorted(closed & {f"pair/{pair.id}" for pair in open_pairs}):
        found.note("secrets", subject, "its results were told before it was closed")
