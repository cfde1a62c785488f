"""The group of commands `botyard contest`, and what several of them share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from botyard.cli.console import print_table, say

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.rank.standings import Standings

AFTERNOON = ("new", "check", "run", "watch", "status", "report", "replay")  # as an organiser comes to them


class InOrder(TyperGroup):
    """Lists the commands in the order in which an organiser needs them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=AFTERNOON.index)


app = typer.Typer(
    name="contest",
    cls=InOrder,
    help="Contests from one file: round robins, matches, king of the hill, Swiss, knockouts, rated waves.\n\n"
    "Start with [bold]botyard contest new GAME league.toml --bots subs/*[/], then [bold]check[/] and [bold]run[/] it.",
    rich_markup_mode="rich",
    no_args_is_help=True,
)

ContestFile = Annotated[
    Path, typer.Argument(metavar="CONTEST.toml", help="A contest file; `botyard contest new` writes one.")
]


def show_standings(plan: Plan, standings: Standings) -> None:
    heads = ["bot", ">place", *(f">{head}" for head in standings.heads)]
    rows = [
        [plan.names[row.bot], row.place or "guest", *(figure(value) for value in row.columns.values())]
        for row in standings.rows
    ]
    print_table(heads, rows, plan.title)
    if standings.verdict:
        say("{verdict}", verdict=standings.verdict)


def near(path: Path) -> Path:
    """Returns a path as somebody in the current folder would type it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
