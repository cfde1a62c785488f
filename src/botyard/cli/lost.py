"""The lost turns of a game, told on the screen: once each stretch, and not more than anybody reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botyard.cli.console import Lines, note

if TYPE_CHECKING:
    from botyard.match.loop import Played
    from botyard.match.stretches import Stretch

MOST_TOLD = 10  # stretches of one seat


def lost_stretches(played: Played) -> list[Stretch]:
    """What the bots lost. A fault of ours is no lost turn of theirs; why the game is void is told with its result."""
    from botyard.kernel.verdict import Verdict
    from botyard.match.stretches import stretches

    missed = [miss for miss in played.replay.missed if miss.verdict is not Verdict.HOUSE or not played.trouble]
    return stretches(missed, played.turns)


def tell_lost_turns(played: Played, replay: Path) -> None:
    told: Counter[int] = Counter()
    untold: dict[int, Counter[str]] = {}
    names = [f"seat {seat} ({name})" for seat, name in enumerate(played.names)]
    for lost in lost_stretches(played):
        told[lost.seat] += 1
        if told[lost.seat] > MOST_TOLD:
            untold.setdefault(lost.seat, Counter())[lost.verdict] += lost.turns
            continue
        values = {"name": names[lost.seat], "lost": lost, "reason": Lines(lost.reason)}
        note("{name} {lost.when}: [red]{lost.verdict}[/] {reason}", **values)
    for seat, verdicts in untold.items():
        counts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
        more = {"name": names[seat], "counts": counts, "replay": replay}
        note("{name} lost more turns: {counts}; botyard report {replay} --only-faults tells them all", **more)


def stretch_values(played: Played) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "seat": lost.seat,
            "verdict": lost.verdict,
            "reason": lost.reason,
            "first_tick": lost.first,
            "last_tick": lost.last,
            "turns": lost.turns,
        }
        for lost in lost_stretches(played)
    ]
