"""Replays: the orders of a game and where they led. States come back by playing it again, which is also the check.

A replay is gzip-compressed JSON: what was played (game, rules version, rule settings, seed, names), a list of entries
per tick, the verdicts that were not OK, the outcome, a hash over the final state's text and a checksum over
everything.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.bounded import json_of, read_bounded, unpacked
from botyard.kernel.errors import BadRecord, YardError, quoted
from botyard.kernel.outcome import Outcome
from botyard.kernel.script import script_of
from botyard.kernel.shown import Shown
from botyard.kernel.verdict import Verdict
from botyard.match.replay_checks import (
    Misshapen,
    checked_miss,
    checked_names,
    checked_outcome,
    checked_settings,
    checked_ticks,
    listed,
    numbers,
    read_seed,
    text,
)
from botyard.match.storage import write_atomically

FORMAT = "botyard-replay"
VERSION = 1
SUFFIX = ".replay"

# A game of a million ticks between two bots takes ten megabytes unpacked; it would be played for eleven days.
TICKS_MAX = 1_000_000
UNPACKED_MAX = 32 * 1024 * 1024
PACKED_MAX = 16 * 1024 * 1024
SEATS_MAX = 64
GZIP = b"\x1f\x8b"
BROUGHT = "points"  # what a player brings along who joins a field of a room, beside the seat that is joined
GAME_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Missed:
    """A verdict that was not OK. Tick -1 is the start-up."""

    tick: int
    seat: int
    verdict: Verdict
    reason: str


@dataclass(slots=True)
class Replay(Shown):
    """The record of one game.

    An entry of a tick is `[order, …]` of the seats asked, in seat order, or a change such as `{"forfeit": seat}`. In a
    room players join and bring points along: `{"join": seat, "points": 120}`.
    """

    game: str  # the game's name
    rules: int  # the version of its rules
    settings: dict[str, Any]  # its settings, as far as they are rules
    seed: int  # what all chance of the game follows from
    names: tuple[str, ...]  # of the bots, by seat
    entrants: tuple[int, ...]  # which bot sat there, counted in the order they came, by seat
    ticks: list[list[Any]] = field(default_factory=list)  # the entries of each tick
    missed: list[Missed] = field(default_factory=list)  # every verdict that was not OK
    outcome: Outcome | None = None  # how the game ended; None: void, or ended without a result
    final: str = ""  # a hash of the final position
    culprits: tuple[int, ...] = ()  # the seats that left the game without a result; none where that was our own fault

    # Recording

    @classmethod
    def begin(cls, game: Game, names: tuple[str, ...]) -> Replay:
        """Begins the record of a game that is at its start; `names` are those of its bots, by seat."""
        facts = game.book.facts
        entrants = tuple(game.entrant(seat) for seat in range(game.seats))
        rules = game.settings.of_group("rules")
        return cls(facts.name, facts.rules_version, rules, game.seed, names, entrants)

    def add_orders(self, orders: Mapping[int, int]) -> None:
        """Adds a tick with the orders that were given, by seat."""
        self.ticks.append([[orders[seat] for seat in sorted(orders)]])

    def add_change(self, what: str, seat: int) -> None:
        """Adds what `Game.change` did."""
        self.ticks.append([{what: seat}])

    def end(self, game: Game) -> None:
        """Writes down how the game ended."""
        self.outcome = game.outcome
        self.final = final_hash(game)

    @property
    def ending(self) -> str:
        """What the culprits did, in words."""
        last = {miss.seat: miss for miss in self.missed}
        return "; ".join(f"{self.names[seat]}: {last[seat].verdict}, {last[seat].reason}" for seat in self.culprits)

    # Playing it again

    def new_game(self, more: Mapping[str, Any] | None = None) -> Game:
        """Returns the game at its start; `more` are settings that a replay does not keep, none of its rules."""
        book = load(self.game)
        if self.rules != book.facts.rules_version:
            hint = f"this Botyard has version {book.facts.rules_version}; use the Botyard that played the game"
            raise BadRecord(f"the replay was made under version {self.rules} of the rules of {self.game}", hint=hint)
        settings = book.settings.read({**(more or {}), **self.settings})
        if (seats := book.layout.seats(settings)) != len(self.names):
            raise BadRecord(
                f"the replay names {len(self.names)} bots", hint=f"by its settings the game has {seats} seats"
            )
        return Game(book, settings, self.seed)

    def play(self, more: Mapping[str, Any] | None = None) -> Iterator[tuple[Game, dict[int, int]]]:
        """Yields the game before each tick, with the orders about to be given; at last the final game with none."""
        yield from self._played_on(self.new_game(more), 0)

    def _played_on(self, game: Game, told: int) -> Iterator[tuple[Game, dict[int, int]]]:
        """Goes on with a game in which so many entries have been played."""
        entries = ((at, entry) for at, entries in enumerate(self.ticks) for entry in entries)
        for at, entry in islice(entries, told, None):
            if isinstance(entry, dict):
                yield game, {}
                carry_out(game, entry)
            else:
                orders = recorded_orders(game, at, entry)
                yield game, orders
                game.step_orders(orders)
        yield game, {}

    def retold(self) -> Game:
        """Returns the game at its end, played again in one compiled call; refuses an entry that is impossible."""
        game, entries = self.new_game(), list(chain.from_iterable(self.ticks))
        plain = not any(isinstance(entry, dict) and BROUGHT in entry for entry in entries)  # scripts know no points
        told = game.retell(script_of(entries)) if plain else 0
        if told < len(entries):
            for _ in self._played_on(game, told):  # says why the next entry is impossible
                pass
        return game

    def verify(self) -> Game:
        """Plays it again to the end; refuses a record that is not true. Returns the final game."""
        game = self.retold()
        if self.outcome is None:
            return game  # void: the record only shows how far it got
        if game.outcome != self.outcome:
            raise BadRecord(
                "the replay does not lead to its outcome",
                hint=f"{self.outcome} is recorded, playing it again gives {game.outcome}",
            )
        if final_hash(game) != self.final:
            raise BadRecord(
                "the replay does not lead to its final state", hint="it was altered, or made by other rules"
            )
        return game

    # Files

    def to_bytes(self) -> bytes:
        """Returns the bytes of a file that holds the replay."""
        outcome = self.outcome and {"groups": self.outcome.groups, "scores": self.outcome.scores}
        body = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "rules": self.rules,
            "settings": self.settings,
            "seed": str(self.seed),
            "names": self.names,
            "entrants": self.entrants,
            "ticks": self.ticks,
            "missed": [[miss.tick, miss.seat, miss.verdict, miss.reason] for miss in self.missed],
            "outcome": outcome,
            "final": self.final,
            **({"culprits": self.culprits} if self.culprits else {}),
        }
        body["checksum"] = checksum(body)
        return gzip.compress(canonical(body), 9, mtime=0)

    def write(self, path: Path) -> None:
        """Writes the replay to a file, whole or not at all."""
        write_atomically(path, self.to_bytes())

    @classmethod
    def read(cls, path: Path) -> Replay:
        """Reads the replay that a file holds."""
        return cls.from_bytes(read_bounded(path, PACKED_MAX), str(path))

    @classmethod
    def from_bytes(cls, raw: bytes, name: str = "replay") -> Replay:
        """Returns the replay that the bytes of a file hold. They may come from a stranger, so each part is checked."""
        body = unpack(raw, name)
        try:
            if body.pop("checksum") != checksum(body):
                raise BadRecord(f"{name} was altered", hint="its checksum does not match its content")
            return read_body(body)
        except BadRecord:
            raise
        except YardError as error:
            raise BadRecord(f"{name}: {error.message}", hint=error.hint) from None
        except KeyError as error:
            raise BadRecord(f"{name} is not a complete replay", hint=f"it lacks {error}") from None
        except Misshapen as error:
            raise BadRecord(f"{name} is not a complete replay", hint=str(error)) from None


def carry_out(game: Game, entry: Mapping[str, int]) -> None:
    """Does what an entry says that is not orders."""
    for what, seat in entry.items():
        if what != BROUGHT:
            game.change(what, seat)
    if BROUGHT in entry:
        game.book.room.bring_points(game, entry["join"], entry[BROUGHT])


def recorded_orders(game: Game, at: int, entry: Sequence[int]) -> dict[int, int]:
    """The orders that a replay has for a tick, by seat."""
    if game.over:
        raise BadRecord(
            f"the replay has orders in tick {at}",
            hint="the game is over by then: it was altered, or made by other rules",
        )
    asked = game.asked
    if len(asked) != len(entry):
        raise BadRecord(
            f"the replay has {len(entry)} orders in tick {at}",
            hint=f"{len(asked)} seats are asked in that tick",
        )
    return dict(zip(asked, (int(order) for order in entry), strict=True))


# Reading


def unpack(raw: bytes, name: str) -> dict[str, Any]:
    if raw[:2] != GZIP:
        raise BadRecord(f"{name} is not a Botyard replay, or damaged", hint="replays end in .replay")
    whole = unpacked(raw, UNPACKED_MAX, name)
    try:
        body = json_of(whole, "what it unpacks to")
    except BadRecord as error:
        raise BadRecord(f"{name} is not a Botyard replay", hint=str(error)) from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise BadRecord(f"{name} is not a Botyard replay", hint="replays end in .replay")
    if body.get("version") != VERSION:
        version = f"{body.get('version')!r:.40}"
        raise BadRecord(f"{name} is a replay of version {version}", hint=f"this Botyard reads version {VERSION}")
    return body


def read_body(body: dict[str, Any]) -> Replay:
    entrants = tuple(numbers(body["entrants"], "entrants"))
    seats = len(entrants)
    if not 0 < seats <= SEATS_MAX or sorted(entrants) != list(range(seats)):
        raise Misshapen(f"entrants are {quoted(entrants)} instead of the numbers of its bots")
    ticks = checked_ticks(body["ticks"], seats)
    if len(ticks) > TICKS_MAX:
        raise Misshapen(f"it has {len(ticks)} ticks; no game has more than {TICKS_MAX}")
    outcome = body["outcome"]
    if outcome is not None:
        outcome = checked_outcome(outcome, seats)
    game, final = text(body["game"], "game"), text(body["final"], "final")
    if not GAME_NAME.fullmatch(game) or len(final) > len(checksum({})):
        raise Misshapen(f"game {quoted(game)}, final {quoted(final)}")
    (rules,) = numbers([body["rules"]], "rules")
    missed = [Missed(*checked_miss(row, seats, len(ticks))) for row in listed(body["missed"], "missed")]
    culprits = tuple(numbers(body.get("culprits", []), "culprits"))
    if not set(culprits) <= {miss.seat for miss in missed} or (culprits and outcome is not None):
        raise Misshapen(f"culprits are {quoted(culprits)}, who lost no turn, or the game has an outcome")
    return Replay(
        game=game,
        rules=rules,
        settings=checked_settings(body["settings"]),
        seed=read_seed(body["seed"]),
        names=checked_names(body["names"], seats, void=outcome is None),
        entrants=entrants,
        ticks=ticks,
        missed=missed,
        outcome=outcome,
        final=final,
        culprits=culprits,
    )


# Writing


def canonical(body: Mapping[str, Any]) -> bytes:
    # No body holds itself; to look for that would take as long as to write it.
    return json.dumps(body, sort_keys=True, separators=(",", ":"), check_circular=False).encode()


def checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(body)).hexdigest()


def final_hash(game: Game) -> str:
    """Over the text of a state, which does not depend on how records lie in memory."""
    return hashlib.sha256(str(game).encode()).hexdigest()
