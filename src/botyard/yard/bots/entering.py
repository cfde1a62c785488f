"""Bots come to the ladders of their game and leave them; what a ladder makes of that is its own affair."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.rank.ratings import START_MU, START_SIGMA
from botyard.yard.data.database import insert_new
from botyard.yard.data.tables import BOT, ENTRY, LADDER, RETIRED, SETTLING
from botyard.yard.refusals import InTheWay


def enter(connection: sa.Connection, bot: int, version: int, now_ms: int) -> None:
    """Has a version play for its bot on every open ladder of its game."""
    open_ones = sa.select(LADDER.c.id).join(BOT, BOT.c.game == LADDER.c.game)
    ladders = connection.scalars(open_ones.where(BOT.c.id == bot, LADDER.c.state == "open")).all()
    if not ladders:
        raise InTheWay("no ladder of this game is open", hint="look at /ladders for those that are")
    for ladder in ladders:
        row = {"ladder": ladder, "bot": bot, "state": SETTLING, "mu": START_MU, "sigma": START_SIGMA, "made_ms": now_ms}
        insert_new(connection, ENTRY, row)
        entry = sa.update(ENTRY).where(ENTRY.c.ladder == ladder, ENTRY.c.bot == bot)
        connection.execute(entry.values(version=version, state=SETTLING, reason=""))


def leave(connection: sa.Connection, bot: int, reason: str, version: int | None = None) -> None:
    """Has a bot leave all ladders; with a version only those where it plays."""
    own = (ENTRY.c.bot == bot) if version is None else (ENTRY.c.bot == bot) & (ENTRY.c.version == version)
    connection.execute(sa.update(ENTRY).where(own, ENTRY.c.state != RETIRED).values(state=RETIRED, reason=reason))
