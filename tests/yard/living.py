"""A yard in which something goes on: people, bots, pairs that were played, are played and wait, as pages show them.

What is asked, begun and closed goes through the functions that the steward uses; the games are games of house bots,
whose replays and turn logs are taken for those of players' bots.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import cycle

import sqlalchemy as sa

from botyard.games import load
from botyard.links.play import play
from botyard.match.loop import Played
from botyard.match.series import by_player
from botyard.match.turns import pack_turns
from botyard.rank.results import Result
from botyard.yard.config import LadderPlan
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import BOT, DONE, ENDED, FIT, LEASED, MATCH, PERSON, SEAT, TASK, VERSION, WORKER
from botyard.yard.ladders.closing import close_those_over
from botyard.yard.ladders.entries import enter_ladder
from botyard.yard.ladders.ladders import Ladder, ladder_named
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.ladders.pairs import LADDER_PAIR, PairAsked, Seated, ask_pair, begin_match
from botyard.yard.site import Yard
from tests.links.matches import rival_of, short_match

WORKER_NAME = "local 1"


@cache
def played_game(game: str, seed: int) -> Played:
    """A short game of house bots, played once however many tests show it."""
    return play(game, [rival_of(game)] * load(game).facts.usual_seats, seed=seed, **short_match(game))


class LivingYard:
    """Fills a yard step by step."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard
        self._seeds = cycle((5, 6))

    def open(self, *games: str) -> None:
        """Opens a ladder for each of these games, with settings for short games."""
        plans = tuple(LadderPlan(game, game, settings=short_match(game), predictable=True) for game in games)
        with self.yard.database.writing() as connection:
            open_ladders(connection, plans, self.yard.clock())
            row = {"name": WORKER_NAME, "state": "idle", "about": "{}", "seen_ms": self.yard.clock()}
            connection.execute(sa.insert(WORKER).values(**row))

    def person(self, name: str, role: str = "player") -> int:
        row = {"name": name, "name_key": name.casefold(), "role": role, "state": "active", "made_ms": self.yard.clock()}
        with self.yard.database.writing() as connection:
            return inserted_id(connection, PERSON, **row)

    def bot(self, owner: int, game: str, name: str, state: str = FIT) -> int:
        """Adds a bot with one version, which is on the ladder of its game if it is fit."""
        now_ms = self.yard.clock()
        with self.yard.database.writing() as connection:
            row = {"owner": owner, "game": game, "name": name, "name_key": name.casefold(), "made_ms": now_ms}
            bot = inserted_id(connection, BOT, **row)
            source = self.yard.blobs.keep(connection, name.encode(), now_ms)
            about = {"tree": source, "source": source, "manifest": "{}", "language": "python", "state": state}
            version = inserted_id(connection, VERSION, bot=bot, number=1, made_ms=now_ms, **about)
            if state == FIT:
                enter_ladder(connection, ladder_named(connection, game), bot, version, owner, now_ms)
        return bot

    def ask(
        self, game: str, *names: str, why: str = "it has waited longest", kind: str = LADDER_PAIR, by: int | None = None
    ) -> list[int]:
        """Asks a pair, or a table, among bots and house bots by their names; returns its matches."""
        with self.yard.database.writing() as connection:
            ladder = ladder_named(connection, game)
            seats = [self._seated(connection, ladder, name) for name in names]
            halves = (tuple(seats), tuple(reversed(seats))) if len(seats) == 2 else (tuple(seats),)
            number = next_chance(connection)
            pair = ask_pair(
                connection,
                PairAsked(
                    kind=kind, person=by, game=game, settings=json.dumps(ladder.settings), rules=ladder.rules,
                    chance=f"test {number}", seed=next(self._seeds), halves=halves, urgency=4, why=why,
                    ladder=ladder.id, season=ladder.season,
                ),
                self.yard.clock(),
            )  # fmt: skip
            chosen = sa.select(MATCH.c.id).where(MATCH.c.pair == pair).order_by(MATCH.c.half)
            return list(connection.execute(chosen).scalars())

    def _seated(self, connection: sa.Connection, ladder: Ladder, name: str) -> Seated:
        from botyard.yard.data.tables import ENTRY

        house = sa.select(ENTRY.c.id).where(ENTRY.c.ladder == ladder.id, ENTRY.c.house == name)
        if (entry := connection.execute(house).scalar_one_or_none()) is not None:
            return Seated(name, entry, house=name)
        chosen = sa.select(ENTRY.c.id, ENTRY.c.version).join(BOT, ENTRY.c.bot == BOT.c.id)
        row = connection.execute(chosen.where(ENTRY.c.ladder == ladder.id, BOT.c.name == name)).one()
        return Seated(name, row.id, version=row.version)

    def begin(self, match: int) -> None:
        with self.yard.database.writing() as connection:
            assert begin_match(connection, match, WORKER_NAME, self.yard.clock())
            self._task(connection, match, LEASED, f"at work on {WORKER_NAME}")

    def end(self, match: int) -> None:
        """Records a game that has begun, with the replay and the turns of a game of house bots."""
        now_ms = self.yard.clock()
        with self.yard.database.writing() as connection:
            row = connection.execute(sa.select(MATCH).where(MATCH.c.id == match)).one()
            played = played_game(row.game, 5 + row.half % 2)
            assert played.outcome is not None
            outcome = by_player(played.outcome, played.entrants)
            players = [f"p{place + 1}" for place in range(len(played.entrants))]
            change = {
                "state": DONE,
                "result": str(Result.of_outcome(outcome, players)),
                "ticks": len(played.replay.ticks),
                "replay": self.yard.blobs.keep(connection, played.replay.to_bytes(), now_ms),
                "turns": self.yard.blobs.keep(connection, pack_turns(played.log), now_ms),
                "done_ms": now_ms,
            }
            connection.execute(sa.update(MATCH).where(MATCH.c.id == match).values(**change))
            for rank, group in enumerate(outcome.groups, 1):
                for player in group:
                    seat = sa.update(SEAT).where(SEAT.c.match == match, SEAT.c.place == player + 1)
                    told = {"rank": rank, "score": outcome.scores[player], "turns": len(played.replay.ticks)}
                    connection.execute(seat.values(**told))
            self._task(connection, match, ENDED, "done", ended_ms=now_ms)
            close_those_over(connection, [match], now_ms)

    def _task(self, connection: sa.Connection, match: int, state: str, why: str, **more: int) -> None:
        change = {"state": state, "why": why, "worker": WORKER_NAME, "begun_ms": self.yard.clock(), **more}
        connection.execute(sa.update(TASK).where(TASK.c.match == match).values(**change))

    def play(self, game: str, *names: str) -> list[int]:
        """Has a pair played to its end."""
        matches = self.ask(game, *names)
        for match in matches:
            self.begin(match)
            self.end(match)
        return matches


def next_chance(connection: sa.Connection) -> int:
    return 1 + int(connection.execute(sa.select(sa.func.count()).select_from(MATCH)).scalar_one())
