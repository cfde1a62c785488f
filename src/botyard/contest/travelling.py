"""Bots of a contest travel to workers on other machines as canonical archives, so that no folder has to be shared.

Of a `dir:` bot all its files travel, of a `py:`, `cmd:` or `json:` bot the folder of its file, as far as a cage would
show it. There the bot is read as it was here, against the folder that was unpacked, and has the same name. A program
that does not lie below the contest's folder, such as one on the search path, is not sent: it must be installed there.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from botyard.contest.messages import Brief
from botyard.games import load
from botyard.jail.bot_copies import public_files
from botyard.jail.canonical import Source, kept_tree, pack_bot
from botyard.jail.packed_bots import is_packed, packed_name, unpacked
from botyard.kernel.errors import UnfitBot, YardError
from botyard.kernel.rulebook import Rulebook
from botyard.links.bot_spec import BotSpec, read_bot_spec
from botyard.links.cage_policy import CagePolicy, FileBot, FunctionBot

IN_MEMORY = 1 << 20
NAMELESS = "bot"  # a folder without a name, such as the root of all


@dataclass(frozen=True, slots=True)
class TravellingBot:
    """A bot as it travels: how it is named in its unpacked source."""

    spec: str
    source: Source
    folder: str = ""  # in the unpacked source, where the paths of the specification start

    def read(self, book: Rulebook, policy: CagePolicy) -> BotSpec:
        """Returns the bot on the machine that it came to."""
        return read_bot_spec(self.spec, book, policy, kept_tree(self.source, policy.level) / self.folder)


@dataclass(frozen=True, slots=True)
class Travellers:
    """What becomes of the bots of a contest elsewhere: some travel, some could not be built here and forfeit."""

    bots: Mapping[str, TravellingBot]  # by the specification that the contest knows
    unbuilt: Mapping[str, str]  # why, in the same way

    def read(self, spec: str, brief: Brief) -> BotSpec:
        """Returns a bot of the contest on the machine of a worker."""
        book, policy = load(brief.game), brief.cage.policy
        if spec in self.unbuilt:
            raise UnfitBot(self.unbuilt[spec])
        if spec in self.bots:
            return self.bots[spec].read(book, policy)
        return read_bot_spec(spec, book, policy, Path(brief.folder))


def packed_bots(brief: Brief, unbuilt: Mapping[str, str]) -> Travellers:
    """Packs the bots of a contest; those that could not be built here, which are named by their keys, stay here."""
    folder = Path(brief.folder)
    book, policy = load(brief.game), brief.cage.policy
    bots: dict[str, TravellingBot] = {}
    for key, spec in brief.bots.items():
        try:
            packed = None if key in unbuilt else packed_bot(spec, book, policy, folder)
        except YardError as error:
            raise YardError(f"{key} cannot travel to other machines: {error.message}", hint=error.hint) from None
        if packed is not None:
            bots[spec] = packed
    return Travellers(bots, {brief.bots[key]: why for key, why in unbuilt.items()})


def packed_bot(spec: str, book: Rulebook, policy: CagePolicy, folder: Path) -> TravellingBot | None:
    """Returns a bot ready to travel; None if there is nothing to send."""
    kind, _, rest = spec.partition(":")
    if kind == "dir":
        return packed_folder(rest, folder)
    if kind not in ("py", "cmd", "json"):
        return None
    bot = read_bot_spec(spec, book, policy, folder).bot
    if not isinstance(bot, FileBot) or bot.home is None or bot.own is None:
        return None
    shown = public_files(bot.home, bot.named)
    if isinstance(bot, FunctionBot):
        function = rest.rpartition(":")[2] if ":" in rest and not (folder / rest).exists() else ""
        name = bot.home.name or NAMELESS
        inside = f"py:{name}/{bot.own.name}" + (f":{function}" if function else "")
        return TravellingBot(inside, archive_of(bot.home, PurePosixPath(name), shown))
    here = Path(os.path.realpath(folder))
    if not bot.home.is_relative_to(here):
        return None
    name = here.name or NAMELESS
    return TravellingBot(spec, archive_of(bot.home, PurePosixPath(name) / bot.home.relative_to(here), shown), name)


def packed_folder(path: str, folder: Path) -> TravellingBot:
    root, _, inside = path.partition("//")
    bot = folder / (root if inside else path)
    if is_packed(bot):
        name = packed_name(bot)
        return TravellingBot(f"dir:{name}", archive_of(unpacked(bot), PurePosixPath(name)))
    if not bot.is_dir():
        return TravellingBot(f"dir:{bot.name}", archive_of(bot, PurePosixPath()))
    name = bot.resolve().name or NAMELESS
    return TravellingBot(f"dir:{name}//{inside}" if inside else f"dir:{name}", archive_of(bot, PurePosixPath(name)))


def archive_of(folder: Path, under: PurePosixPath, only: Collection[PurePosixPath] | None = None) -> Source:
    with SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        pack_bot(folder, cast("IO[bytes]", spool), under, only)
        spool.seek(0)
        return Source.of(spool.read())
