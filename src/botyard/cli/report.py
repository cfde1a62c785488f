"""`botyard report` says what became of every turn, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import out, print_json
from botyard.cli.options import Json
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.match.report import TurnReport


def report(
    replays: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPLAY...",
            help="Replays written by `botyard play`, with their .turns files beside them, or folders of them.",
        ),
    ],
    seat: Annotated[int | None, typer.Option(min=0, help="Only this seat.")] = None,
    only_faults: Annotated[bool, typer.Option("--only-faults", help="Only turns that were lost.")] = False,
    ticks: Annotated[
        str | None, typer.Option(metavar="FROM[-TO]", help="Only these ticks, such as 7 or 120-130.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show texts in full, as far as they were kept.")] = False,
    as_json: Json = False,
) -> None:
    """Show what became of every turn: what was sent, what came back, milliseconds, verdict, stderr.

    A summary comes first. For several replays only the lost turns are listed.

    Examples: botyard report replays/GAME-7.replay --only-faults
    botyard report replays --seat 0
    """
    from botyard.match.report import TurnFilter, TurnReport

    first, last = read_ticks(ticks)
    files = [file for path in replays for file in files_of(path)]
    told = TurnReport(TurnFilter(seat, only_faults, first, last), series=len(files) > 1)
    for path in files:
        told.add_file(path)
    if as_json:
        from botyard.match.report_json import report_json

        print_json(report_json(told))
    else:
        print_report(told, full)


def files_of(path: Path) -> list[Path]:
    """Returns a replay, or all replays of a folder."""
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.replay"))
    if not found:
        raise YardError(
            f"there is no replay in {path}", hint="`botyard play --replay` writes files that end in .replay"
        )
    return found


def read_ticks(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, dash, last = text.partition("-")
    ends = [first, last if dash else first]
    if not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
        raise YardError(f"--ticks {text}", hint="write a tick such as 7, or the first and the last one such as 120-130")
    return int(ends[0]), int(ends[1])


def print_report(told: TurnReport, full: bool) -> None:
    from rich.text import Text

    from botyard.match.report_text import report_lines

    for line in report_lines(told, full=full):
        out.print(Text(line.text, style=line.style), soft_wrap=True, highlight=False)


def write_report(told: TurnReport, path: Path) -> None:
    """Writes a turn report to a file: as JSON if its name ends in .json, otherwise as text."""
    from botyard.match.report_json import report_json
    from botyard.match.report_text import report_lines
    from botyard.match.storage import write_atomically

    if path.suffix == ".json":
        content = json.dumps(report_json(told), indent=2)
    else:
        content = "\n".join(line.text for line in report_lines(told))
    write_atomically(path, f"{content}\n".encode())
