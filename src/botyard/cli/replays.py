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
    tick: Annotated[int | None, typer.Option(min=0, help="Print the board before this tick.")] = None,
    play: Annotated[
        bool, typer.Option("--play", help="Play the whole game as a film, from the first tick to the end.")
    ] = False,
    pace: Annotated[
        int | None,
        typer.Option(min=0, help=f"Ticks per second at the speed 1x; 0: no limit. {PACE}, or the game's own."),
    ] = None,
) -> None:
    """Look at a replay: go through it with keys, print the board at a tick, or play it as a film.

    In a terminal, keys go through the game: left and right one tick (with shift, or as , and . ten), space plays, up
    and down change the speed, n and p go to the next and the previous mark, f to the next lost turn, 0 to 9 show what
    that seat saw, g goes to a tick, ? lists all keys, q leaves.

    Where the output is no terminal, or with --tick, a board is printed: that before the tick, or the last one.
    """
    from botyard.cli.full_screen import has_keys, is_screen
    from botyard.match.replay import Replay

    record = Replay.read(replay)
    speed = pace_of(record.new_game().settings, pace)
    if tick is None and is_screen(out) and (play or has_keys()):
        from botyard.cli.screen import show_replay

        show_replay(record, speed, play)
        if not play:
            return
    if play and not is_screen(out):
        asyncio.run(film(record))
    else:
        print_board(record, tick)


def print_board(record: Replay, tick: int | None) -> None:
    """Prints the board before a tick, or the last one."""
    from botyard.games.picture import scene_of
    from botyard.render.terminal import paint

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


async def film(record: Replay) -> None:
    from botyard.cli.screen import plain_watcher

    watch = plain_watcher(record.names)
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
