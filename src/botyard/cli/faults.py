"""What the screen says of faults of ours: they are no mistake of the user, but often he can remove the cause."""

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
    """A run that gives up, because of the machine or of workers that died, says why and ends with status 1."""
    from botyard.contest.runner import GivenUp
    from botyard.match.blame import commonest, is_ours

    try:
        yield
    except Exception as error:
        if not isinstance(error, GivenUp) and not is_ours(error):
            raise
        note("[red]the contest was given up because of a fault of ours[/]")
        tell(commonest([f"{type(error).__name__}: {error}"]))
        with contextlib.suppress(Exception):  # the machine may refuse this, too
            tell_faults(plan)
        raise typer.Exit(1) from None


def tell_faults(plan: Plan) -> None:
    """Why games were spoiled by faults of ours: the commonest reason, how often, and a remedy where one is known."""
    from botyard.contest.store_file import StoreFile
    from botyard.match.blame import commonest

    if plan.store_path.exists():
        with StoreFile.open(plan.store_path) as store:
            tell(commonest(reason for _, _, reason in store.faults()))


def tell(words: str) -> None:
    if words:
        note("reason: {words}", words=words)
