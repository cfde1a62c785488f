"""The arguments and options that several commands share, with their completion."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.kernel.bounded import read_toml
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.links.cage_policy import CagePolicy


def complete_game(incomplete: str) -> list[str]:
    from botyard.games import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def chosen_games(names: list[str] | None) -> list[Rulebook]:
    """Returns the games of these names, or all games; then it also prints which of them are broken."""
    from botyard.cli.console import note
    from botyard.games import load, load_all

    if names:
        return [load(name) for name in names]
    books, troubles = load_all()
    for trouble in troubles:
        note("[yellow]{trouble}[/]", trouble=str(trouble))
    return books


def complete_bot(context: typer.Context, incomplete: str) -> list[str]:
    from botyard.games import GAMES, load

    game, house = context.params.get("game"), ["house:"]
    if game in GAMES:
        with contextlib.suppress(YardError):  # a broken game has no bots to offer
            house = [f"house:{name}" for name in load(game).bots.HOUSE_BOTS]
    return [bot for bot in [*house, "py:", "cmd:", "dir:", "json:", "listen"] if bot.startswith(incomplete)]


Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; see `botyard games`.", autocompletion=complete_game)
]
GameOrNone = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", help="Name of a game; see `botyard games`.", autocompletion=complete_game, show_default=False
    ),
]
Games = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="Names of games; by default all of them.", autocompletion=complete_game),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables for people.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]

Preset = Annotated[
    str | None, typer.Option(help="document (the rules as written) or program (as the original program played).")
]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting; see `botyard settings`.")
]
SettingsFile = Annotated[Path | None, typer.Option("--settings", metavar="FILE.toml", help="Settings from a file.")]

Open = Annotated[
    bool,
    typer.Option("--open", help="Trust the programs: run them uncaged, as you. Never use this for strangers' bots."),
]
Limited = Annotated[
    bool,
    typer.Option(
        "--limited", help="For machines without cages, as root: give each program only a user and limits of its own."
    ),
]
Toolchains = Annotated[
    list[str] | None,
    typer.Option("--toolchain", metavar="NAME=FOLDER", help="Show bots one more toolchain, as in zig=/opt/zig."),
]
Memory = Annotated[int, typer.Option("--memory", metavar="MB", min=16, help="Most memory that one program may use.")]
Freeze = Annotated[bool, typer.Option("--freeze", help="Freeze programs between their turns.")]

Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="FILE|MATCH",
        help="Play a recorded game again: a .replay file, or a match of a site by its number or address.",
    ),
]
Me = Annotated[
    str,
    typer.Option(
        "--me",
        metavar="BOT",
        help="With --like: the bot that plays your seats. By default, on a site, the version of yours that played.",
        autocompletion=complete_bot,
        show_default=False,
    ),
]
OwnSeats = Annotated[
    list[int] | None,
    typer.Option("--seat", metavar="NUMBER", help="With --like: a seat that is yours, from 0; may be repeated."),
]
SiteOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        metavar="ADDRESS",
        help="The site, if you are signed in to several; by default BOTYARD_SITE, or that of your last login.",
        show_default=False,
    ),
]


def cage_policy_of(
    trusted: bool, limited: bool, memory_mb: int, freeze: bool = False, toolchains: list[str] | None = None
) -> CagePolicy:
    """Returns how programs are held; if that is not in a cage, prints so."""
    from botyard.cli.ready import tell_level
    from botyard.jail.limits import Level, Limits
    from botyard.links.cage_policy import CagePolicy

    if trusted and limited:
        raise YardError("--open and --limited exclude each other", hint="choose one of them")
    level = Level.OPEN if trusted else Level.LIMITED if limited else None
    tell_level(level or "")
    return CagePolicy(level, Limits(memory_mb=memory_mb), freeze, read_toolchains(toolchains or []))


def read_toolchains(words: list[str]) -> dict[str, Path]:
    """Returns the toolchains that NAME=PATH words add to those that Botyard finds."""
    found = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not name or not path:
            raise YardError(f"--toolchain {word}", hint="write --toolchain NAME=FOLDER, as in zig=/opt/zig")
        found[name] = Path(path).absolute()
    return found


def read_settings(assignments: list[str], file: Path | None) -> dict[str, Any]:
    """Returns settings from a TOML file and from key=value words, which override the file."""
    values: dict[str, Any] = {}
    if file is not None:
        values.update(read_toml(file))
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise YardError(f"--set {assignment}", hint="write --set KEY=VALUE")
        values[key.strip()] = value.strip()
    return values
