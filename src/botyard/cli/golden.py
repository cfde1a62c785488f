"""`botyard golden` writes the golden playthrough of a game, which shows every change of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from botyard.cli.console import say
from botyard.cli.options import Game

FOLDER = Path("tests/golden")


def golden(
    game: Game,
    check: Annotated[bool, typer.Option("--check", help="Compare instead of writing.")] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it goes; tests/golden/GAME.txt in a checkout.")
    ] = None,
) -> None:
    """Write the golden playthrough of a game: its facts, and a short game drawn tick by tick.

    The file is kept in the repository, where its difference shows what a change to the rules does.
    """
    from botyard.games import load
    from botyard.games.golden import playthrough
    from botyard.match.storage import write_atomically

    text = playthrough(load(game))
    target = to or (FOLDER / f"{game}.txt" if FOLDER.is_dir() else None)
    if target is None:
        typer.echo(text, nl=False)
    elif not check:
        write_atomically(target, text.encode())
        say("wrote {target}", target=target)
    elif not target.is_file() or target.read_text() != text:
        say(
            "{target} differs from what the rules do now; `botyard golden {game}` rewrites it", target=target, game=game
        )
        raise typer.Exit(1)
