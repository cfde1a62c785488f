"""How a bot is built and run: read from its `botyard.toml`, or seen from what lies in its folder.

A bot is a file or a folder. Nothing is started here: a recipe only says what would be done, with command lines relative
to the folder.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

from botyard.games import GAMES
from botyard.jail.contents import files_of, links_of, read_text
from botyard.jail.languages import Plan, Sources, language_named, plan_of
from botyard.kernel.errors import UnknownName, YardError

MANIFEST = "botyard.toml"

Protocol = Literal["native", "json"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

HERE = PurePosixPath()
NAME_MAX = 60  # characters: names stand in tables


@dataclass(frozen=True, slots=True)
class Recipe:
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


def recipe_of(bot: Path, root: Path | None = None) -> Recipe:
    """The recipe of a file or a folder; what is missing or contradictory is the author's to mend, and named.

    A root is a folder around the bot that it reaches into; only who brings the bot may name one, never the bot.
    """
    if not bot.exists():
        raise YardError(f"no file or folder {str(bot)!r}", hint="a bot is a file, or a folder with a program in it")
    sources = Sources(tuple(files_of(bot)), lambda inside: read_text(bot, inside))
    folder, file = (bot.resolve(), "") if bot.is_dir() else (bot.parent.resolve(), bot.name)
    manifest = read_manifest(bot) if MANIFEST in sources.top and not file else {}
    plan = chosen_plan(manifest, sources, bot)
    name = manifest.get("name") or (Path(file).stem if file else folder.name)
    inside = HERE
    if root is not None:
        folder, inside = root.resolve(), PurePosixPath(folder.relative_to(root.resolve()))
    return Recipe(
        name=name,
        author=manifest.get("author", ""),
        language=manifest.get("language") or plan.language,
        game=manifest.get("game", ""),
        build=plan.build,
        run=plan.run,
        protocol=manifest.get("protocol", "native"),
        folder=folder,
        file=file,
        inside=inside,
    )


def chosen_plan(manifest: dict[str, Any], sources: Sources, bot: Path) -> Plan:
    """Who says how to run a bot says it all; otherwise the folder speaks."""
    if "run" in manifest:
        return Plan(manifest.get("language", ""), manifest.get("build", ()), manifest["run"])
    try:
        seen = plan_of(sources, manifest.get("language", ""))
    except YardError as error:
        links = [name for name in links_of(bot) if name not in sources.top]
        also = f"; {', '.join(links)}: links are not followed, put the file itself there" if links else ""
        raise YardError(f"{bot}: {error.message}", hint=error.hint + also) from None
    return Plan(seen.language, manifest.get("build", seen.build), seen.run)


# botyard.toml


def read_manifest(folder: Path) -> dict[str, Any]:
    """The keys of a manifest, each checked and in its final form."""
    where = folder / MANIFEST
    try:
        values = tomllib.loads(read_text(folder, MANIFEST))
    except tomllib.TOMLDecodeError as error:
        raise YardError(f"{where} is no TOML", hint=str(error)) from None
    for key in values:
        if key not in KEYS:
            raise UnknownName(f"key of {where}", key, KEYS)
    manifest = {key: KEYS[key](f"{where}: {key} = {value!r}", value) for key, value in values.items()}
    if "language" in manifest and "run" not in manifest:
        manifest["language"] = language_named(manifest["language"])
    return manifest


def as_text(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise YardError(what, hint="text in quotes is wanted")
    if not value.strip() or not value.isprintable() or len(value) > NAME_MAX:
        raise YardError(what, hint=f"1 to {NAME_MAX} printable characters are wanted")
    return value.strip()


def as_game(what: str, value: Any) -> str:
    name = as_text(what, value)
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return name


def as_protocol(what: str, value: Any) -> str:
    name = as_text(what, value)
    if name not in PROTOCOLS:
        raise YardError(what, hint=f"one of {', '.join(PROTOCOLS)} is wanted")
    return name


def as_command(what: str, value: Any) -> tuple[str, ...]:
    """A command line as text, or as a list of its words."""
    if isinstance(value, str):
        try:
            words = tuple(shlex.split(value))
        except ValueError as error:
            raise YardError(what, hint=str(error)) from None
    elif isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = tuple(value)
    else:
        raise YardError(what, hint="a command line is wanted, as text or as a list of words")
    if not words or any("\0" in word for word in words):
        raise YardError(what, hint="a command line has at least one word, and no zero bytes")
    return words


def as_commands(what: str, value: Any) -> tuple[tuple[str, ...], ...]:
    """One command line as text, or a list of command lines, carried out in turn."""
    return tuple(as_command(what, line) for line in value) if isinstance(value, list) else (as_command(what, value),)


KEYS: dict[str, Callable[[str, Any], Any]] = {
    "name": as_text,
    "author": as_text,
    "language": as_text,
    "game": as_game,
    "build": as_commands,
    "run": as_command,
    "protocol": as_protocol,
}
