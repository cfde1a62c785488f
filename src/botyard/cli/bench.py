"""`botyard bench` measures how fast the rules run on this machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from botyard.cli.console import errors, print_json, print_table
from botyard.cli.options import Games, Json, chosen_games


def bench(
    games: Games = None,
    yardstick: Annotated[
        Path | None, typer.Option(metavar="FILE.py", help="Another implementation to measure in the same run.")
    ] = None,
    cuda: Annotated[bool, typer.Option("--cuda", help="Measure the GPU too, with a million games.")] = False,
    as_json: Json = False,
) -> None:
    """Measure games: steps per second on one thread, on all cores and on a GPU, the cost of a call, bytes per game.

    A step is one order of one seat, with the view for it. Orders are random, and finished games start again.
    """
    from botyard.sim.bench import measure, measure_cuda

    rows = []
    for book in chosen_games(games):
        with errors.status(f"measuring {book.facts.name}"):
            figures = measure(book, yardstick)
            if cuda:
                figures.cuda = measure_cuda(book)
        rows.append(figures)
    if as_json:
        print_json([asdict(figures) for figures in rows])
        return
    heads = [
        "game",
        ">one thread M/s",
        ">all cores M/s",
        ">orders given M/s",
        ">call µs",
        ">copy µs",
        ">bytes",
        ">mean game",
    ]
    heads += [">× yardstick"] if yardstick else []
    heads += [">GPU G/s"] if cuda else []
    shown = []
    for f in rows:
        row = [f.game, f"{f.one_thread / 1e6:.1f}", f"{f.all_cores / 1e6:.1f} ({f.cores})", f"{f.batch_step / 1e6:.1f}"]
        row += [f"{f.call_us:.2f}", f"{f.copy_us:.2f}", str(f.bytes_per_game), f"{f.mean_game:.0f}"]
        row += [f"{f.ratio:.2f}"] if f.ratio else []
        row += [f"{f.cuda['one_tick_per_launch'] / 1e9:.2f}"] if cuda else []
        shown.append(row)
    print_table(heads, shown)
