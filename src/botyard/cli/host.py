"""This module does around a match what an original's host did, if the settings want it: pace, warnings, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botyard.cli.console import errors, say
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Verdict

if TYPE_CHECKING:
    from botyard.match.loop import Played
    from botyard.match.original_files import OriginalFiles

PACE = Habits().ticks_per_s  # for games without a pace of their own
KB_PER_MB = 1024


def pace_of(settings: Settings, given: int | None) -> int:
    """Returns the ticks per second for those who watch; 0 means as fast as possible."""
    return settings.habits.ticks_per_s if given is None else given


def memory_warnings(settings: Settings, played: Played) -> list[str]:
    """Returns a warning for every bot that used more memory than the settings want."""
    most = settings.habits.warning_kb
    used = [int(KB_PER_MB * (seat.peak_mb or 0)) for seat in played.seats]
    return [
        f"seat {at} ({seat.name}) used {used[at]} kB of memory, more than the {most} kB after which a warning is due"
        for at, seat in enumerate(played.seats)
        if most and used[at] > most
    ]


def is_failure(settings: Settings, played: Played) -> bool:
    """Whether a bot's program failed or was stopped, and the settings want the exit status to say so."""
    from botyard.match.wire_player import FINAL

    if not settings.habits.failure_is_exit_status:
        return False
    return any(turn.verdict in FINAL or (turn.verdict is Verdict.SILENT and not turn.limit_ms) for turn in played.turns)


def hand_out(originals: OriginalFiles, quiet: bool) -> None:
    """Writes the files that the original's host wrote, says where they are, and prints what the host printed."""
    paths, printed = originals.write()
    errors.print(printed, end="", markup=False, highlight=False, soft_wrap=True)
    for path in paths:
        if not quiet:
            say("wrote: {path}", path=path)
