"""The tables of the yard.

They are the same on SQLite and PostgreSQL. Times are milliseconds since 1970 (UTC), truth values are 0 or 1, seeds of
64 bits and JSON are text. Every constraint has a name, so that migrations can change it.
"""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.columns import TABLES, key, number, of, one_of, real, text

# What the yard knows of itself

FACT = sa.Table(
    "fact",
    TABLES,
    text("name", primary_key=True),  # server_key, the steward's fence, which checks were made with what
    text("value"),
)
COUNTER = sa.Table(
    "counter",
    TABLES,
    text("name", primary_key=True),  # a row is updated in the transaction that uses its value: numbers have no gaps
    number("value"),
)

# People

ADMIN, ORGANISER, PLAYER = ROLES = "admin", "organiser", "player"

PERSON = sa.Table(
    "person",
    TABLES,
    key(),
    text("name"),
    text("name_key", unique=True),  # NFKC and casefold; of a deleted person `deleted:ID`
    text("password", null=True),  # argon2id; none: a link that works once sets the first one
    text("role"),
    text("state"),
    text("reason", default=""),  # why they were banned
    number("made_ms"),
    one_of("role", *ROLES),
    one_of("state", "active", "banned", "deleted"),
)
LEFT_NAME = sa.Table(  # names that nobody has any more, and nobody else may have yet
    "left_name",
    TABLES,
    text("digest", primary_key=True),  # SHA-256 of a name_key
    of("person", null=True, index=True),  # who may go back to it; none: nobody
    number("until_ms"),
)
SESSION = sa.Table(
    "session",
    TABLES,
    text("digest", primary_key=True),  # SHA-256 of what the cookie holds
    of("person", index=True),
    number("made_ms"),
    number("seen_ms"),
    number("ends_ms"),
    text("address"),
    text("agent"),
)
TOKEN = sa.Table(
    "token",
    TABLES,
    key(),
    of("person", index=True),
    text("name"),
    text("digest", unique=True),
    text("scopes"),  # JSON: a list of words
    number("made_ms"),
    number("used_ms", null=True),
    number("ended_ms", null=True),
)
TICKET = sa.Table(  # a link that works once: the first admin, a lost password, an invitation
    "ticket",
    TABLES,
    text("digest", primary_key=True),
    text("purpose"),
    of("person", null=True),  # whose password it sets
    text("name", null=True),  # of whom an invitation is for, if it is for one person
    of("person", "made_by", null=True),
    number("made_ms"),
    number("ends_ms"),
    number("used_ms", null=True),
    one_of("purpose", "admin", "password", "invitation"),
)
NOTICE = sa.Table(  # news of the site, or for one person
    "notice",
    TABLES,
    key(),
    of("person", null=True, index=True),  # none: for all
    of("person", "author", null=True),  # none: by the yard itself
    text("title"),
    text("body"),
    text("link", default=""),
    number("made_ms"),
    number("seen_ms", null=True),
    number("hidden_ms", null=True),
)

# Bots

BLOB = sa.Table(
    "blob",
    TABLES,
    text("digest", primary_key=True),  # SHA-256
    number("size"),
    sa.Column("content", sa.LargeBinary, nullable=True),  # none: it lies in a file
    number("made_ms"),
    number("pruned_ms", null=True),
)
BOT = sa.Table(
    "bot",
    TABLES,
    key(),
    of("person", "owner", null=True, index=True),  # nobody's: handed in for somebody who has no account
    text("game"),
    text("name"),
    text("name_key"),  # NFKC and casefold; what an organiser handed in has a name of its contest alone
    number("logs_public", default=0),
    number("made_ms"),
    number("deleted_ms", null=True),
    of("contest", null=True, index=True),  # for which an organiser handed it in
    sa.UniqueConstraint("game", "name_key"),
)

UPLOADED, BUILDING, BUILT, CHECKING, FIT = "uploaded", "building", "built", "checking", "fit"
UNBUILT, UNFIT, WITHDRAWN = "unbuilt", "unfit", "withdrawn"
VERSION_STATES = UPLOADED, BUILDING, BUILT, CHECKING, FIT, UNBUILT, UNFIT, WITHDRAWN

VERSION = sa.Table(
    "version",
    TABLES,
    key(),
    of("bot"),
    number("number"),
    text("tree"),  # a hash over the unpacked files: the same content is the same version
    of("blob", "source", column="digest"),
    text("manifest"),  # JSON
    text("language"),
    text("state"),
    text("reason", default=""),
    number("activate", default=0),  # whether the owner wants it active as soon as it is fit
    of("blob", "build_log", null=True, column="digest"),
    text("findings", null=True),  # JSON: what the check found, with remedies
    of("blob", "check_replay", null=True, column="digest"),
    of("blob", "check_turns", null=True, column="digest"),
    number("check_seat", default=0),  # where the bot sat in that game
    text("checked_with", default=""),  # a hash of Botyard, rules, settings and toolchains
    number("made_ms"),
    text("message", default=""),  # what its owner says has changed
    sa.UniqueConstraint("bot", "number"),
    sa.UniqueConstraint("bot", "tree"),
    one_of("state", *VERSION_STATES),
)

# Work

BUILD, CHECK, MATCH_TASK, FILM = TASK_KINDS = "build", "check", "match", "film"
WAITING, LEASED, ENDED, FAILED, CANCELLED = TASK_STATES = "waiting", "leased", "ended", "failed", "cancelled"

TASK = sa.Table(
    "task",
    TABLES,
    key(),
    text("kind"),
    number("urgency"),  # 0 builds and checks, 1 challenges and test games, 2 settling, 3 contests, 4 the steady ladder
    text("state"),
    number("fence", default=0),  # of the lease, and no other lease has it: a report with another one changes nothing
    text("worker", default=""),
    number("until_ms", null=True),
    number("progress", default=0),  # ticks played, or bytes of the build log
    number("attempts", default=0),
    text("why"),  # why it waits, is at work, or has failed
    of("version", null=True, index=True),
    number("match", null=True, index=True),
    of("person", null=True),  # who asked for it
    number("asked_ms"),
    number("begun_ms", null=True),
    number("ended_ms", null=True),
    one_of("kind", *TASK_KINDS),
    one_of("state", *TASK_STATES),
    sa.CheckConstraint("why <> '' OR state NOT IN ('waiting', 'leased')", name="unfinished_has_why"),
    sa.Index("ix_task_next", "state", "urgency", "id"),
    sa.Index("ix_task_latest", "state", "id"),  # what was done last
)
FAULT = sa.Table(  # trouble of our own; never in standings
    "fault",
    TABLES,
    key(),
    of("task", null=True, index=True),
    number("fence", default=0),  # of the lease that went wrong
    number("attempt", default=0),
    text("worker"),
    text("reason"),
    number("at_ms"),
    number("match", null=True),  # that went otherwise when it was played again
    of("blob", "replay", null=True, column="digest"),  # of that other game
)
WORKER = sa.Table(
    "worker",
    TABLES,
    text("name", primary_key=True),
    text("state"),
    text("about"),  # JSON: versions and toolchains
    number("seen_ms"),
    one_of("state", "idle", "busy", "drained", "refused", "gone"),
)

# Ladders

LADDER = sa.Table(
    "ladder",
    TABLES,
    key(),
    text("slug", unique=True),
    text("game"),
    text("title"),
    text("settings"),  # JSON: all settings of the game
    text("policy"),  # JSON
    text("root"),  # secret, hexadecimal, until the season ends
    text("root_hash"),
    text("stream"),  # the state of the random stream that pairs are drawn with
    number("season"),
    number("rules"),  # the version of the game's rules in this season
    number("predictable", default=0),  # whether its generator has fewer than 64 bits, which its page says
    number("changes", default=0),  # grows whenever an entry changes: whoever keeps entries in memory reads those
    number("recorded", default=0),  # the number of the last pair that was closed
    text("state"),
    number("deadline_ms", null=True),
    text("standings", null=True),  # JSON: of the final, after a deadline
    number("made_ms"),
    one_of("state", "open", "frozen", "final", "closed"),
)

SETTLING, ACTIVE, BENCHED, RETIRED = ENTRY_STATES = "settling", "active", "benched", "retired"

ENTRY = sa.Table(
    "entry",
    TABLES,
    key(),
    of("ladder"),
    of("bot", null=True),
    text("house", null=True),  # the name of a house bot, which is nobody's
    of("version", null=True),  # the active one
    text("state"),
    text("reason", default=""),
    real("mu"),
    real("sigma"),
    number("games", default=0),
    number("pairs", default=0),  # closed and rated
    number("version_pairs", default=0),  # of them, those of the active version
    number("in_flight", default=0),  # pairs that were asked and are not closed
    number("asked_ms", default=0),  # when its last pair was asked, or when it was entered
    number("hosted_ms", null=True),  # when the last pair was asked that it hosts
    number("game_ms", default=0),  # what a game of it costs a worker, on average
    text("seated", default="[]"),  # JSON: how often it sat in each seat, where more than two play
    number("since_ms", default=0),  # when the active version came or the entry was revived; the bench looks no further
    number("changed", default=0),  # `changes` of the ladder when this row was last changed
    number("made_ms"),
    sa.UniqueConstraint("ladder", "bot"),
    sa.UniqueConstraint("ladder", "house"),
    sa.CheckConstraint("(bot IS NULL) <> (house IS NULL)", name="one_player"),
    one_of("state", *ENTRY_STATES),
    sa.Index("ix_entry_changed", "ladder", "changed"),
)

ASKED, BEGUN, CLOSED, VOID = "asked", "begun", "closed", "void"
PAIR = sa.Table(  # games that belong together: two on one seed with the seats swapped, or one table
    "pair",
    TABLES,
    key(),
    of("ladder", null=True),
    text("kind"),
    number("season", default=0),
    text("chance"),  # the words that the seed is derived from
    text("seed"),
    text("state"),
    number("number", null=True),  # in the order in which pairs of its ladder were closed
    number("rated", default=0),
    text("why"),  # why these bots were asked
    text("orders_hash", default=""),  # over the orders of all its games, to see that a pair repeats itself
    of("person", null=True),  # who asked for a challenge, a test game or a game by hand
    number("asked_ms"),
    number("closed_ms", null=True),
    of("contest", null=True, index=True),
    number("held", default=0),  # of a contest: 1 its organiser alone may see it, 2 also the owners of its bots
    sa.UniqueConstraint("ladder", "number"),
    sa.UniqueConstraint("ladder", "season", "chance"),
    sa.Index("ix_pair_state", "state", "ladder"),
    sa.Index("ix_pair_listed", "ladder", "id"),  # the newest of a ladder
    one_of("kind", "ladder", "final", "challenge", "test", "hand", "contest"),
    one_of("state", ASKED, BEGUN, CLOSED, VOID, CANCELLED),
)
DONE = "done"
MATCH = sa.Table(
    "match",
    TABLES,
    key(),
    of("pair"),
    number("half"),  # 1 or 2
    text("game"),
    text("settings"),  # JSON
    number("rules"),
    text("botyard"),
    text("state"),
    text("result", default=""),  # in the notation of results; players are named by their place: p1, p2, …
    number("ticks", default=0),
    of("blob", "replay", null=True, column="digest"),
    of("blob", "turns", null=True, column="digest"),
    of("blob", "film", null=True, column="digest"),
    text("figures", null=True),  # JSON by place: verdicts, times, cages, lost turns; and the jitter
    text("orders_hash", default=""),  # over all orders
    text("reason", default=""),  # why it is void
    text("worker", default=""),
    number("begun_ms", null=True),
    number("done_ms", null=True),
    sa.UniqueConstraint("pair", "half"),
    sa.Index("ix_match_done", "game", "done_ms"),
    sa.Index("ix_match_listed", "game", "pair", "half"),  # the newest of a game
    one_of("state", ASKED, LEASED, DONE, VOID, CANCELLED),
    sa.CheckConstraint("(state = 'done') = (result <> '')", name="done_has_result"),
)
SEAT = sa.Table(
    "seat",
    TABLES,
    of("match", primary_key=True),
    number("place", primary_key=True),  # in the order in which players are handed to the game, from 1
    of("entry", null=True, index=True),
    of("version", null=True),
    of("person", null=True, index=True),
    text("house", null=True),
    text("name"),  # as it was shown then
    number("rank", null=True),  # 1 for the best
    number("score", null=True),
    number("forfeited", default=0),
    number("lost_turns", default=0),
    number("turns", default=0),
    sa.Index("ix_seat_version", "version", "match"),  # the newest games of a version
    sa.CheckConstraint(
        "(CASE WHEN version IS NULL THEN 0 ELSE 1 END) + (CASE WHEN person IS NULL THEN 0 ELSE 1 END)"
        " + (CASE WHEN house IS NULL THEN 0 ELSE 1 END) = 1",
        name="one_player",
    ),
)
RATING_STEP = sa.Table(  # derived: it can be deleted and made again, byte for byte
    "rating_step",
    TABLES,
    of("ladder", primary_key=True),
    number("number", primary_key=True),  # of the pair
    of("entry", primary_key=True),
    number("season"),
    of("version", null=True),
    real("mu"),
    real("sigma"),
    number("games"),
    number("at_ms"),
    sa.Index("ix_rating_step_entry", "entry", "version", "number"),
)

# What happened

EVENT = sa.Table(
    "event",
    TABLES,
    number("number", primary_key=True, autoincrement=False),
    number("at_ms"),
    text("kind"),  # such as version.fit or match.done
    of("person", null=True),  # who did it
    text("subject"),  # such as bot/3
    number("public"),  # whether everybody may know
    of("person", "concerns", null=True, index=True),  # who may know besides admins, if not everybody
    text("body"),  # JSON
)
