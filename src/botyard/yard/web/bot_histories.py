"""The histories of bots that somebody looked at last: reading one goes through all games of a bot.

One is kept until a rated game of the bot is over, and for a short time at most, because games that are not rated count
in it, too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

import sqlalchemy as sa
from markupsafe import Markup

from botyard.yard.bots.history import (
    LostTurnsSince,
    RatingPoint,
    RivalRecord,
    VersionRecord,
    lost_since,
    rating_points,
    record_by_rival,
    version_records,
)
from botyard.yard.bots.queries import BotFound, EntryLine
from botyard.yard.data.times import SECOND
from botyard.yard.web.charts import rating_chart

KEPT_MS = 15 * SECOND
MOST_KEPT = 500
LAST_STEPS = 12


@dataclass(frozen=True, slots=True)
class RatingShown:
    """The rating of a bot on one ladder, as a chart and as tables."""

    entry: EntryLine
    chart: Markup
    records: list[VersionRecord]
    steps: list[RatingPoint]  # the newest first


@dataclass(frozen=True, slots=True)
class BotHistory:
    """How a bot has fared."""

    ratings: list[RatingShown]
    rivals: list[RivalRecord]
    lost: LostTurnsSince  # since its last upload


class BotHistories:
    """The last history of each bot that somebody asked for."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Hashable, int, BotHistory]] = OrderedDict()

    def read(
        self, connection: sa.Connection, bot: BotFound, entries: list[EntryLine], since_ms: int, now_ms: int
    ) -> BotHistory:
        """Returns the history of a bot, whose last upload was at `since_ms`."""
        stamp = bot.name, since_ms, tuple(entries)
        kept = self._kept.get(bot.id)
        if kept is not None and kept[0] == stamp and 0 <= now_ms - kept[1] < KEPT_MS:
            return kept[2]
        history = BotHistory(
            [shown for entry in entries if (shown := rating_of(connection, bot, entry))],
            record_by_rival(connection, bot.id),
            lost_since(connection, bot.id, since_ms),
        )
        self._kept[bot.id] = (stamp, now_ms, history)
        self._kept.move_to_end(bot.id)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return history


def rating_of(connection: sa.Connection, bot: BotFound, entry: EntryLine) -> RatingShown | None:
    """Returns the rating of an entry; nothing before its first pair is closed."""
    points = rating_points(connection, entry.id)
    if not points:
        return None
    title = f"Rating of {bot.name} on {entry.title}: now {entry.mu:.1f}, after {len(points)} pairs"
    return RatingShown(entry, rating_chart(points, title), version_records(points), points[: -LAST_STEPS - 1 : -1])
