"""Arguments and options that several commands share, with completion."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from botyard.kernel.errors import YardError


def complete_game(incomplete: str) -> list[str]:
    from botyard.games import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def complete_bot(context: typer.Context, incomplete: str) -> list[str]:
    from botyard.games import GAMES, load

    game = context.params.get("game")
    house = [f"house:{name}" for name in load(game).bots.HOUSE_BOTS] if game in GAMES else ["house:"]
    return [bot for bot in [*house, "py:", "cmd:", "dir:", "listen"] if bot.startswith(incomplete)]


Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game, see `botyard games`.", autocompletion=complete_game)
]
Games = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="Names of games; all of them by default.", autocompletion=complete_game),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables for people.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]


def read_settings(assignments: list[str], file: Path | None) -> dict[str, Any]:
    """Settings from a TOML file and from key=value words, which win."""
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values.update(tomllib.loads(file.read_text()))
        except OSError as error:
            raise YardError(f"cannot read {file}", hint=error.strerror or str(error)) from None
        except tomllib.TOMLDecodeError as error:
            raise YardError(f"{file} is no TOML", hint=str(error)) from None
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise YardError(f"--set {assignment}", hint="write --set KEY=VALUE")
        values[key.strip()] = value.strip()
    return values
