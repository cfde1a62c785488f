"""Verifies contests: their games are those that their formats ask for, on seeds of the root that was promised."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.contest.roots import root_hash
from botyard.contest.runner import replay_course
from botyard.kernel.errors import YardError
from botyard.yard.contests.games import YardGames
from botyard.yard.contests.plans import played_plan
from botyard.yard.data.contest_tables import CONTEST, CONTEST_GAME, OVER
from botyard.yard.data.tables import MATCH, PAIR
from botyard.yard.keeping.findings import Findings


def verify_contests(connection: sa.Connection, found: Findings) -> None:
    """The games of every contest follow from its plan and from each other, and one that is over has all of them."""
    for row in connection.execute(sa.select(CONTEST).order_by(CONTEST.c.id)).all():
        found.count("contests")
        where, root = f"contest/{row.slug}", bytes.fromhex(row.root)
        if root_hash(root) != row.root_hash:
            found.note("contests", where, "its root does not have the hash that was shown")
        foreign = sa.select(sa.func.count()).select_from(CONTEST_GAME).join(MATCH, CONTEST_GAME.c.match == MATCH.c.id)
        foreign = foreign.join(PAIR, MATCH.c.pair == PAIR.c.id)
        foreign = foreign.where(CONTEST_GAME.c.contest == row.id, PAIR.c.contest.is_distinct_from(row.id))
        if connection.execute(foreign).scalar_one():
            found.note("contests", where, "some of its games are matches of another contest, or of none")
        if row.plan is None:
            continue
        games = YardGames(connection, row.id, root, results_only=True)
        try:
            _, over = replay_course(played_plan(row), games)
        except YardError as error:
            found.note("contests", where, str(error))
            continue
        if row.state == OVER and not over:
            found.note("contests", where, "it is over, but its format asks for further games")
