"""Batches: many games of one kind at once, on all cores or on a CUDA device.

A batch exchanges arrays, never copies: `views`, `scores` and `over` are the memory the rules write to. On the CPU
they are NumPy arrays; on the GPU they offer `__cuda_array_interface__`, which PyTorch, CuPy and JAX take as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.devices import open_device
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.rulebook import FLAG, ORDER, SCORE, WORD, Rulebook
from botyard.kernel.settings import SEED_BITS, Settings

Autoreset = Literal["next_step", "same_step", "off"]

ARRAYS = ("states", "views", "orders", "scores", "over", "seeds", "finals", "steps")


class Batch:
    """`n` games that step together.

    Game i starts with seed `seed + i`; each time it begins anew its seed grows by `n`, so no two games of a batch are
    alike and each can be played again alone. What follows the end of a game:

    * `next_step`: the step after the last one ignores the orders and begins the next game;
    * `same_step`: the last step itself begins the next game; `scores` and `over` still speak of the one that ended, its
      last state is in `finals`, and `views` show the new one;
    * `off`: it stays over, and stepping it changes nothing.
    """

    def __init__(
        self,
        book: Rulebook,
        settings: Settings | None = None,
        n: int = 1,
        *,
        device: str = "cpu",
        seed: int = 0,
        autoreset: Autoreset = "next_step",
    ) -> None:
        if n < 1:
            raise YardError(f"a batch of {n} games", hint="at least 1")
        if autoreset not in AUTORESET:
            raise UnknownName("autoreset mode", autoreset, AUTORESET)
        self.book = book
        self.settings = settings or book.settings()
        self.n = n
        self.device = device
        self.autoreset = autoreset
        book.prepare(self.settings, "batch")
        self._device = open_device(device, book)
        self._make_arrays()
        self.reset(seed)

    def _make_arrays(self) -> None:
        kinds, make, n = self.book.layouts(self.settings), self._device.zeros, self.n
        self.seats = self.book.layout.seats(self.settings)
        self.arenas = self._device.put(self.book.layout.make_arena(self.settings))
        self.states = make(n, kinds.state)
        self.views = make((n, self.seats), kinds.view)
        self.orders = make((n, self.seats), ORDER)
        self.scores = make((n, self.seats), SCORE)
        self.over = make(n, FLAG)
        self.seeds = make((n, 2), WORD)
        self.finals = make(n if self.autoreset == "same_step" else 1, kinds.state)
        self.steps = make(n, np.int64)
        self._blank = make(1, kinds.state)

    def reset(self, seed: int | Sequence[int] | NDArray[Any] = 0) -> None:
        """Begins every game anew: with seeds counted up from one number, or with one seed per game."""
        seeds = [seed + i for i in range(self.n)] if isinstance(seed, int) else [int(one) for one in seed]
        if len(seeds) != self.n:
            raise YardError(f"{len(seeds)} seeds for {self.n} games", hint="one number, or one per game")
        values = np.array([one % (1 << SEED_BITS) for one in seeds], np.uint64)
        words = np.stack([values & np.uint64(0xFFFFFFFF), values >> np.uint64(32)], axis=1).astype(WORD)
        self._device.copy(self.seeds, self._device.put(words))
        self._device.launch(
            "begin", self.n, self.arenas, self.states, self.views, self.scores, self.over, self.seeds, self._blank
        )

    def step(self, orders: Any) -> None:
        """One tick of every game. `orders` is (n, seats), or (n,) where one seat acts at a time."""
        taken = self._device.take_orders(orders, self.orders)
        self._device.launch(
            "advance", self.n, self.arenas, self.states, taken, self.views, self.scores, self.over,
            self.seeds, self.n, self._blank, self.finals, AUTORESET[self.autoreset],
        )  # fmt: skip

    def race(self, ticks: int, salt: int = 0) -> None:
        """Random play inside the compiled loop; `steps` counts the orders. For benches and tests."""
        self.book.prepare(self.settings, "race")
        self._device.launch(
            "race", self.n, self.arenas, self.states, self.orders, self.views, self.seeds, self.n, self._blank,
            self.steps, ticks, salt,
        )  # fmt: skip

    def stray(self, salt: int = 0) -> None:
        """Random orders for every seat that is asked, into `orders`; `steps` counts them."""
        self.book.prepare(self.settings, "race")
        self._device.launch("wander", self.n, self.arenas, self.states, self.orders, self.steps, salt)

    def wait(self) -> None:
        """Until everything asked for is done; a GPU works on while Python goes on."""
        self._device.wait()

    def view_field(self, name: str) -> Any:
        """One field of all views as a plain array (n, seats, …) over the same memory, ready for a network."""
        return self._device.field(self.views, name)

    def state_field(self, name: str) -> Any:
        """One field of all states as a plain array (n, …) over the same memory."""
        return self._device.field(self.states, name)

    def host(self, array: Any) -> NDArray[Any]:
        """An array of this batch in the machine's own memory: itself on the CPU, a copy from the GPU."""
        return self._device.fetch(array)

    @property
    def faults(self) -> NDArray[Any]:
        """Which games hit a fault of our own (a capacity exceeded): their results are void."""
        states = self.host(self.states)
        return np.asarray((states["fault"] != 0) | (states["chance"]["fault"] != 0))

    def clone(self) -> Self:
        """Another batch in exactly this position."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._make_arrays()
        twin.restore(self)
        return twin

    def restore(self, saved: Batch) -> None:
        """Back to the position of a clone, without new memory."""
        if (saved.book, saved.settings, saved.n, saved.device, saved.autoreset) != (
            self.book, self.settings, self.n, self.device, self.autoreset,
        ):  # fmt: skip
            raise YardError("the saved batch is of another kind", hint="restore takes a clone of the same batch")
        for name in ARRAYS:
            self._device.copy(getattr(self, name), getattr(saved, name))

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games of {self.book.facts.name} on {self.device}>"
