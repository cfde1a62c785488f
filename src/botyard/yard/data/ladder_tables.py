"""The tables that a ladder needs beside its entries, pairs and matches: seasons, kept ratings and the like."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.columns import TABLES, key, number, of, one_of, text

ENCOUNTER = sa.Table(  # how often two versions met; each is written v12 or house:NAME, `one` before `other`
    "encounter",
    TABLES,
    of("ladder", primary_key=True),
    text("one", primary_key=True),
    text("other", primary_key=True, index=True),
    number("pairs"),  # asked ones; cancelled ones, too, so that no two pairs have the same seed
    number("last_ms"),  # when the last of them was asked
    text("orders_hash", default=""),  # of the last one that was closed
    number("settled", default=0),  # whether the last two that were closed are equal order for order
)
SEASON = sa.Table(
    "season",
    TABLES,
    of("ladder", primary_key=True),
    number("number", primary_key=True),
    number("rules"),
    text("settings"),
    text("root"),  # may be shown once the season has ended and none of its pairs is open
    text("root_hash"),
    number("opened_ms"),
    number("ended_ms", null=True),
)
MILESTONE = sa.Table(  # what changes ratings beside pairs: a version became active, a season opened
    "milestone",
    TABLES,
    key(),
    of("ladder"),
    number("after"),  # the number of the last pair that was closed before it
    text("kind"),
    of("entry", null=True),
    of("version", null=True),  # that became active
    number("at_ms"),
    one_of("kind", "activated", "season"),
    sa.Index("ix_milestone_order", "ladder", "after", "id"),
)
KEPT_RATING = sa.Table(  # of versions that were active before, so that going back restores it; derived, as a rating is
    "kept_rating",
    TABLES,
    of("entry", primary_key=True),
    of("version", primary_key=True),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
)
