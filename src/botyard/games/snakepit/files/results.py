"""The results file of a match, and the sums it holds (4.4, 8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.contract import Exporter


@dataclass(frozen=True, slots=True)
class Round:
    """One game of a match, as the results file reports it. `winner` counts from 0; None: a wash, or starved."""

    winner: int | None
    points: tuple[int, ...]
    pellets: tuple[int, ...]
    ticks: int
    starved: bool = False


def round_of(game: Any) -> Round:
    """Reads the result of a game; one that is not finished counts as a wash."""
    state, seats = game.state, range(game.seats)
    pellets = tuple(int(state.snakes[seat]["pellets"]) for seat in seats)
    points = game.scores if game.over else (0,) * game.seats
    # Nobody wins a starved game, even if its points count (4.4).
    won = game.over and not state.wash and not state.starved
    winner = game.outcome.groups[0][0] if won else None
    return Round(winner, points, pellets, int(state.tick), bool(state.starved))


class Wins:
    """Keeps the score of a match: wins, sums of points, and who has won it (4.4)."""

    def __init__(self, settings: SnakepitSettings, snakes: int) -> None:
        self._settings = settings
        self._fixed = settings.match_length == "fixed"
        self._replays = snakes == 1 and settings.solo_starved == "replay"
        self.rounds: list[Round] = []
        self.wins = [0] * snakes
        self.games = 0  # games that count towards the length of the match
        self.washes = 0  # washes in a row

    def add(self, played: Round) -> None:
        """Adds the next game. Only in a match of fixed length can a starved game have points (10.7)."""
        if played.starved and not self._fixed:
            played = replace(played, points=(0,) * len(self.wins))
        self.rounds.append(played)
        self.games += not (played.starved and self._replays)
        if played.winner is None:
            self.washes += 1
        else:
            self.washes = 0
            self.wins[played.winner] += 1

    @property
    def stalled(self) -> bool:
        """Too many games in a row had no winner: the match ends without one."""
        return 0 < self._settings.wash_limit <= self.washes

    @property
    def over(self) -> bool:
        if self.stalled or 0 < self._settings.match_games_cap <= len(self.rounds):
            return True
        if self._fixed:
            return self.games >= self._settings.best_of
        return max(self.wins) >= self._settings.wins_needed

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, with strictly more games than any other; None while the match goes on."""
        most = max(self.wins)
        if not self.over or self.stalled or most == 0 or self.wins.count(most) != 1:
            return None
        return self.wins.index(most)

    @property
    def sums(self) -> list[int]:
        """The points of all games, plus the bonus of the match winner."""
        sums = [sum(played.points[seat] for played in self.rounds) for seat in range(len(self.wins))]
        if self.winner is not None:
            sums[self.winner] += self._settings.match_winner
        return sums


def results_text(tally: Wins, settings: SnakepitSettings, seed: int, names: Sequence[str]) -> str:
    return "\n".join(results_lines(tally, settings, seed, names)) + "\n"


def results_lines(tally: Wins, settings: SnakepitSettings, seed: int, names: Sequence[str]) -> Iterator[str]:
    yield from ("==Match Settings==", f" Best Of {settings.best_of}", f" Seed {seed}", "==Snake Scores==")
    sums = tally.sums
    ranked = sorted(range(len(sums)), key=lambda seat: -sums[seat])
    for at, seat in enumerate(ranked):
        # The program sorts the sums and forgets whose they are (8.3).
        shown = at if settings.results_labels == "program" else seat
        yield f"#{at + 1}: {names[shown]} [{shown + 1}] Score: {sums[seat]}"
    yield "==By Round=="
    for number, played in enumerate(tally.rounds, 1):
        yield f" Round: {number} {round_text(played, names)}"


def round_text(played: Round, names: Sequence[str]) -> str:
    if played.winner is None:
        return "Tie!"
    won = played.winner
    return f"Winner: {names[won]} ID: {won + 1} Pellets: {played.pellets[won]} Total Ticks: {played.ticks}"


class ResultsWriter(Exporter):
    """Follows the games of a match and writes its results file after each game, as if it were the last."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._seed = 0
        self._tally: Wins | None = None

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Does nothing: the file reports only how games end."""

    def end(self, game: Any) -> bytes:
        if self._tally is None:
            self._tally, self._seed = Wins(game.settings, game.seats), game.seed
        self._tally.add(round_of(game))
        text = results_text(self._tally, game.settings, self._seed, self._names)
        return text.encode("utf-8", "surrogateescape")
