"""`botyard conform` plays recordings of the original programs on our rules and compares."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import errors, out, print_json, print_table, say
from botyard.cli.options import Json, Preset

if TYPE_CHECKING:
    from botyard.kernel.recording import Conformance, Difference
    from botyard.kernel.rulebook import Rulebook


def conform(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Recordings; Botyard finds out which game each belongs to.")
    ],
    seed: Annotated[
        int | None, typer.Option(help="Seed of a recording that does not name it; searched for by default.")
    ] = None,
    preset: Preset = None,
    as_json: Json = False,
) -> None:
    """Replay recordings of the original programs and compare everything they hold.

    It compares states, texts sent, draws with their bounds, success flags and winners, and shows for each file how many
    steps were checked, how many are equal, and the first difference side by side. Most recordings name their settings;
    for logs of the originals, which do not, it tries the presets `program` and `document`, unless --preset says which.
    """
    results = []
    for path in files:
        with errors.status(f"replaying {path.name}"):
            results.append(check_file(path, seed, preset))
    if as_json:
        print_json([{**asdict(result), "holds": result.holds} for result in results])
    else:
        rows = [[r.game, r.games, r.steps, r.equal, "equal" if r.holds else "DIFFERS", r.file] for r in results]
        print_table(["game", ">games", ">steps", ">equal", "", "recording"], rows)
        for result in results:
            tell(result)
    if not all(result.holds for result in results):
        raise typer.Exit(1)


def tell(result: Conformance) -> None:
    """Prints more about a file: the settings it was compared under, notes, and the first difference."""
    from botyard.kernel.plain import clean

    for note in [f"compared under {result.under or 'the settings it names'}", *result.notes]:
        out.print(clean(f"{result.file}: {note}"), markup=False, highlight=False, soft_wrap=True)
    if result.first:
        draw_difference(result.first)
    if result.preset and not result.holds:
        advice = f"only preset {result.preset} was tried; leave --preset out to try the others, too"
        out.print(advice, markup=False, highlight=False, soft_wrap=True)


def check_file(path: Path, seed: int | None, preset: str | None) -> Conformance:
    from botyard.games import load_all
    from botyard.games.game import Game
    from botyard.kernel.errors import YardError
    from botyard.kernel.recording import Conformance, read_text

    text = read_text(path)
    books, _ = load_all()
    for book in books:
        if book.files.recognise(text):
            result = Conformance(book.facts.name, str(path), preset)
            book.files.check(text, result, seed, partial(Game, book))
            if preset and not result.under:
                raise YardError(f"{path} names its settings", hint="leave --preset out")
            return result
    raise YardError(f"{path} is not a recording of any known game", hint=playable_files(books))


def playable_files(books: list[Rulebook]) -> str:
    """Returns a sentence on which files can be played again, and what can be done about the others."""
    recorded = [book.facts.name for book in books if book.has_part("files")]
    exports = [f"{book.facts.name} {ending}" for book in books for ending in book.files.PLAYABLE]
    return (
        f"recordings of {', '.join(recorded)} can be played again, and of what `botyard export` writes: "
        f"{', '.join(exports)}; other files do not hold enough for that, but `botyard verify REPLAY` plays a game again"
    )


def draw_difference(difference: Difference) -> None:
    from rich.table import Table
    from rich.text import Text

    from botyard.kernel.plain import clean

    say("\nfirst difference: game {d.game}, step {d.step}, {d.what}", d=difference)
    table = Table(box=None, pad_edge=False)
    table.add_column("recorded", overflow="fold")
    table.add_column("ours", overflow="fold")
    table.add_column("")
    recorded, ours = difference.recorded.splitlines(), difference.ours.splitlines()
    for at in range(max(len(recorded), len(ours))):
        left, right = (lines[at] if at < len(lines) else "" for lines in (recorded, ours))
        table.add_row(Text(clean(left)), Text(clean(right)), "" if left == right else "←")
    out.print(table)
