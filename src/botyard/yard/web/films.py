"""Films and turn reports of matches, made of their replays."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from botyard.kernel.errors import BadRecord
from botyard.links.play import play
from botyard.links.viewing.packed import PackedFilm, packed
from botyard.links.viewing.screening import NothingToShow, checked_seat
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.match.series import by_player
from botyard.match.turn_sheet import turn_sheet
from botyard.match.turns import SeatRecord, TurnLog, pack_turns, unpack_turns
from botyard.rank.results import Result
from botyard.render.film import Film
from botyard.yard.data.tables import DONE
from botyard.yard.ladders.match_lists import ListedSeat, ShownMatch, match_seed
from botyard.yard.refusals import NotThere
from botyard.yard.site import Yard
from botyard.yard.web.text_boards import TextBoard, text_board
from botyard.yard.web.workshop import Workshop


class MatchFilms:
    """Makes films of matches."""

    def __init__(self, yard: Yard, workshop: Workshop) -> None:
        self._yard, self._workshop = yard, workshop

    async def film(self, match: ShownMatch, seat: int | None) -> PackedFilm:
        """Returns the film of a match, or of what one seat saw of it. Until the pair is closed it tells no result."""
        key = ("match", match.listed.id, seat, match.listed.released)
        return await self._workshop.film(key, lambda: self._made(match, seat))

    async def turn_sheet(self, match: ShownMatch, places: Collection[int]) -> bytes:
        """Returns, packed, what became of every turn of those who sat in these places."""
        return await self._workshop.make(self._sheet, match, places)

    async def turn_log(self, match: ShownMatch, places: Collection[int]) -> bytes:
        """Returns the turn log as its file, without the turns of all others."""
        return await self._workshop.make(lambda: pack_turns(self._log(match, places)[1]))

    async def replay(self, match: ShownMatch) -> bytes:
        """Returns the replay as its file."""
        return await self._workshop.make(lambda: self._replay(match).to_bytes())

    async def board(self, match: ShownMatch, tick: int) -> TextBoard:
        """Returns the board of a tick as text."""
        return await self._workshop.make(lambda: text_board(self._replay(match), tick))

    def _made(self, match: ShownMatch, seat: int | None) -> PackedFilm:
        if match.film is not None and seat is None and match.listed.released:
            return PackedFilm(film_in(self._blob(match.film)))
        replay = self._replay(match)
        if not match.listed.released:
            replay = replace(replay, outcome=None, missed=[])
        return PackedFilm(film_of(replay, checked_seat(seat, len(replay.names))))

    def _replay(self, match: ShownMatch) -> Replay:
        if match.listed.state != DONE:
            raise NothingToShow("this game has no film", hint=match.waits or f"it is {match.listed.state}")
        if match.replay is None:
            replay = self._played_again(match)
        else:
            replay = Replay.from_bytes(self._blob(match.replay), f"the replay of match {match.listed.id}")
        return named(replay, match.listed.seats)

    def _played_again(self, match: ShownMatch) -> Replay:
        """Games among house bots need no stored replay: they come out the same every time."""
        houses = [seat.house for seat in match.listed.seats]
        if not all(houses):
            raise NotThere("the replay of this match is not kept any more", hint="its result stays")
        with self._yard.database.reading() as connection:
            seed, result = match_seed(connection, match.listed.id)
        bots = [f"house:{house}" for house in houses]
        played = play(match.listed.game, bots, seed=seed, **match.settings)
        players = [f"p{place}" for place in range(1, len(bots) + 1)]
        found = played.outcome and str(Result.of_outcome(by_player(played.outcome, played.entrants), players))
        if found != result:
            raise BadRecord(f"the game now gives {found}, and not {result}", hint="its bots or rules have changed")
        return played.replay

    def _log(self, match: ShownMatch, places: Collection[int]) -> tuple[Replay, TurnLog]:
        if match.turns is None:
            raise NothingToShow(
                "there is no turn log of this game", hint="house bots have none, and old ones are pruned"
            )
        replay = self._replay(match)
        log = unpack_turns(self._blob(match.turns), f"the turn log of match {match.listed.id}")
        return replay, log_of_places(log, replay, places)

    def _sheet(self, match: ShownMatch, places: Collection[int]) -> bytes:
        replay, log = self._log(match, places)
        sheet = turn_sheet(replay, log)
        for seat, told in enumerate(sheet["seats"]):
            told["private"] = replay.entrants[seat] + 1 not in places
        return packed(sheet)

    def _blob(self, digest: str) -> bytes:
        with self._yard.database.reading() as connection:
            return self._yard.blobs.read(connection, digest)


def named(replay: Replay, seats: tuple[ListedSeat, ...]) -> Replay:
    """Returns a replay with the names that its players have on the site."""
    names = [seat.name for seat in seats]
    if any(entrant >= len(names) for entrant in replay.entrants):
        return replay
    return replace(replay, names=tuple(names[entrant] for entrant in replay.entrants))


def log_of_places(log: TurnLog, replay: Replay, places: Collection[int]) -> TurnLog:
    """Returns a log in which nothing is left of seats that others played."""
    own = {seat for seat, entrant in enumerate(replay.entrants) if entrant + 1 in places}
    seats = tuple(
        replace(record, name=name) if at in own else SeatRecord(name)
        for at, (record, name) in enumerate(zip(log.seats, replay.names, strict=True))
    )
    return replace(log, seats=seats, turns=[turn for turn in log.turns if turn.seat in own])


def film_in(kept: bytes) -> Film:
    """Returns a film that the yard itself has kept."""
    told: dict[str, Any] = json.loads(gzip.decompress(kept))
    return Film(told["head"], told["blocks"])
