"""The ladders of a yard are opened, taken over and closed as its file says, whenever it starts."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.config import LadderPlan
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import LADDER
from botyard.yard.ladders.ladders import CLOSED, FINAL, OPEN, Ladder, add_house_bots, all_ladders, open_ladder
from botyard.yard.ladders.plans import CheckedLadder, checked_ladder, ladder_plans
from botyard.yard.ladders.seasons import end_pairs, end_season, open_season


def open_ladders(connection: sa.Connection, plans: tuple[LadderPlan, ...], now_ms: int) -> list[Ladder]:
    """Opens the ladders that are configured, and takes over what was changed; those that are not are closed.

    It is called whenever the yard starts. All plans are checked before anything changes.
    """
    wanted = [checked_ladder(plan) for plan in ladder_plans(plans)]
    known = {row.slug: row for row in connection.execute(sa.select(LADDER))}
    for ladder in wanted:
        if ladder.slug in known and known[ladder.slug].game != ladder.game:
            game = known[ladder.slug].game
            raise YardError(f"the ladder {ladder.slug!r} is one of {game}", hint="choose another slug for another game")
    for ladder in wanted:
        if ladder.slug in known:
            take_over(connection, known[ladder.slug], ladder, now_ms)
        else:
            open_ladder(connection, ladder, now_ms)
    for slug in sorted(known.keys() - {ladder.slug for ladder in wanted}):
        close_ladder(connection, known[slug], now_ms)
    return all_ladders(connection)


def take_over(connection: sa.Connection, row: sa.Row[Any], ladder: CheckedLadder, now_ms: int) -> None:
    """Takes over what was changed of a ladder. Other rules, other settings, or a pause open a new season.

    A ladder whose deadline is over stays as it is, until it gets a later one.
    """
    if row.state != OPEN and ladder.deadline_ms is not None and ladder.deadline_ms <= now_ms:
        return
    new = {**ladder.row, "state": OPEN}
    reasons = {
        "rules": f"version {ladder.rules} of the rules",
        "settings": "other settings",
        "state": "the ladder was closed for a while",
    }
    changed = [key for key in ("rules", "settings") if getattr(row, key) != new[key]]
    changed += ["state"] if row.state in (FINAL, CLOSED) else []
    if changed:
        open_season(connection, row.id, new, ", ".join(reasons[key] for key in changed), now_ms)
    else:
        connection.execute(sa.update(LADDER).where(LADDER.c.id == row.id).values(**new))
    add_house_bots(connection, row.id, ladder.game, now_ms)


def close_ladder(connection: sa.Connection, row: sa.Row[Any], now_ms: int) -> None:
    """Closes a ladder that is not configured any more. What was played stays to be seen."""
    if row.state == CLOSED:
        return
    end_pairs(connection, row.id, "the ladder was closed", now_ms)
    end_season(connection, row.id, row.season, now_ms)
    connection.execute(sa.update(LADDER).where(LADDER.c.id == row.id).values(state=CLOSED))
    note_event(connection, now_ms, "ladder.closed", f"ladder/{row.slug}", public=True, title=row.title)
