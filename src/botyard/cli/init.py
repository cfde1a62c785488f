"""`botyard init` writes a bot to begin with."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from botyard.cli.console import note, out, print_json, print_table, say
from botyard.cli.options import Json, chosen_games, complete_game
from botyard.kernel.errors import YardError


def init(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Name of a game, see `botyard games`.", autocompletion=complete_game)
    ] = "",
    folder: Annotated[Path | None, typer.Argument(metavar="FOLDER", help="The new folder to write it to.")] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="python, javascript, java, c, go or lua; see --list.")
    ] = "python",
    show: Annotated[bool, typer.Option("--list", help="Show which starters there are.")] = False,
    as_json: Json = False,
) -> None:
    """Write a starter: a small bot that plays legally and can be made better.

    Example: botyard init GAME --language lua mybot

    It comes with a README that says how to build and run it, and where to change it.
    """
    if show:
        list_starters(game, as_json)
        return
    if not game or folder is None:
        raise YardError("init needs a game and a folder", hint="for example: botyard init GAME --language python mybot")
    from botyard.games.starters import starter_for, write_starter
    from botyard.jail.languages import language_named

    starter = starter_for(game, language_named(language))
    files = write_starter(starter, folder)
    if as_json:
        print_json({"game": game, "language": starter.language, "folder": str(folder), "files": files})
        return
    say("wrote {folder}: {files}", folder=folder, files=" ".join(files))
    name_missing(folder)
    out.print("next:", highlight=False)
    for command in next_commands(game, folder):
        say("    {command}", command=command)


def next_commands(game: str, folder: Path) -> list[str]:
    from shlex import quote

    from botyard.games import load

    house = next(iter(load(game).bots.HOUSE_BOTS))
    return [
        f"botyard check {quote(str(folder))}",
        f"botyard play {game} {quote(f'dir:{folder}')} house:{house} --watch",
    ]


def name_missing(folder: Path) -> None:
    """Says which programs the bot needs that this machine lacks."""
    from botyard.jail.manifest import manifest_of

    manifest = manifest_of(folder)
    programs = dict.fromkeys(command[0] for command in (*manifest.build, manifest.run) if "/" not in command[0])
    for program in programs:
        if shutil.which(program) is None:
            note("[yellow]{program} is not installed here:[/] the bot needs it", program=program)


def list_starters(game: str, as_json: bool) -> None:
    from botyard.games.starters import starters_of

    names = [book.facts.name for book in chosen_games([game] if game else None)]
    found = {name: [starter.language for starter in starters_of(name)] for name in names}
    if as_json:
        print_json(
            [{"game": name, "language": language} for name, languages in found.items() for language in languages]
        )
        return
    print_table(["game", "languages"], ([name, " ".join(languages)] for name, languages in found.items()))
