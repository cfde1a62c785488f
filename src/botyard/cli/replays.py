"""`botyard show`, `verify` and `export`: replays."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from botyard.cli.console import out, print_json, print_table
from botyard.cli.options import Json
from botyard.kernel.errors import UnknownName, YardError

ReplayFile = Annotated[Path, typer.Argument(metavar="REPLAY", help="A file written by `botyard play`.")]


def show(
    replay: ReplayFile,
    tick: Annotated[int | None, typer.Option(min=0, help="The board before this tick; the end by default.")] = None,
    play: Annotated[bool, typer.Option("--play", help="Like a film.")] = False,
    pace: Annotated[int, typer.Option(min=1, help="Ticks per second of the film.")] = 100,
) -> None:
    """Show a replay: its end, the board at a tick, or the whole game as a film."""
    from botyard.match.replay import Replay
    from botyard.render.terminal import paint

    record = Replay.read(replay)
    if play:
        asyncio.run(film(record, pace))
        return
    last = len(record.ticks)
    wanted = last if tick is None else tick
    if wanted > last:
        raise YardError(f"no tick {wanted}", hint=f"the game has {last} ticks")
    for at, (game, _) in enumerate(record.play()):
        if at == wanted:
            notes = [f"tick {m.tick}, seat {m.seat}: {m.verdict} {m.reason}" for m in record.missed if m.tick <= wanted]
            out.print(f"{game.book.facts.title}, seed {record.seed}, tick {at} of {last}", highlight=False)
            out.print(paint(game.book.scene.scene(game.arena, game.state), record.names, notes[-3:]))
            break


async def film(record: object, pace: int) -> None:
    from botyard.cli.screen import live
    from botyard.match.replay import Replay

    assert isinstance(record, Replay)
    with live(record.names, pace) as watch:
        for game, _ in record.play():
            await watch(game, {})


def verify(
    replays: Annotated[list[Path], typer.Argument(metavar="REPLAY...", help="Files written by `botyard play`.")],
    as_json: Json = False,
) -> None:
    """Play replays again and check that they are true: orders, outcome and final state."""
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
        shown = (["true" if r["true"] else "REFUSED", r["file"], r["trouble"] or f"{r['ticks']} ticks"] for r in rows)
        print_table(["", "replay", ""], shown)
    if not all(row["true"] for row in rows):
        raise typer.Exit(1)


def export(
    replay: ReplayFile,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The target; its ending chooses the format.")],
) -> None:
    """Write a replay in a format of the game's original program."""
    from botyard.match.replay import Replay
    from botyard.match.storage import write_atomically

    record = Replay.read(replay)
    files = record.new_game().book.files
    if to.suffix not in files.EXPORTS:
        raise UnknownName(f"export format of {record.game}", to.suffix, files.EXPORTS)
    writer = files.exporter(to.suffix, record.names)
    for game, orders in record.play():
        if orders:
            writer.before(game, orders)
    write_atomically(to, writer.end(game))
    out.print(f"wrote {to}: {files.EXPORTS[to.suffix]}", highlight=False, soft_wrap=True)
