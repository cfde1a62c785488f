"""`botyard league` plays every house bot of a game against every other."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any

import typer

from botyard.cli.console import errors, print_json, print_table
from botyard.cli.options import Game, Json, Quiet


def league(
    game: Game,
    games: Annotated[int, typer.Option(min=2, help="Games per pair; each bot comes first in half of them.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game of each pair.")] = 1,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play every house bot of a game against every other and show who is ahead.

    A win is a point, a draw half a point. The table shows points out of 100 against each rival.
    """
    from rich.progress import track

    from botyard.games import load
    from botyard.match.blame import commonest

    book = load(game)
    bots = list(book.bots.HOUSE_BOTS)
    pairs = list(combinations(bots, 2))
    shares: dict[str, dict[str, float]] = {bot: {} for bot in bots}
    troubles: list[str] = []  # why games were void
    for first, second in track(pairs, f"{game}: {games} games a pair", console=errors, disable=quiet, transient=True):
        share = duel(book, first, second, games, seed, troubles)
        shares[first][second], shares[second][first] = share, 1 - share
    ranked = sorted(bots, key=lambda bot: -sum(shares[bot].values()))
    if as_json:
        values = {"game": game, "games_per_pair": games, "seed": seed, "ranking": ranked, "points": shares}
        print_json({**values, "void": len(troubles)})
    else:
        heads = ["bot", *(f">{bot}" for bot in ranked), ">all"]
        rows = [
            [bot, *(percent(shares[bot].get(rival)) for rival in ranked), percent(mean(shares[bot]))] for bot in ranked
        ]
        print_table(heads, rows, f"{book.facts.title}: {games} games a pair, points out of 100")
    if troubles:
        errors.print(f"{len(troubles)} games are void: {commonest(troubles)}", markup=False, soft_wrap=True)
        raise typer.Exit(1)


def duel(book: Any, first: str, second: str, games: int, seed: int, troubles: list[str]) -> float:
    """Returns the first bot's share of the points of all games that count; adds to `troubles` why others are void."""
    from botyard.match.series import play_house, seeds_from

    settings = book.settings().seated(2)
    half = games // 2
    seeds = seeds_from(seed, games)
    points, counted = 0.0, 0
    for bots, part, own in (([first, second], seeds[:half], 0), ([second, first], seeds[half:], 1)):
        for result in play_house(book, settings, bots, part):
            if result.void:
                troubles.append(result.trouble)
                continue
            counted += 1
            points += 0.5 if result.winner is None else float(result.winner == own)
    return points / counted if counted else 0.5


def mean(shares: dict[str, float]) -> float | None:
    return sum(shares.values()) / len(shares) if shares else None


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"
