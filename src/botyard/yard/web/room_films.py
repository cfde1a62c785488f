"""Films of what was written down of rounds, and boards of rooms as text."""

from __future__ import annotations

from dataclasses import replace

from botyard.games.game import Game
from botyard.links.viewing.packed import PackedFilm
from botyard.links.viewing.screening import checked_seat
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.yard.refusals import NotThere
from botyard.yard.rooms.chronicles import ShownChronicle, names_in
from botyard.yard.site import Yard
from botyard.yard.web.text_boards import TextBoard, board_now, text_board
from botyard.yard.web.workshop import Workshop


class RoomFilms:
    """Makes films of rounds in rooms."""

    def __init__(self, yard: Yard, workshop: Workshop) -> None:
        self._yard, self._workshop = yard, workshop

    async def film(self, told: ShownChronicle, seat: int | None) -> PackedFilm:
        return await self._workshop.film(("round", told.id, seat), lambda: self._made(told, seat))

    async def replay(self, told: ShownChronicle) -> bytes:
        """Returns the replay as its file."""
        return await self._workshop.make(lambda: self._replay(told).to_bytes())

    async def board(self, told: ShownChronicle, tick: int) -> TextBoard:
        return await self._workshop.make(lambda: text_board(self._replay(told), tick))

    async def boards(self, games: list[tuple[Game, list[str]]]) -> list[TextBoard]:
        """Returns the boards of games as they are; the games must be copies."""
        return await self._workshop.make(lambda: [board_now(game, names) for game, names in games])

    def _made(self, told: ShownChronicle, seat: int | None) -> PackedFilm:
        replay = self._replay(told)
        return PackedFilm(film_of(replay, checked_seat(seat, len(replay.names))))

    def _replay(self, told: ShownChronicle) -> Replay:
        """Returns the replay with the names that its players have now: who was deleted has none."""
        if told.pruned_ms is not None:
            raise NotThere("the replay of this round was pruned", hint="the site keeps the last ones only")
        with self._yard.database.reading() as connection:
            content = self._yard.blobs.read(connection, told.replay)
            names = names_in(connection, told.id)
        replay = Replay.from_bytes(content, f"the replay of round {told.id}")
        return replace(replay, names=tuple(names.get(seat, "") for seat in range(len(replay.names))))
