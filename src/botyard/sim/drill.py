"""A drill is many games in which learners play against compiled house bots, in one call and without copies.

What a learner senses, may do and gains is written into arrays in place: NumPy arrays on the CPU; on a GPU they offer
`__cuda_array_interface__`, which PyTorch, CuPy and JAX take as they are. The same seeds and orders give the same bytes
on both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.game import Game
from botyard.games.stepped import Autoreset, DeviceArray, Seeds, SettingsLike, SteppedGames, opened_with
from botyard.kernel.arrays import ORDER
from botyard.kernel.devices import open_device
from botyard.kernel.drill_arrays import CALLERS, make_drill_arrays
from botyard.kernel.errors import UnknownName, WrongType, YardError, quoted
from botyard.kernel.loop_modes import AUTORESET, FROM_NEXT_SEED, FROM_SEED, LEARNER, PUT, RESET
from botyard.kernel.orders import checked_orders, form_of, is_on_gpu
from botyard.kernel.restarts import Chosen, whole
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.words import counted
from botyard.sim.own_senses import senses_named

__all__ = ["Drill"]


class Drill(SteppedGames):
    """Holds `n` games whose first `learners` entrants are yours; the others are house bots.

    >>> drill = Drill(name, n=4096, opponents=["house bot's name"])
    >>> drill.step(orders)                      # (n, learners) whole numbers, or (n,) for one learner
    >>> drill.codes, drill.numbers, drill.mask  # what each learner senses, and which orders are not in vain
    >>> drill.turn, drill.rewards, drill.ended  # who is asked; what was gained; 0: on, 1: terminated, 2: truncated

    A step goes on until a learner has a choice; with `skip_forced=False` also where it has only one order. In some
    games that takes thousands of ticks, once a learner is out: a step plays `most_ticks` at most (0: no limit), and
    `turn` tells that nobody is asked then. The rules terminate a game; `horizon` truncates it where the first step ends
    after so many ticks (0: never).
    `places` tells how those did who sit in the learners' places: 1 for the best, 0 if the game was not terminated.
    `final_codes` and `final_numbers` keep what was sensed last in a game that ended. Settings, seeds, devices and the
    modes of `autoreset` are those of `Batch`.

    House bots are named in the order of the entrants after the learners; the last one, or the only one, takes all seats
    that are left.
    `senses` is a module with other senses than the game's own, `buffers` has arrays of yours that are written to
    instead of new ones, and `stream` is the CUDA stream to work in (a number, or an object of PyTorch, CuPy or Numba).
    """

    KIND = "drill"
    OPENED = (*SteppedGames.OPENED, "learners", "horizon", "most_ticks", "skip_forced", "senses_name")

    codes: DeviceArray  # the cells that each learner senses: (n, learners, rows, cols) of uint8
    numbers: DeviceArray  # what it senses beside: (n, learners, numbers) of int16
    mask: DeviceArray  # marks the orders that are not certain to be in vain: (n, learners, orders) of uint8
    turn: DeviceArray  # marks the learners that are asked: (n, learners) of uint8
    rewards: DeviceArray  # what each gained in the last step: (n, learners) of int32
    ended: DeviceArray  # for each game, 0: it goes on, 1: the rules ended it, 2: the horizon did; (n,) of uint8
    places: DeviceArray  # 1 for the best, 0 unless the rules ended the game: (n, learners) of int32
    final_codes: DeviceArray  # the cells that were sensed last in a game that ended, shaped as `codes`
    final_numbers: DeviceArray  # the numbers that were sensed last in it, shaped as `numbers`
    learners: int  # how many learners play in each game
    horizon: int  # the ticks after which a game is truncated; 0: never
    most_ticks: int  # the ticks that a step plays at most; 0: as many as it takes
    skip_forced: bool  # whether an order is given by itself where a learner has no other
    senses_name: str  # the module of the senses that were given; empty: the game's own
    senses: Any  # the module that says what is sensed: `CODES` and `NUMBERS` explain each code and number

    def __init__(
        self, game: str | Rulebook, settings: SettingsLike = None, n: int = 1, *,
        learners: int = 1, opponents: str | Sequence[str] = (), horizon: int = 0, most_ticks: int = 0,
        autoreset: Autoreset = "next_step", skip_forced: bool = True, preset: str | None = None,
        seats: int | None = None, device: str = "cpu", seed: Seeds = 0, senses: ModuleType | str | None = None,
        buffers: Mapping[str, Any] | None = None, stream: Any = None, **named: Any,
    ) -> None:  # fmt: skip
        opened = opened_with(type(self), game, settings, n, preset, seats, device, autoreset, named)
        for what, ticks in (("horizon", horizon), ("step", most_ticks)):
            if not 0 <= whole(ticks, "number of ticks") < 1 << 31:
                raise YardError(f"a {what} of {ticks} ticks", hint="0 stands for no limit")
        opened |= {"learners": whole(learners, "number of learners"), "horizon": int(horizon)}
        opened |= {"most_ticks": int(most_ticks), "skip_forced": bool(skip_forced)}
        opened |= {"senses_name": name_of_senses(senses)}
        self._open(opened)
        if stream is not None:
            self.use_stream(stream)
        self._use(buffers or {})
        self._seat_bots(bot_names(opponents))
        self.reset(seed)

    def _open(self, opened: Mapping[str, Any]) -> None:
        self._keep(opened)
        if not 1 <= self.learners <= self.seats:
            hint = "at least one learner plays; seats=… makes room where the game has some"
            raise YardError(f"{counted(self.learners, 'learner')} for {counted(self.seats, 'seat')}", hint=hint)
        self.senses = senses_named(self.senses_name, self.book, self.settings)
        self.book.prepare_drill(self.settings, self.senses)
        self._device = open_device(self.device, self.book, self.senses)
        self._make_arrays()

    def _make_arrays(self) -> None:
        made = make_drill_arrays(self.book, self.senses, self.settings, self.n, self.learners, self._device.zeros)
        self._arrays = made._replace(arenas=self._device.put(made.arenas))
        self._show_arrays()

    def _show_arrays(self) -> None:
        for name in CALLERS:
            setattr(self, name, getattr(self._arrays, name))

    def _use(self, buffers: Mapping[str, Any]) -> None:
        """Takes arrays of the caller for those that are told."""
        if not isinstance(buffers, Mapping):
            raise WrongType(f"{quoted(buffers)} for the buffers", hint="give a mapping from names of arrays to yours")
        for name, array in buffers.items():
            if name not in CALLERS:
                raise UnknownName("array of a drill", name, CALLERS)
            own, on_gpu = getattr(self._arrays, name), is_on_gpu(array)
            wanted = f"give {own.dtype} in the shape {tuple(own.shape)}, in one piece, on the {self.device}"
            if on_gpu != (self.device == "cuda") or not (on_gpu or isinstance(array, np.ndarray)):
                raise WrongType(f"the buffer for {name} is on another device", hint=wanted)
            if form_of(array, on_gpu) != (tuple(own.shape), own.dtype) or not in_one_piece(array, on_gpu):
                raise WrongType(f"the buffer for {name} does not fit", hint=wanted)
            self._arrays = self._arrays._replace(**{name: self._device.take_over(array)})
        self._show_arrays()

    # Opponents

    def _seat_bots(self, opponents: Sequence[str]) -> None:
        if len(opponents) > self.seats - self.learners:
            players = f"{counted(self.learners, 'learner')} and {counted(len(opponents), 'opponent')}"
            told = f"{players} for {counted(self.seats, 'seat')}"
            raise YardError(told, hint="name fewer, or give seats=…, where the game has room for more")
        numbers = [LEARNER] * self.learners + [self.book.bot_number(name) for name in opponents]
        while len(numbers) < self.seats:
            numbers.append(max(numbers[-1], 0))
        self._put_bots(np.tile(np.array(numbers, ORDER), (self.n, 1)))

    def _put_bots(self, bots: NDArray[Any]) -> None:
        self._device.copy(self._arrays.bots, self._device.put(bots))

    def oppose(self, entrant: int, bot: str | None, chosen: Any = None) -> None:
        """Gives an entrant of all games, or of the chosen ones, to a house bot; to a learner of yours if `bot` is None.

        It is best done before `reset`: whoever comes later has seen nothing.
        """
        if not 0 <= whole(entrant, "number of an entrant") < self.seats:
            raise YardError(f"there is no entrant {entrant}", hint=f"entrants go from 0 to {self.seats - 1}")
        if bot is None and entrant >= self.learners:
            hint = f"make the drill with learners={entrant + 1}, or name a house bot"
            raise YardError(f"entrant {entrant} cannot be a learner of yours", hint=hint)
        marks = self._marks(self._marked(chosen))
        bots = self.host(self._arrays.bots).copy()
        bots[marks, entrant] = LEARNER if bot is None else self.book.bot_number(bot)
        self._put_bots(bots)

    def use_stream(self, stream: Any) -> None:
        """Has a GPU work in this stream from now on: a number, or an object of PyTorch, CuPy or Numba."""
        self._device.use_stream(stream)

    # Playing

    def reset(self, seed: Seeds | None = None, chosen: Any = None) -> None:
        """Starts games again, all or the chosen ones, as `Batch.reset` does; without a seed with their next ones."""
        some = self._marked(chosen)
        if seed is not None:
            self._give_seeds(seed, some)
        self._begin(some, FROM_NEXT_SEED if seed is None else FROM_SEED)

    def _begin(self, chosen: Chosen, beginning: int) -> None:
        self._device.copy(self._arrays.chosen, self._device.put(self._marks(chosen) * np.uint8(beginning)))
        self._launch(RESET)

    def _marks(self, chosen: Chosen) -> NDArray[np.bool_]:
        """Returns in the machine's own memory which games are chosen: any number but 0 is a mark."""
        return np.asarray(self.host(self._device.take_flags(chosen.flags)) != 0)

    def put(self, i: int, position: Game) -> None:
        """Begins one game anew in a position, which must be one of the same settings."""
        if not isinstance(position, Game):
            raise WrongType(f"{quoted(position)} is no position", hint="give a game: drill.position(i), botyard.new(…)")
        if (position.book, position.settings) != (self.book, self.settings):
            hint = f"this drill plays {self.book.facts.name} under its own settings: drill.settings"
            raise YardError(f"{position!r} does not fit", hint=hint)
        some = self._marked([i])
        self._device.copy(self._arrays.states[i : i + 1], self._device.put(position.arrays[1]))
        self._begin(some, PUT)

    def position(self, i: int) -> Game:
        """Returns one game as it stands, to look at it or to play it on elsewhere; `put` is the way back."""
        self._marked([i])  # refuses games that are not there
        low, high = self.host(self._arrays.seeds[i : i + 1])[0].tolist()
        game = Game(self.book, self.settings, high << 32 | low)
        game.load_state(self.host(self._arrays.states[i : i + 1]).tobytes())
        return game

    def step(self, orders: Any) -> None:
        """Plays every game up to the next choice of a learner, but no more than `most_ticks`. `orders` are integers:
        (n, learners), or (n,) for one learner; those of learners that are not asked mean nothing."""
        checked = checked_orders(orders, self.n, self.learners, self.learners > 1)
        taken = self._device.take_orders(checked, self._arrays.given)
        self._launch(AUTORESET[self.autoreset], taken)

    def _launch(self, mode: int, given: Any = None) -> None:
        arrays = self._arrays if given is None else self._arrays._replace(given=given)
        self._device.launch("drill", arrays, mode, self.horizon, self.most_ticks, int(self.skip_forced))

    def _more(self) -> list[str]:
        return [counted(self.learners, "learner")]


def bot_names(opponents: object) -> list[str]:
    """Returns the names of house bots that a user gave as a list, or a single one by itself."""
    names = [opponents] if isinstance(opponents, str) else opponents
    if isinstance(names, Iterable):
        names = list(names)
        if all(isinstance(name, str) for name in names):
            return names
    raise WrongType(f"{quoted(opponents)} for the opponents", hint="give names of house bots, or one name")


def name_of_senses(senses: object) -> str:
    if isinstance(senses, ModuleType):
        return senses.__name__
    if senses is None or isinstance(senses, str):
        return senses or ""
    raise WrongType(f"{quoted(senses)} for the senses", hint="give a module, or the name of one")


def in_one_piece(array: Any, on_gpu: bool) -> bool:
    """Whether an array lies in memory row after row without gaps."""
    if not on_gpu:
        return bool(array.flags.c_contiguous and array.flags.writeable)
    return array.__cuda_array_interface__.get("strides") is None
