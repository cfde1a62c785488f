"""A plan is a contest as its file says: the game, the bots and the format, all checked before anything runs."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from botyard.contest.messages import DRILL, NO_TURNS, Brief, CageOptions, derive_seed
from botyard.games import load
from botyard.jail.bot_files import fingerprint
from botyard.kernel.errors import UnknownName, YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.links.bot_spec import house_name, split_command
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


@dataclass(frozen=True)
class Plan:
    """A contest as its file says, with everything checked."""

    path: Path
    folder: Path  # what the bots' paths are relative to
    title: str
    game: str
    settings: Settings
    format: Format
    bots: dict[str, str]  # specifications by name, in the order of registration
    seed: int
    cage: CageOptions
    running: Running
    turn_logs: str = NO_TURNS

    @cached_property
    def book(self) -> Rulebook:
        return load(self.game)

    @property
    def store_path(self) -> Path:
        return self.path.with_suffix(STORE_SUFFIX)

    @property
    def names(self) -> list[str]:
        return list(self.bots)

    @property
    def estimate(self) -> Estimate:
        return self.format.estimate(len(self.bots))

    def is_house(self, bots: Iterable[str]) -> bool:
        """Whether all of these are house bots."""
        return all(house_name(self.bots[bot]) is not None for bot in bots)

    def open_course(self) -> Course:
        return self.format.open(self.names)

    def seed_of(self, chance: str) -> int:
        return derive_seed(self.seed, chance)

    @property
    def brief(self) -> Brief:
        """Returns what a worker must know of this contest."""
        return Brief(
            contest=self.fingerprint,
            game=self.game,
            settings={row.name: getattr(self.settings, row.name) for row in fields(self.settings)},
            bots=dict(self.bots),
            folder=str(self.folder),
            cage=self.cage,
            replays=self.running.replays,
            turn_logs=self.turn_logs,
            drill=int(os.environ.get(DRILL, "0")),
        )

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything a result depends on, line by line. A contest that has begun goes on only if none of it changed."""
        facts = self.book.facts
        lines: dict[str, Any] = {"game": facts.name, "rules version": facts.rules_version, "seed": self.seed}
        lines["order of the bots"] = ", ".join(self.names)
        for name, spec in self.bots.items():
            lines[f"bots.{name}"] = spec + content_mark(spec, self.folder)
        for row in fields(self.settings):
            lines[f"settings.{row.name}"] = getattr(self.settings, row.name)
        lines["format.kind"] = self.format.NAME
        for row in fields(self.format):
            lines[f"format.{row.name}"] = getattr(self.format, row.name)
        for held in fields(self.cage):
            lines[f"cage.{held.name}"] = getattr(self.cage, held.name)
        return lines

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()


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


def content_mark(spec: str, folder: Path) -> str:
    """Returns a mark of the content of a bot's files, which changes with every edit; empty if it has no files."""
    kind, _, rest = spec.partition(":")
    if kind == "dir":
        bot = folder / (rest.partition("//")[0] or rest)  # the whole root, if one is named
        return f" (content {fingerprint(bot)[:12]})" if bot.exists() else ""
    files = [path for path in named_paths(kind, rest, folder) if os.path.isfile(path)]  # noqa: PTH113 (no path raises)
    if not files:
        return ""
    content = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content.update(hashlib.file_digest(file, "sha256").digest())
    return f" (content {content.hexdigest()[:12]})"


def named_paths(kind: str, rest: str, folder: Path) -> list[Path]:
    """Returns the paths that may be files of a bot: its source, or words of its command line, also after a `=`."""
    if kind == "py":
        return [folder / rest, folder / rest.rpartition(":")[0]]
    if kind not in ("cmd", "json"):
        return []
    return [folder / part for word in split_command(rest) for part in (word, word.partition("=")[2]) if part]


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Returns what differs between two identities, a line for each difference."""
    keys = [*before, *(key for key in now if key not in before)]
    absent = object()
    return [
        f"{key}: {shown(before.get(key, absent), absent)} → {shown(now.get(key, absent), absent)}"
        for key in keys
        if before.get(key, absent) != now.get(key, absent)
    ]


def shown(value: Any, absent: object) -> str:
    return "nothing" if value is absent else repr(value) if isinstance(value, str) else json.dumps(value)


def read_format(kind: Any, options: Mapping[str, Any], book: Rulebook, settings: Settings) -> Format:
    """Returns a format by name. Options that the organiser leaves out have the game's own defaults."""
    if not isinstance(kind, str) or kind not in FORMATS:
        raise UnknownName("format", str(kind), FORMATS)
    known = [row.name for row in fields(FORMATS[kind])]
    for key in options:
        if key not in known:
            raise UnknownName(f"option of {kind}", key, [*known, "kind"])
    return FORMATS[kind].read({**book.contest.format_defaults(kind, settings), **options})


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
