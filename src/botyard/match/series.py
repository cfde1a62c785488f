"""Several games among the same bots: one after another through the match loop, or house bots compiled all the way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.game import Game, read_outcome
from botyard.kernel.arrays import ORDER, WORD, make_arrays
from botyard.kernel.devices import Cpu
from botyard.kernel.outcome import Outcome
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS, Settings
from botyard.kernel.verdict import Verdict
from botyard.match.loop import RULES_FAILED, Played

SHARE = 256  # games between two reports of progress, and what is held in memory at a time


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """One game of a series, its players counted in the order they were given."""

    seed: int
    players: int
    outcome: Outcome | None = None  # by player; None: void
    verdicts: tuple[dict[Verdict, int], ...] = ()
    state: bytes = b""  # the final one, where it was asked for
    trouble: str = ""  # why it is void
    culprits: tuple[int, ...] = ()  # the players who ended it without a result, where that is why

    @classmethod
    def of(cls, played: Played) -> SeriesGame:
        seats = {entrant: seat for seat, entrant in enumerate(played.entrants)}
        return cls(
            played.replay.seed,
            len(seats),
            played.outcome and by_player(played.outcome, played.entrants),
            tuple(played.verdicts[seats[entrant]] for entrant in sorted(seats)),
            trouble=played.trouble,
            culprits=tuple(sorted(played.entrants[seat] for seat in played.culprits)),
        )

    @property
    def void(self) -> bool:
        return self.outcome is None

    @property
    def winner(self) -> int | None:
        """Nobody has won a draw, nor a void game."""
        return self.outcome.winner if self.outcome else None

    @property
    def scores(self) -> tuple[int, ...]:
        return self.outcome.scores if self.outcome else (0,) * self.players


def by_player(outcome: Outcome, entrants: Sequence[int]) -> Outcome:
    """An outcome by seat as one by player, given who sat where."""
    groups = tuple(tuple(sorted(entrants[seat] for seat in group)) for group in outcome.groups)
    scores = dict(zip(entrants, outcome.scores, strict=True))
    return Outcome(groups, tuple(scores[player] for player in range(len(entrants))))


def seeds_from(seed: int, games: int) -> list[int]:
    """The seeds of a series: counted up from the first."""
    return [(seed + at) % (1 << SEED_BITS) for at in range(games)]


def following_seed(game: Game) -> int:
    """The seed of the game after this one."""
    return seeds_from(game.seed, 2)[1] if game.settings.habits.own_seeds else seed_after(game.arrays[1][0])


def seed_after(state: Any) -> int:
    """The seed of a game whose draws are to go on from those of a finished one."""
    chance = state["chance"]
    drawn = f"{chance['word'].tolist()} {int(chance['counter'])}"
    return int.from_bytes(hashlib.sha256(drawn.encode()).digest()[: SEED_BITS // 8])


def play_house_in_line(
    book: Rulebook, settings: Settings, bots: Sequence[str], seed: int, games: int
) -> Iterator[SeriesGame]:
    """A series among house bots whose draws go on from game to game: none can begin before the last has ended."""
    kind = book.layouts(settings).state
    for _ in range(games):
        result = next(play_house(book, settings, bots, [seed], keep_states=True))
        yield result
        seed = seed_after(np.frombuffer(result.state, kind)[0])


def play_house(
    book: Rulebook, settings: Settings, bots: Sequence[str], seeds: Sequence[int], keep_states: bool = False
) -> Iterator[SeriesGame]:
    """Games among house bots, compiled all the way: the same games the match loop plays, on all cores."""
    book.prepare(settings, "house")
    kinds, seats = book.layouts(settings), book.layout.seats(settings)
    entrants, blank_memory = np.array([book.bot_number(bot) for bot in bots], ORDER), np.zeros(1, kinds.memory)
    device = Cpu(book)
    for first in range(0, len(seeds), SHARE):
        share = seeds[first : first + SHARE]
        arrays = make_arrays(book, settings, len(share))
        arrays.seeds[:] = np.array([[seed & 0xFFFFFFFF, seed >> 32] for seed in share], WORD)
        memories = np.zeros((len(share), seats), kinds.memory)
        device.launch("play", arrays, memories, entrants, blank_memory, least=1)
        for at, seed in enumerate(share):
            result = house_result(book, arrays.arenas, arrays.states[at : at + 1], seed, seats)
            yield replace(result, state=arrays.states[at].tobytes()) if keep_states else result


def final_game(book: Rulebook, settings: Settings, result: SeriesGame) -> Game:
    """The end of a game whose state was kept."""
    game = Game(book, settings, result.seed)
    game.load_state(result.state)
    return game


def house_result(book: Rulebook, arenas: NDArray[Any], states: NDArray[Any], seed: int, seats: int) -> SeriesGame:
    state = states[0]
    if state["fault"] or state["chance"]["fault"]:
        return SeriesGame(seed, seats, trouble=RULES_FAILED)
    outcome = read_outcome(book, arenas, states, seats)
    chairs = [int(book.loops.entrant_at(opened(arenas), opened(states), seat)) for seat in range(seats)]
    return SeriesGame(seed, seats, by_player(outcome, chairs))
