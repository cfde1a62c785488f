"""A drill is many games in which learners play against compiled house bots, in one call and without copies.

What a learner senses, may do and gains is written into arrays in place: NumPy arrays on the CPU; on a GPU they offer
`__cuda_array_interface__`, which PyTorch, CuPy and JAX take as they are. The same seeds and orders give the same bytes
on both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.arrays import FLAG, ORDER, WORD
from botyard.kernel.devices import open_device
from botyard.kernel.drill_arrays import CALLERS, make_drill_arrays
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.loop_modes import AUTORESET, LEARNER, PUT, RESET
from botyard.kernel.orders import checked_orders
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS, Settings

Autoreset = Literal["next_step", "same_step", "off"]


class Drill:
    """Holds `n` games whose first `learners` entrants are yours; the others are house bots.

    >>> drill = Drill(name, n=4096, opponents=["house bot's name"])
    >>> drill.step(orders)                      # (n, learners) whole numbers, or (n,) for one learner
    >>> drill.codes, drill.numbers, drill.mask  # what each learner senses, and which orders are not in vain
    >>> drill.turn, drill.rewards, drill.ended  # who is asked; what was gained; 0: on, 1: terminated, 2: truncated

    A step goes on until a learner has a choice; with `skip_forced=False` also where it has only one order. The rules
    terminate a game; `horizon` truncates it at the first such moment when so many ticks were played (0: never). The
    modes of `autoreset` and the seeds are those of `Batch`. `final_codes` and `final_numbers` keep what was sensed last
    in a game that ended, in every mode.
    """

    def __init__(
        self,
        game: str | Rulebook,
        settings: Settings | Mapping[str, Any] | None = None,
        n: int = 1,
        *,
        learners: int = 1,
        opponents: Sequence[str] = (),
        horizon: int = 0,
        autoreset: Autoreset = "next_step",
        skip_forced: bool = True,
        device: str = "cpu",
        seed: int = 0,
        senses: Any = None,
        buffers: Mapping[str, Any] | None = None,
    ) -> None:
        if n < 1:
            raise YardError(f"a drill of {n} games", hint="a drill needs at least 1 game")
        if autoreset not in AUTORESET:
            raise UnknownName("autoreset mode", autoreset, AUTORESET)
        self.book = book = load(game) if isinstance(game, str) else game
        self.settings = settings if isinstance(settings, Settings) else book.settings.read(settings)
        self.seats = book.layout.seats(self.settings)
        self.n, self.learners, self.device, self.autoreset = n, learners, device, autoreset
        self.horizon, self.skip_forced = horizon, skip_forced
        self.senses = book.senses if senses is None else senses
        book.prepare_drill(self.settings, self.senses)
        self._device = open_device(device, book, self.senses)
        self._make_arrays(buffers or {})
        self._seat_bots(opponents)
        self.reset(seed)

    def _make_arrays(self, buffers: Mapping[str, Any]) -> None:
        made = make_drill_arrays(self.book, self.senses, self.settings, self.n, self.learners, self._device.zeros)
        made = made._replace(arenas=self._device.put(made.arenas))
        for name, array in buffers.items():
            if name not in CALLERS:
                raise UnknownName("array of a drill", name, CALLERS)
            made = made._replace(**{name: array})
        self._arrays = made
        self.codes, self.numbers, self.mask, self.turn = made.codes, made.numbers, made.mask, made.turn
        self.rewards, self.ended, self.places = made.rewards, made.ended, made.places
        self.final_codes, self.final_numbers = made.final_codes, made.final_numbers
        self._everyone = np.ones(self.n, FLAG)

    def _seat_bots(self, opponents: Sequence[str]) -> None:
        """Seats house bots after the learners, in their order; the last one takes all seats that are left."""
        if not 1 <= self.learners <= self.seats - len(opponents):
            told = f"{self.learners} learners and {len(opponents)} opponents for {self.seats} seats"
            raise YardError(told, hint="at least one learner plays, and everybody needs a seat")
        numbers = [LEARNER] * self.learners + [self.book.bot_number(name) for name in opponents]
        while len(numbers) < self.seats:
            numbers.append(max(numbers[-1], 0))
        self._bots = np.tile(np.array(numbers, ORDER), (self.n, 1))
        self._device.copy(self._arrays.bots, self._device.put(self._bots))

    def oppose(self, entrant: int, bot: str | None, chosen: Any = None) -> None:
        """Gives an entrant of all games, or of the chosen ones, to a house bot; to a learner of yours if `bot` is None.

        It is best done before `reset`: a house bot that comes later has seen nothing.
        """
        if not 0 <= entrant < self.seats:
            raise YardError(f"there is no entrant {entrant}", hint=f"entrants go from 0 to {self.seats - 1}")
        if bot is None and entrant >= self.learners:
            hint = f"make the drill with learners={entrant + 1}, or name a house bot"
            raise YardError(f"entrant {entrant} cannot be a learner of yours", hint=hint)
        marks = slice(None) if chosen is None else np.asarray(chosen) != 0
        self._bots[marks, entrant] = LEARNER if bot is None else self.book.bot_number(bot)
        self._device.copy(self._arrays.bots, self._device.put(self._bots))

    def reset(self, seed: int | Sequence[int] | NDArray[Any] | None = 0, chosen: Any = None) -> None:
        """Starts games again, all or the chosen ones: with seeds counted up from one number, or one seed per game."""
        marks = self._everyone if chosen is None else np.asarray(chosen, FLAG)
        if marks.shape != (self.n,):
            raise YardError(f"the chosen games have the shape {marks.shape}", hint=f"mark each of the {self.n} games")
        if seed is not None:
            # A game that goes on keeps the seed from which its successors are counted.
            words = np.where(marks[:, None], seed_words(seed, self.n), self._device.fetch(self._arrays.seeds))
            self._device.copy(self._arrays.seeds, self._device.put(words))
        self._device.copy(self._arrays.chosen, self._device.put(marks))
        self._launch(RESET)

    def put(self, i: int, position: Game) -> None:
        """Begins one game anew in a position."""
        states = self._device.fetch(self._arrays.states)
        states[i : i + 1] = position.arrays[1]
        self._device.copy(self._arrays.states, states)
        marks = np.zeros(self.n, FLAG)
        marks[i] = PUT
        self.reset(None, marks)

    def position(self, i: int) -> Game:
        """Returns one game as it stands, to look at it or to play it on elsewhere; `put` is the way back."""
        arrays = self._arrays
        low, high = self._device.fetch(arrays.seeds)[i].tolist()
        game = Game(self.book, self.settings, high << 32 | low)
        game.load_state(self._device.fetch(arrays.states)[i : i + 1].tobytes())
        return game

    def step(self, orders: Any) -> None:
        checked = checked_orders(orders, self.n, self.learners, self.learners > 1)
        taken = self._device.take_orders(checked, self._arrays.given)
        self._arrays = self._arrays._replace(given=taken)
        self._launch(AUTORESET[self.autoreset])

    def _launch(self, mode: int) -> None:
        self._device.launch("drill", self._arrays, mode, self.horizon, int(self.skip_forced))

    def wait(self) -> None:
        self._device.wait()

    def host(self, array: Any) -> NDArray[Any]:
        return self._device.fetch(array)


def seed_words(seed: int | Sequence[int] | NDArray[Any], n: int) -> NDArray[Any]:
    """Returns the seeds of `n` games as pairs of words: counted up from one number, or one for each game."""
    if isinstance(seed, int):
        values = np.arange(n, dtype=np.uint64) + np.uint64(seed % (1 << SEED_BITS))
    else:
        values = np.array([int(one) % (1 << SEED_BITS) for one in seed], np.uint64)
    if len(values) != n:
        raise YardError(f"{len(values)} seeds for {n} games", hint="give one number, or one for each game")
    return np.stack([values & np.uint64(0xFFFFFFFF), values >> np.uint64(32)], axis=1).astype(WORD)
