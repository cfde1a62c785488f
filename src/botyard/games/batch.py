"""A batch is many games of one kind that step at once, on all cores or on a CUDA device.

A batch exchanges arrays, never copies: `views`, `scores` and `over` are the memory the rules write to. On the CPU
they are NumPy arrays; on the GPU they offer `__cuda_array_interface__`, which PyTorch, CuPy and JAX take as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from botyard.games import load
from botyard.kernel.arrays import WORD, make_arrays
from botyard.kernel.devices import open_device
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.orders import checked_orders
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS, Settings

Autoreset = Literal["next_step", "same_step", "off"]


class Batch:
    """Holds `n` games that step together.

    >>> games = botyard.Batch(name, n=4096)
    >>> games.step(orders)

    Game i starts with seed `seed + i`; each time it starts again its seed grows by `n`, so no two games of a batch are
    alike, and each can be played again on its own. `autoreset` says what happens after the end of a game:

    * `next_step`: the step after the last one ignores the orders and starts the next game;
    * `same_step`: the last step itself starts the next game; `scores` and `over` still describe the game that ended,
      its last state is in `finals`, and `views` show the new game;
    * `off`: the game stays over, and stepping it changes nothing.
    """

    def __init__(
        self,
        game: str | Rulebook,
        settings: Settings | Mapping[str, Any] | None = None,
        n: int = 1,
        *,
        device: str = "cpu",
        seed: int = 0,
        autoreset: Autoreset = "next_step",
    ) -> None:
        if n < 1:
            raise YardError(f"a batch of {n} games", hint="a batch needs at least 1 game")
        if autoreset not in AUTORESET:
            raise UnknownName("autoreset mode", autoreset, AUTORESET)
        self.book = book = load(game) if isinstance(game, str) else game
        self.settings = settings if isinstance(settings, Settings) else book.settings.read(settings)
        self.n = n
        self.device = device
        self.autoreset = autoreset
        self.seats = book.layout.seats(self.settings)
        book.prepare(self.settings, "batch")
        self._device = open_device(device, book)
        self._make_arrays()
        self.reset(seed)

    def _make_arrays(self) -> None:
        made = make_arrays(self.book, self.settings, self.n, self._device.zeros, self.autoreset == "same_step")
        self._arrays = made = made._replace(arenas=self._device.put(made.arenas))
        self.arenas, self.states, self.orders, self.views, self.scores = made[:5]
        self.over, self.seeds, self.steps, self.finals, _ = made[5:]

    def reset(self, seed: int | Sequence[int] | NDArray[Any] = 0) -> None:
        """Starts every game again: with seeds counted up from one number, or with one seed per game."""
        seeds = [seed + i for i in range(self.n)] if isinstance(seed, int) else [int(one) for one in seed]
        if len(seeds) != self.n:
            raise YardError(f"{len(seeds)} seeds for {self.n} games", hint="give one number, or one for each game")
        values = np.array([one % (1 << SEED_BITS) for one in seeds], np.uint64)
        words = np.stack([values & np.uint64(0xFFFFFFFF), values >> np.uint64(32)], axis=1).astype(WORD)
        self._device.copy(self.seeds, self._device.put(words))
        self._device.launch("begin", self._arrays)

    def step(self, orders: Any) -> None:
        """Plays one tick of every game. `orders` are integers: (n, seats), or (n,) where one seat acts at a time."""
        checked = checked_orders(orders, self.n, self.seats, self.book.facts.simultaneous)
        taken = self._device.take_orders(checked, self.orders)
        self._device.launch("advance", self._arrays._replace(orders=taken), AUTORESET[self.autoreset])

    def race(self, ticks: int, salt: int = 0) -> None:
        """Plays at random inside the compiled loop, for benchmarks and tests; `steps` counts the orders."""
        self.book.prepare(self.settings, "race")
        self._device.launch("race", self._arrays, ticks, salt)

    def stray(self, salt: int = 0) -> None:
        """Writes a random order for every seat that is asked into `orders`; `steps` counts them."""
        self.book.prepare(self.settings, "race")
        self._device.launch("wander", self._arrays, salt)

    def wait(self) -> None:
        """Waits until all work is done: a GPU is still busy when a call returns to Python."""
        self._device.wait()

    def view_field(self, name: str) -> Any:
        """Returns one field of all views as a plain array (n, seats, …) over the same memory, ready for a network."""
        return self._device.field(self.views, name)

    def state_field(self, name: str) -> Any:
        """Returns one field of all states as a plain array (n, …) over the same memory."""
        return self._device.field(self.states, name)

    def host(self, array: Any) -> NDArray[Any]:
        """Returns an array of this batch in the machine's own memory: itself on the CPU, a copy from the GPU."""
        return self._device.fetch(array)

    @property
    def faults(self) -> NDArray[Any]:
        """Marks the games in which our own rules failed (a capacity was exceeded); their results are void."""
        return self._device.faults(self.states)

    def clone(self) -> Self:
        """Makes another batch in exactly this position."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._make_arrays()
        twin.restore(self)
        return twin

    def restore(self, saved: Batch) -> None:
        """Returns to the position of a clone, without allocating memory."""
        if (saved.book, saved.settings, saved.n, saved.device, saved.autoreset) != (
            self.book, self.settings, self.n, self.device, self.autoreset,
        ):  # fmt: skip
            raise YardError(
                "the saved batch does not fit this one", hint="restore only what clone() of the same batch returned"
            )
        for own, theirs in zip(self._arrays, saved._arrays, strict=True):
            self._device.copy(own, theirs)

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games of {self.book.facts.name} on {self.device}>"
