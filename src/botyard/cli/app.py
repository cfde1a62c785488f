"""The commands by name. Each lives in its own module and imports what it needs when it is called."""

from __future__ import annotations

from typing import Annotated

import typer

from botyard import __version__
from botyard.cli import about, bench, check, conform, contest, golden, init, ladder, play, replays, report, room, warm

app = typer.Typer(
    name="botyard",
    help="One yard for bots: play classic grid games over their original protocols, see why a turn was lost, "
    "watch replays.\n\nStart with [bold]botyard play hive house:forager house:wanderer --watch[/].",
    rich_markup_mode="rich",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"botyard {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of every command."""


for command in (
    about.games,
    init.init,
    check.check,
    play.play,
    room.room,
    ladder.ladder,
    contest.compare,
    replays.show,
    report.report,
    replays.verify,
    replays.export,
    about.settings,
    conform.conform,
    golden.golden,
    warm.warm,
    bench.bench,
    about.doctor,
):
    app.command()(command)

app.add_typer(contest.app)
