"""This module writes the files that a game's original contest program wrote, for games that had one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from botyard.contest.plan import Plan
from botyard.contest.roots import derive_seed
from botyard.contest.schema import DAMAGED, DONE
from botyard.contest.store import PlayedGames
from botyard.kernel.contract import ContestRecord, CountedGame
from botyard.kernel.errors import BadRecord


def original_files(plan: Plan, store: PlayedGames) -> Mapping[str, str]:
    """Returns the content of these files, by name."""
    options = {row.name: getattr(plan.format, row.name) for row in fields(plan.format)}
    games = counted_games(store)
    seed = derive_seed(store.root, "original files") if plan.root is None else int.from_bytes(plan.root)
    record = ContestRecord(plan.settings, seed, plan.format.NAME, options, plan.keys, games)
    try:
        return plan.book.contest.contest_files(record)
    except BadRecord as error:
        raise BadRecord(error.message, hint=error.hint or DAMAGED) from None


def counted_games(store: PlayedGames) -> Iterator[CountedGame]:
    """Yields the games that were played to an end, in their order."""
    for row in store.rows():
        if row.state == DONE and row.result is not None:
            yield CountedGame(row.pairing.match, row.pairing.bots, row.result.winner, row.note)
