"""A contest file, as a yard reads it: the same words as on the command line, but no path of this machine.

House bots stand in the file. Everybody else uploads: a line `KEY = "dir:…"` keeps a place for what an organiser hands
in under the last name of that path, and a pattern of many is passed over, because whoever enters takes part anyway.
Bots are caged as the yard says, so the file cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from botyard.contest.bot_patterns import SIGN
from botyard.contest.file_reader import Mistake
from botyard.contest.messages import CageOptions
from botyard.contest.plan import GUESSABLE_SEED, ContestBot, Plan
from botyard.contest.reading import BadPlan, ContestReader, checked_plan
from botyard.contest.roots import is_guessable
from botyard.jail.limits import Level
from botyard.jail.packed_bots import packed_name
from botyard.kernel.bounded import toml_of
from botyard.kernel.errors import YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS
from botyard.links.bot_spec import read_bot_spec
from botyard.yard.ladders.plans import seed_bits

FILE_MAX = 20_000  # bytes: a form holds it
NOWHERE = Path("/nowhere")  # what paths in the file would be relative to
NAME = "the contest file"


@dataclass(frozen=True, slots=True)
class FileMistake:
    """A mistake in a contest file, and the line that it stands on."""

    line: int | None
    where: str
    what: str
    hint: str

    def __str__(self) -> str:
        place = f"line {self.line}, {self.where}" if self.line and self.where else self.where or f"line {self.line}"
        return f"{place}: {self.what}" + (f" ({self.hint})" if self.hint else "")


class BadContestFile(YardError):
    """The error that lists all mistakes of a contest file, with their lines."""

    def __init__(self, mistakes: list[FileMistake]) -> None:
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "a mistake"
        super().__init__(f"{NAME} has {count}", hint="; ".join(map(str, mistakes)))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A contest file that was read: all but who enters."""

    text: str
    plan: Plan  # with the house bots of the file
    places: Mapping[str, ContestBot]  # by key: lines that keep a place for a submission
    predictable: bool
    warnings: tuple[str, ...] = ()

    def place_of(self, name: str) -> str | None:
        """Returns the key of the line that keeps a place for a submission of this name."""
        for key, bot in self.places.items():
            if packed_name(Path(PurePosixPath(bot.spec.partition(":")[2]).name)) == name:
                return key
        return None


@dataclass(slots=True)
class SiteReader(ContestReader):
    """Reads the contest file of a yard."""

    places: dict[str, ContestBot] = field(default_factory=dict)

    def bots(self, given: Mapping[str, Any], book: Rulebook, _: CageOptions, /) -> dict[str, ContestBot] | None:
        before = len(self.mistakes)
        bots = dict[str, ContestBot]()
        for key, bot in self.registered(given).items():
            with self.part(f"bots.{key}"):
                kind, path = bot.spec.partition(":")[::2]
                if kind == "house":
                    read_bot_spec(bot.spec, book)
                    bots[key] = bot
                elif kind != "dir":
                    hint = f'bots are uploaded here: name house bots, or keep a place with {key} = "dir:FOLDER"'
                    raise YardError(f"{quoted(bot.spec)} names a program of another machine", hint=hint)
                elif SIGN not in path:
                    self.places[key] = bot
        return bots if len(self.mistakes) == before else None

    def cage(self, given: Mapping[str, Any], toolchains: Mapping[str, Any]) -> CageOptions | None:
        hint = "leave it out: this site says how programs are held, and which toolchains there are"
        for key, value in given.items():
            with self.part("cage"):
                if key != "level" or value not in ("", Level.CAGED):
                    raise YardError(f"{key} = {quoted(value)}", hint=hint)
        for key in toolchains:
            with self.part(f"toolchains.{key}"):
                raise YardError("a toolchain of another machine", hint=hint)
        return CageOptions()

    def compare(self, plan: Plan) -> None:
        """Whether bots, format and seats fit is seen when the contest begins: nobody has entered yet."""


def read_site_file(text: str, *, predictable: bool = False) -> SiteFile:
    """Reads a contest file, or raises one error with all its mistakes and their lines."""
    raw = text.replace("\r\n", "\n")
    try:
        content = toml_of(raw.encode(), NAME, FILE_MAX)
    except YardError as error:
        raise BadContestFile([FileMistake(line_in(error.hint), "", error.message, error.hint)]) from None
    reader = SiteReader(Path("contest.toml"), NOWHERE)
    try:
        plan = checked_plan(reader, content)
    except BadPlan as error:
        raise BadContestFile([placed(raw, mistake) for mistake in error.mistakes]) from None
    bits = seed_bits(plan.book, plan.settings)
    if bits < SEED_BITS and not predictable:
        told = f"chance is drawn from {bits} bits, which a bot can find out while it plays"
        hint = "choose another generator or preset, or tick “predictable”, which the contest's page will show"
        raise BadContestFile([placed(raw, Mistake("settings", told, hint))])
    warnings = [GUESSABLE_SEED] if plan.root is not None and is_guessable(plan.root) else []
    plan = replace(plan, folder=Path(), path=Path("contest.toml"))
    return SiteFile(raw, plan, reader.places, bits < SEED_BITS, tuple(warnings))


def line_in(hint: str) -> int | None:
    """Returns the line that the parser of TOML names."""
    found = re.search(r"\(at line ([0-9]{1,6})", hint)
    return int(found[1]) if found else None


def placed(text: str, mistake: Mistake) -> FileMistake:
    return FileMistake(line_of(text, mistake.where), mistake.where, mistake.what, mistake.hint)


def line_of(text: str, where: str) -> int | None:
    """Returns the line of a key or a table; of one that is missing, that of the table it should stand in."""
    *tables, last = where.split(".", 1)
    inside, best = "", None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if header := re.fullmatch(r"\[\s*([\w-]+)\s*\].*", words):
            inside = header[1]
            if (tables and inside == tables[0]) or (not tables and inside == last):
                best = number
        elif inside == (tables[0] if tables else "") and re.match(rf"""["']?{re.escape(last)}["']?\s*=""", words):
            return number
    return best
