"""The games of a contest as its matches tell them, in the form that standings and reports are made from everywhere.

A match knows players by their places, a contest by their keys. Of games among house bots no more is told than their
results: the command line plays them as batches that know no more, and both write the same reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from botyard.contest.lost_turns import LostTurns
from botyard.contest.rows import GameRow
from botyard.contest.schema import ASKED, DONE, VOID
from botyard.contest.schema import LEASED as GAME_LEASED
from botyard.contest.store import Counts, HouseFault
from botyard.kernel.errors import YardError
from botyard.match.jitter import Lateness
from botyard.rank.formats import Pairing
from botyard.rank.results import Result, parse
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.contest_tables import CONTEST_GAME
from botyard.yard.data.tables import CANCELLED, FAULT, LEASED, MATCH, PAIR, SEAT, TASK
from botyard.yard.data.tables import DONE as MATCH_DONE
from botyard.yard.data.tables import VOID as MATCH_VOID
from botyard.yard.ladders.match_lists import RELEASED
from botyard.yard.work.matches import place_name

STATES = {MATCH_DONE: DONE, MATCH_VOID: VOID, CANCELLED: VOID, LEASED: GAME_LEASED}
"""What a contest calls the state of a match; one that somebody cancelled is void for it."""

GAMES: sa.Select[Any] = (
    sa.select(
        CONTEST_GAME.c.number, CONTEST_GAME.c.bots, CONTEST_GAME.c.name, CONTEST_GAME.c.game, CONTEST_GAME.c.chance,
        CONTEST_GAME.c.match, CONTEST_GAME.c.result.label("forfeit"), MATCH.c.state, MATCH.c.result, MATCH.c.ticks,
        MATCH.c.figures, PAIR.c.seed, PAIR.c.state.label("pair_state"),
    )
    .outerjoin(MATCH, CONTEST_GAME.c.match == MATCH.c.id)
    .outerjoin(PAIR, MATCH.c.pair == PAIR.c.id)
    .order_by(CONTEST_GAME.c.number)
)  # fmt: skip


class YardGames:
    """The games of one contest in the tables of a yard."""

    def __init__(
        self,
        connection: sa.Connection,
        contest: int,
        root: bytes,
        blobs: BlobReader | None = None,
        *,
        results_only: bool = False,
        quoting: bool = True,
    ) -> None:
        """`results_only`: nothing else of a game is read, for who only wants to know how the contest goes on. Not
        `quoting`: what explains lost turns is left out, because it may quote what bots were told and printed."""
        self._connection, self._contest, self.root, self._blobs = connection, contest, root, blobs
        self._results_only, self._quoting = results_only, quoting

    def counts(self) -> Counts:
        states = [game_state(row) for row in self._connection.execute(self._of(GAMES))]
        return Counts(
            states.count(ASKED), states.count(GAME_LEASED), states.count(DONE), states.count(VOID), len(self.faults())
        )

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """Yields games in their order."""
        house, faults = self._house_games(), self._faults_by_game()
        chosen = self._of(GAMES).where(CONTEST_GAME.c.number >= first)
        if last is not None:
            chosen = chosen.where(CONTEST_GAME.c.number <= last)
        for row in self._connection.execute(chosen).all():
            told = not self._results_only and row.number not in house
            game = game_row(row, faults.get(row.number, 0), told=told)
            yield game if self._quoting else replace(game, lost=None)

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Yields the columns of every game; a seed that must not be known yet is left out."""
        house, faults = self._house_games(), self._faults_by_game()
        for row in self._connection.execute(self._of(GAMES)):
            game = game_row(row, 0, told=False)
            seed = row.seed if row.pair_state in RELEASED else ""
            ticks = 0 if row.number in house else row.ticks or 0
            bots, result = " ".join(game.pairing.bots), "" if game.result is None else str(game.result)
            yield row.number, row.name, row.game, bots, seed, result, ticks, faults.get(row.number, 0)

    def row(self, number: int) -> GameRow:
        found = next(self.rows(number, number), None)
        if found is None:
            raise YardError(f"there is no game {number}", hint=f"{self.counts().all} games were asked for")
        return found

    def replay(self, number: int) -> bytes | None:
        return self._kept(MATCH.c.replay, number)

    def turn_log(self, number: int) -> bytes | None:
        return self._kept(MATCH.c.turns, number)

    def faults(self) -> list[HouseFault]:
        chosen = (
            sa.select(CONTEST_GAME.c.number, FAULT.c.worker, FAULT.c.reason)
            .join(TASK, TASK.c.match == CONTEST_GAME.c.match)
            .join(FAULT, FAULT.c.task == TASK.c.id)
            .order_by(FAULT.c.id)
        )
        return [HouseFault(*row) for row in self._connection.execute(self._of(chosen))]

    def _kept(self, column: sa.ColumnElement[Any], number: int) -> bytes | None:
        chosen = sa.select(column).join(CONTEST_GAME, CONTEST_GAME.c.match == MATCH.c.id)
        digest = self._connection.execute(self._of(chosen).where(CONTEST_GAME.c.number == number)).scalar()
        return None if digest is None or self._blobs is None else self._blobs.read(self._connection, digest)

    def _of(self, query: sa.Select[Any]) -> sa.Select[Any]:
        return query.where(CONTEST_GAME.c.contest == self._contest)

    def _faults_by_game(self) -> dict[int, int]:
        if self._results_only:
            return {}
        numbers = [fault.number for fault in self.faults()]
        return {number: numbers.count(number) for number in set(numbers)}

    def _house_games(self) -> set[int]:
        """Returns the numbers of the games that only house bots played."""
        if self._results_only:
            return set()
        seats = sa.select(CONTEST_GAME.c.number).join(SEAT, SEAT.c.match == CONTEST_GAME.c.match)
        played = seats.group_by(CONTEST_GAME.c.number).having(sa.func.count(SEAT.c.version) == 0)
        return set(self._connection.scalars(self._of(played)))


def game_state(row: sa.Row[Any]) -> str:
    return DONE if row.forfeit else STATES.get(row.state, ASKED)


def game_row(row: sa.Row[Any], faults: int, *, told: bool) -> GameRow:
    bots, state = tuple(json.loads(row.bots)), game_state(row)
    result: Result | None = None
    if row.forfeit:
        result = parse(row.forfeit)
    elif state == DONE:
        result = named(parse(row.result), bots)
    elif state == VOID:
        result = Result.nothing(bots)
    figures = json.loads(row.figures) if told and row.figures else None
    pairing = Pairing(bots, row.name, row.game, row.chance)
    about = figures_by_bot(figures, bots) if figures else dict.fromkeys(("verdicts", "lost", "timing", "cages"))
    jitter = Lateness(**figures["jitter"]) if figures and figures.get("jitter") else None
    note = json.loads(row.figures).get("note") if row.figures else None
    ticks = row.ticks or 0 if told else 0
    return GameRow(
        row.number, pairing, int(row.seed or 0), state, faults, result, ticks, **about, jitter=jitter, note=note
    )


def named(result: Result, bots: tuple[str, ...]) -> Result:
    """Returns a result of players by place as one of bots by key."""
    keys = {place_name(place): bot for place, bot in enumerate(bots, 1)}
    groups = [[keys[player] for player in group] for group in result.groups]
    scores = {keys[player]: points for player, points in result.scores}
    return Result.of(groups, scores, [keys[player] for player in result.forfeits])


def figures_by_bot(figures: dict[str, Any], bots: tuple[str, ...]) -> dict[str, Any]:
    """Returns what is kept of a match by place as what is told of a game by bot."""
    by_bot = {bot: figures[str(place)] for place, bot in enumerate(bots, 1)}
    lost = {
        bot: {verdict: LostTurns(**turns) for verdict, turns in own["lost"].items()}
        for bot, own in by_bot.items()
        if own["lost"]
    }
    return {
        "verdicts": {bot: own["verdicts"] for bot, own in by_bot.items()},
        "lost": lost or None,
        "timing": {bot: own["timing"] for bot, own in by_bot.items()},
        "cages": {bot: own["cage"] for bot, own in by_bot.items()},
    }
