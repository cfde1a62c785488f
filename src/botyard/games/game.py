"""One game in progress, for users of the library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import Any, NamedTuple, Self, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from botyard.games import load
from botyard.games.configured import configured
from botyard.games.view import View
from botyard.kernel.arrays import FLAG, ORDER, SCORE
from botyard.kernel.bounded import json_of
from botyard.kernel.chance import load_tape, tape_used_up
from botyard.kernel.errors import BadRecord, WrongType, YardError, quoted
from botyard.kernel.facts import FAULT_OF, NO_ORDER
from botyard.kernel.outcome import Outcome
from botyard.kernel.records import Layout, Record, record_of
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.script import CHANGES, Script
from botyard.kernel.settings import Settings, checked_seed, fresh_seed, in_short, seed_word
from botyard.kernel.shown import Shown

MAGIC = b"botyard1"
Buffer: TypeAlias = bytes
"""Plain bytes; inside `Game` its method of that name hides the type."""

OrderLike: TypeAlias = str | SupportsIndex
"""An order: its name, in upper or lower case, or its number."""

OrderList: TypeAlias = Sequence[OrderLike] | NDArray[Any]
"""The orders of all seats, from seat 0 on."""

AnyGame = TypeVar("AnyGame", bound="Game")


class Game(Shown):
    """Holds one game from its first tick to its end.

    >>> game = botyard.new(name, seed=7)
    >>> game.step(game.orders()[0])
    """

    __slots__ = ("_arenas", "_orders", "_raw", "_states", "book", "seats", "seed", "settings")

    book: Rulebook  # the rule book of the game: `game.book.facts` has its names, seats and orders
    settings: Settings  # all settings, those that were not given too
    seed: int  # what all chance of the game follows from
    seats: int  # how many seats there are; they are numbered from 0

    def __init__(self, book: Rulebook, settings: Settings, seed: int) -> None:
        self._open(book, settings, seed)
        self.begin()

    def _open(self, book: Rulebook, settings: Settings, seed: int) -> None:
        """Makes the memory of a game, with nothing in it yet."""
        book.prepare(settings, "table")
        self.book = book
        self.settings = settings
        self.seed = seed
        self.seats = book.layout.seats(settings)
        kind = book.layouts(settings).state
        # Arena and state are kept as bytes with an array over them, because copying a bytearray is ten times faster
        # than copying a structured array.
        arena, raw = made_arena(book, settings)
        self._arenas: NDArray[Any] = np.ndarray(1, arena, bytearray(raw))
        self._orders = np.full((1, self.seats), NO_ORDER, ORDER)
        self._raw = bytearray(kind.itemsize)
        self._states: NDArray[Any] = np.ndarray(1, kind, self._raw)

    # The position

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must give an order now."""
        bits = self.book.loops.asked_at(opened(self._arenas), opened(self._states))
        return tuple(seat for seat in range(self.seats) if bits >> seat & 1)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._states["over"][0])

    @property
    def scores(self) -> tuple[int, ...]:
        """The points that each seat has now."""
        out = np.zeros(self.seats, SCORE)
        self.book.loops.score_at(opened(self._arenas), opened(self._states), opened(out))
        return tuple(int(points) for points in out)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        return read_outcome(self.book, self._arenas, self._states, self.seats) if self.over else None

    @property
    def fault(self) -> bool:
        """Whether our own rules failed (a capacity was exceeded): such a game is void."""
        state = self._states[0]
        return bool(state["fault"] or state["chance"]["fault"])

    @property
    def culprits(self) -> tuple[int, ...]:
        """The seats whose orders made the rules fail, where that can be told."""
        fault = int(self._states[0]["fault"])
        return tuple(seat for seat in range(self.seats) if fault & FAULT_OF << seat)

    def view(self, seat: int | None = None) -> View:
        """Shows what a seat is told; by default, the seat that is asked. A seat that is not asked is told nothing."""
        views = np.zeros(1, self.book.layouts(self.settings).view)
        seat = self._one_seat(seat)
        self.book.loops.look_at(opened(self._arenas), opened(self._states), seat, opened(views))
        return View(views, self.book)

    def orders(self, seat: int | None = None) -> list[str]:
        """Lists the names of the orders that can do something for a seat; there are none if it is not asked."""
        if self.over or (seat is not None and seat not in self.asked):
            return []
        mask = np.zeros(len(self.book.facts.orders), FLAG)
        self.book.loops.allowed_at(opened(self._arenas), opened(self._states), self._one_seat(seat), opened(mask))
        return [name for name, may in zip(self.book.facts.orders, mask, strict=True) if may]

    def entrant(self, seat: int) -> int:
        """Tells which bot plays this seat; bots are numbered in the order they came."""
        return int(self.book.loops.entrant_at(opened(self._arenas), opened(self._states), seat))

    # Playing

    def begin(self) -> None:
        """Returns to the start, from the same seed."""
        self._raw[:] = bytes(len(self._raw))
        self.book.loops.set_up_at(opened(self._arenas), opened(self._states), seed_word(self.seed))

    def step(self, order: OrderLike | Mapping[int, OrderLike] | OrderList, seat: int | None = None) -> None:
        """Plays one tick. An order is a name or a number; orders of several seats are a mapping or a sequence."""
        given: dict[int, OrderLike]
        if isinstance(order, Mapping):
            given = dict(order)
        elif isinstance(order, (Sequence, np.ndarray)) and not isinstance(order, str):
            given = dict(enumerate(order))
        else:
            given = {self._one_seat(seat): order}
        if self.over:
            raise YardError("the game is over", hint=f"{self.outcome}; start another with botyard.new")
        missing = [asked for asked in self.asked if asked not in given]
        if missing:
            raise YardError(
                f"there is no order for seat {missing[0]}", hint="give an order for every seat in game.asked"
            )
        self.step_orders({seat: self._number(one) for seat, one in given.items()})

    def step_orders(self, orders: Mapping[int, int]) -> None:
        """Plays one tick with order numbers, as the rules take them: any integer; a seat without one gives NO_ORDER."""
        for seat in range(self.seats):
            self._orders[0, seat] = orders.get(seat, NO_ORDER)
        self.book.loops.step_at(opened(self._arenas), opened(self._states), opened(self._orders))

    def feed(self, draws: Sequence[tuple[int, int]]) -> None:
        """Fixes the next random draws as (bound, value) pairs; `draws_fit` tells whether exactly these were made."""
        load_tape(self._arenas[0], self._states[0], draws)

    @property
    def draws_fit(self) -> bool:
        """Whether exactly the draws that `feed` fixed have been made."""
        return tape_used_up(self._arenas[0], self._states[0])

    def change(self, what: str, seat: int) -> None:
        """Does something for a seat outside the ticks: `forfeit`, and `join` or `leave` where players come and go."""
        loop = getattr(self.book.loops, f"{what}_at", None) if what in CHANGES else None
        if loop is None:
            raise YardError(
                f"{what!r} is not possible in {self.book.facts.name}", hint=f"possible: {', '.join(self.changes)}"
            )
        loop(opened(self._arenas), opened(self._states), self._one_seat(seat))

    def retell(self, script: Script) -> int:
        """Plays all entries of a script in one compiled call; returns how many, fewer if the next is impossible."""
        self.book.prepare(self.settings, "retelling")
        loop = self.book.loops.retell_at
        return int(loop(opened(self._arenas), opened(self._states), opened(self._orders), opened(script)))

    @property
    def changes(self) -> list[str]:
        """Lists what `change` can do in this game."""
        return [what for what in CHANGES if hasattr(self.book.loops, f"{what}_at")]

    def _one_seat(self, seat: int | None) -> int:
        if seat is None:
            asked = self.asked
            if len(asked) > 1:
                raise YardError(
                    f"seats {asked} must act at the same time", hint="say which one this order is for: seat=…"
                )
            return asked[0] if asked else 0
        if not 0 <= seat < self.seats:
            raise YardError(f"there is no seat {seat}", hint=f"seats go from 0 to {self.seats - 1}")
        return seat

    def _number(self, order: OrderLike) -> int:
        facts = self.book.facts
        if isinstance(order, str):
            return facts.order_named(order)
        try:
            return facts.order_numbered(index(order))
        except TypeError:
            raise WrongType(f"{quoted(order)} is not an order", hint="give its name or its number") from None

    # Copies, bytes, text

    def copy(self) -> Self:
        """Copies the game, to try something out."""
        twin = object.__new__(type(self))
        twin.book, twin.settings, twin.seed, twin.seats = self.book, self.settings, self.seed, self.seats
        twin._arenas, twin._orders, twin._raw = self._arenas, self._orders.copy(), self._raw[:]
        twin._states = np.ndarray(1, self._states.dtype, twin._raw)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the game: more than `bytes()` has, all settings and draws that were fed."""
        arena = self._arenas.tobytes()
        fed = arena if arena != made_arena(self.book, self.settings)[1] else b""
        saved = SavedGame(self.book, self.settings, self.seed, self.book.facts.rules_version, fed, Buffer(self._raw))
        return game_again, (type(self), saved)

    def bytes(self) -> Buffer:
        """Returns the game as bytes; equal games have equal bytes."""
        head = {
            "game": self.book.facts.name,
            "rules": self.book.facts.rules_version,
            "settings": self.settings.of_group("rules"),
            "seed": self.seed,
        }
        text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
        return MAGIC + len(text).to_bytes(4, "little") + text + self._raw

    @classmethod
    def from_bytes(cls, data: Buffer) -> Self:
        """Restores the game that `bytes()` returned. Other bytes are refused, and every index in them is checked."""
        if data[: len(MAGIC)] != MAGIC:
            raise BadRecord("these bytes are not a Botyard game", hint="use what game.bytes() returned")
        start = len(MAGIC) + 4
        size = int.from_bytes(data[len(MAGIC) : start], "little")
        try:
            head = json_of(data[start : start + size], "the head of these bytes")
            book, seed, rules = load(head["game"]), checked_seed(head["seed"]), head["rules"]
            settings = book.settings.read(head["settings"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord("the head of these bytes cannot be read", hint=str(error)) from None
        check_version(book, rules)
        game = cls(book, settings, seed)
        game.load_state(data[start + size :])
        return game

    @classmethod
    def drawn(cls, game: str, text: str, settings: Settings | None = None) -> Self:
        """Makes the game in the position of a drawing, as `str(game)` draws it."""
        book = load(game)
        fitting, states = book.scene.parse(text, settings)
        made = cls(book, fitting, 0)
        made.load_state(states.tobytes())
        return made

    def load_state(self, raw: Buffer) -> None:
        """Takes a position as raw record bytes, after checking that a game can be in it."""
        kind = self._states.dtype
        if len(raw) != kind.itemsize:
            raise BadRecord(
                f"the state has {len(raw)} bytes", hint=f"under these settings it must have {kind.itemsize}"
            )
        self.book.layout.validate(self.arena, record_of(np.frombuffer(raw, kind)))
        self._raw[:] = raw

    @property
    def arena(self) -> Record:
        """The arena as a record: settings, map and tables."""
        return record_of(self._arenas)

    @property
    def state(self) -> Record:
        """The state as a record, not a copy: whoever writes to it bypasses the rules."""
        return record_of(self._states)

    @property
    def arrays(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The arena and the state as arrays of one record each, as the loops take them."""
        return self._arenas, self._states

    def __str__(self) -> str:
        return self.book.scene.draw(self.arena, self.state)

    def __repr__(self) -> str:
        headline = self.book.scene.words(self.arena, self.state).headline
        told = [self.book.facts.name, in_short(self.settings), f"seed {self.seed}", headline, "over" * self.over]
        return f"<Game of {', '.join(filter(None, told))}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.bytes() == other.bytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes


class SavedGame(NamedTuple):
    """A game as it is pickled."""

    book: Rulebook
    settings: Settings
    seed: int
    rules: int  # their version
    arena: Buffer  # empty if it is as the settings make it
    state: Buffer


def game_again(kind: type[AnyGame], saved: SavedGame) -> AnyGame:
    """Returns the game that was pickled. Its state is not checked: whoever unpickles runs what it is given anyway."""
    check_version(saved.book, saved.rules)
    game = object.__new__(kind)
    game._open(saved.book, saved.settings, saved.seed)
    arena, state = game.arrays
    for array, raw in ((arena, saved.arena), (state, saved.state)):
        if raw:
            array[:] = np.frombuffer(raw, array.dtype)
    return game


def check_version(book: Rulebook, rules: int) -> None:
    if rules != book.facts.rules_version:
        hint = f"this Botyard plays rules version {book.facts.rules_version}"
        raise BadRecord(f"the game was saved under rules version {rules} of {book.facts.name}", hint=hint)


@lru_cache(maxsize=16)
def made_arena(book: Rulebook, settings: Settings) -> tuple[Layout, Buffer]:
    """Returns the arena of games under these settings, as its type and its bytes: making one may take longer than
    playing a whole game."""
    arenas = book.layout.make_arena(settings)
    return arenas.dtype, arenas.tobytes()


def read_outcome(book: Rulebook, arenas: NDArray[Any], states: NDArray[Any], seats: int) -> Outcome:
    """Reads the outcome of the one game in an array."""
    places, scores = np.zeros(seats, SCORE), np.zeros(seats, SCORE)
    book.loops.place_at(opened(arenas), opened(states), opened(places))
    book.loops.score_at(opened(arenas), opened(states), opened(scores))
    return Outcome.from_places(places.tolist(), scores.tolist())


def new(
    game: str, seed: int | None = None, preset: str | None = None, *, seats: int | None = None, **settings: Any
) -> Game:
    """Starts a game. Settings are the game's own (`botyard settings GAME`); without a seed a random one is used.

    `seats` is the number of players, where a game can be played by more or fewer.
    """
    book = load(game)
    chosen = configured(book, None, preset, seats, settings)
    return Game(book, chosen, fresh_seed() if seed is None else checked_seed(seed))


def from_bytes(data: Buffer) -> Game:
    """Restores the game that `game.bytes()` returned."""
    return Game.from_bytes(data)
