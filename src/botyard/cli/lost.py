"""The lost turns of a game, told on the screen: once each stretch, and not more than anybody reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botyard.cli.console import errors

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
    from rich.text import Text

    from botyard.kernel.plain import clean

    told: Counter[int] = Counter()
    untold: dict[int, Counter[str]] = {}
    names = [f"seat {seat} ({clean(name)})" for seat, name in enumerate(played.names)]
    for lost in lost_stretches(played):
        told[lost.seat] += 1
        if told[lost.seat] > MOST_TOLD:
            untold.setdefault(lost.seat, Counter())[lost.verdict] += lost.turns
            continue
        reason = "\n".join(map(clean, lost.reason.splitlines()))
        line = Text.assemble(f"{names[lost.seat]} {lost.when}: ", (str(lost.verdict), "red"), f" {reason}")
        errors.print(line, highlight=False, soft_wrap=True)
    for seat, verdicts in untold.items():
        counts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
        line = Text(f"{names[seat]} lost more turns: {counts}; botyard report {replay} --only-faults tells them all")
        errors.print(line, highlight=False, soft_wrap=True)


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
