"""These formats play one match among all the bots, either to a number of wins or of a fixed length.

A wave holds the games that must be played in any case: if nobody can win the match before the fifth game from now,
five are played at once. A wash is a game that nobody won; in a match to a number of wins it decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Course, Estimate, Format, Pairing, turned
from botyard.rank.results import Result
from botyard.rank.standings import Standings, table

WASH_LIMIT = 1000
OWN_SEEDS = "each game has its own seed; false: draws continue from the game before"


class Series:
    """A match under way. With `wins` it is played to that many wins, otherwise it has `games` games, which all count.

    With `again`, games that nobody won are played again even in a match of a fixed length. Without `own_seeds` the seed
    of a game depends on how the games before it ended, so only one game can be asked for at a time.
    """

    def __init__(
        self, bots: Sequence[str], *, wins: int = 0, games: int = 0, cap: int = 0, wash_limit: int = WASH_LIMIT,
        bonus: int = 0, again: bool = False, own_seeds: bool = True,
    ) -> None:  # fmt: skip
        self.bots = tuple(bots)
        self._needed, self._length, self._cap, self._wash_limit, self._bonus = wins, games, cap, wash_limit, bonus
        self._again, self._own_seeds = again, own_seeds
        self.wins = dict.fromkeys(bots, 0)
        self.scores = dict.fromkeys(bots, 0)
        self.games = 0  # games that count towards the length of the match
        self.uncounted = 0  # games that were void or are played again
        self._unwon = 0  # games in a row that nobody won
        self._ends = ""  # the scores of all games so far

    def add(self, result: Result) -> None:
        """Takes the next game. A void one does not count and is played again, until `wash_limit` stops the match."""
        winner = self._winner_of(result)
        self._unwon = self._unwon + 1 if winner is None else 0
        if result.void or (self._again and winner is None):
            self.uncounted += 1
            return
        self.games += 1
        for bot in self.bots:
            self.scores[bot] += result.score(bot)
        if winner is not None:
            self.wins[winner] += 1
        self._ends = f"{self._ends} {'-'.join(str(result.score(bot)) for bot in self.bots)}"

    def _winner_of(self, result: Result) -> str | None:
        """Returns the winner of a game; a bot that plays alone wins by making a point."""
        if result.void or len(self.bots) > 1:
            return result.winner
        return self.bots[0] if result.score(self.bots[0]) else None

    @property
    def stalled(self) -> bool:
        """Whether so many games in a row had no winner that the match ends without one."""
        return 0 < self._wash_limit <= self._unwon

    @property
    def over(self) -> bool:
        if not self.bots or self.stalled or 0 < self._cap <= self.games:
            return True
        if self._needed:
            return max(self.wins.values()) >= self._needed
        return self.games >= self._length

    @property
    def certain(self) -> int:
        """How many more games will be played whatever happens in them."""
        if self.over:
            return 0
        if not self._own_seeds:
            return 1
        most = self._needed - max(self.wins.values()) if self._needed else self._length - self.games
        if self._cap:
            most = min(most, self._cap - self.games)
        return min(most, self._wash_limit - self._unwon) if self._wash_limit else most

    @property
    def winner(self) -> str | None:
        """The bot that won strictly more games than any other; None while the match goes on."""
        if not self.over or self.stalled or not self.bots:
            return None
        most = max(self.wins.values())
        ahead = [bot for bot, wins in self.wins.items() if wins == most]
        return ahead[0] if most and len(ahead) == 1 else None

    @property
    def sums(self) -> dict[str, int]:
        """The points of each bot in all games, with the bonus for the winner of the match."""
        winner = self.winner
        return {bot: score + (self._bonus if bot == winner else 0) for bot, score in self.scores.items()}

    def next_games(self, match: str, rotate: bool = False, chance: str = "") -> list[Pairing]:
        """Returns the games that are certain to be played."""
        first = self.games + self.uncounted + 1
        after = "" if self._own_seeds else f" after{self._ends}"
        return [
            Pairing(
                turned(self.bots, number - 1) if rotate else self.bots, match, number,
                f"{chance or match}/{number}{after}",
            )
            for number in range(first, first + self.certain)
        ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SeriesFormat(Format):
    """The options that all formats of one match share."""

    MOST: ClassVar[int] = 0

    match_games_cap: int = setting(0, "the match stops after this many games; 0: no limit", at_least=0)
    wash_limit: int = setting(
        WASH_LIMIT, "the match ends after this many games in a row without a winner; 0: no limit", at_least=0
    )
    bonus: int = setting(0, "points for the winner of the match", at_least=0)
    rotate: bool = setting(False, "the bots swap seats from game to game")
    rng_per_game: bool = setting(True, OWN_SEEDS)

    def series(self, bots: Sequence[str]) -> Series:
        wins, games = self.length.get("wins", 0), self.length.get("games", 0)
        return Series(
            bots, wins=wins, games=games, cap=self.match_games_cap, wash_limit=self.wash_limit, bonus=self.bonus,
            own_seeds=self.rng_per_game,
        )  # fmt: skip

    @property
    def length(self) -> dict[str, int]:
        raise NotImplementedError

    def open(self, bots: Sequence[str]) -> SeriesCourse:
        return SeriesCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        if bots == 0:
            return Estimate(0, 0)
        wins = self.length.get("wins", 0)
        least = wins or self.length["games"]
        most = bots * (wins - 1) + 1 if wins else least
        if self.match_games_cap:
            least, most = min(least, self.match_games_cap), min(most, self.match_games_cap)
        return Estimate(least, most)

    def tables(self, bots: int) -> tuple[int, ...]:
        return (bots,)


@dataclass(frozen=True, kw_only=True)
class BestOf(SeriesFormat):
    NAME: ClassVar[str] = "best_of"
    SUMMARY: ClassVar[str] = (
        "one match of all bots, won by whoever takes more than half of N games; washes are replayed"
    )

    games: int = setting(3, "N; half of it, rounded up, wins the match", at_least=1)

    @property
    def length(self) -> dict[str, int]:
        return {"wins": (self.games + 1) // 2}


@dataclass(frozen=True, kw_only=True)
class FirstTo(SeriesFormat):
    NAME: ClassVar[str] = "first_to"
    SUMMARY: ClassVar[str] = "one match of all bots, up to a number of wins; washes are replayed"

    wins: int = setting(2, "wins that end the match", at_least=1)

    @property
    def length(self) -> dict[str, int]:
        return {"wins": self.wins}


@dataclass(frozen=True, kw_only=True)
class Fixed(SeriesFormat):
    NAME: ClassVar[str] = "fixed"
    SUMMARY: ClassVar[str] = "one match of all bots with a fixed number of games, all of which count"

    games: int = setting(10, "games of the match", at_least=1)

    @property
    def length(self) -> dict[str, int]:
        return {"games": self.games}


class SeriesCourse(Course):
    def __init__(self, bots: Sequence[str], options: SeriesFormat) -> None:
        super().__init__(bots)
        self._options = options
        self.series = options.series(bots)

    def wave(self) -> list[Pairing]:
        return self.series.next_games("match", self._options.rotate)

    def take(self, pairing: Pairing, result: Result) -> None:
        self.series.add(result)

    def standings(self) -> Standings:
        sums, wins = self.series.sums, self.series.wins
        keys = {bot: (bot == self.series.winner, wins[bot], sums[bot]) for bot in self.bots}
        columns = {bot: {"wins": wins[bot], "score": sums[bot], "games": self.series.games} for bot in self.bots}
        winner = self.series.winner
        verdict = f"{self.called(winner)} wins the match" if winner else "the match has no winner"
        return table(self.bots, keys, columns, ("match", "wins", "score"), verdict)
