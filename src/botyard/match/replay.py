"""Replays: the orders of a game and where they led. States come back by playing it again, which is also the check.

A replay is gzip-compressed JSON: what was played (game, rules version, rule settings, seed, names), a list of entries
per tick, the verdicts that were not OK, the outcome, a hash over the final state's text and a checksum over
everything.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.outcome import Outcome
from botyard.kernel.settings import checked_seed
from botyard.kernel.verdict import Verdict
from botyard.match.storage import write_atomically

FORMAT = "botyard-replay"
VERSION = 1
SUFFIX = ".replay"


@dataclass(frozen=True, slots=True)
class Missed:
    """A verdict that was not OK. Tick -1 is the start-up."""

    tick: int
    seat: int
    verdict: Verdict
    reason: str


@dataclass(slots=True)
class Replay:
    """The record of one game.

    An entry of a tick is `[order, …]` of the seats asked, in seat order, or a change such as `{"forfeit": seat}`.
    """

    game: str
    rules: int
    settings: dict[str, Any]
    seed: int
    names: tuple[str, ...]  # by seat
    entrants: tuple[int, ...]  # by seat: which bot sat there, in the order they came
    ticks: list[list[Any]] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    outcome: Outcome | None = None  # None: void
    final: str = ""

    # Recording

    @classmethod
    def begin(cls, game: Game, names: tuple[str, ...]) -> Replay:
        facts = game.book.facts
        entrants = tuple(game.entrant(seat) for seat in range(game.seats))
        rules = game.settings.of_group("rules")
        return cls(facts.name, facts.rules_version, rules, game.seed, names, entrants)

    def add_orders(self, orders: Mapping[int, int]) -> None:
        self.ticks.append([[orders[seat] for seat in sorted(orders)]])

    def add_change(self, what: str, seat: int) -> None:
        self.ticks.append([{what: seat}])

    def end(self, game: Game) -> None:
        self.outcome = game.outcome
        self.final = final_hash(game)

    # Playing it again

    def new_game(self, more: Mapping[str, Any] | None = None) -> Game:
        """The game at its start; `more` are settings that a replay does not keep: they are none of its rules."""
        book = load(self.game)
        if self.rules != book.facts.rules_version:
            hint = f"this Botyard has version {book.facts.rules_version}"
            raise BadRecord(f"a replay under version {self.rules} of the rules of {self.game}", hint=hint)
        return Game(book, book.settings.read({**(more or {}), **self.settings}), self.seed)

    def play(self, more: Mapping[str, Any] | None = None) -> Iterator[tuple[Game, dict[int, int]]]:
        """The game before each tick with the orders about to be given; at last the final game with none."""
        game = self.new_game(more)
        for at, entries in enumerate(self.ticks):
            for entry in entries:
                if isinstance(entry, dict):
                    yield game, {}
                    for what, seat in entry.items():
                        game.change(what, seat)
                    continue
                asked = game.asked
                if len(asked) != len(entry):
                    raise BadRecord(f"{len(entry)} orders in tick {at}", hint=f"{len(asked)} seats are asked there")
                orders = dict(zip(asked, (int(order) for order in entry), strict=True))
                yield game, orders
                game.step_orders(orders)
        yield game, {}

    def verify(self) -> Game:
        """Plays it again to the end; refuses a record that is not true. Returns the final game."""
        *_, (game, _) = self.play()
        if self.outcome is None:
            return game  # void: the record only shows how far it got
        if game.outcome != self.outcome:
            raise BadRecord(
                "the replay does not lead to its outcome", hint=f"{self.outcome} recorded, {game.outcome} played"
            )
        if final_hash(game) != self.final:
            raise BadRecord(
                "the replay does not lead to its final state", hint="it was altered, or made by other rules"
            )
        return game

    # Files

    def to_bytes(self) -> bytes:
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
        }
        body["checksum"] = checksum(body)
        return gzip.compress(canonical(body), 9, mtime=0)

    def write(self, path: Path) -> None:
        write_atomically(path, self.to_bytes())

    @classmethod
    def read(cls, path: Path) -> Replay:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise YardError(f"cannot read {path}", hint=error.strerror or str(error)) from None
        return cls.from_bytes(raw, str(path))

    @classmethod
    def from_bytes(cls, raw: bytes, name: str = "replay") -> Replay:
        body = unpack(raw, name)
        try:
            if body.pop("checksum") != checksum(body):
                raise BadRecord(f"{name} was altered", hint="its checksum does not fit its content")
            outcome = body["outcome"]
            return cls(
                game=body["game"],
                rules=int(body["rules"]),
                settings=dict(body["settings"]),
                seed=checked_seed(int(body["seed"])),
                names=tuple(map(str, body["names"])),
                entrants=tuple(map(int, body["entrants"])),
                ticks=[checked_entries(entries) for entries in body["ticks"]],
                missed=[Missed(int(t), int(s), Verdict(v), str(r)) for t, s, v, r in body["missed"]],
                outcome=outcome and Outcome(tuple(map(tuple, outcome["groups"])), tuple(outcome["scores"])),
                final=body["final"],
            )
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, YardError):
                raise
            raise BadRecord(f"{name} is no whole replay", hint=repr(error)) from None


def unpack(raw: bytes, name: str) -> dict[str, Any]:
    try:
        body = json.loads(gzip.decompress(raw))
    except EOFError:
        raise BadRecord(f"{name} is cut off", hint="copy it again") from None
    except (OSError, zlib.error):
        raise BadRecord(f"{name} is no replay of Botyard, or damaged", hint="replays end in .replay") from None
    except ValueError as error:
        raise BadRecord(f"{name} is no replay of Botyard", hint=str(error)) from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise BadRecord(f"{name} is no replay of Botyard", hint="replays end in .replay")
    if body.get("version") != VERSION:
        raise BadRecord(f"{name} is a replay of version {body.get('version')}", hint=f"this Botyard reads {VERSION}")
    return body


def checked_entries(entries: Any) -> list[Any]:
    for entry in entries:
        numbers = entry.values() if isinstance(entry, dict) and len(entry) == 1 else entry
        if isinstance(entry, str) or not all(type(number) is int and abs(number) < 1 << 31 for number in numbers):
            raise BadRecord(f"no entry {entry!r} in a replay", hint='[order, …] or {"forfeit": seat}')
    return list(entries)


def canonical(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(body)).hexdigest()


def final_hash(game: Game) -> str:
    """Over the text of a state, which does not depend on how records lie in memory."""
    return hashlib.sha256(str(game).encode()).hexdigest()
