"""`botyard warm`: compiling ahead."""

from __future__ import annotations

from botyard.cli.console import errors
from botyard.cli.options import Games, Quiet, chosen_games


def warm(games: Games = None, quiet: Quiet = False) -> None:
    """Compile the rules of games ahead, so that the first game starts at once."""
    from rich.progress import Progress

    from botyard.kernel import cache
    from botyard.kernel.rulebook import LOOP_GROUPS

    cache.announce = lambda text: None
    books = chosen_games(games)
    with Progress(console=errors, disable=quiet) as progress:
        task = progress.add_task("compiling", total=len(books) * len(LOOP_GROUPS))
        for book in books:
            for group in LOOP_GROUPS:
                progress.update(task, description=f"compiling {book.facts.name} ({group})")
                book.prepare(book.settings(), group)
                progress.advance(task)
        progress.update(task, description=f"ready: {', '.join(book.facts.name for book in books)}")
