"""A drill in plain Python, after its description: games that are stepped tick by tick, one after another.

It has nothing of the compiled loop: a `Game` is asked who must order, house bots decide as in a match, and learners
sense with the rules of their senses. The tests compare the two step by step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from botyard.games import GAMES, OWN_GAMES, load
from botyard.games.game import Game
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook, load_template
from botyard.kernel.senses import CODE, NUMBER
from botyard.kernel.settings import SEED_BITS, SEED_KEY, seed_word
from botyard.sim.drill import Drill

TEMPLATE = Path(__file__).with_name("reference_loops.py")

ON, TERMINATED, TRUNCATED = range(3)

SMALL = next(name for name in GAMES if name not in OWN_GAMES)  # quick even if it is interpreted


@cache
def sensing(game: str) -> ModuleType:
    """Loads the template for a game. The name has its content, because what is compiled is kept under the name."""
    book, content = load(game), hashlib.sha256(TEMPLATE.read_bytes()).hexdigest()[:8]
    return load_template(str(TEMPLATE), f"{book.package}.reference_loops_{content}", senses=book.senses)


def short_settings(book: Rulebook) -> dict[str, Any]:
    """Returns settings of short games, if their records are the usual ones: others would have to be compiled."""
    short = {name: value for name, value in book.samples.short.items() if name != SEED_KEY}
    usual, other = book.settings.read({}), book.settings.read(short)
    return short if book.layouts(usual) == book.layouts(other) else {}


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a drill is made with."""

    game: str
    n: int = 1
    learners: int = 1
    opponents: Sequence[str] = ()
    horizon: int = 0
    most_ticks: int = 0
    autoreset: Any = "next_step"
    skip_forced: bool = True
    seed: int = 0
    handed: Mapping[int, str] = field(default_factory=dict)  # learners whose places house bots have, and which

    def make_drill(self) -> Drill:
        arguments = {name: value for name, value in vars(self).items() if name != "handed"}
        drill = Drill(**arguments, settings=short_settings(load(self.game)))
        for lane, bot in self.handed.items():
            drill.oppose(lane, bot)
        drill.reset(self.seed)
        return drill


class PlainPlace:
    """One of the places of a drill, where game follows game."""

    def __init__(self, terms: Terms, seed: int) -> None:
        self.terms, self.book = terms, load(terms.game)
        self.settings = self.book.settings.read(short_settings(self.book))
        self.book.prepare(self.settings, "bots")
        self.rewards, self.ranks = [0] * terms.learners, [0] * terms.learners
        self.ended = ON
        self.finals: list[tuple[Any, Any]] = []
        self.codes: list[Any] = []
        self.begin(seed)
        shape = self.book.senses.sense_shape(self.game.arena)
        self.codes = [np.zeros(shape, CODE) for _ in range(terms.learners)]
        self.numbers = [np.zeros(max(1, len(self.book.senses.NUMBERS)), NUMBER) for _ in range(terms.learners)]
        self.tell()

    def begin(self, seed: int) -> None:
        """Starts a game and plays it up to the first choice of a learner."""
        self.seed = seed % (1 << SEED_BITS)
        self.left: dict[int, int] | None = None  # learners' only orders, where a step ended without a choice
        self.game = Game(self.book, self.settings, self.seed)
        self.memories = [np.zeros(1, self.book.layouts(self.settings).memory) for _ in range(self.game.seats)]
        for seat, memories in enumerate(self.memories):
            self.book.loops.wake_at(opened(memories), seed_word(self.seed), seat)
        self.ticks = 0
        self.worths = self.appraised()
        self.play_on()
        if self.codes:
            self.tell()

    # Who sits where

    def seat_of(self, lane: int) -> int:
        [seat] = [seat for seat in range(self.game.seats) if self.game.entrant(seat) == lane]
        return seat

    def bot_at(self, seat: int) -> int:
        """Returns the number of the house bot on a seat: the last that was named has all seats that are left."""
        who = self.game.entrant(seat)
        if who in self.terms.handed:
            return self.book.bot_number(self.terms.handed[who])
        names = list(self.terms.opponents) or [next(iter(self.book.bots.HOUSE_BOTS))]
        return self.book.bot_number(names[min(who - self.terms.learners, len(names) - 1)])

    def learner_at(self, seat: int) -> bool:
        return self.game.entrant(seat) < self.terms.learners and self.game.entrant(seat) not in self.terms.handed

    # Playing

    @property
    def going(self) -> bool:
        return not self.game.over and not self.game.fault

    def play_on(self, given: Sequence[int] | None = None) -> None:
        """Plays ticks: first one with the orders that learners gave, unless they were not asked, then all in which none
        of them has a choice, as many as a step may have."""
        forced, self.left, played = self.left, None, 0
        while self.going:
            if given is None:
                forced = self.show()
                if forced is None:
                    return
                if 0 < self.terms.most_ticks <= played:
                    self.left = forced
                    break
            orders = {}
            for seat in self.game.asked:
                if not self.learner_at(seat):
                    orders[seat] = self.decided(seat)
                elif forced is not None:
                    orders[seat] = forced[seat]
                elif given is not None:
                    orders[seat] = int(given[self.game.entrant(seat)])
            self.game.step_orders(orders)
            self.ticks += 1
            played += 1
            self.worths = [worth - gain for worth, gain in zip(self.worths, self.gains(), strict=True)]
            given = None
        self.turn = [0] * self.terms.learners
        self.masks = [self.mask([]) for _ in range(self.terms.learners)]

    def show(self) -> dict[int, int] | None:
        """Shows every learner who is asked its view; returns their orders if none of them has a choice, else None."""
        self.turn = [0] * self.terms.learners
        self.masks = [self.mask([]) for _ in range(self.terms.learners)]
        forced, choice = {}, False
        for seat in self.game.asked:
            if self.learner_at(seat):
                lane, may = self.game.entrant(seat), self.game.orders(seat)
                self.turn[lane], self.masks[lane] = 1, self.mask(may)
                self.note(seat)
                forced[seat] = self.book.facts.orders.index(may[-1])
                choice = choice or len(may) > 1 or not self.terms.skip_forced
        return None if choice else forced

    def mask(self, may: Sequence[str]) -> list[int]:
        return [int(name in may) for name in self.book.facts.orders]

    def decided(self, seat: int) -> int:
        view, memories = self.game.view(seat).array, self.memories[seat]
        arenas = self.game.arrays[0]
        return int(self.book.loops.decide_at(self.bot_at(seat), opened(arenas), opened(view), opened(memories)))

    # What learners are told

    def note(self, seat: int) -> None:
        loops = sensing(self.terms.game)
        if hasattr(loops, "note_at"):
            views = self.game.view(seat).array
            loops.note_at(opened(self.game.arrays[0]), opened(views), opened(self.memories[seat]))

    def tell(self) -> None:
        for lane in range(self.terms.learners):
            if self.turn[lane]:
                seat = self.seat_of(lane)
                records = (self.game.arrays[0], self.game.view(seat).array, self.memories[seat])
                sensing(self.terms.game).sense_at(*map(opened, (*records, self.codes[lane], self.numbers[lane])))

    def appraised(self) -> list[int]:
        """Returns what the position is worth to each learner: the score, unless the game says otherwise. A house bot in
        a learner's place gains nothing."""
        seats = [self.seat_of(lane) for lane in range(self.terms.learners)]
        loops, scores = sensing(self.terms.game), self.game.scores
        if hasattr(loops, "worth_at"):
            scores = tuple(int(loops.worth_at(*map(opened, self.game.arrays), seat)) for seat in range(self.game.seats))
        return [scores[seat] if self.learner_at(seat) else 0 for seat in seats]

    def gains(self) -> list[int]:
        """Returns what the last tick brought each learner beside the worth of its position."""
        loops, seats = sensing(self.terms.game), [self.seat_of(lane) for lane in range(self.terms.learners)]
        if not hasattr(loops, "gain_at"):
            return [0] * self.terms.learners
        records = [opened(array) for array in self.game.arrays]
        return [int(loops.gain_at(*records, seat)) if self.learner_at(seat) else 0 for seat in seats]

    def step(self, given: Sequence[int]) -> None:
        terms = self.terms
        if self.ended and terms.autoreset != "same_step":
            self.rewards = [0] * terms.learners
            if terms.autoreset == "next_step":
                self.ended = ON
                self.begin(self.seed + terms.n)
            return
        self.play_on(given)
        worths = self.appraised()
        self.rewards = [now - before for now, before in zip(worths, self.worths, strict=True)]
        self.worths = worths
        self.tell()
        self.end()

    def end(self) -> None:
        """Says whether the game has ended, and how; where the next one follows at once, it begins."""
        late = self.terms.horizon > 0 and self.ticks >= self.terms.horizon
        self.ended = TERMINATED if self.game.over else TRUNCATED if late or not self.going else ON
        if self.ended == TERMINATED:
            outcome = self.game.outcome
            assert outcome is not None
            self.ranks = [outcome.place_of(self.seat_of(lane)) for lane in range(self.terms.learners)]
        if self.ended:
            self.finals = [(codes.copy(), told.copy()) for codes, told in zip(self.codes, self.numbers, strict=True)]
            if self.terms.autoreset == "same_step":
                self.begin(self.seed + self.terms.n)

    def again(self, seed: int) -> None:
        """Begins anew, as a reset of this place does."""
        self.rewards, self.ended = [0] * self.terms.learners, ON
        self.begin(seed)
