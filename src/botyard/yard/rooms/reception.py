"""The yard behind Codenjoy's addresses: who registers there gets a row, and boards of the past come from the tables."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from botyard.kernel.errors import YardError
from botyard.links.codenjoy.reception import latest_chronicle
from botyard.match.chronicle import LoggedBoard, boards_in
from botyard.match.room import Room
from botyard.match.room_field import Member
from botyard.yard.caller import Caller
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.chronicles import MOST_BOARDS, boards_before
from botyard.yard.rooms.members import own_users, register_member


class YardReception:
    """What pages for clients of the original ask of a yard."""

    def __init__(self, caretaker: Caretaker) -> None:
        self._caretaker, self._yard = caretaker, caretaker.yard

    async def register(self, room: Room, name: str) -> Member:
        row = await self._yard.change(register_member, room.name, name, self._yard.clock())
        await self._caretaker.follow(row.room)
        member = self._caretaker.member(row.user)
        if member is None:
            raise YardError("the room was closed meanwhile", hint="choose another one")
        return member

    async def signed_in(self, request: HTTPConnection) -> tuple[Room, Member] | None:
        """Returns whom the caller plays for: in the room that is named, or else in the one joined last."""
        caller: Caller = request.scope.get("state", {}).get("caller", Caller())
        if caller.person is None:
            return None
        wanted = request.query_params.get("room", "")
        for user in await self._yard.ask(own_users, caller.person):
            found = self._caretaker.lobby.find(user)
            if found is not None and wanted in ("", found[0].name):
                return found
        return None

    async def boards(self, user: str, until_ms: int) -> list[LoggedBoard]:
        """Returns boards of the field that is played on, and before them those of fields that have ended."""
        caretaker, until_ms = self._caretaker, until_ms or self._yard.clock()
        member = caretaker.member(user)
        running = latest_chronicle(caretaker.lobby, user) if member and member.field else None
        now: list[LoggedBoard] = []
        if running is not None and running.begun_ms <= until_ms:
            now = await caretaker.workshop.make(boards_in, running, user, until_ms, MOST_BOARDS)
        if len(now) == MOST_BOARDS:
            return now
        before = await caretaker.workshop.make(self._kept, user, until_ms, MOST_BOARDS - len(now))
        return before + now

    def _kept(self, user: str, until_ms: int, most: int) -> list[LoggedBoard]:
        with self._yard.database.reading() as connection:
            return boards_before(connection, self._yard.blobs, user, until_ms, most)
