"""This module rates a ladder: pair after pair in recorded order, with what versions and seasons do in between.

Each step is a function from stored ratings to new ones. `RatingFold` takes all steps of a ladder from the beginning, by
the same functions, so that what was stored can be rebuilt and compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from botyard.rank.ratings import START_SIGMA, Rating, rated
from botyard.rank.results import Result

DOUBT: Final = START_SIGMA / 2
"""Sigma is at least this after a change that may have made a bot stronger or weaker."""


def rated_pair(before: Mapping[str, Rating], results: Sequence[Result]) -> dict[str, Rating]:
    """Returns the ratings of the bots of a pair or table after it was closed, its games in their order.

    A half that stays void voids the pair. `before` may be in any order, and hold other bots, which stay as they are.
    """
    after = {bot: before[bot] for bot in sorted(before)}
    if any(result.void for result in results):
        return after
    for result in results:
        after = rated(after, result)
    return after


def rated_kept(
    before: Mapping[str, Rating], kept: Mapping[str, Rating], results: Sequence[Result]
) -> dict[str, Rating]:
    """Returns the kept ratings of versions after a pair that was asked with them was closed.

    `kept` holds the bots of the pair whose active version has changed since, with the rating kept for the version that
    played. The pair counts there and for the bot: otherwise an owner who sees the first half lost could escape the loss
    by a new version, or by a new one and back.
    """
    return {bot: rated_pair({**before, bot: rating}, results)[bot] for bot, rating in kept.items()}


def doubted(rating: Rating) -> Rating:
    """Returns a rating whose strength may have changed: mu stays, and sigma is raised if it was small."""
    return replace(rating, sigma=max(rating.sigma, DOUBT))


def activated(rating: Rating, kept: Rating | None) -> Rating:
    """Returns the rating of a bot that gets a new active version.

    `kept` is the rating with which that version was last active, if it ever was: going back restores it. Games are
    those of the bot, so they go on.
    """
    return doubted(rating) if kept is None else replace(kept, games=rating.games)


@dataclass(frozen=True, slots=True)
class PairClosed:
    """A pair or table is over: its games in their order, and the version that each bot was asked with."""

    results: tuple[Result, ...]
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class VersionActivated:
    """A version became a bot's active one. The first of them enters the bot."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class SeasonOpened:
    """A new season has begun: every rating is doubted, those kept for earlier versions, too."""


LadderEvent: TypeAlias = PairClosed | VersionActivated | SeasonOpened


@dataclass(slots=True)
class RatingFold:
    """The ratings of a ladder on the way from its first event to the last."""

    now: dict[str, Rating] = field(default_factory=dict)  # by bot
    active: dict[str, str] = field(default_factory=dict)  # the version of each bot
    kept: dict[tuple[str, str], Rating] = field(default_factory=dict)  # of versions that were active before, by bot

    def take(self, event: LadderEvent) -> None:
        if isinstance(event, PairClosed):
            self._close(event)
        elif isinstance(event, SeasonOpened):
            self.now = {bot: doubted(rating) for bot, rating in self.now.items()}
            self.kept = {version: doubted(rating) for version, rating in self.kept.items()}
        elif event.bot not in self.now:
            self.now[event.bot], self.active[event.bot] = Rating(), event.version
        elif event.version != self.active[event.bot]:
            self.kept[event.bot, self.active[event.bot]] = self.now[event.bot]
            self.now[event.bot] = activated(self.now[event.bot], self.kept.get((event.bot, event.version)))
            self.active[event.bot] = event.version

    def _close(self, pair: PairClosed) -> None:
        before = {bot: self.now[bot] for bot in pair.versions}
        earlier = {bot: version for bot, version in pair.versions.items() if version != self.active[bot]}
        kept = {bot: self.kept[bot, version] for bot, version in earlier.items()}
        self.now |= rated_pair(before, pair.results)
        for bot, rating in rated_kept(before, kept, pair.results).items():
            self.kept[bot, earlier[bot]] = rating


def ratings_after(events: Iterable[LadderEvent]) -> dict[str, Rating]:
    """Returns the ratings of all bots after these events, in the order in which they were recorded."""
    fold = RatingFold()
    for event in events:
        fold.take(event)
    return fold.now
