"""What every game must offer: the names its parts export.

A game is a package with the modules facts, settings, layout, rules, wire, scene and bots. It may have further ones:
`files` where there is an original, `contest` where there was a contest of its own (`optional_parts.py` stands for those
it leaves out), and `samples` for tests. These protocols describe what the rest of the house uses of them; a
completeness test holds every registered game to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from botyard.kernel.facts import Facts
from botyard.kernel.recording import Conformance
from botyard.kernel.records import Layouts, Record
from botyard.kernel.scene import Scene
from botyard.kernel.session import Session
from botyard.kernel.settings import Settings


class FactsPart(Protocol):
    FACTS: Facts


class SettingsPart(Protocol):
    SETTINGS: type[Settings]


class LayoutPart(Protocol):
    """The records. `validate` raises BadRecord on a state that no game can be in."""

    def seats(self, settings: Any) -> int: ...
    def layouts(self, settings: Any) -> Layouts: ...
    def make_arena(self, settings: Any) -> NDArray[Any]: ...
    def validate(self, arena: Any, state: Any) -> None: ...


class RulesPart(Protocol):
    """The rules, all of them `@rule` functions.

    Every integer is a defined order, NO_ORDER among them; stepping a finished game changes nothing. A state has at
    least the fields `chance`, `over` and `fault`. A game whose players come and go also has `join(arena, state,
    seat)` and `leave(arena, state, seat)`. A game with a large state may have `clear(arena, state)`, which zeroes all
    of it but its chance, faster than a copy of a blank one: on a GPU a single thread makes that copy.
    """

    def set_up(self, arena: Record, state: Record, seed: int) -> None:
        """The start of a game; the state comes zeroed."""

    def asked(self, arena: Record, state: Record) -> int:
        """The seats that are asked now, one bit each."""

    def look(self, arena: Record, state: Record, seat: int, view: Record) -> None:
        """What a seat that is asked may know now, as numbers and lists, into its view."""

    def board_shape(self, arena: Record, view: Record) -> tuple[int, int]:
        """The size of the view's board, the same for all views of an arena; (0, 0) where they have none."""

    def paint(self, arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
        """One cell of the view's board, after `look`: it reads the state and the view's numbers, no other cell."""

    def allowed(self, arena: Record, state: Record, seat: int, mask: Record) -> None:
        """Marks the orders that are not certain to be in vain; all of them if every order would be."""

    def stray(self, arena: Record, state: Record, seat: int, dice: int) -> int:
        """An order for random play out of 32 random bits, not deadly at once where that can be helped."""

    def step(self, arena: Record, state: Record, orders: Record) -> None:
        """One tick; `orders` has one integer per seat, those of seats that are not asked mean nothing."""

    def score(self, arena: Record, state: Record, out: Record) -> None:
        """The points of each seat."""

    def place(self, arena: Record, state: Record, out: Record) -> None:
        """The place of each seat in a finished game, 0 the best; seats that tie have the same."""

    def entrant(self, arena: Record, state: Record, seat: int) -> int:
        """Which of the bots, counted in the order they came, sits there."""

    def forfeit(self, arena: Record, state: Record, seat: int) -> None:
        """The seat gives up or never came."""


class BotsPart(Protocol):
    """House bots: `decide` is a rule that sees a view and a memory and nothing else."""

    HOUSE_BOTS: Mapping[str, str]  # name → what it does, in the order of the numbers `decide` takes

    def decide(self, bot: int, arena: Record, view: Record, memory: Record) -> int: ...


class WirePart(Protocol):
    """The native protocol. `arguments` follow a bot's own command line; `number` counts the bots from 0."""

    def open_session(self, settings: Any, number: int) -> Session: ...
    def arguments(self, host: str, port: int, number: int) -> list[str]: ...


class RoomPart(Protocol):
    """What a live room must know of a game: the part `wire.room` of those games whose players come and go.

    The rules of such a game have `join` and `leave`.
    """

    KEYS: Mapping[str, str]  # how somebody steers by hand: a browser's name of a key → the command it gives
    STEERING: str  # the same in a sentence
    COMMANDS: str  # what commands there are, in words
    SIGN_STYLES: Mapping[str, str]  # how a viewer shows the signs of `draw_view`: mine, foe, food or wall

    def room_settings(self, settings: Any, tick_ms: int | None) -> Any:
        """The settings as a room plays by them, ticking so often if that is said."""

    def takes_players(self, game: Any) -> bool:
        """Whether a newcomer may be seated on this field at all."""

    def bring_points(self, game: Any, seat: int, points: int) -> None:
        """A player who has just joined brings along what it earned on other fields."""

    def merged(self, order: int, then: int) -> int:
        """Two orders of one player in one tick."""

    def is_command(self, text: str) -> bool:
        """Whether somebody may steer by hand with this."""

    def setting_rows(self, settings: Any) -> Iterable[dict[str, str]]:
        """Every setting as players know it: name, key, type, default and value, all as text."""


class ScenePart(Protocol):
    """What people are shown. `draw(parse(x)) == x`; a drawing holds everything of a state but its chance."""

    def draw(self, arena: Any, state: Any) -> str: ...
    def parse(self, text: str, settings: Any) -> tuple[Any, NDArray[Any]]: ...
    def draw_view(self, view: Any) -> str: ...
    def scene(self, arena: Any, state: Any) -> Scene: ...


class Exporter(ABC):
    """Follows a game and gives one of the original's files of it."""

    def hear(self, log: Any) -> None:
        """Told before anything else what was said in the game and how long it took, where somebody knows."""

    @abstractmethod
    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """A tick is about to be played with these orders."""

    @abstractmethod
    def end(self, game: Any) -> bytes:
        """The game is over: the file."""


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file the original left of a match, where the settings want it. `suffix` is the export that it holds."""

    path: str  # nothing: it was printed
    suffix: str
    append: bool = False  # to what is there already
    of_series: bool = False  # its exporter goes on from game to game, and needs to see only how each ended


class FilesPart(Protocol):
    """The original's files. `recognise` tells a recording by its content, `check` plays it on our rules."""

    EXPORTS: Mapping[str, str]  # suffix → what it is
    PLAYABLE: Sequence[str]  # the suffixes of those that `check` can play

    def match_files(self, settings: Any) -> Sequence[MatchFile]:
        """The files that the original left of a match by itself, as the settings want them."""

    def exporter(self, suffix: str, names: Sequence[str]) -> Exporter: ...
    def recognise(self, text: str) -> bool: ...

    def check(self, text: str, result: Conformance, seed: int | None, new_game: Callable[[Any, int], Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game of a contest that counts, by the names of its bots."""

    match: str  # the name of the match it belongs to
    bots: tuple[str, ...]
    winner: str | None
    note: Mapping[str, Any] | None  # what `ContestPart.note` took down of it


@dataclass(frozen=True, slots=True)
class ContestRecord:
    """A contest as far as it has come: everything that the original's files of it can hold."""

    settings: Any
    seed: int
    kind: str  # the name of its format
    options: Mapping[str, Any]  # of the format, all of them
    bots: Sequence[str]  # in the order of registration
    games: Iterable[CountedGame]  # in their order


class ContestPart(Protocol):
    """The contest that the game's original held."""

    USUAL_FORMAT: str  # nothing: as the number of seats suggests
    note: Callable[[Any], dict[str, Any]] | None  # what is taken down of every finished game, where files need it

    def format_defaults(self, kind: str, settings: Any) -> Mapping[str, Any]:
        """What the game's settings give for the options of a format; an organiser may still choose others."""

    def contest_files(self, contest: ContestRecord) -> Mapping[str, str]:
        """The files that the original wrote of such a contest, by name; none if it never held one like this.

        A note may come out of a damaged store: one that cannot be is a BadRecord.
        """


PARTS: Mapping[str, type] = {
    "facts": FactsPart,
    "settings": SettingsPart,
    "layout": LayoutPart,
    "rules": RulesPart,
    "wire": WirePart,
    "scene": ScenePart,
    "bots": BotsPart,
}
"""The parts that every game has."""

OPTIONAL_PARTS: Mapping[str, type] = {"files": FilesPart, "contest": ContestPart}
"""Those that a game with an original also has."""
