"""The tables of rooms: who is registered where, their points by day, and what was written down of rounds."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.columns import TABLES, key, number, of, one_of, text

OPENED, SHUT = ROOM_STATES = "open", "closed"
ANYBODY, ACCOUNTS = ROOM_DOORS = "anybody", "accounts"
"""Who may register in a room: everybody, by a name alone, as Codenjoy did, or people with an account."""

ROOM = sa.Table(
    "room",
    TABLES,
    key(),
    text("slug", unique=True),  # its name in addresses, below /rooms and for clients of Codenjoy
    text("game"),
    text("title"),
    text("settings"),  # JSON: all settings of the game; fields play by them from their next round on
    text("house"),  # JSON: a list of the house bots that play in it
    text("door"),
    text("state"),
    number("generation", default=0),  # grows when points are reset: what was counted before it is not written any more
    number("made_ms"),
    number("closed_ms", null=True),
    one_of("door", *ROOM_DOORS),
    one_of("state", *ROOM_STATES),
)
MEMBER = sa.Table(
    "member",
    TABLES,
    key(),
    of("room", index=True),
    text("user", unique=True),  # in addresses; random, and never given to somebody else
    text("name"),
    text("name_key"),  # of one who was removed `removed:ID`
    of("person", null=True, index=True),  # none: registered by a name alone
    text("house", null=True),  # the name of a house bot
    number("generation", default=0),  # of the code: HMAC(server key, user, generation), which stands nowhere
    number("points", default=0),
    number("made_ms"),
    number("removed_ms", null=True),
    sa.UniqueConstraint("room", "name_key"),
    sa.UniqueConstraint("room", "person"),
)
MEMBER_DAY = sa.Table(  # all days of a member together are its points
    "member_day",
    TABLES,
    of("member", primary_key=True),
    number("day", primary_key=True),  # since 1970, UTC
    number("points"),  # won on that day, less those lost
)
CHRONICLE = sa.Table(  # a field of a room from its beginning to its end
    "chronicle",
    TABLES,
    key(),
    of("room"),
    of("blob", "replay", column="digest"),
    text("settings"),  # JSON: all settings by which it was played
    number("rules"),
    number("ticks"),  # entries of the replay
    number("beats"),  # of them, those with orders
    number("begun_ms"),
    number("ended_ms", index=True),
    sa.Index("ix_chronicle_listed", "room", "id"),
)
STINT = sa.Table(  # somebody's time on a seat, from one entry of the replay to another
    "stint",
    TABLES,
    of("chronicle", primary_key=True),
    of("member", primary_key=True, index=True),
    number("since", primary_key=True),
    number("until"),
    number("seat"),
)
