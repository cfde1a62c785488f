"""Versions that play are checked anew when what they were checked with has changed: Botyard, the rules, the settings of
their ladder, the cage or the toolchains. They go on playing meanwhile; who fails is benched, with a notice."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.yard.bots.orders import check_stamp, settings_of
from botyard.yard.bots.versions import ask_for
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import BOT, CHECK, ENTRY, FIT, LEASED, RETIRED, TASK, VERSION, WAITING
from botyard.yard.work.workers import known_toolchains


def ask_rechecks(connection: sa.Connection, cage: CageOptions, now_ms: int) -> int:
    """Asks for the check of every active version that was checked with something else; returns how many there are."""
    games = connection.scalars(sa.select(BOT.c.game).distinct()).all()
    asked = sum(recheck_game(connection, game, cage, now_ms) for game in sorted(games))
    if asked:
        note_event(connection, now_ms, "yard.rechecks", "yard", public=True, versions=asked)
    return asked


def recheck_game(connection: sa.Connection, game: str, cage: CageOptions, now_ms: int) -> int:
    settings = settings_of(connection, game)
    stamps = [check_stamp(game, settings, cage, toolchains) for toolchains in known_toolchains(connection)]
    at_it = sa.select(TASK.c.version).where(TASK.c.kind == CHECK, TASK.c.state.in_((WAITING, LEASED)))
    active = (
        sa.select(VERSION.c.id)
        .distinct()
        .join(ENTRY, ENTRY.c.version == VERSION.c.id)
        .join(BOT, VERSION.c.bot == BOT.c.id)
        .where(
            BOT.c.game == game, ENTRY.c.state != RETIRED, VERSION.c.state == FIT, VERSION.c.checked_with.not_in(stamps)
        )
        .where(VERSION.c.id.not_in(at_it.where(TASK.c.version.is_not(None))))
        .order_by(VERSION.c.id)
    )
    versions = connection.scalars(active).all()
    for version in versions:
        ask_for(connection, CHECK, version, now_ms)
    return len(versions)
