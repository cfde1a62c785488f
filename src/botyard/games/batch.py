"""A batch is many games of one kind that step at once, on all cores or on a CUDA device.

A batch exchanges arrays, never copies: `views`, `scores` and `over` are the memory the rules write to. On the CPU
they are NumPy arrays; on the GPU they offer `__cuda_array_interface__`, which PyTorch, CuPy and JAX take as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botyard.games.stepped import Autoreset, DeviceArray, Seeds, SettingsLike, SteppedGames, opened_with
from botyard.kernel.arrays import FLAG, SCORE, make_arrays
from botyard.kernel.devices import open_device
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.orders import checked_orders
from botyard.kernel.outcome import Outcome
from botyard.kernel.rulebook import Rulebook


class Batch(SteppedGames):
    """Holds `n` games that step together.

    >>> games = botyard.Batch(name, n=4096)
    >>> games.step(orders)

    Settings are given as `botyard.new` takes them (`preset=`, `seats=`, the game's own by keyword), or as a mapping or
    complete `Settings` in the second place. `device` is `cpu`, or `cuda`, for which `gpu` is another word.

    Game i starts with seed `seed + i`; each time it starts again its seed grows by `n`, so no two games of a batch are
    alike, and each can be played again on its own. `autoreset` says what happens after the end of a game:

    * `next_step`: the step after the last one ignores the orders and starts the next game;
    * `same_step`: the last step itself starts the next game; `scores`, `over`, `places` and `outcomes` still describe
      the game that ended, its last state is in `finals`, and `views`, `asked` and `masks` belong to the new game;
    * `off`: the game stays over, and stepping it changes nothing.
    """

    KIND = "batch"

    views: DeviceArray  # what each seat is told: (n, seats) records; `view_field` has one field of all
    scores: DeviceArray  # the points of each seat: (n, seats) of int32
    over: DeviceArray  # marks the games that have ended: (n,) of uint8
    orders: DeviceArray  # the orders of the last step: (n, seats) of int32; `stray` writes random ones
    steps: DeviceArray  # counts the orders that `race` and `stray` gave, for each game: (n,) of int64
    states: DeviceArray  # the position of each game: (n,) records; `state_field` has one field of all
    finals: DeviceArray  # the last position of games that ended, with `same_step`
    seeds: DeviceArray  # the seed of each game, as two words of 32 bits: (n, 2), the lower one first
    arenas: DeviceArray  # what never changes: one record for all games

    def __init__(
        self,
        game: str | Rulebook,
        settings: SettingsLike = None,
        n: int = 1,
        *,
        preset: str | None = None,
        seats: int | None = None,
        seed: Seeds = 0,
        device: str = "cpu",
        autoreset: Autoreset = "next_step",
        **named: Any,
    ) -> None:
        self._open(opened_with(type(self), game, settings, n, preset, seats, device, autoreset, named))
        self.reset(seed)

    def _open(self, opened: Mapping[str, Any]) -> None:
        self._keep(opened)
        self.book.prepare(self.settings, "batch")
        self._device = open_device(self.device, self.book)
        self._make_arrays()

    def _make_arrays(self) -> None:
        made = make_arrays(self.book, self.settings, self.n, self._device.zeros, self.autoreset == "same_step")
        self._arrays = made = made._replace(arenas=self._device.put(made.arenas))
        self.arenas, self.states, self.orders, self.views, self.scores = made[:5]
        self.over, self.seeds, self.steps, self.finals, _ = made[5:]
        self._told: dict[str, Any] = {}  # arrays of what was asked about the games

    # Playing

    def reset(self, seed: Seeds | None = None, chosen: Any = None) -> None:
        """Starts games again: all of them, or those that are `chosen` by marks (bool or uint8, one for each game) or by
        number; the others are left as they are.

        With one seed, game i gets `seed + i`. Otherwise give a seed for each game of the batch, or for each chosen one.
        Without a seed each game goes on with its next one.
        """
        some = self._marked(chosen)
        if seed is not None:
            self._give_seeds(seed, some)
        self._device.launch("begin", self._arrays, self._device.take_flags(some.flags), int(seed is None))

    def step(self, orders: Any) -> None:
        """Plays one tick of every game. `orders` are integers: (n, seats), or (n,) where one seat acts at a time."""
        checked = checked_orders(orders, self.n, self.seats, self.book.facts.simultaneous)
        taken = self._device.take_orders(checked, self.orders)
        self._device.launch("advance", self._arrays._replace(orders=taken), AUTORESET[self.autoreset])

    def race(self, ticks: int, salt: int = 0) -> None:
        """Plays at random inside the compiled loop, for benchmarks and tests; `steps` counts the orders.

        `views` are those before the last tick, and `scores` and `over` those before the race.
        """
        self.book.prepare(self.settings, "race")
        self._device.launch("race", self._arrays, ticks, salt)

    def stray(self, salt: int = 0) -> None:
        """Writes a random order for every seat that is asked into `orders`; `steps` counts them."""
        self.book.prepare(self.settings, "race")
        self._device.launch("wander", self._arrays, salt)

    # What is asked about the games. The arrays are made when they are first wanted, and written anew each time.

    @property
    def asked(self) -> DeviceArray:
        """Marks the seats that must give an order now: (n, seats) of uint8."""
        return self._survey("asked", self._made("asked", (self.n, self.seats), FLAG))

    @property
    def masks(self) -> DeviceArray:
        """Marks the orders that can do something now: (n, seats, orders) of uint8; none for a seat not asked."""
        return self._survey("masks", self._made("masks", (self.n, self.seats, len(self.book.facts.orders)), FLAG))

    @property
    def places(self) -> DeviceArray:
        """Places the seats of ended games, 1 for the best: (n, seats) of int32; seats that tie share the better place,
        and all are 0 while a game goes on."""
        raw, places = (self._made(what, (self.n, self.seats), SCORE) for what in ("raw places", "places"))
        self._survey("places", raw, places, AUTORESET[self.autoreset])
        return places

    @property
    def outcomes(self) -> list[Outcome | None]:
        """Lists how each game ended; None for a game that goes on."""
        rows = zip(self.host(self.places).tolist(), self.host(self.scores).tolist(), strict=True)
        return [Outcome.from_places(places, scores) if places[0] else None for places, scores in rows]

    def _made(self, what: str, shape: tuple[int, ...], kind: Any) -> Any:
        if what not in self._told:
            self._told[what] = self._device.zeros(shape, kind)
        return self._told[what]

    def _survey(self, what: str, array: Any, *more: Any) -> Any:
        self.book.prepare(self.settings, "survey")
        self._device.launch(f"survey_{what}", self._arrays, array, *more)
        return array

    # Memory

    def view_field(self, name: str) -> DeviceArray:
        """Returns one field of all views as a plain array (n, seats, …) over the same memory, ready for a network."""
        return self._device.field(self.views, name)

    def state_field(self, name: str) -> DeviceArray:
        """Returns one field of all states as a plain array (n, …) over the same memory."""
        return self._device.field(self.states, name)
