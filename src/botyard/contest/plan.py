"""A plan is a contest as its file says: the game, the bots and the format, all checked before anything runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from botyard.contest.identity import Identity, marked
from botyard.contest.messages import DRILL, LOST_TURNS, Brief, CageOptions
from botyard.contest.roots import is_guessable, root_text
from botyard.games import load
from botyard.kernel.errors import UnknownName, YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.links.bot_spec import house_name
from botyard.rank.formats import FORMATS, Course, Estimate, Format

STORE_SUFFIX = ".store"
NOT_IN_NAMES = re.compile(r"[^\w.+-]+")
EXECUTORS = ("inline", "local", "ray")


@dataclass(frozen=True, slots=True)
class Running:
    """The options that say where games are played and what is kept; none of them can change a result."""

    executor: str = "local"
    workers: int = 0  # 0: one per core
    address: str = ""  # of a Ray cluster; empty: a local one
    attempts: int = 5  # how often a game is tried that faults of ours keep voiding
    replays: bool = True  # whether to keep replays of games that cannot be played again


FORFEIT, STOP = ON_UNBUILT = "forfeit", "stop"
"""What a bot does that cannot be built or does not come: it forfeits its games, or the contest does not begin."""

ON_DEMAND, ON_CHANGE = RERUNS = "on_demand", "on_change"
"""When games are due again after a bot has changed: when the organiser says so, or at once."""

GUESTS_LEAVE = 2


@dataclass(frozen=True, slots=True)
class Conduct:
    """How the contest is conducted. Games that were played stay valid when any of it changes."""

    on_unbuilt: str = FORFEIT
    rerun: str = ON_DEMAND
    guests_leave: int = GUESTS_LEAVE  # guests leave when so many bots of players are there; 0: never
    turn_logs: str = LOST_TURNS  # which turns of programs are kept
    notes: bool = False  # whether the notes that bots print for the viewer are kept with them


@dataclass(frozen=True, slots=True)
class ContestBot:
    """A bot as the contest file registers it. Results know it by a short key, people by its name."""

    spec: str
    name: str
    guest: bool = False  # it plays out of competition


@dataclass(frozen=True, slots=True)
class Roster:
    """The bots that play from some point on: after so many games of the contest."""

    after: int
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """A contest as its file says, with everything checked."""

    path: Path
    folder: Path  # what the bots' paths are relative to
    title: str
    game: str
    settings: Settings
    format: Format
    bots: dict[str, ContestBot]  # those that take part or once did, by key, in the order of registration
    root: bytes | None  # as the file names it; None: the contest draws one when it begins
    cage: CageOptions
    running: Running
    conduct: Conduct = Conduct()
    rosters: tuple[Roster, ...] = ()  # where bots came and went between rounds; none: all play from the start

    @cached_property
    def book(self) -> Rulebook:
        return load(self.game)

    @property
    def store_path(self) -> Path:
        return self.path.with_suffix(STORE_SUFFIX)

    @property
    def keys(self) -> list[str]:
        return list(self.bots)

    @property
    def specs(self) -> dict[str, str]:
        return {key: bot.spec for key, bot in self.bots.items()}

    @property
    def names(self) -> dict[str, str]:
        """What people call the bots, by key."""
        return {key: bot.name for key, bot in self.bots.items()}

    @property
    def guests(self) -> frozenset[str]:
        return frozenset(key for key, bot in self.bots.items() if bot.guest)

    @property
    def watched(self) -> bool:
        """Whether further games follow whenever a bot changes, so that the contest has no end of its own."""
        return self.conduct.rerun == ON_CHANGE

    @property
    def guests_have_left(self) -> bool:
        """Whether so many bots of players are there that guests do not take part."""
        return 0 < self.conduct.guests_leave <= len(self.bots) - len(self.guests)

    @property
    def estimate(self) -> Estimate:
        return self.format.estimate(len(self.bots))

    def is_house(self, keys: Iterable[str]) -> bool:
        """Whether all of these are house bots."""
        return all(house_name(self.bots[key].spec) is not None for key in keys)

    def open_course(self) -> Course:
        course = self.format.open(self.keys)
        course.names = self.names
        return course

    def present(self, after: int) -> tuple[str, ...]:
        """Returns the bots that play the games that follow the first `after` ones."""
        past = [roster for roster in self.rosters if roster.after <= after]
        return past[-1].bots if past else tuple(self.bots)

    @property
    def brief(self) -> Brief:
        """Returns what a worker must know of this contest."""
        return Brief(
            contest=self.identity.fingerprint,
            game=self.game,
            settings={row.name: getattr(self.settings, row.name) for row in fields(self.settings)},
            bots=self.specs,
            folder=str(self.folder),
            cage=self.cage,
            replays=self.running.replays,
            turn_logs=self.conduct.turn_logs,
            notes=self.conduct.notes,
            drill=int(os.environ.get(DRILL, "0")),
        )

    @cached_property
    def identity(self) -> Identity:
        facts = self.book.facts
        seed = "drawn" if self.root is None else root_text(self.root)
        rules: dict[str, Any] = {"game": facts.name, "rules version": facts.rules_version, "seed": seed}
        for row in fields(self.settings):
            rules[f"settings.{row.name}"] = getattr(self.settings, row.name)
        rules["format.kind"] = self.format.NAME
        for row in fields(self.format):
            rules[f"format.{row.name}"] = getattr(self.format, row.name)
        for held in fields(self.cage):
            rules[f"cage.{held.name}"] = getattr(self.cage, held.name)
        return Identity(rules, {key: marked(bot.spec, self.folder) for key, bot in self.bots.items()})


def named_bots(specs: Sequence[str]) -> dict[str, str]:
    """Returns names for bots that have none: the last part of each specification, numbered where names are equal."""
    named: dict[str, str] = {}
    for spec in specs:
        words = spec.partition(":")[2].split() or [spec]
        base = NOT_IN_NAMES.sub("-", Path(words[0]).stem).strip("-") or "bot"
        name, number = base, 1
        while name in named:
            number += 1
            name = f"{base}-{number}"
        named[name] = spec
    return named


def read_format(kind: Any, options: Mapping[str, Any], book: Rulebook, settings: Settings) -> Format:
    """Returns a format by name. Options that the organiser leaves out have the game's own defaults."""
    if not isinstance(kind, str) or kind not in FORMATS:
        raise UnknownName("format", str(kind), FORMATS)
    known = [row.name for row in fields(FORMATS[kind])]
    for key in options:
        if key not in known:
            raise UnknownName(f"option of {kind}", key, [*known, "kind"])
    return FORMATS[kind].read({**book.contest.format_defaults(kind, settings), **options})


GUESSABLE_SEED = "a seed below 2**64 can be guessed by a program that plays: leave it out, and one is drawn"


def warnings_of(plan: Plan) -> list[str]:
    """Returns what is allowed and yet unwise."""
    guessable = plan.root is not None and is_guessable(plan.root)
    return [GUESSABLE_SEED] if guessable and not plan.is_house(plan.bots) else []


GAMES_MAX = 5_000_000


def unfit(plan: Plan) -> Iterable[tuple[str, YardError]]:
    """Yields the mistakes that show only where parts of the plan are compared, as too many bots for the game."""
    count, kind = len(plan.bots), plan.format
    if count < kind.LEAST or (kind.MOST and count > kind.MOST):
        wanted = str(kind.LEAST) if kind.LEAST == kind.MOST else f"from {kind.LEAST} to {kind.MOST}"
        yield "bots", YardError(f"{count} bots in a {kind.NAME}", hint=f"this format takes {wanted}")
        return
    games = kind.estimate(count).least
    if games == 0:
        yield "bots", YardError(f"{count} bots in a {kind.NAME}", hint="no game would be played; add bots")
        return
    if games > GAMES_MAX:
        hint = f"at most {GAMES_MAX} fit into memory; use fewer bots, bouts or seats"
        yield "format", YardError(f"{count} bots in a {kind.NAME}: {quoted(games)} games", hint=hint)
        return
    for seats in sorted(set(kind.tables(count))):
        try:
            plan.book.facts.check_seats(seats)
            plan.settings.seated(seats)
        except YardError as error:
            yield "format", YardError(f"the format plays games of {seats} bots: {error.message}", hint=error.hint)
