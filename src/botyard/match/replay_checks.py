"""The parts of a replay that somebody else may have written: each is checked before it is used.

What cannot be what it should raises `Misshapen`, whose words say why.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.outcome import Outcome
from botyard.kernel.script import CHANGES
from botyard.kernel.settings import seed_in
from botyard.kernel.verdict import Verdict

ORDER_BOUND = 1 << 31  # what the records of orders can hold
VERDICTS = tuple(map(str, Verdict))


class Misshapen(Exception):
    """A part of a replay that cannot be what it should."""


def checked_ticks(ticks: Any, seats: int) -> list[list[Any]]:
    if not holds_orders(ticks):  # looked at one by one, so that the error names the entry
        for entries in listed(ticks, "ticks"):
            check_entries(entries, seats)
    return list(ticks)


def holds_orders(ticks: Any) -> bool:
    """Whether every entry of every tick has orders that records can hold: one look at all, as most replays have no
    changes."""
    inner = [ticks]
    for _ in ("ticks", "entries", "orders"):
        if not {list}.issuperset(map(type, inner)):
            return False
        inner = list(chain.from_iterable(inner))
    whole = {int}.issuperset(map(type, inner))
    return whole and -ORDER_BOUND < min(inner, default=0) <= max(inner, default=0) < ORDER_BOUND


def check_entries(entries: Any, seats: int) -> None:
    """Refuses entries of a tick that are neither orders, of any number that records can hold, nor changes of a seat
    that is there."""
    for entry in listed(entries, "a tick"):
        if isinstance(entry, dict):
            fits = is_change(entry, seats)
        else:
            fits = isinstance(entry, list) and all(
                type(order) is int and -ORDER_BOUND < order < ORDER_BOUND for order in entry
            )
        if not fits:
            raise BadRecord(
                f"a replay has the entry {quoted(entry)}", hint='it must be [order, …] or {"forfeit": seat}'
            )


def is_change(entry: dict[Any, Any], seats: int) -> bool:
    """Whether an entry changes one seat that is there; whoever joins may bring points."""
    if entry.keys() == {"join", "points"}:
        points = entry["points"]
        return type(points) is int and -ORDER_BOUND < points < ORDER_BOUND and is_change({"join": entry["join"]}, seats)
    return len(entry) == 1 and all(
        what in CHANGES and type(seat) is int and 0 <= seat < seats for what, seat in entry.items()
    )


def checked_outcome(outcome: Any, seats: int) -> Outcome:
    """Every seat in one group, and points for each."""
    if not isinstance(outcome, dict) or outcome.keys() != {"groups", "scores"}:
        raise Misshapen(f"outcome {quoted(outcome)}")
    groups = tuple(tuple(numbers(group, "a group")) for group in listed(outcome["groups"], "groups"))
    scores = tuple(numbers(outcome["scores"], "scores"))
    if sorted(seat for group in groups for seat in group) != list(range(seats)) or () in groups:
        raise Misshapen(f"groups are {quoted(groups)} instead of all {seats} seats")
    if len(scores) != seats:
        raise Misshapen(f"{len(scores)} scores for {seats} seats")
    return Outcome(groups, scores)


def checked_miss(row: Any, seats: int, ticks: int) -> tuple[int, int, Verdict, str]:
    if not isinstance(row, list) or len(row) != 4 or row[2] not in VERDICTS:
        raise Misshapen(f"missed: {quoted(row)} is not tick, seat, verdict and reason")
    tick, seat = numbers(row[:2], "missed")
    if not -1 <= tick <= ticks or not 0 <= seat < seats:
        raise Misshapen(f"missed: seat {seat} in tick {tick} of {ticks} does not exist")
    return tick, seat, Verdict(row[2]), text(row[3], "a reason")


def checked_names(names: Any, seats: int, void: bool) -> tuple[str, ...]:
    """A name for each seat; only a game in which nobody was ever seated has none."""
    given = tuple(text(name, "a name") for name in listed(names, "names"))
    if void and not given:
        return ("",) * seats
    if len(given) != seats:
        raise Misshapen(f"{len(given)} names for {seats} seats")
    return given


def checked_settings(settings: Any) -> dict[str, Any]:
    if not isinstance(settings, dict) or not all(isinstance(value, int | str) for value in settings.values()):
        raise Misshapen("each setting must be a number, a string, true or false")
    return settings


def read_seed(value: Any) -> int:
    seed = seed_in(value)
    if seed is None:
        raise Misshapen(f"seed {quoted(value)}")
    return seed


def listed(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise Misshapen(f"{what}: {quoted(value)} is not a list")
    return value


def numbers(value: Any, what: str) -> list[int]:
    if not all(type(number) is int for number in listed(value, what)):
        raise Misshapen(f"{what}: {quoted(value)} are not whole numbers")
    return list(value)


def text(value: Any, what: str) -> str:
    """Text as bots and their authors may write it: bytes that are no UTF-8 stand for themselves."""
    if not isinstance(value, str):
        raise Misshapen(f"{what}: {quoted(value)} is not a string")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Misshapen(f"{what}: {quoted(value)} cannot be encoded") from None
    return value
