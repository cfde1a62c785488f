"""The contract says what every game must offer: the names that its parts export.

A game is a package with the modules facts, settings, layout, rules, wire, scene and bots. It may have further ones:
`files` if it has an original, `contest` if there was a contest of its own (`optional_parts.py` stands in for those it
leaves out), `senses` for learners (else `plain_senses.py` serves), and `samples` for tests. These protocols describe
what the rest of Botyard uses of them; a law checks that every game has it all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from botyard.kernel.facts import Facts
from botyard.kernel.recording import Conformance
from botyard.kernel.records import Layouts, Record
from botyard.kernel.scene import KeyPad, PictureSize, Tile, Words
from botyard.kernel.senses import SensedNumber
from botyard.kernel.session import Session
from botyard.kernel.settings import Settings


class FactsPart(Protocol):
    FACTS: Facts


class SettingsPart(Protocol):
    SETTINGS: type[Settings]


class LayoutPart(Protocol):
    """The part with the records. `validate` raises BadRecord on a state that no game can be in."""

    def seats(self, settings: Any) -> int: ...
    def layouts(self, settings: Any) -> Layouts: ...
    def make_arena(self, settings: Any) -> NDArray[Any]: ...
    def validate(self, arena: Any, state: Any) -> None: ...


class RulesPart(Protocol):
    """The part with the rules, all of them `@rule` functions.

    Every integer is a defined order, NO_ORDER among them; stepping a finished game changes nothing. A state has at
    least the fields `chance`, `over` and `fault`. A game whose players come and go also has `join(arena, state,
    seat)` and `leave(arena, state, seat)`. A game with a large state may have `clear(arena, state)`, which zeroes all
    of it but its chance, faster than a copy of a blank one: on a GPU a single thread makes that copy.
    """

    def set_up(self, arena: Record, state: Record, seed: int) -> None:
        """Sets up the start of a game in a zeroed state."""

    def asked(self, arena: Record, state: Record) -> int:
        """Returns the seats that are asked now, one bit each."""

    def look(self, arena: Record, state: Record, seat: int, view: Record) -> None:
        """Fills the view of a seat that is asked with the numbers and lists it may know now, all but the board."""

    def board_shape(self, arena: Record, view: Record) -> tuple[int, int]:
        """Returns the size of the view's board, the same for all views of an arena; (0, 0) if they have none."""

    def paint(self, arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
        """Fills one cell of the view's board after `look`. It reads the state and the view's numbers, no other cell."""

    def allowed(self, arena: Record, state: Record, seat: int, mask: Record) -> None:
        """Marks the orders that may have an effect, or all of them if none has."""

    def stray(self, arena: Record, state: Record, seat: int, dice: int) -> int:
        """Returns an order for random play, from 32 random bits; if possible one that is not deadly at once."""

    def step(self, arena: Record, state: Record, orders: Record) -> None:
        """Plays one tick. `orders` has one integer per seat; those of seats that are not asked mean nothing."""

    def score(self, arena: Record, state: Record, out: Record) -> None:
        """Writes the points of each seat to `out`."""

    def place(self, arena: Record, state: Record, out: Record) -> None:
        """Writes the place of each seat in a finished game to `out`, 0 for the best; seats that tie have the same."""

    def entrant(self, arena: Record, state: Record, seat: int) -> int:
        """Returns which of the bots, counted in the order they came, has this seat."""

    def forfeit(self, arena: Record, state: Record, seat: int) -> None:
        """Lets a seat give up, also if its bot never came."""


class BotsPart(Protocol):
    """The part with the house bots. `decide` is a rule that sees a view and a memory and nothing else."""

    HOUSE_BOTS: Mapping[str, str]  # name → what it does, in the order of the numbers `decide` takes

    def decide(self, bot: int, arena: Record, view: Record, memory: Record) -> int: ...


class SensesPart(Protocol):
    """The part that says what a learner senses; a game may leave it out (`plain_senses.py`).

    `sense` and `numbers` are rules that see a view and a memory and nothing else. There may be three more:
    `note(arena, view, memory)` writes down what a seat remembers, each time it is asked; `worth(arena, state, seat)`
    returns a whole number whose changes are the rewards, without it the score is taken; `gain(arena, state, seat)`
    returns what the last tick brought beside, which no later position shows, such as the price of a death.
    """

    CODES: Sequence[str]  # what each code of a cell means
    NUMBERS: Sequence[SensedNumber]

    def sense_shape(self, arena: Any) -> tuple[int, int]:
        """Returns how many rows and columns of cells are sensed; not a rule."""

    def sense(self, arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
        """Returns the code of one cell; on a GPU each cell may have its own thread."""

    def numbers(self, arena: Record, view: Record, memory: Record, out: Record) -> None:
        """Writes all numbers to `out`, each within its range."""


class WirePart(Protocol):
    """The part with the native protocol. `arguments` follow a bot's own command line; `number` counts bots from 0."""

    def open_session(self, settings: Any, number: int) -> Session: ...
    def arguments(self, host: str, port: int, number: int) -> list[str]: ...


class Idleness(NamedTuple):
    """Why a player of a room can do nothing for the moment, as a clause, and for how many ticks, if that is known."""

    why: str
    ticks: int | None = None
    at_most: bool = False  # whether it may well be shorter


class RoomPart(Protocol):
    """What a live room needs of a game: the part `wire.room` of games whose players come and go.

    The rules of such a game have `join` and `leave`.
    """

    KEYS: Mapping[str, str]  # how people steer in a browser: its name of a key → the command it gives
    STEERING: str  # the same as a sentence
    COMMANDS: str  # which commands there are, as a sentence

    def room_settings(self, settings: Any, tick_ms: int | None) -> Any:
        """Returns the settings that a room plays by, with this time between ticks if one is given."""

    def takes_players(self, game: Any) -> bool:
        """Whether newcomers may be seated in this game at all."""

    def bring_points(self, game: Any, seat: int, points: int) -> None:
        """Gives a player who has just joined the points that it earned on other room fields."""

    def merged(self, order: int, then: int) -> int:
        """Returns the one order that two orders of a player in one tick amount to."""

    def is_command(self, text: str) -> bool:
        """Whether a text is a command with which people may steer."""

    def why_idle(self, game: Any, seat: int) -> Idleness | None:
        """Why a player on the field cannot do anything now, and until when; None if it can."""

    def setting_rows(self, settings: Any) -> Iterable[dict[str, str]]:
        """Returns every setting as players know it: name, key, type, default and value, all as text."""


class ScenePart(Protocol):
    """The part that shows games to people. `draw(parse(x)) == x`; a drawing holds all of a state but its chance.

    A game whose views differ from its picture also has the rule `seat_picture(arena, view, grid, pieces)`, made from
    the view alone; what the seat does not know is a tile of its own. A game may have `events(arena, state)`, the named
    things that the last tick brought, as (seat, phrase). Drawings of tiles of its own stand in `sprites.json`.
    """

    KEYS: KeyPad  # how a person plays

    def draw(self, arena: Any, state: Any) -> str: ...
    def parse(self, text: str, settings: Any) -> tuple[Any, NDArray[Any]]: ...
    def draw_view(self, view: Any) -> str: ...

    def palette(self, arena: Any) -> tuple[Tile, ...]:
        """Returns the tiles, by number. Tiles that belong to a seat exist once per seat."""

    def picture_size(self, arena: Any) -> PictureSize:
        """Returns the size of the board, and how many pieces there can be."""

    def picture(self, arena: Record, state: Record, grid: Record, pieces: Record) -> int:
        """Fills every cell of the grid, then pieces from 0 on, and returns how many; of two on a cell the last is seen.

        It is a rule. The grid holds what lies under the pieces.
        """

    def words(self, arena: Any, state: Any) -> Words:
        """Returns what is said about a position. It is asked for at every tick of a film, so it should be quick."""


class Exporter(ABC):
    """Follows a game and writes one of the original's files about it."""

    def hear(self, log: Any) -> None:
        """Takes the log of what was said in the game and how long it took, if there is one, before anything else."""

    @abstractmethod
    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Takes a game just before a tick is played with these orders."""

    @abstractmethod
    def end(self, game: Any) -> bytes:
        """Takes the game at its end and returns the content of the file."""


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file that the original wrote about a match, if the settings want it. `suffix` says which export it holds."""

    path: str  # empty: the original printed it
    suffix: str
    append: bool = False  # whether it is added to what is there already
    of_series: bool = False  # whether one exporter serves all games of a series, and needs only their ends


class FilesPart(Protocol):
    """The part with the original's files. `recognise` knows a recording by its content; `check` plays it by our rules.

    Both are there to compare our rules with those of the original.
    """

    EXPORTS: Mapping[str, str]  # suffix → what it is
    PLAYABLE: Sequence[str]  # the suffixes of those that `check` can play

    def match_files(self, settings: Any) -> Sequence[MatchFile]:
        """Returns the files that the original wrote about a match, as the settings want them."""

    def exporter(self, suffix: str, names: Sequence[str]) -> Exporter: ...
    def recognise(self, text: str) -> bool: ...

    def check(self, text: str, result: Conformance, seed: int | None, new_game: Callable[[Any, int], Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game of a contest that counts, by the names of its bots."""

    match: str  # the name of the match it belongs to
    bots: tuple[str, ...]
    winner: str | None
    note: Mapping[str, Any] | None  # what `ContestPart.note` returned for it


@dataclass(frozen=True, slots=True)
class ContestRecord:
    """A contest as far as it is played, with everything that the original's files about it can hold."""

    settings: Any
    seed: int
    kind: str  # the name of its format
    options: Mapping[str, Any]  # all options of the format
    bots: Sequence[str]  # in the order of registration
    games: Iterable[CountedGame]  # in the order of the contest


class ContestPart(Protocol):
    """The part about the contest that the game's original held."""

    USUAL_FORMAT: str  # empty: chosen by the number of seats
    note: Callable[[Any], dict[str, Any]] | None  # what the files need to know of every finished game

    def format_defaults(self, kind: str, settings: Any) -> Mapping[str, Any]:
        """Returns the defaults that the game's settings give for a format's options; an organiser may change them."""

    def contest_files(self, contest: ContestRecord) -> Mapping[str, str]:
        """Returns the files that the original wrote about such a contest, by name; none if it never held one like it.

        A note may come out of a damaged store; an impossible one raises BadRecord.
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
