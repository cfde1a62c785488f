"""What an original's host did around a match, where the game's settings ask for it: pace, warnings, status, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botyard.cli.console import errors, say
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Verdict

if TYPE_CHECKING:
    from botyard.match.loop import Played
    from botyard.match.original_files import OriginalFiles

PACE = Habits().ticks_per_s  # where a game has no pace of its own
KB_PER_MB = 1024


def pace_of(settings: Settings, given: int | None) -> int:
    """Ticks per second for whoever watches; 0: as fast as it goes."""
    return settings.habits.ticks_per_s if given is None else given


def memory_warnings(settings: Settings, played: Played) -> list[str]:
    """A line for every bot that used more memory than its game's host likes."""
    most = settings.habits.warning_kb
    used = [int(KB_PER_MB * (seat.peak_mb or 0)) for seat in played.seats]
    return [
        f"seat {at} ({seat.name}) used {used[at]} kB of memory; the warning is for more than {most} kB"
        for at, seat in enumerate(played.seats)
        if most and used[at] > most
    ]


def is_failure(settings: Settings, played: Played) -> bool:
    """Whether a bot's program failed or was stopped, and its game's host would tell so by its own exit status."""
    from botyard.match.wire_player import FINAL

    if not settings.habits.failure_is_exit_status:
        return False
    return any(turn.verdict in FINAL or (turn.verdict is Verdict.SILENT and not turn.limit_ms) for turn in played.turns)


def hand_out(originals: OriginalFiles, quiet: bool) -> None:
    """Writes the files of the original's host, says where they are, and prints what it printed."""
    paths, printed = originals.write()
    errors.print(printed, end="", markup=False, highlight=False, soft_wrap=True)
    for path in paths:
        if not quiet:
            say("wrote: {path}", path=path)
