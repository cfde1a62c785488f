"""A simulated ladder: bots of known strength, results that enter late, and the very policy of `rank.ladder`.

The field is the one on which the policy's bars were fixed: strengths in logits, normal with deviation √2; the latent
result is the difference plus logistic noise, drawn if it is within 0.1 of zero; the two noises of a pair are joined by
a Gaussian copula with ρ = 0.5. At most an eighth as many pairs are in flight as there are bots. The durations of pairs
are exponential, so that they finish in another order than they began, and long enough that a day has as many games as
was asked for.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from botyard.rank.ladder import (
    Encounter,
    EntryState,
    LadderEntry,
    LadderField,
    LadderPolicy,
    NextPair,
    activated,
    asked,
    choose,
    closed,
    rated_pair,
    with_version,
)
from botyard.rank.ladder.policy import DAY_MS
from botyard.rank.results import Result

Floats = NDArray[np.float64]

SPREAD = math.sqrt(2)  # standard deviation of strengths, in logits
DRAWN = 0.1
JOINED = 0.5
GAMES_OF_PAIR = 2

Chooser = Callable[["SimulatedLadder"], "tuple[LadderEntry, LadderEntry] | None"]


def normal_strengths(bots: int, dice: np.random.Generator) -> Floats:
    return dice.normal(0, SPREAD, bots)


def heavy_strengths(bots: int, dice: np.random.Generator) -> Floats:
    """Student's t with 2.5 degrees of freedom, and the quartiles of the normal strengths."""
    quartile_of_normal, quartile_of_t = 0.6744897502, 0.7850136830
    return dice.standard_t(2.5, bots) * SPREAD * quartile_of_normal / quartile_of_t


def joined_noise(dice: np.random.Generator) -> tuple[float, float]:
    """Two logistic noises, joined by a Gaussian copula."""
    one, own = dice.normal(), dice.normal()
    other = JOINED * one + math.sqrt(1 - JOINED**2) * own
    return logistic(one), logistic(other)


def logistic(normal: float) -> float:
    """The logistic number with as much probability below it as this normal one."""
    below, above = math.erfc(-normal / math.sqrt(2)), math.erfc(normal / math.sqrt(2))
    return math.log(below / above)


@dataclass(frozen=True, slots=True, order=True)
class Flight:
    """A pair that is being played."""

    until_ms: float
    number: int
    host: str
    guest: str
    versions: tuple[str, str]
    apart: float  # how much stronger the host's version is than the guest's


class SimulatedLadder:
    """One ladder with bots of known strength."""

    def __init__(
        self, strengths: Iterable[float], seed: int, chooser: Chooser, games_a_day: int = 60, slots: int | None = None
    ) -> None:
        self.policy = LadderPolicy()
        self.dice = np.random.default_rng(seed)
        self.chooser = chooser
        self.stream = seed
        self.now = 0.0
        self.strength: dict[str, float] = {}
        self.encounters: dict[str, dict[str, Encounter]] = {}
        self.asked = self.closed = 0
        self.asked_of: dict[str, int] = {}  # pairs asked, by bot
        self.flights: list[Flight] = []
        self.field = LadderField([], self.policy)
        self.enter(strengths)
        bots = len(self.strength)
        self.slots = slots or max(1, bots // 8)
        self.mean_ms = self.slots * DAY_MS / (bots * games_a_day / (2 * GAMES_OF_PAIR))

    def enter(self, strengths: Iterable[float]) -> list[str]:
        """Enters new bots, and returns their keys."""
        entries = list(self.field.entries)
        keys = []
        for strength in strengths:
            bot = f"b{len(self.strength):05}"
            self.strength[bot], self.encounters[f"{bot}.1"], self.asked_of[bot] = float(strength), {}, 0
            state = EntryState.SETTLING
            entries.append(LadderEntry(bot=bot, owner=bot, version=f"{bot}.1", state=state, asked_ms=int(self.now)))
            keys.append(bot)
        self.field = LadderField(entries, self.policy)
        return keys

    def renew(self, bot: str, stronger: float) -> None:
        """Gives a bot a new active version that is so much stronger."""
        entry = self.entry(bot)
        version = f"{bot}.{int(entry.version.rpartition('.')[2]) + 1}"
        self.strength[bot] += stronger
        self.encounters[version] = {}
        self.field.put(with_version(entry, version, activated(entry.rating, None), 0, self.policy))

    def entry(self, bot: str) -> LadderEntry:
        return self.field.entries[self.field.rows[bot]]

    def step(self) -> tuple[str, str]:
        """Asks for pairs as long as there is room, and closes the one that is over first; returns its bots."""
        while len(self.flights) < self.slots and (pair := self.chooser(self)) is not None:
            self._ask(*pair)
        flight = heapq.heappop(self.flights)
        self.now = max(self.now, flight.until_ms)
        self._close(flight)
        self.closed += 1
        return flight.host, flight.guest

    def _ask(self, host: LadderEntry, guest: LadderEntry) -> None:
        self.asked += 1
        for bot, own, other in ((host, host.version, guest.version), (guest, guest.version, host.version)):
            self.asked_of[bot.bot] += 1
            before = self.encounters[own].get(other)
            pairs = before.pairs + 1 if before else 1
            self.encounters[own][other] = Encounter(pairs=pairs, last_ms=int(self.now))
        until = self.now + self.dice.exponential(self.mean_ms)
        apart = self.strength[host.bot] - self.strength[guest.bot]
        versions = host.version, guest.version
        heapq.heappush(self.flights, Flight(until, self.asked, host.bot, guest.bot, versions, apart))

    def _close(self, flight: Flight) -> None:
        host, guest = self.entry(flight.host), self.entry(flight.guest)
        results = [played(host.bot, guest.bot, flight.apart + noise) for noise in joined_noise(self.dice)]
        after = rated_pair({host.bot: host.rating, guest.bot: guest.rating}, results)
        for entry, version in zip((host, guest), flight.versions, strict=True):
            own = entry.version == version
            self.field.put(closed(entry, after[entry.bot], self.policy, own_version=own))

    def tau(self) -> float:
        """How well the order by mu agrees with the true one. Both are in the order of the bots' keys."""
        return kendall_tau(self.field.mu, list(self.strength.values()))

    def misplaced(self, bot: str) -> float:
        """By what part of the field a bot's place differs from its true one."""
        shown = int((self.field.mu > self.entry(bot).mu).sum())
        true = int((np.array(list(self.strength.values())) > self.strength[bot]).sum())
        return abs(shown - true) / len(self.strength)

    def uneven(self) -> float:
        """How many times as many pairs the bot with the most was asked for as the one with the fewest."""
        return max(self.asked_of.values()) / max(1, min(self.asked_of.values()))


def played(one: str, other: str, latent: float) -> Result:
    if abs(latent) < DRAWN:
        return Result.of([[one, other]])
    return Result.of([[one], [other]] if latent > 0 else [[other], [one]])


def by_policy(ladder: SimulatedLadder) -> tuple[LadderEntry, LadderEntry] | None:
    """The ladder's own choice."""
    now = int(ladder.now)
    chosen = choose(ladder.field, lambda host: ladder.encounters[host.version], now, ladder.stream)
    if not isinstance(chosen, NextPair):
        return None
    ladder.stream = chosen.stream
    for entry in asked(chosen, now):
        ladder.field.put(entry)
    return chosen.host, chosen.guests[0]


def at_random(ladder: SimulatedLadder) -> tuple[LadderEntry, LadderEntry] | None:
    """Any two bots, the first of which has fewer than two pairs in flight."""
    free = np.flatnonzero(ladder.field.in_flight < ladder.policy.in_flight)
    if not free.size:
        return None
    host = int(ladder.dice.choice(free))
    guest = int(ladder.dice.integers(len(ladder.field.entries) - 1))
    guest += guest >= host
    pair = ladder.field.entries[host], ladder.field.entries[guest]
    for entry in pair:
        ladder.field.put(replace(entry, in_flight=entry.in_flight + 1, asked_ms=int(ladder.now)))
    return pair


def kendall_tau(one: ArrayLike, other: ArrayLike) -> float:
    """How well two orders agree, from -1 to 1."""
    first, second = np.asarray(one), np.asarray(other)
    agreed = np.sign(first[:, None] - first[None, :]) * np.sign(second[:, None] - second[None, :])
    return float(agreed.sum() / (len(first) * (len(first) - 1)))
