"""Settings are what an organiser chooses: frozen, complete and validated. An unknown key is an error.

A game declares its settings as a dataclass whose fields are made by `setting`. Each belongs to one group; only those of
the group `rules` enter the arena and the identity of a replay.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar, Literal, Self

from botyard.kernel.errors import SettingsError, UnknownName
from botyard.kernel.habits import Habits

Group = Literal["rules", "wire", "clock", "match", "display"]

SEED_BITS = 64
SEED_DIGITS = len(str(1 << SEED_BITS))

LARGEST = 1_000_000_000  # limit of every whole number, so that sums still fit into the records

SHOWN, SHOWN_WIDTH = 4, 20  # settings, and characters of a value, that one line shows

# Keys that users give among a game's settings, although they choose the game to play rather than its rules.
SEED_KEY = "seed"
PRESET_KEYS = ("preset", "profile")

FIELDS: dict[type[Settings], Mapping[str, Field[Any]]] = {}


def setting(
    default: Any,
    meaning: str,
    *,
    group: Group = "rules",
    at_least: int | None = None,
    at_most: int | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """Declares a field of a game's settings."""
    limits = {"at_least": at_least, "at_most": LARGEST if at_most is None else at_most, "choices": choices}
    return field(default=default, metadata={"meaning": meaning, "group": group, **limits})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The base of every game's settings. If a game has an original, the preset `program` is what that did."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {"document": {}}
    CONNECTING: ClassVar[str] = ""  # the key of the time for connecting, if a game has one

    def __post_init__(self) -> None:
        for name, row in fields_by_name(type(self)).items():
            check_value(row, getattr(self, name))
        self.check()

    def check(self) -> None:
        """Raises SettingsError if fields do not fit together."""

    @classmethod
    def read(cls, values: Mapping[str, Any] | None = None, preset: str | None = None) -> Self:
        """Returns settings from a preset and the keys that differ from it; text values are converted."""
        chosen = dict(values or {})
        named = [chosen.pop(key) for key in PRESET_KEYS if key in chosen]
        name = preset or (named[0] if named else "document")
        if not isinstance(name, str) or name not in cls.PRESETS:
            raise UnknownName("preset", str(name), cls.PRESETS)
        rows = fields_by_name(cls)
        for key in chosen:
            if key not in rows:
                raise UnknownName("setting", key, [*rows, SEED_KEY, *PRESET_KEYS])
        given = {key: converted(rows[key], value) if isinstance(value, str) else value for key, value in chosen.items()}
        return cls(**{**cls.PRESETS[name], **given})

    def seated(self, bots: int) -> Self:
        """Returns the settings for this number of bots. If the number of seats is fixed, nothing changes."""
        return self

    def with_fixed_seats(self) -> Self:
        """Returns the settings with bots seated in the order they come. If they always are, nothing changes."""
        return self

    @property
    def habits(self) -> Habits:
        """How a match under these settings is run."""
        return Habits()

    def of_group(self, group: Group) -> dict[str, Any]:
        return {row.name: getattr(self, row.name) for row in fields(self) if row.metadata["group"] == group}


def fields_by_name(kind: type[Settings]) -> Mapping[str, Field[Any]]:
    """Returns the fields of a game's settings; they are kept, because every reading of settings needs them twice."""
    found = FIELDS.get(kind)
    if found is None:
        found = FIELDS[kind] = {row.name: row for row in fields(kind)}
    return found


def in_short(settings: Settings) -> str:
    """Returns in one line what is special about settings: the nearest preset and what differs; nothing of the usual."""
    differences = {name: different(settings, type(settings).read(preset=name)) for name in settings.PRESETS}
    nearest = min(differences, key=lambda name: len(differences[name]))
    shown = [f"{key}={shortened(getattr(settings, key))}" for key in differences[nearest]]
    more = [f"{len(shown) - SHOWN} more settings"] if len(shown) > SHOWN else []
    return ", ".join([*([] if nearest == "document" else [f"preset {nearest}"]), *shown[:SHOWN], *more])


def different(settings: Settings, others: Settings) -> list[str]:
    return [key for key in fields_by_name(type(settings)) if getattr(settings, key) != getattr(others, key)]


def shortened(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= SHOWN_WIDTH else f"{shown[:SHOWN_WIDTH]}…"


def split_seed(values: Mapping[str, Any]) -> tuple[int | None, dict[str, Any]]:
    """Splits the seed from the other keys of a mapping of settings."""
    rest = dict(values)
    given = rest.pop(SEED_KEY, None)
    if isinstance(given, str):
        given = as_integer(SEED_KEY, given)
    return (None if given is None else checked_seed(given)), rest


def checked_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << SEED_BITS:
        raise SettingsError(SEED_KEY, got=seed, hint=f"must be a whole number from 0 to 2**{SEED_BITS} - 1")
    return seed


def seed_in(text: Any) -> int | None:
    """Returns the seed that a text holds, or None. Files keep seeds as text, because 64 bits are too many for a number
    in JSON or SQL."""
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > SEED_DIGITS:
        return None
    seed = int(text)
    return seed if seed < 1 << SEED_BITS else None


def seed_word(seed: int) -> int:
    """Returns a seed as a signed 64-bit integer, which compiled rules take; they use only its bits."""
    return seed - (1 << SEED_BITS) if seed >> (SEED_BITS - 1) else seed


def fresh_seed() -> int:
    """Returns a seed that nobody can guess."""
    return secrets.randbits(SEED_BITS)


def as_integer(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SettingsError(key, got=text, hint="must be a whole number") from None


def converted(row: Field[Any], value: str) -> Any:
    """Returns a text as a value of the type that its field has."""
    if isinstance(row.default, str):
        return value
    if isinstance(row.default, bool):
        if value.lower() not in ("true", "false"):
            raise SettingsError(row.name, got=value, hint="must be true or false")
        return value.lower() == "true"
    return as_integer(row.name, value)


def check_value(row: Field[Any], value: Any) -> None:
    limits = row.metadata
    wanted = type(row.default)
    if type(value) is not wanted:
        names = {bool: "true or false", int: "a whole number", str: "a string"}
        raise SettingsError(row.name, got=value, hint=f"must be {names[wanted]}")
    if limits["choices"] and value not in limits["choices"]:
        raise SettingsError(row.name, got=value, hint=f"must be one of {', '.join(limits['choices'])}")
    if wanted is not int:
        return
    if limits["at_least"] is not None and value < limits["at_least"]:
        raise SettingsError(row.name, got=value, hint=f"must be at least {limits['at_least']}")
    if value > limits["at_most"]:
        raise SettingsError(row.name, got=value, hint=f"must be at most {limits['at_most']}")


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One line of the table of a game's settings."""

    key: str
    default: Any
    group: str
    meaning: str
    allowed: str
    program: Any  # the value in the preset `program`, or the default if there is none


def describe(kind: type[Settings]) -> list[SettingRow]:
    """Returns the table of a game's settings, with the two keys that every game has."""
    rows = [described(kind, row) for row in fields(kind) if row.default is not MISSING]
    seeds = SettingRow(SEED_KEY, "random", "rules", "seed of the game", "0 … 2**64 - 1", "random")
    names, program = ", ".join(kind.PRESETS), "program" if "program" in kind.PRESETS else "document"
    presets = SettingRow("profile", "document", "rules", "the preset that supplies all other values", names, program)
    return [*rows, seeds, presets]


def described(kind: type[Settings], row: Field[Any]) -> SettingRow:
    limits = row.metadata
    if limits["choices"]:
        allowed = ", ".join(limits["choices"])
    elif isinstance(row.default, bool):
        allowed = "true, false"
    elif isinstance(row.default, int):
        low = "" if limits["at_least"] is None else f"{limits['at_least']} "
        high = "" if limits["at_most"] == LARGEST else f" {limits['at_most']}"
        allowed = f"{low}…{high}"
    else:
        allowed = "text"
    program = kind.PRESETS.get("program", {}).get(row.name, row.default)
    return SettingRow(row.name, row.default, limits["group"], limits["meaning"], allowed, program)
