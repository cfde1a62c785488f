"""A manifest says how a bot is built and run: it is read from `botyard.toml`, or made from what lies in the folder.

A bot is a file or a folder, which may come as an archive. Nothing is started here: a manifest only says what would be
done, with command lines relative to the folder.
"""

from __future__ import annotations

import os
import posixpath
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

from botyard.games import GAMES
from botyard.jail.bot_files import files_of, links_of, read_beginning, read_text
from botyard.jail.languages import SHOWN, BuildPlan, Sources, language_named, plan_of
from botyard.jail.packed_bots import is_packed, packed_name, unpacked
from botyard.jail.toolchains import NAMING
from botyard.kernel.bounded import TOML_MAX, toml_of
from botyard.kernel.errors import UnfitBot, UnknownName, YardError, quoted, refusal

MANIFEST_FILE = "botyard.toml"

Protocol = Literal["native", "json"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

HERE = PurePosixPath()
NAME_MAX = 60  # characters: names stand in tables
FILE_MAX = 16 * 1024
WORDS_MAX = 1000
COMMAND_MAX = 16 * 1024  # bytes, quoted for a shell
SCRIPT_MAX = 96 * 1024  # of all that builds a bot: the kernel takes 128 KB in one word
PATH_MAX, PART_MAX = 4096, 255  # bytes of a path, and of a name in it: more no file system has
BARE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is to be done with a bot; commands are started in its folder, or in a copy of it."""

    name: str
    author: str
    language: str
    game: str  # the game it was written for, or nothing
    build: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    protocol: Protocol
    folder: Path
    file: str = ""  # the bot is this file of the folder alone; the others are none of its business
    inside: PurePosixPath = HERE  # where in the folder it is built and run; elsewhere if the caller named a root
    found_by: str = ""  # what told so: "run in botyard.toml", "its name main.py"


def manifest_of(bot: Path, root: Path | None = None) -> Manifest:
    """The manifest of a file, a folder or an archive. What is missing or contradictory is named, for its author.

    A root is a folder around the bot that it reaches into; only who brings the bot may name one, never the bot.
    """
    try:
        if not bot.exists():
            raise YardError(
                f"there is no file or folder {str(bot)!r}", hint="a bot is a file, or a folder with a program in it"
            )
        try:
            if is_packed(bot):
                return packed_manifest(bot, root)
            return seen_manifest(bot, root)
        except YardError as error:
            raise UnfitBot(error.message, hint=error.hint) from None
    except OSError as error:  # a name too long, a loop of links, somebody else's folder, a file that has just gone
        raise refusal(f"cannot access {bot}", error) from None


def packed_manifest(bot: Path, root: Path | None) -> Manifest:
    """The manifest of a bot in an archive. Its author knows the archive, and not the folder it was unpacked into."""
    folder = unpacked(bot)
    try:
        return seen_manifest(folder, root, packed_name(bot))
    except YardError as error:
        raise UnfitBot(error.message.replace(str(folder), bot.name), hint=error.hint) from None


def seen_manifest(bot: Path, root: Path | None, name: str = "") -> Manifest:
    folder, file = (bot.resolve(), "") if bot.is_dir() else (bot.parent.resolve(), bot.name)
    sources = Sources(
        tuple(files_of(bot)),
        lambda inside: read_text(bot, inside),
        lambda inside: read_beginning(bot, inside, TOML_MAX + 1),
        single=bool(file),
    )
    name, inside = name or (Path(file).stem if file else folder.name), HERE
    if root is not None:
        folder, inside = root.resolve(), PurePosixPath(folder.relative_to(root.resolve()))
    keys = read_keys(bot, inside) if MANIFEST_FILE in sources.top and not file else {}
    plan = chosen_plan(keys, sources, bot)
    check_length(f"{bot}: {plan.language}", plan.run)
    if sum(len(os.fsencode(shlex.join(line))) for line in plan.build) > SCRIPT_MAX:
        hint = "write a Makefile that builds `agent`, or say build = … in botyard.toml"
        raise YardError(f"{bot}: building it takes a command line of more than {SCRIPT_MAX >> 10} KB", hint=hint)
    return Manifest(
        name=keys.get("name") or name,
        author=keys.get("author", ""),
        language=keys.get("language") or plan.language,
        game=keys.get("game", ""),
        build=plan.build,
        run=plan.run,
        protocol=keys.get("protocol", "native"),
        folder=folder,
        file=file,
        inside=inside,
        found_by=plan.found_by,
    )


def chosen_plan(keys: dict[str, Any], sources: Sources, bot: Path) -> BuildPlan:
    """How to build and run: as `run` and `build` of the manifest say, or else as the files in the folder tell."""
    if "run" in keys:
        found_by = f"run in {MANIFEST_FILE}"
        return BuildPlan(keys.get("language", ""), keys.get("build", ()), keys["run"], found_by)
    try:
        seen = plan_of(sources, keys.get("language", ""))
    except YardError as error:
        links = [name for name in links_of(bot) if name not in sources.top]
        also = f"; {', '.join(links[:SHOWN])}: links are not followed, so put the file itself there" if links else ""
        raise YardError(f"{bot}: {error.message}", hint=error.hint + also) from None
    found_by = f"{seen.found_by}, language in {MANIFEST_FILE}" if "language" in keys else seen.found_by
    return BuildPlan(seen.language, keys.get("build", seen.build), seen.run, found_by)


# botyard.toml


def read_keys(folder: Path, inside: PurePosixPath = HERE) -> dict[str, Any]:
    """The keys of a botyard.toml, each checked and in its final form; `inside` is where the bot lies in its root."""
    where = folder / MANIFEST_FILE
    values = toml_of(read_beginning(folder, MANIFEST_FILE, FILE_MAX + 1), str(where), FILE_MAX)
    for key in values:
        if key not in KEYS:
            raise UnknownName(f"key of {where}", key, KEYS)
    readers: dict[str, Callable[[str, Any], Any]] = {
        **KEYS,
        "build": partial(as_commands, inside=inside),
        "run": partial(as_command, inside=inside),
    }
    keys = {key: readers[key](f"{where}: {key} = {quoted(value)}", value) for key, value in values.items()}
    if "language" in keys and "run" not in keys:
        keys["language"] = language_named(keys["language"])
    return keys


def as_text(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise YardError(what, hint="must be a string in quotes")
    if not value.strip() or not value.isprintable() or len(value) > NAME_MAX:
        raise YardError(what, hint=f"must have 1 to {NAME_MAX} printable characters")
    return value.strip()


def as_game(what: str, value: Any) -> str:
    name = as_text(what, value)
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return name


def as_protocol(what: str, value: Any) -> str:
    name = as_text(what, value)
    if name not in PROTOCOLS:
        raise YardError(what, hint=f"must be one of {', '.join(PROTOCOLS)}")
    return name


def as_command(what: str, value: Any, inside: PurePosixPath = HERE) -> tuple[str, ...]:
    """A command line as text, or as a list of its words; the first of them names the program."""
    if isinstance(value, str):
        try:
            words = tuple(shlex.split(value))
        except ValueError as error:
            raise YardError(what, hint=str(error)) from None
    elif isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = tuple(value)
    else:
        raise YardError(what, hint="must be a command line, as a string or as a list of words")
    if not words:
        raise YardError(what, hint="must have at least one word")
    check_length(what, words)
    return (program_named(what, words[0], inside), *words[1:])


def program_named(what: str, word: str, inside: PurePosixPath) -> str:
    """The program of a command: a bare name that the house looks up, or a path that stays inside the bot, or its root.

    Such a path is made plain, so that nobody after us meets a `..`. What lies there is not looked at: the name is data.
    """
    if BARE_NAME.fullmatch(word):
        return word
    path = posixpath.normpath(inside / word)
    parts = path.split("/")
    fits = (
        "/" in word
        and not word.startswith("~")
        and "\0" not in word
        and not word.endswith("/")
        and parts[0] not in ("", ".", "..")
    )
    if not fits or len(word.encode()) > PATH_MAX or max(len(part.encode()) for part in parts) > PART_MAX:
        raise YardError(f"{what}: the program {quoted(word)}", hint=NAMING)
    return f"./{posixpath.relpath(path, inside)}"


def check_length(what: str, words: tuple[str, ...]) -> None:
    """Refuses a command line that no kernel and no cage would start: it would look like a fault of ours."""
    size = len(os.fsencode(shlex.join(words)))
    if len(words) > WORDS_MAX or size > COMMAND_MAX:
        hint = f"must have at most {WORDS_MAX} words and {COMMAND_MAX >> 10} KB; use a script or a Makefile"
        raise YardError(f"{what}: a command line of {len(words)} words and {size} bytes", hint=hint)


def as_commands(what: str, value: Any, inside: PurePosixPath = HERE) -> tuple[tuple[str, ...], ...]:
    """One command line as text, or a list of command lines, carried out in turn."""
    return tuple(as_command(what, line, inside) for line in (value if isinstance(value, list) else [value]))


KEYS: dict[str, Callable[[str, Any], Any]] = {
    "name": as_text,
    "author": as_text,
    "language": as_text,
    "game": as_game,
    "build": as_commands,
    "run": as_command,
    "protocol": as_protocol,
}
