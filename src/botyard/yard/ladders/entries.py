"""Entries: bots on ladders, each with its active version. They come, change, are benched, revived and retired here."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from botyard.kernel.words import counted
from botyard.rank.ladder import activated, tries_left, with_version
from botyard.rank.ratings import START_MU, START_SIGMA
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import (
    BENCHED,
    BOT,
    ENTRY,
    EVENT,
    FIT,
    LADDER,
    NOTICE,
    RATING_STEP,
    RETIRED,
    SETTLING,
    VERSION,
)
from botyard.yard.data.times import DAY, HOUR, SECOND
from botyard.yard.ladders.kept_ratings import keep_rating, kept_rating
from botyard.yard.ladders.ladders import OPEN, Ladder, lock_ladder, note_milestone
from botyard.yard.ladders.pairs import cancel_pairs, pairs_asked
from botyard.yard.ladders.rows import ENTRIES, change_entries, changed_values, ladder_entry
from botyard.yard.refusals import InTheWay, NotThere, TooMuch


def enter(connection: sa.Connection, bot: int, version: int, now_ms: int) -> list[int]:
    """Makes a version the active one of its bot on every open ladder of its game; returns the entries.

    The version must be fit. A bot that is benched or retired plays again with it.
    """
    row = connection.execute(
        sa.select(VERSION.c.state, VERSION.c.number, BOT.c.owner, BOT.c.name, BOT.c.game)
        .join(BOT, VERSION.c.bot == BOT.c.id)
        .where(VERSION.c.id == version, BOT.c.id == bot)
    ).one_or_none()
    if row is None:
        raise NotThere(f"bot {bot} has no version {version}")
    if row.state != FIT:
        raise InTheWay(f"version {row.number} is {row.state}", hint="only versions that have passed the check play")
    ladders = open_ladders_of(connection, row.game)
    if not ladders:
        raise InTheWay(f"no ladder of {row.game} is open", hint="uploads are frozen after a deadline")
    entries = [enter_ladder(connection, ladder, bot, version, row.owner, now_ms) for ladder in ladders]
    about = {"version": row.number, "name": row.name}
    note_event(connection, now_ms, "bot.activated", f"bot/{bot}", person=row.owner, public=True, **about)
    return entries


def open_ladders_of(connection: sa.Connection, game: str) -> list[Ladder]:
    """Returns the ladders on which bots of a game can be entered, locked in their order."""
    chosen = sa.select(LADDER.c.id).where(LADDER.c.game == game, LADDER.c.state == OPEN).order_by(LADDER.c.id)
    return [lock_ladder(connection, number) for number in connection.execute(chosen).scalars()]


def enter_ladder(connection: sa.Connection, ladder: Ladder, bot: int, version: int, owner: int, now_ms: int) -> int:
    row = connection.execute(ENTRIES.where(ENTRY.c.ladder == ladder.id, ENTRY.c.bot == bot)).one_or_none()
    if row is None or row.state == RETIRED:
        check_room(connection, ladder, bot, owner)
    if row is None:
        new = {"state": SETTLING, "mu": START_MU, "sigma": START_SIGMA, "asked_ms": now_ms, "since_ms": now_ms}
        entry = inserted_id(connection, ENTRY, ladder=ladder.id, bot=bot, version=version, made_ms=now_ms, **new)
        change_entries(connection, ladder.id, {entry: {}})
        note_milestone(connection, ladder.id, "activated", now_ms, entry=entry, version=version)
        return entry
    change_version(connection, ladder, row, version, now_ms)
    return int(row.id)


def check_room(connection: sa.Connection, ladder: Ladder, bot: int, owner: int) -> None:
    """Refuses one more bot of a person than the ladder takes."""
    others = sa.select(BOT.c.name).join(ENTRY, ENTRY.c.bot == BOT.c.id)
    others = others.where(ENTRY.c.ladder == ladder.id, ENTRY.c.state != RETIRED, BOT.c.owner == owner, BOT.c.id != bot)
    names = list(connection.execute(others).scalars())
    most = ladder.policy.bots_per_person
    if len(names) >= most:
        there = (
            f"{len(names)} of your bots play there: {', '.join(names)}" if len(names) > 1 else f"yours is {names[0]}"
        )
        hint = f"{there}; withdraw it first" if most == 1 else f"{there}; withdraw one first"
        raise InTheWay(f"the ladder {ladder.slug} takes {counted(most, 'bot')} of a person", hint=hint)


def change_version(connection: sa.Connection, ladder: Ladder, row: sa.Row[Any], version: int, now_ms: int) -> None:
    """Gives an entry its active version: a new one, one that it had before, or the same after a pause."""
    entry = ladder_entry(row)
    rating, closed = entry.rating, entry.version_pairs
    if row.version != version:
        rating = activated(entry.rating, kept_rating(connection, row.id, version))
        keep_rating(connection, row.id, row.version, entry.rating)
        closed = pairs_of(connection, row.id, version)
        note_milestone(connection, ladder.id, "activated", now_ms, entry=row.id, version=version)
        cancel_pairs(connection, pairs_asked(connection, entry=row.id), "another version became active", now_ms)
        row = connection.execute(ENTRIES.where(ENTRY.c.id == row.id)).one()  # fewer pairs are in flight now
    after = with_version(ladder_entry(row), f"v{version}", rating, closed, ladder.policy)
    values = {**changed_values(after), "version": version, "reason": "", "since_ms": now_ms}
    change_entries(connection, ladder.id, {row.id: values})


def pairs_of(connection: sa.Connection, entry: int, version: int) -> int:
    """Returns how many pairs were closed that this version of an entry played."""
    closed = sa.select(sa.func.count()).select_from(RATING_STEP)
    closed = closed.where(RATING_STEP.c.entry == entry, RATING_STEP.c.version == version)
    return int(connection.execute(closed).scalar_one())


def retire(connection: sa.Connection, bot: int, now_ms: int, reason: str = "withdrawn by its owner") -> int:
    """Takes a bot off all ladders; returns of how many. What has begun is played to its end and counts."""
    chosen = sa.select(ENTRY.c.id, ENTRY.c.ladder).where(ENTRY.c.bot == bot, ENTRY.c.state != RETIRED)
    rows = connection.execute(chosen.order_by(ENTRY.c.ladder)).all()
    for row in rows:
        lock_ladder(connection, row.ladder)
        stop_playing(connection, row.id, row.ladder, RETIRED, reason, now_ms)
    cancel_pairs(connection, pairs_asked(connection, bot=bot), f"{RETIRED}: {reason}", now_ms)  # challenges, test games
    if rows:
        owner = connection.execute(sa.select(BOT.c.owner).where(BOT.c.id == bot)).scalar_one()
        note_event(
            connection, now_ms, "bot.retired", f"bot/{bot}", person=owner, public=True, concerns=owner, reason=reason
        )
    return len(rows)


def stop_playing(connection: sa.Connection, entry: int, ladder: int, state: str, reason: str, now_ms: int) -> None:
    cancel_pairs(connection, pairs_asked(connection, entry=entry), f"{state}: {reason}", now_ms)
    change_entries(connection, ladder, {entry: {"state": state, "reason": reason}})


def locked_entry(connection: sa.Connection, entry: int) -> tuple[Ladder, sa.Row[Any]]:
    """Returns an entry and its ladder, which nobody else changes until this transaction ends."""
    found = connection.execute(sa.select(ENTRY.c.ladder).where(ENTRY.c.id == entry)).scalar_one_or_none()
    if found is None:
        raise NotThere(f"there is no entry {entry}")
    ladder = lock_ladder(connection, found)
    return ladder, connection.execute(ENTRIES.where(ENTRY.c.id == entry)).one()


def bench(connection: sa.Connection, entry: int, reason: str, link: str, now_ms: int) -> bool:
    """Benches an entry: it is not asked to play and loses nothing more. Its owner gets a notice with a link to what
    happened. Returns whether it was playing."""
    ladder, row = locked_entry(connection, entry)
    if row.state in (BENCHED, RETIRED):
        return False
    stop_playing(connection, entry, row.ladder, BENCHED, reason, now_ms)
    if row.owner is not None:
        title = f"{row.name} is benched on {ladder.title}"
        body = f"{reason}. It plays again with a version that passes the check, or when you press “try again”."
        notice = {"person": row.owner, "title": title, "body": body, "link": link, "made_ms": now_ms}
        connection.execute(sa.insert(NOTICE).values(**notice))
    about = {"name": row.name or row.house, "ladder": ladder.slug, "reason": reason, "link": link}
    note_event(connection, now_ms, "entry.benched", f"entry/{entry}", public=True, concerns=row.owner, **about)
    return True


def revive(connection: sa.Connection, entry: int, person: int, now_ms: int) -> None:
    """Lets a benched entry play again with the same version, as its owner asked; that is possible a few times a day.

    The caller has seen to it that the person may do this.
    """
    row = connection.execute(ENTRIES.where(ENTRY.c.id == entry)).one_or_none()
    if row is None:
        raise NotThere(f"there is no entry {entry}")
    ladder = lock_ladder(connection, row.ladder)
    if row.state != BENCHED:
        raise InTheWay(
            f"{row.name or row.house} is {row.state}, not benched", hint="it plays already, or was withdrawn"
        )
    tried = sa.select(EVENT.c.at_ms).where(EVENT.c.kind == "entry.revived", EVENT.c.subject == f"entry/{entry}")
    times = list(connection.execute(tried.where(EVENT.c.at_ms > now_ms - DAY)).scalars())
    if not tries_left(times, now_ms, ladder.policy):
        wait = (min(times) + DAY - now_ms) // SECOND + 1 if times else HOUR // SECOND
        hint = "mend the bot and upload it: a version that passes the check plays at once"
        raise TooMuch(f"{ladder.policy.tries_a_day} tries a day are the most", wait, hint=hint)
    change_version(connection, ladder, row, row.version, now_ms)
    note_event(connection, now_ms, "entry.revived", f"entry/{entry}", person=person, public=True, concerns=row.owner)
