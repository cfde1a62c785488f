"""What batches and drills share: many games side by side in the memory of a device, their copies and pickles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from botyard.games import load
from botyard.games.configured import configured
from botyard.games.game import check_version
from botyard.kernel.arrays import FLAG
from botyard.kernel.devices import Device, DeviceName, device_named
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.restarts import Chosen, checked_chosen, seed_words, whole
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import PRESET_KEYS, Settings, fields_by_name, in_short
from botyard.kernel.words import counted

Autoreset = Literal["next_step", "same_step", "off"]
"""What happens after the end of a game; `Batch` explains the three."""

SettingsLike: TypeAlias = Settings | Mapping[str, Any] | None
"""Complete settings, a mapping with those that differ from the preset, or None for the usual ones."""

Seeds: TypeAlias = int | Sequence[int] | NDArray[Any]
"""One seed, from which game i gets `seed + i`, or a seed for each game."""

DeviceArray: TypeAlias = Any
"""An array in the memory of the device: of NumPy on the CPU; on a GPU it offers `__cuda_array_interface__`."""

REMADE = ("arenas", "blank", "blank_memory")  # arrays that settings alone decide, so that no pickle needs them


class SteppedGames(ABC):
    """Holds `n` games of one kind that step together."""

    KIND = ""  # what an error and a repr call it
    OPENED: tuple[str, ...] = ("book", "settings", "n", "device", "autoreset")
    """What decides the memory of the games: attributes that a pickle keeps."""

    book: Rulebook  # the rule book of the game
    settings: Settings  # all settings, the same for every game
    n: int  # how many games there are
    device: DeviceName  # where they are played: `cpu` or `cuda`
    autoreset: Autoreset  # what happens after the end of a game
    seats: int  # how many seats each game has
    _device: Device
    _arrays: Any

    @abstractmethod
    def _open(self, opened: Mapping[str, Any]) -> None:
        """Takes over what decides the memory of the games (`_keep`), and makes that, with nothing in it yet."""

    @abstractmethod
    def _make_arrays(self) -> None:
        """Makes new arrays for the games."""

    def _keep(self, opened: Mapping[str, Any]) -> None:
        for name in self.OPENED:
            setattr(self, name, opened[name])
        self.seats = self.book.layout.seats(self.settings)

    def host(self, array: DeviceArray) -> NDArray[Any]:
        """Returns an array of these games in the machine's own memory: itself on the CPU, a copy from the GPU."""
        return self._device.fetch(array)

    def wait(self) -> None:
        """Waits until all work is done: a GPU is still busy when a call returns to Python."""
        self._device.wait()

    @property
    def faults(self) -> NDArray[Any]:
        """Marks the games in which our own rules failed (a capacity was exceeded); their results are void."""
        return self._device.faults(self._arrays.states)

    # Starting again

    def _marked(self, chosen: Any) -> Chosen:
        return checked_chosen(np.ones(self.n, FLAG) if chosen is None else chosen, self.n)

    def _give_seeds(self, seed: Seeds, chosen: Chosen) -> None:
        """Gives the chosen games their seeds; the others keep those from which their successors are counted."""
        games = chosen.games
        if games is None:
            games = np.flatnonzero(self.host(self._device.take_flags(chosen.flags)))
        words = self.host(self._arrays.seeds).copy()
        words[games] = seed_words(seed, games, self.n)
        self._device.copy(self._arrays.seeds, self._device.put(words))

    # Copies and pickles

    def _opened(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.OPENED}

    def clone(self) -> Self:
        """Makes other games in exactly this position."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._make_arrays()
        twin.restore(self)
        return twin

    def restore(self, saved: Self) -> None:
        """Returns to the position of a clone, without allocating memory."""
        if saved._opened() != self._opened():
            hint = f"restore only what clone() of the same {self.KIND} returned"
            raise YardError(f"the saved {self.KIND} does not fit this one", hint=hint)
        for own, theirs in zip(self._arrays, saved._arrays, strict=True):
            self._device.copy(own, theirs)

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: the arrays as bytes, from whichever device."""
        kept = {name: array for name, array in self._arrays._asdict().items() if name not in REMADE}
        arrays = {name: self.host(array).tobytes() for name, array in kept.items()}
        return {"opened": self._opened(), "rules": self.book.facts.rules_version, "arrays": arrays}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        check_version(saved["opened"]["book"], saved["rules"])
        self._open(saved["opened"])
        for name, raw in saved["arrays"].items():
            own = getattr(self._arrays, name)
            array = np.frombuffer(raw, own.dtype).reshape(own.shape)
            self._device.copy(own, self._device.put(array))

    def __repr__(self) -> str:
        told = [self.book.facts.name, in_short(self.settings), f"{self.seats} seats", *self._more()]
        games = f"{counted(self.n, 'game')} of {', '.join(filter(None, told))}"
        return f"<{self.KIND.capitalize()} of {games}, on {self.device}, {self.autoreset}>"

    def _more(self) -> list[str]:
        """Returns what else a repr tells."""
        return []


def opened_with(
    kind: type[SteppedGames],
    game: str | Rulebook,
    settings: SettingsLike,
    n: int,
    preset: str | None,
    seats: int | None,
    device: str,
    autoreset: Autoreset,
    named: Mapping[str, Any],
) -> dict[str, Any]:
    """Returns what `_open` takes, checked, from the arguments of a batch or a drill."""
    if whole(n, "number of games") < 1:
        raise YardError(f"a {kind.KIND} of {n} games", hint=f"a {kind.KIND} needs at least 1 game")
    if autoreset not in AUTORESET:
        raise UnknownName("autoreset mode", str(autoreset), AUTORESET)
    book = load(game) if isinstance(game, str) else game
    check_named(kind, book, named)
    chosen = configured(book, settings, preset, seats, named)
    return {"book": book, "settings": chosen, "n": int(n), "device": device_named(device), "autoreset": autoreset}


def check_named(kind: type[SteppedGames], book: Rulebook, named: Mapping[str, Any]) -> None:
    """Refuses a keyword that is no setting; what was meant may be an argument of the games themselves."""
    settings = fields_by_name(book.settings)
    for key in named:
        if key not in settings and key not in PRESET_KEYS:
            given = signature(kind).parameters.values()
            arguments = [one.name for one in given if one.kind != Parameter.VAR_KEYWORD]
            raise UnknownName("setting", key, [*arguments, *settings])
