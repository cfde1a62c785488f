"""The tables of contests: what was announced, who entered, and which game of a contest is which match."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.columns import TABLES, key, number, of, one_of, text

OPEN, RUNNING, PAUSED, OVER, GIVEN_UP = CONTEST_STATES = "open", "running", "paused", "over", "cancelled"
NOTHING, OWN_GAMES, ALL_GAMES = RELEASES = "nothing", "own", "all"
"""What others than its organiser may see of a contest's games: nothing, those of their own bots, or all of them."""

CONTEST = sa.Table(
    "contest",
    TABLES,
    key(),
    text("slug", unique=True),
    of("person", "organiser", index=True),
    text("title"),
    text("game"),
    text("file"),  # the contest file, word for word
    number("bots_per_person", default=1),
    number("predictable", default=0),  # whether its generator has fewer than 64 bits, which its page says
    number("deadline_ms", null=True),  # when entries and uploads freeze
    text("release"),
    text("state"),
    text("why", default=""),  # why it waits, or what became of it
    text("root"),  # secret, hexadecimal, until the contest is over
    text("root_hash"),
    number("run", default=0),  # how often it was begun again from zero
    text("past", default="[]"),  # JSON: the roots of the runs before
    number("watched", default=0),  # whether changed bots bring new games (`rerun = "on_change"`)
    text("plan", null=True),  # JSON: by which its games were last asked
    text("identity", null=True),  # JSON: rules and bots of that plan
    number("changes", default=0),  # grows with all that changes its pages: whoever keeps them reads those again
    number("wanted", default=0),  # whether its organiser has said that it may begin
    number("due", default=0),  # whether a bot has come, gone or changed since the plan
    number("made_ms"),
    number("begun_ms", null=True),
    number("ended_ms", null=True),
    one_of("release", *RELEASES),
    one_of("state", *CONTEST_STATES),
)
ENTRANT = sa.Table(  # a bot of a contest, in the order of registration
    "entrant",
    TABLES,
    key(),
    of("contest"),
    text("key"),  # by which results know it
    text("name"),
    text("house", null=True),
    of("version", null=True),
    of("person", null=True, index=True),  # who entered; of a submission without an account nobody
    number("guest", default=0),
    number("listed", default=0),  # whether a line of the contest file names it
    text("trouble", default=""),  # why it takes no part, or forfeits
    number("made_ms"),
    number("left_ms", null=True),
    sa.UniqueConstraint("contest", "key"),
    sa.CheckConstraint("house IS NULL OR version IS NULL", name="one_player"),
)
CONTEST_GAME = sa.Table(
    "contest_game",
    TABLES,
    of("contest", primary_key=True),
    number("number", primary_key=True),  # its place in the contest, from 1
    of("match", null=True, index=True),  # none: it was forfeited before it was played
    text("bots"),  # JSON: keys, in the order in which they are handed to the game
    text("name"),  # of its match in the format
    number("game"),  # within that match, from 1
    text("chance"),
    text("result", default=""),  # only of a game that was forfeited without being played
)
