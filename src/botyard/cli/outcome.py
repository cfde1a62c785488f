"""This module prints how a game ended, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botyard.cli.console import note, say

if TYPE_CHECKING:
    from botyard.match.loop import Played
    from botyard.match.series import SeriesGame


def tell_void(results: list[SeriesGame]) -> None:
    """Prints in one line why games of a series have no result: by a fault of ours, or because a bot ended them."""
    from botyard.match.blame import commonest

    void = [result for result in results if result.void]
    if words := commonest(result.trouble for result in void if not result.culprits):
        note("void: {words}", words=words)
    if words := commonest(result.trouble for result in void if result.culprits):
        note("no result: {words}", words=words)


def say_result(played: Played) -> None:
    outcome = played.outcome
    assert outcome is not None
    names = [name or "(no name)" for name in played.names]
    points = ", ".join(f"{name} {points}" for name, points in zip(names, outcome.scores, strict=True))
    ticks = len(played.replay.ticks)
    if outcome.winner is None:
        say("draw after {ticks} ticks: {points}", ticks=ticks, points=points)
    else:
        told = {"winner": names[outcome.winner], "seat": outcome.winner, "ticks": ticks, "points": points}
        say("[bold]{winner}[/] (seat {seat}) wins after {ticks} ticks: {points}", **told)
