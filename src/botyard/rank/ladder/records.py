"""This module holds the records that the ladder's policy takes and gives: entries, encounters, and the next pair.

They are plain and frozen. Whoever keeps a ladder builds them from its own tables; keys of bots, owners and versions are
words of its choice. Keys of bots are names in the notation of results; keys of versions have neither + nor / in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from botyard.rank.formats.course import Pairing
from botyard.rank.ratings import START_MU, START_SIGMA, Rating


class EntryState(StrEnum):
    """What becomes of an entry: only settling and active ones are asked to play."""

    SETTLING = "settling"
    ACTIVE = "active"
    BENCHED = "benched"
    RETIRED = "retired"


class TaskClass(IntEnum):
    """What a task is for; a lower class goes first."""

    BUILD = 0  # builds and checks
    CHALLENGE = 1  # challenges and test games
    SETTLING = 2
    CONTEST = 3
    STEADY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderEntry:
    """A bot on a ladder, with its active version. A void pair counts in none of the numbers."""

    bot: str
    owner: str  # of house bots it means nothing: they may meet each other
    version: str
    state: EntryState
    house: bool = False
    mu: float = START_MU
    sigma: float = START_SIGMA
    pairs: int = 0  # closed pairs of this bot
    version_pairs: int = 0  # closed pairs of its active version
    games: int = 0
    in_flight: int = 0  # pairs that were asked and are not closed, whoever hosts
    asked_ms: int = 0  # when its last pair was asked, whoever hosts; before the first one, when it was entered
    hosted_ms: int | None = None  # when the last pair was asked that it hosts
    game_ms: int = 0  # what a game of it costs on average, in milliseconds of a worker; 0 if that is not known
    seated: tuple[int, ...] = ()  # how often it sat in each seat; only tables of more than two need it

    @property
    def rating(self) -> Rating:
        return Rating(self.mu, self.sigma, self.games)

    @property
    def plays(self) -> bool:
        """Whether it may be asked to play."""
        return self.state in (EntryState.SETTLING, EntryState.ACTIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """How often and when a version met another one on this ladder.

    All pairs count that were asked and not cancelled before they began, those in flight and void ones, too: so no
    pair ever has the seed of an earlier one.
    """

    pairs: int
    last_ms: int  # when the last of them was asked
    settled: bool = False  # whether their last two closed pairs were equal order for order


@dataclass(frozen=True, slots=True)
class NextPair:
    """What is to be asked next, and why: a pair on one seed with the seats swapped, or one table of more than two."""

    host: LadderEntry
    guests: tuple[LadderEntry, ...]
    pairings: tuple[Pairing, ...]  # by bot, in the order of the seats; those of a pair share their `chance`
    task_class: TaskClass
    host_why: str
    guest_why: tuple[str, ...]  # for each guest
    stream: int  # the state of the random stream after this choice, to be stored

    @property
    def entries(self) -> tuple[LadderEntry, ...]:
        return (self.host, *self.guests)
