"""`botyard show` and `verify` show replays and check them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import out, print_json, print_table, say
from botyard.cli.host import PACE, pace_of
from botyard.cli.options import Json
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.match.replay import Replay

ReplayFile = Annotated[Path, typer.Argument(metavar="REPLAY", help="A file written by `botyard play`.")]


def show(
    replay: ReplayFile,
    tick: Annotated[
        int | None, typer.Option(min=0, help="Show the board before this tick; by default the end.")
    ] = None,
    play: Annotated[bool, typer.Option("--play", help="Show the whole game as a film.")] = False,
    pace: Annotated[
        int | None,
        typer.Option(min=0, help=f"Ticks per second of the film; 0: no limit. {PACE}, or the game's own."),
    ] = None,
) -> None:
    """Show a replay: its end, the board at a tick, or the whole game as a film."""
    from botyard.games.picture import scene_of
    from botyard.match.replay import Replay
    from botyard.render.terminal import paint

    record = Replay.read(replay)
    if play:
        asyncio.run(film(record, pace))
        return
    last = len(record.ticks)
    wanted = last if tick is None else tick
    if wanted > last:
        raise YardError(f"the replay has no tick {wanted}", hint=f"the game has {last} ticks")
    for at, (game, _) in enumerate(record.play()):
        if at == wanted:
            notes = [f"tick {m.tick}, seat {m.seat}: {m.verdict} {m.reason}" for m in record.missed if m.tick <= wanted]
            title = game.book.facts.title
            say("{title}, seed {seed}, tick {at} of {last}", title=title, seed=record.seed, at=at, last=last)
            out.print(paint(scene_of(game), record.names, notes[-3:]))
            break


async def film(record: Replay, pace: int | None) -> None:
    from botyard.cli.screen import live

    with live(record.names, pace_of(record.new_game().settings, pace)) as watch:
        for game, _ in record.play():
            await watch(game, {})


def verify(
    replays: Annotated[list[Path], typer.Argument(metavar="REPLAY...", help="Files written by `botyard play`.")],
    as_json: Json = False,
) -> None:
    """Play replays again and check their orders, outcome and final state."""
    from botyard.match.replay import Replay

    rows = []
    for path in replays:
        try:
            record = Replay.read(path)
            record.verify()
            rows.append({"file": str(path), "true": True, "ticks": len(record.ticks), "trouble": ""})
        except YardError as error:
            rows.append({"file": str(path), "true": False, "ticks": None, "trouble": str(error)})
    if as_json:
        print_json(rows)
    else:
        shown = [["true" if r["true"] else "REFUSED", r["file"], r["trouble"] or f"{r['ticks']} ticks"] for r in rows]
        print_table(["", "replay", ""], shown)
    if not all(row["true"] for row in rows):
        raise typer.Exit(1)
