"""This module reads `yard.toml` and finds every mistake in it, not just the first."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from botyard.contest.file_reader import BadFile, FileReader
from botyard.games import load
from botyard.jail.limits import Level
from botyard.kernel.bounded import read_toml
from botyard.kernel.errors import YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import LARGEST
from botyard.match.storage import write_atomically
from botyard.yard.config import CONFIG_FILE, EXECUTORS, REGISTRATIONS, LadderPlan, Quotas, YardConfig
from botyard.yard.default_file import default_file

WORDS_MAX = 200  # characters of a title or a contact
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
HOST_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
BOTS_MAX = 100  # that one person may enter in a ladder
TABLES = ("cage", "toolchains", "quotas")
LADDER_KEYS = tuple(row.name for row in fields(LadderPlan))


class BadConfig(BadFile):
    """The error that lists all mistakes of a `yard.toml`."""


def read_config(folder: Path) -> YardConfig:
    """Returns what the file of a yard decides, or raises one error with all its mistakes."""
    folder = folder.resolve()
    path = folder / CONFIG_FILE
    if not path.exists():
        return YardConfig(folder)
    reader = YardReader(path)
    config = reader.read(read_toml(path))
    if reader.mistakes:
        raise BadConfig(path, reader.mistakes)
    return config


def write_default(folder: Path) -> None:
    """Writes a file that explains every choice and makes none, unless there is one."""
    path = folder / CONFIG_FILE
    if not path.exists():
        write_atomically(path, default_file().encode())


@dataclass(slots=True)
class YardReader(FileReader):
    """Reads a `yard.toml` in one pass that goes on after a mistake."""

    def read(self, content: Mapping[str, Any]) -> YardConfig:
        self.know(content, (*CHECKS, *TABLES, "ladders"))
        values: dict[str, Any] = {}
        for key in CHECKS.keys() & content.keys():
            with self.part(key):
                values[key] = CHECKS[key](key, content[key])
        tables = {key: self.table(content, key) for key in TABLES}
        with self.part("cage"):
            if tables["cage"].pop("level", Level.CAGED) != Level.CAGED:
                raise YardError("a level other than caged", hint="a yard runs strangers' programs: leave it out")
        cage = self.cage(tables["cage"], tables["toolchains"])
        if cage is not None:
            values["cage"] = cage
        return YardConfig(
            self.folder, quotas=self.quotas(tables["quotas"]), ladders=self.ladders(content), **values
        )  # fmt: skip

    def quotas(self, given: Mapping[str, Any]) -> Quotas:
        values: dict[str, int] = {}
        self.know(given, [row.name for row in fields(Quotas)], "quota", "quotas")
        for row in fields(Quotas):
            with self.part("quotas"):
                if row.name in given:
                    values[row.name] = whole(0, LARGEST)(row.name, given[row.name])
        return Quotas(**values)

    def ladders(self, content: Mapping[str, Any]) -> tuple[LadderPlan, ...]:
        given = content.get("ladders", [])
        found: dict[str, LadderPlan] = {}
        with self.part("ladders"):
            if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
                raise YardError(f"ladders = {quoted(given)}", hint="must be tables: a line [[ladders]] begins each")
            for number, table in enumerate(given, 1):
                plan = self.ladder(table, f"ladders.{table.get('slug', number)}")
                if plan is None:
                    continue
                with self.part(f"ladders.{plan.slug}"):
                    if plan.slug in found:
                        raise YardError(f"a second ladder {plan.slug!r}", hint="give each a slug of its own")
                    found[plan.slug] = plan
        return tuple(found.values())

    def ladder(self, given: Mapping[str, Any], where: str) -> LadderPlan | None:
        before = len(self.mistakes)
        self.know(given, LADDER_KEYS, "key of a ladder", where)
        values: dict[str, Any] = {}
        for key in LADDER_KEYS:
            with self.part(where):
                if key in ("slug", "game") and key not in given:
                    raise YardError(f"no {key}", hint=f'write {key} = "…" under [[ladders]]')
                if key in given:
                    values[key] = LADDER_CHECKS[key](key, given[key])
        if len(self.mistakes) > before:
            return None
        plan = LadderPlan(**values)
        with self.part(where):
            check_game(plan)
        return plan if len(self.mistakes) == before else None


def check_game(plan: LadderPlan) -> None:
    """Refuses settings and seats that the game of a ladder does not know."""
    book: Rulebook = load(plan.game)
    if "seed" in plan.settings:
        raise YardError("a seed among the settings", hint="leave it out: a ladder draws its own secret root")
    settings = book.settings.read(plan.settings, plan.preset or None)
    if plan.seats:
        book.facts.check_seats(plan.seats)
        settings.seated(plan.seats)


# Values, each with its remedy

Check = Callable[[str, Any], Any]


def words(most: int = WORDS_MAX, least: int = 0) -> Check:
    def check(key: str, value: Any) -> str:
        if not isinstance(value, str) or not value.isprintable() or not least <= len(value.strip()) <= most:
            raise YardError(
                f"{key} = {quoted(value)}", hint=f"must be {least} to {most} printable characters in quotes"
            )
        return value.strip()

    return check


def whole(least: int, most: int) -> Check:
    def check(key: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise YardError(f"{key} = {quoted(value)}", hint=f"must be a whole number from {least} to {most}")
        return value

    return check


def one_word(*choices: str) -> Check:
    def check(key: str, value: Any) -> str:
        if value not in choices:
            raise YardError(f"{key} = {quoted(value)}", hint=f"must be one of {', '.join(map(repr, choices))}")
        return str(value)

    return check


def listed(check_one: Check) -> Check:
    def check(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise YardError(f"{key} = {quoted(value)}", hint=f'must be a list: {key} = ["…"]')
        return tuple(check_one(key, one) for one in value)

    return check


def truth(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise YardError(f"{key} = {quoted(value)}", hint="must be true or false")
    return value


def table_of_values(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise YardError(f"{key} = {quoted(value)}", hint="must be a table: [ladders.settings] below its [[ladders]]")
    return value


def public_address(key: str, value: Any) -> str:
    """A yard lies at the root of its address, because its pages link to each other from there."""
    if value == "":
        return ""
    if not isinstance(value, str) or not is_root(value):
        raise YardError(f"{key} = {quoted(value)}", hint='write "https://NAME", without a path: people reach it there')
    return value.rstrip("/")


def is_root(address: str) -> bool:
    """Whether an address names a server over http or https, and nothing on it."""
    try:
        shape = urlsplit(address)
        bare = shape._replace(scheme="", netloc="").geturl() in ("", "/") and "@" not in shape.netloc
        named = HOST_NAME.fullmatch(bracketed(shape.hostname)) is not None and shape.port != 0
    except ValueError:
        return False
    return bare and named and shape.scheme in ("http", "https")


def bracketed(host: str | None) -> str:
    return f"[{host}]" if host and ":" in host else host or ""


def host_name(key: str, value: Any) -> str:
    if not isinstance(value, str) or not HOST_NAME.fullmatch(value):
        raise YardError(f"{key}: {quoted(value)}", hint='must be a name or an address, such as "bots.example.org"')
    return value.lower()


def listening(key: str, value: Any) -> str:
    """Where to listen: an address, also one of IPv6 without its brackets, or a name."""
    try:
        return str(ipaddress.ip_address(value.strip("[]") if isinstance(value, str) else ""))
    except ValueError:
        return host_name(key, value)


def network(key: str, value: Any) -> str:
    try:
        return str(ipaddress.ip_network(value if isinstance(value, str) else ""))
    except ValueError:
        hint = 'must be an address or a network, such as "127.0.0.1" or "10.0.0.0/8"'
        raise YardError(f"{key}: {quoted(value)}", hint=hint) from None


def database(key: str, value: Any) -> str:
    try:
        kind = sa.make_url(value).drivername if value else "sqlite"
    except (sa.exc.ArgumentError, ValueError, TypeError):
        kind = ""
    if not isinstance(value, str) or kind not in ("sqlite", "postgresql+psycopg"):
        hint = 'write "postgresql+psycopg://NAME:PASSWORD@HOST/DATABASE", or leave it out for SQLite in the folder'
        raise YardError(f"{key} cannot be read", hint=hint)  # it may hold a password, so it is not repeated
    return value


def slug(key: str, value: Any) -> str:
    if not isinstance(value, str) or not SLUG.fullmatch(value):
        raise YardError(f"{key} = {quoted(value)}", hint="must be 1 to 40 of a-z, 0-9 and -, as in an address")
    return value


def moment(key: str, value: Any) -> str:
    """A deadline in words, or as TOML writes times; it must say in which time zone."""
    try:
        at = value if isinstance(value, datetime) else datetime.fromisoformat(value) if value else None
        if at is not None and at.tzinfo is None:
            raise ValueError(value)
    except (ValueError, TypeError):
        hint = 'write a time with its zone, such as "2026-12-24T18:00+01:00"'
        raise YardError(f"{key} = {quoted(str(value))}", hint=hint) from None
    return "" if at is None else at.isoformat()


CHECKS: dict[str, Check] = {
    "title": words(least=1),
    "contact": words(),
    "database": database,
    "host": listening,
    "port": whole(0, 65535),
    "public_url": public_address,
    "hosts": listed(host_name),
    "proxies": listed(network),
    "registration": one_word(*REGISTRATIONS),
    "executor": one_word(*EXECUTORS),
    "address": words(),
    "workers": whole(0, 4096),
    "rounds_kept": whole(0, 100_000),
}
LADDER_CHECKS: dict[str, Check] = {
    "slug": slug,
    "game": words(least=1),
    "title": words(),
    "preset": words(),
    "settings": table_of_values,
    "seats": whole(0, 1000),
    "bots_per_person": whole(1, BOTS_MAX),
    "predictable": truth,
    "deadline": moment,
}
