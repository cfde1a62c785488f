"""The commands by name. Each has its own module and imports what it needs when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from botyard import __version__

COMMANDS = {
    "games": "about",
    "init": "init",
    "init-game": "init_game",
    "check": "check",
    "play": "play",
    "room": "room",
    "serve": "serve",
    "yard": "yard",
    "login": "login",
    "logout": "login",
    "upload": "upload",
    "watch": "site_watch",
    "pull": "pull",
    "league": "league",
    "compare": "compare",
    "view": "view",
    "show": "replays",
    "report": "report",
    "verify": "replays",
    "export": "export",
    "settings": "about",
    "conform": "conform",
    "golden": "golden",
    "warm": "warm",
    "bench": "bench",
    "doctor": "about",
    "contest": "contest",
}
"""A command and the module that holds it, in the order of the help; where there is no such function, its `app`."""


def make_app(called: str | None = None) -> typer.Typer:
    """Returns the application with every command, or only with the called one, because building all takes longer."""
    app = typer.Typer(
        name="botyard",
        help="One yard for bots: play classic grid games over their original protocols, see why a turn was lost, "
        "watch replays.\n\n"
        "Start with [bold]botyard games[/], then [bold]botyard play GAME house:BOT house:BOT --watch[/].",
        rich_markup_mode="rich",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    for name in [called] if called in COMMANDS else COMMANDS:
        module = import_module(f"botyard.cli.{COMMANDS[name]}")
        function = name.replace("-", "_")
        if hasattr(module, function):
            app.command(cls=getattr(module, "COMMANDS", {}).get(function))(getattr(module, function))
        else:
            app.add_typer(module.app)
    return app


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"botyard {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of every command."""
