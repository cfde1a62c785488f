"""This module makes settings of what users of the library write: a preset, keys and values, a number of seats."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from botyard.kernel.errors import WrongType, YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import PRESET_KEYS, SEED_KEY, Settings


def configured(
    book: Rulebook,
    base: object,  # settings, a mapping or nothing; anything else is refused
    preset: str | None,
    seats: int | None,
    named: Mapping[str, Any],
) -> Settings:
    """Returns the settings of a game from `base`, what was `named` by keyword, and the number of seats."""
    if isinstance(base, Settings):
        if preset is not None or named:
            extra = "preset" if preset is not None else next(iter(named))
            hint = "settings are complete: give a mapping instead, or change them with dataclasses.replace"
            raise YardError(f"{extra}= beside settings", hint=hint)
        if type(base) is not book.settings:
            hint = f"use {book.settings.__name__}"
            raise WrongType(f"{type(base).__name__} for a game of {book.facts.name}", hint=hint)
        return base if seats is None else with_seats(book, base, seats, ())
    if base is not None and not isinstance(base, Mapping):
        hint = "give a mapping or settings; the number of games is n=…"
        raise WrongType(f"{quoted(base)} for the settings of {book.facts.name}", hint=hint)
    given = merged(base or {}, named)
    check_presets(given, preset)
    chosen = book.settings.read(given, preset)
    return chosen if seats is None else with_seats(book, chosen, seats, given)


def merged(base: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    for key in base:
        if key == SEED_KEY:
            raise YardError("a seed among the settings", hint="give it by itself: seed=…")
        if key in named:
            raise YardError(f"setting {key} is given twice", hint="give it in the mapping or by keyword")
    return {**base, **named}


def check_presets(given: Mapping[str, Any], preset: str | None) -> None:
    names = [key for key in PRESET_KEYS if key in given] + ["preset"] * (preset is not None)
    if len(names) > 1:
        raise YardError(f"the preset is given twice, as {' and '.join(names)}", hint="give it once: preset=…")


def with_seats(book: Rulebook, settings: Settings, seats: int, given: Collection[str]) -> Settings:
    """Returns the settings for this number of seats, unless the game or a setting that was given says otherwise."""
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise WrongType(f"seats = {quoted(seats)}", hint="give a whole number")
    if not book.facts.seats_min <= seats <= book.facts.seats_max:
        raise YardError(f"{seats} seats", hint=f"{book.facts.title} is played by {book.facts.seats}")
    seated = settings.seated(seats)
    for key in given:
        if key not in PRESET_KEYS and getattr(seated, key) != getattr(settings, key):
            hint = f"{key} is the number of seats; give one of the two"
            raise YardError(f"seats={seats} beside {key}={getattr(settings, key)}", hint=hint)
    if book.layout.seats(seated) != seats:
        raise YardError(f"{seats} seats", hint=f"under these settings there are {book.layout.seats(seated)}")
    return seated
