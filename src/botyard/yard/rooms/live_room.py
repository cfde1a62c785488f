"""A room of the yard that ticks, and its row's members in it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from botyard.games import load
from botyard.games.game import Game
from botyard.games.picture import camera_of, words_of
from botyard.kernel.errors import YardError
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member
from botyard.yard.data.times import MINUTE
from botyard.yard.rooms.chronicles import EndedField
from botyard.yard.rooms.members import MemberRow, code_of
from botyard.yard.rooms.points import Gain
from botyard.yard.rooms.rooms import RoomRow, settings_of

PATIENCE_MS = 10 * MINUTE  # how long a seat is kept for a player whose bot has gone
GONE, CLOSED, RENEWED = "you are not a member any more", "the room is closed", "this address was renewed"

log = logging.getLogger("botyard.yard.rooms")


def made_room(row: RoomRow) -> Room:
    """Returns the room that a row describes, without members. It loads rules, which may take a while."""
    room = Room(row.slug, load(row.game), settings_of(row), PATIENCE_MS)
    film_ready(room.blank)
    return room


def prepared(room: Room, row: RoomRow) -> Game:
    """Returns what the fields of a room are copies of from the next round on."""
    blank = room.prepared(settings_of(row))
    film_ready(blank)
    return blank


def film_ready(blank: Game) -> None:
    """Takes a picture, which loads what makes films: the first watcher must not hold up a tick."""
    camera_of(blank).take(blank)
    words_of(blank)


class LiveRoom:
    """A room that ticks, and what of it is written down already."""

    def __init__(self, lobby: Lobby, row: RoomRow, room: Room) -> None:
        self.row, self.room, self._lobby = row, room, lobby
        self._numbers: dict[str, int] = {}  # of rows, by user
        self._written: dict[str, int] = {}  # points, by user
        lobby.open(room)

    # What its rows say

    def take_members(self, rows: Sequence[MemberRow], key: bytes) -> None:
        """Makes the members of the room those of the rows; points are read once, for whoever is new."""
        wanted = {row.user for row in rows}
        for user in [member.user for member in self.room.members if member.user not in wanted]:
            self._lobby.remove(user, GONE)
            self._written.pop(user, None)
        for row in rows:
            code, found = code_of(key, row.user, row.generation), self._lobby.find(row.user)
            if found is None:
                self._add(row, code)
            elif found[1].code != code:
                found[1].code = code
                self.room.dismiss(found[1], RENEWED)

    def _add(self, row: MemberRow, code: str) -> None:
        try:
            bot = HousePlayer(self.room.book, self.room.settings, row.house, LoopClock()) if row.house else None
            member = self._lobby.register(self.room, row.name, row.user, code)
        except YardError as error:
            log.warning("%s cannot play in room %s: %s", row.name, self.row.slug, error)
            return
        member.points, self._written[row.user], self._numbers[row.user] = row.points, row.points, row.id
        if bot is not None:
            member.bot = bot
            self.room.seat(member)

    def reset(self) -> None:
        """Everybody begins at no points, which their rows say already."""
        self.room.reset()
        self._written = dict.fromkeys(self._written, 0)

    def close(self) -> None:
        self._lobby.close(self.room, CLOSED)

    # What its rows do not say yet

    def gains(self) -> list[Gain]:
        """Returns all points that are not written down."""
        return [
            Gain(self.row.id, self.row.generation, self._numbers[user], points, points - self._written[user])
            for user, points in self._points()
            if points != self._written[user]
        ]

    def wrote(self, gains: Sequence[Gain]) -> None:
        """Takes note that these points stand in the tables."""
        users = {number: user for user, number in self._numbers.items()}
        for gain in gains:
            if gain.room == self.row.id and gain.generation == self.row.generation:
                self._written[users[gain.member]] = gain.points

    def _points(self) -> Iterator[tuple[str, int]]:
        return ((member.user, member.points) for member in self.room.members if member.user in self._written)

    def ended_fields(self) -> list[EndedField]:
        """Takes what was written down of fields that have ended."""
        taken = [EndedField(self.row.id, chronicle) for chronicle in self.room.chronicles]
        self.room.chronicles.clear()
        return taken

    def member(self, user: str) -> Member | None:
        found = self._lobby.find(user)
        return found[1] if found and found[0] is self.room else None
