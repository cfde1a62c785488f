"""This module writes and reads the rows of a store. A store may be damaged or come from a stranger, and SQLite keeps
any value in any column; so each value is checked, and an error says in which game of which store it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from botyard.contest.lost_turns import REASON_MAX, REMEDY_MAX, LostTurns
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.schema import ASKED, DAMAGED, DONE, NO_LEASE, STATES
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.settings import seed_in
from botyard.match.jitter import Lateness
from botyard.rank.formats import Pairing
from botyard.rank.results import Result, parse

RESULT_MAX = 100_000  # characters


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as the store has it. What is kept by bot is None if house bots played the game in a batch."""

    number: int
    pairing: Pairing
    seed: int
    state: str
    faults: int
    result: Result | None
    ticks: int
    verdicts: dict[str, dict[str, int]] | None
    lost: dict[str, dict[str, LostTurns]] | None  # by bot and verdict; None if nobody lost a turn
    timing: dict[str, list[float]] | None
    cages: dict[str, list[Any]] | None  # by bot: level of its cage, most memory in MB
    jitter: Lateness | None
    note: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class LeasedGame:
    """A game that a worker plays now, and the last sign of it."""

    bots: tuple[str, ...]
    worker: str
    sign: Sign


# Writing


def asked_row(contest: int, number: int, pairing: Pairing, seed: int) -> dict[str, Any]:
    return {
        "contest": contest,
        "number": number,
        "bots": json.dumps(pairing.bots),
        "match": pairing.match,
        "game": pairing.game,
        "chance": pairing.chance,
        "seed": str(seed),
        "state": ASKED,
    }


def recorded_row(report: GameReport) -> dict[str, Any]:
    return {
        **NO_LEASE,
        "at": report.number,
        "state": DONE,
        "result": report.result,
        "ticks": report.ticks,
        "verdicts": written(report.verdicts),
        "lost": written(lost_values(report.lost)),
        "timing": written(report.timing),
        "cages": written(report.cages),
        "jitter": written(report.jitter and asdict(report.jitter)),
        "note": written(report.note),
    }


def lost_values(lost: dict[str, dict[str, LostTurns]] | None) -> dict[str, dict[str, Any]] | None:
    return lost and {bot: {verdict: asdict(turns) for verdict, turns in own.items()} for bot, own in lost.items()}


def written(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


# Reading


def read_row(row: Any, store: str) -> GameRow:
    where = place_of(row, store)
    number, state, faults, ticks = checked(row, where, number=int, state=str, faults=int, ticks=int)
    if state not in STATES:
        raise BadRecord(f"{where} has the state {quoted(state)}", hint=DAMAGED)
    pairing = read_pairing(row, store)
    return GameRow(
        number,
        pairing,
        read_seed(row.seed, where),
        state,
        faults,
        read_result(row.result, pairing.bots, where),
        ticks,
        read_table(row.verdicts, f"verdicts of {where}", is_counts),
        read_lost(row.lost, f"lost turns of {where}"),
        read_table(row.timing, f"timing of {where}", is_timing),
        read_table(row.cages, f"cages of {where}", is_cage),
        read_jitter(row.jitter, f"jitter of {where}"),
        read_table(row.note, f"note of {where}", is_plain),
    )


def read_pairing(row: Any, store: str) -> Pairing:
    where = place_of(row, store)
    match, game, chance = checked(row, where, match=str, game=int, chance=str)
    return Pairing(read_bots(row.bots, where), match, game, chance)


def read_job(row: Any, store: str) -> Job:
    where = place_of(row, store)
    number, faults, game = checked(row, where, number=int, faults=int, game=int)
    return Job(number, read_bots(row.bots, where), read_seed(row.seed, where), faults + 1, game)


def read_lease(row: Any, store: str) -> LeasedGame:
    where = place_of(row, store)
    number, owner, ticks = checked(row, where, number=int, owner=str, progress=int)
    orders = read_table(row.orders, f"orders of {where}", lambda order: isinstance(order, str))
    worker = owner.rpartition("/")[2]
    return LeasedGame(read_bots(row.bots, where), worker, Sign(number, ticks, orders or {}))


def place_of(row: Any, store: str) -> str:
    """Returns the words with which errors name a row."""
    return f"game {quoted(row.number)} in {store}"


def checked(row: Any, where: str, **kinds: type) -> list[Any]:
    """Returns these columns of a row, after checking the type of each."""
    for name, kind in kinds.items():
        if type(getattr(row, name)) is not kind:
            raise BadRecord(f"{name} = {quoted(getattr(row, name))} of {where}", hint=DAMAGED)
    return [getattr(row, name) for name in kinds]


def read_bots(text: Any, where: str) -> tuple[str, ...]:
    """Returns the bots of a game, in the order in which they were handed to it."""
    bots = names_in(text) if isinstance(text, str) else None
    if bots is None:
        raise BadRecord(f"the bots {quoted(text)} of {where}", hint=DAMAGED)
    return bots


@lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...] | None:
    """Returns the names in a JSON list, or None. It is cached, because many games of a contest have the same bots."""
    try:
        names = json_of(text, "the list of bots")
    except BadRecord:
        return None
    fits = isinstance(names, list) and names and all(isinstance(name, str) for name in names)
    return tuple(names) if fits else None


def read_seed(text: Any, where: str) -> int:
    seed = seed_in(text)
    if seed is None:
        raise BadRecord(f"the seed {quoted(text)} of {where}", hint=DAMAGED)
    return seed


def read_result(text: Any, bots: tuple[str, ...], where: str) -> Result | None:
    """Returns the result of a game among these bots; None if it has none yet."""
    if text == "":
        return None
    result = parse(text) if isinstance(text, str) and len(text) <= RESULT_MAX else None
    if result is None or sorted(result.bots) != sorted(bots):
        raise BadRecord(f"the result {quoted(text)} of {where} between {', '.join(bots)}", hint=DAMAGED)
    return result


def read_table(text: Any, what: str, fits: Callable[[Any], bool]) -> dict[str, Any] | None:
    """Returns the JSON object in a column, each of whose values must fit."""
    if text is None:
        return None
    table = json_of(text, f"the {what}") if isinstance(text, str) else None
    if not isinstance(table, dict) or not all(map(fits, table.values())):
        raise BadRecord(f"the {what} are {quoted(text)}", hint=DAMAGED)
    return table


def read_lost(text: Any, what: str) -> dict[str, dict[str, LostTurns]] | None:
    told = read_table(text, what, is_lost)
    return told and {bot: {verdict: LostTurns(**turns) for verdict, turns in own.items()} for bot, own in told.items()}


def read_jitter(text: Any, what: str) -> Lateness | None:
    told = read_table(text, what, is_number)
    if told is None:
        return None
    try:
        return Lateness(**told)
    except TypeError:
        raise BadRecord(f"the {what} is {quoted(text)}", hint=DAMAGED) from None


def is_counts(value: Any) -> bool:
    """Whether a value says how often each verdict was given."""
    return isinstance(value, dict) and all(type(count) is int for count in value.values())


LOST_TYPES = {"count": int, "tick": int, "reason": str, "remedy": str}


def is_lost(value: Any) -> bool:
    """Whether a value tells of lost turns by verdict."""
    if not isinstance(value, dict):
        return False
    return all(
        isinstance(turns, dict)
        and {key: type(told) for key, told in turns.items()} == LOST_TYPES
        and (len(turns["reason"]) <= REASON_MAX and len(turns["remedy"]) <= REMEDY_MAX)
        for turns in value.values()
    )


def is_timing(value: Any) -> bool:
    """Whether a value holds a number of questions, their total milliseconds and the longest."""
    return isinstance(value, list) and len(value) == 3 and all(map(is_number, value))


def is_cage(value: Any) -> bool:
    """Whether a value holds the level of a cage and the memory used in it; either may be unknown."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    level, memory = value
    return isinstance(level, str | None) and (memory is None or is_number(memory))


def is_number(value: Any) -> bool:
    return type(value) in (int, float)


def is_plain(value: Any) -> bool:
    return all(isinstance(one, int | float | str | None) for one in (value if isinstance(value, list) else [value]))
