"""This module reads `contest.toml` and finds every mistake in it, not just the first."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from botyard.contest.bot_patterns import is_pattern, newcomers, registered_keys
from botyard.contest.file_reader import BadFile, FileReader, Mistake
from botyard.contest.messages import TURN_LOGS, CageOptions
from botyard.contest.neighbours import crowded
from botyard.contest.plan import (
    EXECUTORS,
    ON_UNBUILT,
    RERUNS,
    STORE_SUFFIX,
    Conduct,
    ContestBot,
    Plan,
    Running,
    read_format,
    unfit,
)
from botyard.contest.roots import read_root
from botyard.games import GAMES, load
from botyard.jail.limits import Level
from botyard.kernel.bounded import read_toml
from botyard.kernel.errors import UnfitBot, UnknownName, YardError, quoted
from botyard.kernel.plain import clean
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import LARGEST, Settings
from botyard.links.bot_spec import BotSpec, read_bot_spec
from botyard.rank.formats import Format
from botyard.rank.results import NAME

TABLES = ("settings", "time", "format", "bots", "cage", "toolchains", "run")
CHOICES = {"on_unbuilt": ON_UNBUILT, "rerun": RERUNS, "turn_logs": TURN_LOGS}
KEYS = ("title", "game", "preset", "seed", *CHOICES, "guests_leave", "notes", *TABLES)
BOT_KEYS = ("bot", "name", "guest")
TITLE_MAX = 200  # characters
NAME_MAX = 60  # characters of a bot's name


class BadPlan(BadFile):
    """The error that lists all mistakes of a contest file."""


@dataclass(slots=True)
class ContestReader(FileReader):
    """Reads a contest file in one pass that goes on after a mistake."""

    def read(self, content: Mapping[str, Any]) -> Plan | None:
        self.know(content, KEYS)
        tables = {key: self.table(content, key) for key in TABLES}
        running, cage = self.running(tables["run"]), self.cage(tables["cage"], tables["toolchains"])
        root, conduct = self.root(content), self.conduct(content)
        title = self.text(content, "title", clean(self.path.stem))
        book = self.book(content)
        if book is None:
            return None
        settings = self.settings(content, tables, book)
        bots = self.bots(tables["bots"], book, cage or CageOptions())
        shape = self.format(tables["format"], book, settings) if settings else None
        if settings is None or shape is None or bots is None or cage is None or running is None:
            return None
        settings = self.fair(settings, shape, tables["settings"])
        playing = without_guests(bots, conduct.guests_leave)
        plan = Plan(
            self.path, self.folder, title, book.facts.name, settings, shape, playing, root, cage, running, conduct
        )  # fmt: skip
        self.compare(plan)
        return plan

    def compare(self, plan: Plan) -> None:
        """Notes the mistakes that show only where parts of the plan are compared."""
        self.mistakes += [Mistake(where, error.message, error.hint) for where, error in unfit(plan)]

    def root(self, content: Mapping[str, Any]) -> bytes | None:
        with self.part("seed"):
            return read_root(content["seed"]) if "seed" in content else None
        return None

    def conduct(self, content: Mapping[str, Any]) -> Conduct:
        given: dict[str, Any] = {}
        for key, choices in CHOICES.items():
            with self.part(key):
                if content.get(key, choices[0]) not in choices:
                    raise YardError(
                        f"{key} = {quoted(content[key])}", hint=f"must be one of {', '.join(map(repr, choices))}"
                    )
                if key in content:
                    given[key] = content[key]
        with self.part("guests_leave"):
            least = content.get("guests_leave", 0)
            if type(least) is not int or not 0 <= least <= LARGEST:
                hint = "must be a whole number: guests leave once that many players' bots take part (0: they stay)"
                raise YardError(f"guests_leave = {quoted(least)}", hint=hint)
            if "guests_leave" in content:
                given["guests_leave"] = least
        with self.part("notes"):
            if not isinstance(content.get("notes", False), bool):
                raise YardError(f"notes = {quoted(content['notes'])}", hint="must be true or false")
            if "notes" in content:
                given["notes"] = content["notes"]
        return Conduct(**given)

    def book(self, content: Mapping[str, Any]) -> Rulebook | None:
        with self.part("game"):
            if "game" not in content:
                raise YardError("no game", hint=f'write game = "NAME", one of {", ".join(GAMES)}')
            return load(str(content["game"]))
        return None

    def settings(
        self, content: Mapping[str, Any], tables: Mapping[str, dict[str, Any]], book: Rulebook
    ) -> Settings | None:
        clock = [row.name for row in fields(book.settings) if row.metadata["group"] == "clock"]
        for key in tables["time"]:
            with self.part("time"):
                if key not in clock:
                    raise UnknownName(f"time limit of {book.facts.name}", key, clock)
        with self.part("settings"):
            if "seed" in tables["settings"]:
                raise YardError("a seed among the settings", hint="put the seed of the contest at the top of the file")
            values = {**tables["settings"], **{key: v for key, v in tables["time"].items() if key in clock}}
            preset = content.get("preset")
            return book.settings.read(values, None if preset is None else str(preset))
        return None

    def format(self, options: Mapping[str, Any], book: Rulebook, settings: Settings) -> Format | None:
        with self.part("format"):
            rest = dict(options)
            if "kind" not in rest:
                raise YardError("no format", hint='write [format] and kind = "round_robin", or another kind')
            return read_format(rest.pop("kind"), rest, book, settings)
        return None

    def fair(self, settings: Settings, shape: Format, given: Mapping[str, Any]) -> Settings:
        """Returns settings with fixed seats if the format swaps seats on one seed: then the game must not shuffle."""
        if not shape.swaps:
            return settings
        fixed = settings.with_fixed_seats()
        for row in fields(settings):
            value = getattr(settings, row.name)
            if row.name in given and value != getattr(fixed, row.name):
                what = f"{row.name} = {str(value).lower()} with swapped seats"
                hint = "leave it out: swapping seats on the same seed switches it off"
                self.mistakes.append(Mistake("settings", what, hint))
        return fixed

    def bots(self, given: Mapping[str, Any], book: Rulebook, cage: CageOptions, /) -> dict[str, ContestBot] | None:
        before = len(self.mistakes)
        if not given:
            hint = 'write [bots] and a line NAME = "house:NAME", "py:FILE", "cmd:COMMAND" or "dir:FOLDER" for each'
            self.mistakes.append(Mistake("bots", "no bots", hint))
        bots, specs = dict[str, ContestBot](), dict[str, BotSpec]()
        for key, bot in self.registered(given).items():
            with self.part(f"bots.{key}"):
                bots[key] = bot
                with contextlib.suppress(UnfitBot):  # its author's mistake, not the organiser's: it forfeits its games
                    specs[key] = read_bot_spec(bot.spec, book, cage.policy, self.folder)
        if self.base is None and cage.level != Level.OPEN:  # in a comparison both bots are the caller's own
            store = self.path.with_suffix(STORE_SUFFIX)
            self.mistakes += [
                Mistake(w, e.message, e.hint) for w, e in crowded(self.path, store, specs, cage.toolchains)
            ]
        return bots if len(self.mistakes) == before else None

    def registered(self, given: Mapping[str, Any]) -> dict[str, ContestBot]:
        """Returns all bots by key, in the order of the file; a pattern stands for those that no other line names."""
        lines = dict[str, ContestBot]()
        for key, value in given.items():
            with self.part(f"bots.{key}"):
                lines[key] = self.bot(key, value)
        patterns = {key for key, bot in lines.items() if self.base is None and is_pattern(bot.spec, self.folder)}
        taken = {key: bot for key, bot in lines.items() if key not in patterns}
        known = registered_keys(self.path) if patterns else {}
        bots = dict[str, ContestBot]()
        for key, bot in lines.items():
            if key not in patterns:
                bots[key] = bot
                continue
            with self.part(f"bots.{key}"):
                found = newcomers(bot.spec, bot.guest, self.path, taken, known)
                bots |= found
                taken |= found
        return bots

    @staticmethod
    def bot(key: str, value: Any) -> ContestBot:
        """Returns a bot as registered: by its specification alone, or by a table with more about it."""
        if not NAME.fullmatch(key):
            hint = (
                'use letters, digits, and any of . _ + -; a name for people: KEY = { bot = "dir:…", name = "any name" }'
            )
            raise YardError(f"the key {quoted(key)}", hint=hint)
        table = value if isinstance(value, dict) else {"bot": value}
        for word in table:
            if word not in BOT_KEYS:
                raise UnknownName("key of a bot", word, BOT_KEYS)
        spec, name, guest = table.get("bot"), table.get("name", key), table.get("guest", False)
        if not isinstance(spec, str):
            hint = 'must be a string as on the command line, "house:NAME", or { bot = "house:NAME", name = "any name" }'
            raise YardError(f"{key} = {quoted(value)}", hint=hint)
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > NAME_MAX:
            raise YardError(f"name = {quoted(name)}", hint=f"must be 1 to {NAME_MAX} printable characters in quotes")
        if not isinstance(guest, bool):
            raise YardError(f"guest = {quoted(guest)}", hint="must be true or false")
        if spec.partition(":")[0] == "listen":
            raise YardError(
                f"{quoted(spec)} in a contest",
                hint="name a bot that Botyard can start: house:, py:, cmd:, dir: or json:",
            )
        return ContestBot(spec, name.strip(), guest)

    def running(self, given: Mapping[str, Any]) -> Running | None:
        known = {row.name: row for row in fields(Running)}
        before = len(self.mistakes)
        for key, value in given.items():
            with self.part("run"):
                if key not in known:
                    raise UnknownName("key of [run]", key, known)
                self.check_running(key, value)
        return Running(**given) if len(self.mistakes) == before else None

    @staticmethod
    def check_running(key: str, value: Any) -> None:
        if key == "executor" and value not in EXECUTORS:
            raise UnknownName("executor", str(value), EXECUTORS)
        if key in ("workers", "attempts"):
            least = 1 if key == "attempts" else 0
            if type(value) is not int or not least <= value <= LARGEST:
                raise YardError(f"{key} = {quoted(value)}", hint=f"must be a whole number, at least {least}")
        if key == "address" and not isinstance(value, str):
            raise YardError(f"{key} = {quoted(value)}", hint='must be "auto" or "ray://HOST:PORT", in quotes')
        if key == "replays" and not isinstance(value, bool):
            raise YardError(f"{key} = {quoted(value)}", hint="must be true or false")


def without_guests(bots: Mapping[str, ContestBot], leave: int) -> dict[str, ContestBot]:
    """Returns the bots that take part: guests leave once enough bots of players are there."""
    players = {key: bot for key, bot in bots.items() if not bot.guest}
    return players if 0 < leave <= len(players) else dict(bots)


def read_plan(path: Path) -> Plan:
    """Returns the plan of a contest file, or raises one error with all its mistakes."""
    path = path.resolve()
    return checked_plan(ContestReader(path), read_toml(path))


def checked_plan(reader: ContestReader, content: Mapping[str, Any]) -> Plan:
    """Returns the plan that a reader makes of the content of a file, or raises one error with all its mistakes."""
    with reader.part("title"):
        title = str(content.get("title", ""))
        if not title.isprintable() or len(title) > TITLE_MAX:
            raise YardError(f"title = {quoted(title)}", hint=f"must have at most {TITLE_MAX} printable characters")
    plan = reader.read(content)
    if plan is None or reader.mistakes:
        raise BadPlan(reader.path, reader.mistakes)
    return plan
