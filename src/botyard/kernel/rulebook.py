"""A rule book finds the parts of a game by name, loads each when it is first used, and has its loops compiled."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, cast, get_args

import numpy as np

from botyard.kernel import cache
from botyard.kernel.arrays import FLAG, ORDER, SCORE, make_arrays
from botyard.kernel.contract import (
    BotsPart,
    ContestPart,
    FilesPart,
    LayoutPart,
    RoomPart,
    RulesPart,
    ScenePart,
    SensesPart,
    WirePart,
)
from botyard.kernel.drill_arrays import make_drill_arrays
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.facts import Facts
from botyard.kernel.optional_parts import NoContest, NoFiles
from botyard.kernel.records import Layouts, record_of
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.samples import Samples
from botyard.kernel.scene import picture_arrays
from botyard.kernel.script import script_of
from botyard.kernel.senses import plain_numbers, shown_board, shown_numbers
from botyard.kernel.settings import Settings
from botyard.kernel.stamp import game_folder, stamp

LoopGroup = Literal["table", "bots", "pictures", "retelling", "batch", "survey", "race", "house"]
LOOP_GROUPS: tuple[LoopGroup, ...] = get_args(LoopGroup)
"""What is compiled together: one game, house bots in it, its pictures, replays, batches, what a batch is asked about
its games, random play in batches, house bots in batches."""

TEMPLATES = Path(__file__).parent


def load_template(file: str, name: str, **names: Any) -> ModuleType:
    """Loads a template under a game's own name, with some names bound before its body runs."""
    spec = importlib.util.spec_from_file_location(name, TEMPLATES / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    sys.modules[name] = module  # Numba looks here for the globals of cached functions
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True, eq=False)
class Rulebook:
    """One game. Its facts and settings are loaded at once, its other parts when they are first used."""

    package: str  # for example botyard.games.NAME, or a package of others
    # What this process has prepared: to look on disk again would take longer than to set up a game.
    prepared: set[tuple[str, Layouts]] = field(default_factory=set, init=False, repr=False)

    def part(self, name: str) -> Any:
        """Returns a part of the game. If it cannot be imported, the error tells the game's author where it fails."""
        module = f"{self.package}.{name}"
        try:
            return importlib.import_module(module)
        except (YardError, OSError):  # a wrong environment, or a machine that refuses us
            raise
        except Exception as error:
            hint = f'{type(error).__name__}: {error}; python -c "import {module}" shows where'
            raise YardError(f"the game in {self.package} has no usable part {name!r}", hint=hint) from error

    @cached_property
    def folder(self) -> Path:
        """The folder with the sources of the game."""
        return Path(importlib.import_module(self.package).__path__[0]).resolve()

    @cached_property
    def facts(self) -> Facts:
        return cast(Facts, self.part("facts").FACTS)

    @cached_property
    def settings(self) -> type[Settings]:
        return cast(type[Settings], self.part("settings").SETTINGS)

    @cached_property
    def layout(self) -> LayoutPart:
        return cast(LayoutPart, self.part("layout"))

    @cached_property
    def rules(self) -> RulesPart:
        return cast(RulesPart, self.part("rules"))

    @cached_property
    def bots(self) -> BotsPart:
        return cast(BotsPart, self.part("bots"))

    @cached_property
    def wire(self) -> WirePart:
        return cast(WirePart, self.part("wire"))

    @cached_property
    def has_rooms(self) -> bool:
        """Whether the game can be played in live rooms, where players come and go: it then has the part `wire.room`."""
        wire = importlib.util.find_spec(f"{self.package}.wire")
        inside = wire.submodule_search_locations if wire is not None else None
        return inside is not None and importlib.util.find_spec(f"{self.package}.wire.room") is not None

    @cached_property
    def room(self) -> RoomPart:
        if not self.has_rooms:
            raise YardError(
                f"{self.facts.name} cannot be played in a room",
                hint="rooms are for games whose players may join and leave while it runs",
            )
        return cast(RoomPart, self.part("wire.room"))

    @cached_property
    def scene(self) -> ScenePart:
        return cast(ScenePart, self.part("scene"))

    def has_part(self, name: str) -> bool:
        return importlib.util.find_spec(f"{self.package}.{name}") is not None

    @cached_property
    def files(self) -> FilesPart:
        return cast(FilesPart, self.part("files")) if self.has_part("files") else NoFiles()

    @cached_property
    def contest(self) -> ContestPart:
        return cast(ContestPart, self.part("contest")) if self.has_part("contest") else NoContest()

    @cached_property
    def samples(self) -> Samples:
        return cast(Samples, self.part("samples").SAMPLES) if self.has_part("samples") else Samples()

    @cached_property
    def loops(self) -> Any:
        """The compiled loops of this game (`loops.py`)."""
        return load_template("loops.py", f"{self.package}.loops", rules=self.rules, bots=self.bots)

    @cached_property
    def picture_loops(self) -> Any:
        """The compiled loops that make pictures (`picture_loops.py`)."""
        return load_template("picture_loops.py", f"{self.package}.picture_loops", scene=self.scene)

    @cached_property
    def senses(self) -> SensesPart:
        """What a learner senses: the game's own part, else the view as it is (`plain_senses.py`)."""
        if self.has_part("senses"):
            return cast(SensesPart, self.part("senses"))
        return cast(SensesPart, load_template("plain_senses.py", f"{self.package}.plain_senses", **plain_names(self)))

    def drill_loops(self, senses: Any) -> Any:
        """The compiled loop of a drill with these senses (`drill_loops.py`)."""
        name = f"{self.package}.drill_loops{self._suffix(senses)}"
        return sys.modules.get(name) or load_template("drill_loops.py", name, loops=self.loops, senses=senses)

    def cuda_drill_loops(self, senses: Any) -> Any:  # pragma: no cover - under the CUDA simulator or on a GPU
        """The same loop as a CUDA kernel (`cuda_drill_loops.py`)."""
        name = f"{self.package}.cuda_drill_loops{self._suffix(senses)}"
        loops = self.drill_loops(senses)
        return sys.modules.get(name) or load_template("cuda_drill_loops.py", name, loops=loops)

    def _suffix(self, senses: Any) -> str:
        """Returns what tells loops with other senses from those with the game's own, and changes with their source."""
        if senses is self.senses:
            return ""
        home = game_folder(Path(senses.__file__).parent)
        return f"_{senses.__name__.replace('.', '_')}{'' if home == self.folder else f'_{stamp(home)}'}"

    @cached_property
    def cuda_loops(self) -> Any:  # pragma: no cover - under the CUDA simulator or on a GPU
        """The same loops as CUDA kernels (`cuda_loops.py`)."""
        return load_template("cuda_loops.py", f"{self.package}.cuda_loops", loops=self.loops)

    def bot_number(self, name: str) -> int:
        names = list(self.bots.HOUSE_BOTS)
        if name not in names:
            raise UnknownName(f"house bot of {self.facts.name}", name, names)
        return names.index(name)

    def layouts(self, settings: Settings) -> Layouts:
        return self.layout.layouts(settings)

    def prepare(self, settings: Settings, group: LoopGroup) -> None:
        """Makes sure that a group of loops is compiled for the records of these settings, and kept on disk."""
        self._prepare(settings, group, lambda: Exercise(self, settings).run(group))

    def prepare_drill(self, settings: Settings, senses: Any) -> None:
        """The same for the loop of a drill with these senses."""
        self._prepare(settings, f"drill{self._suffix(senses)}", lambda: exercise_drill(self, settings, senses))

    def _prepare(self, settings: Settings, group: str, exercise: Callable[[], None]) -> None:
        kinds = self.layouts(settings)
        if INTERPRETED or (group, kinds) in self.prepared:
            return
        key = hashlib.sha256(repr(kinds).encode()).hexdigest()[:8]
        with cache.compiling(self.folder, self.facts.name, f"{self.facts.name}-{group}-{key}") as fresh:
            if fresh:
                with no_collection():
                    exercise()
        self.prepared.add((group, kinds))


def plain_names(book: Rulebook) -> dict[str, Any]:
    """Returns the names that the senses of a game without its own are bound to: what its usual view has."""
    kind = book.layouts(book.settings.read({})).view
    board = shown_board(kind)
    return {
        "SHAPE": kind[board].shape if board else (1, 1),
        "BOARD": board,
        "FIELDS": tuple(shown_numbers(kind)),
        "NUMBERS": plain_numbers(kind),
    }


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Switches the garbage collector off: compiling keeps most of what it makes, and is a tenth faster without it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Exercise:
    """Compiles loops by calling each once, with the types that it is always called with."""

    def __init__(self, book: Rulebook, settings: Settings) -> None:
        self.book, self.loops, self.picture_loops = book, book.loops, book.picture_loops
        self.orders_count = len(book.facts.orders)
        kinds, seats = book.layouts(settings), book.layout.seats(settings)
        self.arrays = make_arrays(book, settings, 1)
        self.memories, self.blank_memory = np.zeros((1, seats), kinds.memory), np.zeros(1, kinds.memory)
        self.entrants = np.zeros(seats, ORDER)

    def run(self, group: LoopGroup) -> None:
        getattr(self, group)()

    def table(self) -> None:
        loops, arenas, states, scores = self.loops, self.arrays.arenas, self.arrays.states, self.arrays.scores[0]
        loops.set_up_at(arenas, states, 0)
        loops.asked_at(arenas, states)
        loops.look_at(arenas, states, 0, self.arrays.views[0])
        loops.allowed_at(arenas, states, 0, np.zeros(self.orders_count, FLAG))
        loops.step_at(arenas, states, self.arrays.orders)
        loops.score_at(arenas, states, scores)
        loops.place_at(arenas, states, scores)
        loops.entrant_at(arenas, states, 0)
        for change in ("forfeit_at", "join_at", "leave_at"):
            if hasattr(loops, change):  # players come and go in some games only
                getattr(loops, change)(arenas, states, 0)

    def bots(self) -> None:
        views = self.arrays.views[0]
        views.flags.writeable = False  # as bots get them
        self.loops.wake_at(self.memories[0], 0, 0)
        self.loops.decide_at(0, self.arrays.arenas, views, self.memories[0])

    def pictures(self) -> None:
        loops, arrays = self.picture_loops, self.arrays
        grid, pieces = picture_arrays(self.book.scene.picture_size(record_of(arrays.arenas)))
        self.loops.set_up_at(arrays.arenas, arrays.states, 0)
        loops.picture_at(arrays.arenas, arrays.states, grid, pieces)
        if hasattr(loops, "seat_picture_at"):
            self.loops.look_at(arrays.arenas, arrays.states, 0, arrays.views[0])
            views = arrays.views[0]
            views.flags.writeable = False
            loops.seat_picture_at(arrays.arenas, views, grid, pieces)

    def retelling(self) -> None:
        self.loops.retell_at(self.arrays.arenas, self.arrays.states, self.arrays.orders, script_of([]))

    def batch(self) -> None:
        self.loops.begin(self.arrays, np.zeros(1, FLAG), 0, 0, 1)
        self.loops.advance(self.arrays, 0, 0, 1)

    def survey(self) -> None:
        loops, arrays, seats = self.loops, self.arrays, len(self.entrants)
        loops.survey_asked(arrays, np.zeros((1, seats), FLAG), 0, 0)
        loops.survey_masks(arrays, np.zeros((1, seats, self.orders_count), FLAG), 0, 0)
        loops.survey_places(arrays, np.zeros((1, seats), SCORE), np.zeros((1, seats), SCORE), 0, 0, 0)

    def race(self) -> None:
        self.loops.race(self.arrays, 1, 0, 0, 1)
        self.loops.wander(self.arrays, 0, 0, 1)

    def house(self) -> None:
        self.loops.play(self.arrays, self.memories, self.entrants, self.blank_memory, 0, 0)


def exercise_drill(book: Rulebook, settings: Settings, senses: Any) -> None:
    """Compiles the loop of a drill by calling it for no game."""
    arrays = make_drill_arrays(book, senses, settings, 1, 1)
    book.drill_loops(senses).drill(arrays, 0, 0, 0, 0, 0, 0)
