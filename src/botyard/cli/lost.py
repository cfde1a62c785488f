"""This module prints the lost turns of a game: each stretch of like turns once, and only the first stretches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botyard.cli.console import Lines, note

if TYPE_CHECKING:
    from botyard.match.loop import Played
    from botyard.match.stretches import Stretch

MOST_TOLD = 10  # stretches printed for one seat


def lost_stretches(played: Played) -> list[Stretch]:
    """Returns the turns that bots lost. A fault of ours is not among them: the result says why a game is void."""
    from botyard.kernel.verdict import Verdict
    from botyard.match.stretches import listed_turns, stretches
    from botyard.match.turns import Turn

    asked = {(turn.tick, turn.seat, turn.verdict) for turn in played.turns}
    beyond = [Turn.missed(miss) for miss in played.replay.missed if (miss.tick, miss.seat, miss.verdict) not in asked]
    listed = listed_turns([*played.turns, *beyond], words_matter=False)
    return stretches(one for one in listed if one.turn.verdict not in (Verdict.OK, Verdict.HOUSE))


def tell_lost_turns(played: Played, replay: Path) -> None:
    told: Counter[int] = Counter()
    untold: dict[int, Counter[str]] = {}
    names = [f"seat {seat} ({name})" for seat, name in enumerate(played.names)]
    for lost in lost_stretches(played):
        seat, verdict = lost.first.seat, lost.first.verdict
        told[seat] += 1
        if told[seat] > MOST_TOLD:
            untold.setdefault(seat, Counter())[verdict] += len(lost.turns)
            continue
        when = "at the start" if lost.ticks == "start" else f"in {lost.ticks}"
        values = {"name": names[seat], "when": when, "verdict": verdict, "reason": Lines(lost.first.reason)}
        note("{name} {when}: [red]{verdict}[/] {reason}", **values)
    for seat, verdicts in untold.items():
        counts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
        more = {"name": names[seat], "counts": counts, "replay": replay}
        note("{name} lost more turns: {counts}; botyard report {replay} --only-faults shows them all", **more)


def stretch_values(played: Played) -> list[dict[str, Any]]:
    """Returns the lost turns as values for JSON."""
    return [
        {
            "seat": lost.first.seat,
            "verdict": lost.first.verdict,
            "reason": lost.first.reason,
            "first_tick": lost.first.tick,
            "last_tick": lost.last.tick,
            "turns": len(lost.turns),
        }
        for lost in lost_stretches(played)
    ]
