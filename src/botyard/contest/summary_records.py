"""The records of a summary, which holds everything that a report shows of a contest.

The standings do not depend on time; the timing of bots is kept apart from them.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from botyard.contest.lost_turns import when_lost
from botyard.contest.notable_games import NotableGame
from botyard.contest.pair_games import ListedGame, Meetings, PairGames, listed_of_pair
from botyard.rank.ratings import Rating
from botyard.rank.results import Result
from botyard.rank.standings import Standings, StandingsRow
from botyard.rank.strengths import Strength


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The game that is played, as the report shows it."""

    name: str
    title: str
    rules_version: int


@dataclass(frozen=True, slots=True)
class FormatSummary:
    """The format of the contest, as the report shows it."""

    kind: str
    summary: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games there are, how many are void, and how many faults of ours there were."""

    asked: int
    recorded: int
    void: int
    house_faults: int
    fault_reason: str  # the most frequent one; empty if there was no fault


@dataclass(frozen=True, slots=True)
class LostExample:
    """How many turns a bot lost in one way, and an example."""

    count: int  # in all games
    game: int  # the number of the game that the example is from
    tick: int
    reason: str
    remedy: str

    @property
    def when(self) -> str:
        return f"game {self.game}, {when_lost(self.tick)}"


@dataclass(frozen=True, slots=True)
class TimingSummary:
    """How long a bot took to answer; there is none for bots that were not timed."""

    questions: int
    mean_ms: float | None
    longest_ms: float | None


@dataclass(frozen=True, slots=True)
class BotSummary:
    """One bot's part of a report."""

    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    verdicts: Mapping[str, int]
    lost: Mapping[str, LostExample]  # by verdict
    timing: TimingSummary
    notable: tuple[NotableGame, ...] = ()  # its best game and its worst

    @property
    def record(self) -> str:
        forfeits = f", {self.forfeits} forfeited" if self.forfeits else ""
        return f"{self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost{forfeits}."


@dataclass(frozen=True, slots=True)
class ContestSummary:
    """All that a report shows."""

    title: str
    game: GameSummary
    format: FormatSummary
    root: str  # as a contest file may name it; empty while it is secret
    root_hash: str
    specifications: Mapping[str, str]  # by bot, like the fields that follow
    names: Mapping[str, str]
    guests: frozenset[str]
    finished: bool
    games: GameCounts
    standings: Standings
    ratings: Mapping[str, Rating]
    strengths: Mapping[str, Strength]
    cross: Mapping[str, Mapping[str, Meetings]]
    bots: Mapping[str, BotSummary]
    file: str = ""  # the name of the contest file, for commands that are shown
    pairs: tuple[PairGames, ...] = ()
    listed: Mapping[int, ListedGame] = field(default_factory=dict)  # by number: the first games of every pair
    notable: tuple[NotableGame, ...] = ()  # the closest games, upsets and the longest games

    @property
    def origin(self) -> str:
        """What the seeds of all games follow from, as far as it may be told yet."""
        return f"seed {self.root}" if self.root else f"seed secret until the end (its hash is {self.root_hash})"

    @property
    def ranked(self) -> list[str]:
        """The names of the bots, best first."""
        return [row.bot for row in self.standings.rows]

    def name(self, bot: str) -> str:
        """What people call a bot."""
        return self.names.get(bot, bot)

    def told(self, result: Result) -> str:
        """Returns a result with the names that people call the bots: `Anna 17 > Ben 12`."""
        scores = dict(result.scores)

        def player(bot: str) -> str:
            points = f" {scores[bot]}" if bot in scores else ""
            return self.name(bot) + points + (" (forfeit)" if bot in result.forfeits else "")

        return " > ".join(" = ".join(map(player, group)) for group in result.groups)

    def replay_command(self, number: int | str) -> str:
        """Returns the command that gets a game and shows how it ended."""
        return f"botyard contest replay {shlex.quote(self.file)} {number} --show"

    def listed_of(self, pair: PairGames) -> list[ListedGame]:
        """Returns the games of a pair that the report lists."""
        most = listed_of_pair(len(self.bots))
        return [self.listed[number] for number in pair.numbers[:most]]

    @property
    def by_strength(self) -> list[str]:
        return sorted(self.strengths, key=lambda bot: -self.strengths[bot].elo)


def place_of(row: StandingsRow) -> int | str:
    """Returns the place of a bot as reports show it."""
    return row.place or "guest"


def bot_anchor(bot: str) -> str:
    """Returns the name of the place in a report that tells of a bot."""
    return f"bot-{bot}"


def pair_anchor(one: str, other: str) -> str:
    """Returns the name of the place in a report that lists the games of two bots; no bot's key has a colon."""
    return f"pair-{min(one, other)}:{max(one, other)}"
