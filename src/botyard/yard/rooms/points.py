"""Points of members: written in batches while rooms tick, and read as tables of leaders, by day or for all days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa

from botyard.yard.data.room_tables import MEMBER, MEMBER_DAY, ROOM
from botyard.yard.data.statements import change_each, insert_rows
from botyard.yard.data.times import DAY
from botyard.yard.refusals import Refusal

EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Gain:
    """What a member has by now, and how much of it was not written down yet."""

    room: int
    generation: int  # of the room when it was counted
    member: int
    points: int
    gained: int


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a table of leaders."""

    place: int
    member: int
    user: str
    name: str
    house: bool
    person: int | None
    points: int


def write_points(connection: sa.Connection, gains: Sequence[Gain], day: int) -> None:
    """Writes points down and adds them to a day. What was counted before a reset is not written any more."""
    rooms = {gain.room for gain in gains}
    chosen = sa.select(ROOM.c.id, ROOM.c.generation).where(ROOM.c.id.in_(rooms)).with_for_update(key_share=True)
    now = {row.id: row.generation for row in connection.execute(chosen)}
    counted = [gain for gain in gains if now.get(gain.room) == gain.generation]
    change_each(connection, MEMBER, [({"id": gain.member}, {"points": gain.points}) for gain in counted])
    members = [gain.member for gain in counted]
    of_day = sa.select(MEMBER_DAY).where(MEMBER_DAY.c.day == day, MEMBER_DAY.c.member.in_(members))
    there = {row.member: row.points for row in connection.execute(of_day)}
    old = [
        ({"member": gain.member, "day": day}, {"points": there[gain.member] + gain.gained})
        for gain in counted
        if gain.member in there
    ]
    change_each(connection, MEMBER_DAY, old)
    new = [{"member": gain.member, "day": day, "points": gain.gained} for gain in counted if gain.member not in there]
    insert_rows(connection, MEMBER_DAY, new)


def leaders_of(connection: sa.Connection, room: int, day: int | None = None) -> list[Leader]:
    """Returns the members of a room by their points, of a day or of all days; equal ones as they registered."""
    columns = MEMBER.c.id, MEMBER.c.user, MEMBER.c.name, MEMBER.c.house, MEMBER.c.person
    here = (MEMBER.c.room == room) & MEMBER.c.removed_ms.is_(None)
    if day is None:
        chosen = sa.select(*columns, MEMBER.c.points).where(here).order_by(MEMBER.c.points.desc(), MEMBER.c.id)
    else:
        chosen = sa.select(*columns, MEMBER_DAY.c.points).join(MEMBER_DAY, MEMBER_DAY.c.member == MEMBER.c.id)
        chosen = chosen.where(here, MEMBER_DAY.c.day == day).order_by(MEMBER_DAY.c.points.desc(), MEMBER.c.id)
    return [
        Leader(place, row.id, row.user, row.name, row.house is not None, row.person, row.points)
        for place, row in enumerate(connection.execute(chosen), 1)
    ]


def days_of(connection: sa.Connection, room: int, most: int = 60) -> list[int]:
    """Returns the days on which somebody won points in a room, the latest first."""
    days = sa.select(MEMBER_DAY.c.day).join(MEMBER, MEMBER_DAY.c.member == MEMBER.c.id).where(MEMBER.c.room == room)
    return list(connection.execute(days.distinct().order_by(MEMBER_DAY.c.day.desc()).limit(most)).scalars())


# Days


def day_of(now_ms: int) -> int:
    """Returns the number of a day (UTC)."""
    return now_ms // DAY


def day_word(day: int) -> str:
    return (EPOCH + timedelta(days=day)).isoformat()


def day_in(typed: str) -> int:
    """Returns the day that somebody wrote as 2018-12-24."""
    try:
        found = datetime.strptime(typed, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise Refusal("the day cannot be read", hint="write it like 2018-12-24") from None
    return (found - EPOCH).days
