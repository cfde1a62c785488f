"""This module prints our own faults: they are no mistakes of the user, who can often remove the cause, though."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from botyard.cli.console import note

if TYPE_CHECKING:
    from botyard.contest.plan import Plan


@contextlib.contextmanager
def reasons_told(plan: Plan) -> Iterator[None]:
    """Makes a run that gives up, because of the machine or of dying workers, say why and end with status 1."""
    from botyard.contest.runner import GivenUp
    from botyard.match.blame import commonest, is_ours

    try:
        yield
    except Exception as error:
        if not isinstance(error, GivenUp) and not is_ours(error):
            raise
        note("[red]the contest was given up because Botyard failed[/]")
        tell(commonest([f"{type(error).__name__}: {error}"]))
        with contextlib.suppress(Exception):  # the machine may refuse us this, too
            tell_faults(plan)
        raise typer.Exit(1) from None


def tell_faults(plan: Plan) -> None:
    """Prints why faults of ours spoiled games: the most frequent reason, how often, and a remedy if one is known."""
    from botyard.contest.store_file import StoreFile
    from botyard.match.blame import commonest

    if plan.store_path.exists():
        with StoreFile.open(plan.store_path) as store:
            tell(commonest(reason for _, _, reason in store.faults()))


def tell(words: str) -> None:
    if words:
        note("reason: {words}", words=words)
