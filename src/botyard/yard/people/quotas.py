"""Quotas: how much one person may do. They are counted from the tables in the transaction that uses them.

The person's row stays locked until that transaction ends, so that two requests at once cannot both use the last one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.config import Quotas
from botyard.yard.data.database import locked
from botyard.yard.data.tables import (
    BOT,
    BUILDING,
    BUILT,
    CANCELLED,
    CHECKING,
    EVENT,
    PAIR,
    PERSON,
    TOKEN,
    UPLOADED,
    VERSION,
)
from botyard.yard.data.times import DAY, MINUTE, SECOND
from botyard.yard.refusals import NotAllowed, TooMuch

Query = sa.Select[Any]  # the times of what counts, in milliseconds


@dataclass(frozen=True, slots=True)
class Quota:
    """What is counted, how much of it there may be, and what to say when there is as much."""

    counted: Callable[[int, int], Query]  # of a person, since a time
    most: Callable[[Quotas], int]
    said: str
    hint: str
    daily: bool = True


def made_versions(person: int, since_ms: int) -> Query:
    own = sa.join(VERSION, BOT, VERSION.c.bot == BOT.c.id)
    return sa.select(VERSION.c.made_ms).select_from(own).where(BOT.c.owner == person, VERSION.c.made_ms > since_ms)


def unfinished_versions(person: int, _: int) -> Query:
    return made_versions(person, -1).where(VERSION.c.state.in_((UPLOADED, BUILDING, BUILT, CHECKING)))


def living_bots(person: int, _: int) -> Query:
    return sa.select(BOT.c.made_ms).where(BOT.c.owner == person, BOT.c.deleted_ms.is_(None))


def good_tokens(person: int, _: int) -> Query:
    return sa.select(TOKEN.c.made_ms).where(TOKEN.c.person == person, TOKEN.c.ended_ms.is_(None))


def asked_pairs(kind: str) -> Callable[[int, int], Query]:
    def asked(person: int, since_ms: int) -> Query:
        own = (PAIR.c.person == person) & (PAIR.c.kind == kind) & (PAIR.c.state != CANCELLED)
        return sa.select(PAIR.c.asked_ms).where(own, PAIR.c.asked_ms > since_ms)

    return asked


def revived_entries(person: int, since_ms: int) -> Query:
    own = (EVENT.c.concerns == person) & (EVENT.c.person == person) & (EVENT.c.kind == "entry.revived")
    return sa.select(EVENT.c.at_ms).where(own, EVENT.c.at_ms > since_ms)


UPLOADS = Quota(made_versions, lambda q: q.uploads_a_day, "{most} uploads a day are the most", "try again later")
BUILDS = Quota(
    unfinished_versions,
    lambda q: q.unfinished_builds,
    "{most} at a time is built and checked, and yours is at work",
    "wait until it is fit or refused, or withdraw it",
    daily=False,
)
BOTS = Quota(living_bots, lambda q: q.bots, "{most} bots are the most", "delete one that you do not need", daily=False)
CHALLENGES = Quota(
    asked_pairs("challenge"), lambda q: q.challenges_a_day, "{most} challenges a day are the most", "try again later"
)
TEST_GAMES = Quota(
    asked_pairs("test"), lambda q: q.test_games_a_day, "{most} test games a day are the most", "try again later"
)
REVIVALS = Quota(
    revived_entries,
    lambda q: q.revivals_a_day,
    "{most} times a day a bench can be left this way",
    "mend the bot and upload it: a version that passes the check plays at once",
)
TOKENS = Quota(
    good_tokens, lambda q: q.tokens, "{most} tokens are the most", "end one that you do not use", daily=False
)


def check_quota(connection: sa.Connection, person: int, quota: Quota, quotas: Quotas, now_ms: int) -> int:
    """Refuses one more of what a quota counts; returns how many there are so far.

    The person's row is locked from here on to the end of the transaction, which has to add what was asked for.
    """
    row = locked(connection, PERSON, person)
    if row is None or row.state != "active":
        raise NotAllowed("this account is not active", hint="ask an admin of this yard")
    times = sorted(connection.execute(quota.counted(person, now_ms - DAY)).scalars())
    most = quota.most(quotas)
    if len(times) >= most:
        raise TooMuch(quota.said.format(most=most), seconds_left(times, most, quota, now_ms), hint=quota.hint)
    return len(times)


def seconds_left(times: list[int], most: int, quota: Quota, now_ms: int) -> int:
    """Returns after how long it is worth trying again: when enough of today's are a day old."""
    if not quota.daily or most <= 0:
        return MINUTE // SECOND if most > 0 else DAY // SECOND
    return max(1, math.ceil((times[len(times) - most] + DAY - now_ms) / SECOND))
